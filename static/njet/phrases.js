// Short messages at a digital table: they come with who is there, and are shown at the plate of their sender for a
// while, in the language of this phone.  Nothing is stored, and no tap is taken by them.
"use strict";

(() => {
  const SHOWN = 5000,
    PAUSE = 3000;
  const root = () => document.getElementById("table");
  const here = document.getElementById("here"),
    shown = document.createElement("div"),
    known = new Set();
  shown.role = "status";
  document.body.append(shown);

  const isMuted = () => {
    try {
      return localStorage.getItem("muted") === "1";
    } catch {
      return false; // this browser has no storage
    }
  };

  // The words of this phone, and the names as they are now.
  async function load() {
    const answer = await Line.get(`${location.pathname}say/`);
    if (!answer.ok) throw new Error("no words");
    const words = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!document.getElementById("phrases")) lay(words);
    return words;
  }

  function lay(words) {
    const form = document.importNode(words.getElementById("phrases"), true),
      mute = document.importNode(words.querySelector(".check"), true);
    here.querySelector("#phones").after(form);
    // Spectators have no settings of cards.
    (form.hidden ? here : document.querySelector("#settings fieldset:nth-of-type(2)")).append(mute);
    const field = mute.querySelector("input");
    field.checked = isMuted();
    field.addEventListener("change", () => {
      try {
        localStorage.setItem("muted", field.checked ? "1" : "");
      } catch {
        /* this browser has no storage */
      }
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      event.stopPropagation();
      send(form, event.submitter.value);
    });
  }

  async function send(form, phrase) {
    const { csrf, turns = "" } = root().dataset,
      body = new URLSearchParams({ phrase, seat: turns.split("-")[0] });
    const rest = (isOn) => form.querySelectorAll("button").forEach((button) => (button.disabled = isOn));
    here.hidePopover();
    rest(true);
    setTimeout(() => rest(false), PAUSE);
    try {
      const headers = { "HX-Request": "true", "X-CSRFToken": csrf },
        answer = await fetch(form.action, { method: "POST", headers, body });
      if (!answer.ok) show(form.dataset.refused);
    } catch {
      Line.lost();
    }
  }

  async function hear(phones) {
    for (const { said } of phones) {
      const [seat, phrase, mark] = said ?? [];
      if (!mark || known.has(mark)) continue;
      known.add(mark);
      if (isMuted()) continue;
      try {
        const words = await load(),
          name = words.querySelectorAll("#phrases bdi")[seat],
          text = words.querySelector(`#phrases [value="${phrase}"]`).textContent;
        name.hidden = false;
        show(text, document.importNode(name, true), seat);
      } catch {
        /* it was a word in passing */
      }
    }
  }

  function show(text, name, seat) {
    const bubble = document.createElement("p");
    bubble.className = "saving is-shown";
    bubble.dataset.seat = seat ?? "";
    bubble.append(...(name ? [name, " · "] : []), text);
    shown.append(bubble);
    place(bubble);
    setTimeout(() => bubble.remove(), SHOWN);
  }

  // One's own place has no plate, and a board no places: there it lies at the end of the banner, which begins with
  // whose turn it is.
  function place(bubble) {
    const sitter = root()?.querySelector(`.sitter[data-seat="${bubble.dataset.seat}"]`),
      own = sitter?.querySelector(".plate, .slot"),
      plate = (own ?? root()?.querySelector(".dash"))?.getBoundingClientRect();
    if (!plate?.width) return bubble.removeAttribute("style");
    const { offsetWidth: width, offsetHeight: height, style } = bubble,
      most = innerWidth - width - 4;
    style.inset = "auto";
    style.margin = "0";
    style.left = `${Math.max(4, Math.min(own ? plate.left + (plate.width - width) / 2 : plate.right - width, most))}px`;
    style.top = `${plate.top + (plate.height - height) / 2}px`;
  }

  const placeAll = () => [...shown.children].forEach(place);
  document.addEventListener("htmx:after:swap", placeAll);
  addEventListener("resize", placeAll);
  document.addEventListener("here", ({ detail }) => hear(detail));
  load().catch(() => {});
  hear(phones); // table.js has heard of them
})();
