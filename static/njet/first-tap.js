// What a page needs after its first tap only: the screen that stays on, who is here, rules at the phase, vibration,
// taps beside an open sheet, the theme, the message that the connection is down.
"use strict";

// --- the screen stays on: by a wake lock where pages have them (https), else by a silent film ---
// Chromium leaves the screen on for a film that has sound: it has a silent track and is not muted, and needs no place
// on the page.  Before a tap no page may play a film.
{
  const here = document.getElementById("here");
  const line = document.getElementById("awake");
  const setting = document.getElementById("stays-on");
  const LOOK = 2000; // half of the film, so that a film that goes on is never seen at the same second twice
  let lock = null,
    film = null,
    isStill = false,
    seen = -1,
    battery = null;

  const isLow = () => battery !== null && !battery.charging && battery.level < 0.15;

  const stay = async () => {
    const wanted = setting.checked && !isLow() && !document.hidden;
    try {
      if (navigator.wakeLock) {
        if (!wanted) await lock?.release();
        else if (!lock || lock.released) {
          lock = await navigator.wakeLock.request("screen");
          lock.addEventListener("release", say);
        }
      } else if (!wanted) film?.pause();
      else await (film ??= load()).play();
    } catch {
      /* the browser does not allow it, or not yet: the line says so */
    }
    say();
  };

  const load = () => {
    const video = document.createElement("video");
    video.loop = video.playsInline = true;
    for (const name of ["webm", "mp4"]) {
      const source = document.createElement("source");
      source.src = here.dataset[name];
      source.type = `video/${name}`;
      video.append(source);
    }
    return video;
  };

  // WebKit may leave a film at its end that is to begin again, and says that it plays.
  setInterval(() => {
    if (!film || film.paused) return;
    isStill = film.currentTime === seen;
    if (isStill) film.currentTime = 0;
    seen = film.currentTime;
    say();
  }, LOOK);

  const say = () => {
    const isAwake = (lock && !lock.released) || (film && !film.paused && !isStill);
    line.textContent = here.dataset[isAwake ? "awake" : "sleepy"];
  };

  try {
    setting.checked = localStorage.getItem("screen") !== "off";
  } catch {
    /* this browser has no storage */
  }
  setting.addEventListener("change", () => {
    try {
      localStorage.setItem("screen", setting.checked ? "on" : "off");
    } catch {
      /* this browser has no storage */
    }
    stay();
  });
  document.addEventListener("visibilitychange", stay);
  // Safari plays a film while a tap is handled only.
  document.addEventListener("click", () => film?.paused && stay());
  navigator.getBattery?.().then(
    (found) => {
      battery = found;
      for (const change of ["levelchange", "chargingchange"]) battery.addEventListener(change, stay);
      stay();
    },
    () => {} // it may be forbidden
  );
  stay();
}

// --- who is here, and who else is recording ---
{
  const words = document.getElementById("here").dataset,
    [list, both, toast] = ["phones", "both", "both-toast"].map((id) => document.getElementById(id));
  let isWarned = false; // shown once; the button in the corner keeps showing it

  const lineOf = (phone) => {
    const line = document.createElement("li"),
      state = document.createElement("small");
    state.textContent = phone.missing
      ? words.missing
      : phone.away
        ? words.away
        : phone.recording
          ? words.recording
          : phone.may_record
            ? ""
            : words.watches;
    // A player without a name is called by the number in the language of the page.
    const name = phone.name.replace(/^#(\d)$/, (all, number) => words.player?.replace("{number}", number) ?? all);
    line.append(name, state);
    line.classList.toggle("is-away", phone.away);
    return line;
  };

  const show = () => {
    const { key, missing = "[]" } = document.getElementById("table").dataset,
      people = JSON.parse(missing).map((name) => ({ name, away: true, missing: true }));
    list.replaceChildren(...[...phones, ...people].map(lineOf)); // table.js has heard of the phones
    const recording = phones.filter((phone) => !phone.away && phone.recording),
      others = recording.filter((phone) => String(phone.key) !== key);
    // At a digital table every player acts: no warning about others.
    both.hidden = !words.both || !others.length || others.length === recording.length;
    both.textContent = words.both.replace("%s", others.map((phone) => phone.name).join(", "));
    if (both.hidden || isWarned) return;
    isWarned = true;
    toast.textContent = both.textContent;
    toast.hidden = false;
    setTimeout(() => {
      toast.hidden = true;
    }, 6000);
  };
  for (const change of ["here", "line", "news"]) document.addEventListener(change, show);
  show();
}

// --- the rules open at the row that was asked for, else at the present phase ---
{
  const show = ({ target }) => {
    if (target?.id !== "help" || !target.matches(":popover-open")) return;
    const { dataset, className } = document.getElementById("table");
    const [view] = (dataset.phase ?? /is-(\w+)/.exec(className)?.[1] ?? "").split("-");
    const parts = { teams: "teams", choose: "discard", count: "tricks", tricks: "tricks", finished: "score" };
    document.getElementById(target.dataset.part ?? `help-${parts[view] ?? "placing"}`)?.scrollIntoView();
  };
  document.addEventListener("toggle", show, true);
  show({ target: document.getElementById("help") });
}

// --- whether the phone vibrates: it may not before a tap ---
{
  const quiet = document.getElementById("quiet");
  try {
    if (quiet) quiet.checked = localStorage.getItem("quiet") === "1";
  } catch {
    /* this browser has no storage */
  }
  // At a digital table somebody acts all the time: vibrate only where the setting exists.
  document.addEventListener("news", () => quiet && !quiet.checked && navigator.vibrate?.(40));
  quiet?.addEventListener("change", () => {
    try {
      localStorage.setItem("quiet", quiet.checked ? "1" : "");
    } catch {
      /* this browser has no storage */
    }
  });
}

// --- a tap beside an open sheet closes it and does nothing else ---

(() => {
  let isBeside = false;
  addEventListener(
    "pointerdown",
    ({ target }) => {
      isBeside = document.querySelector(":popover-open") && !target.closest(":popover-open, [popovertarget]");
    },
    true
  );
  addEventListener(
    "click",
    (event) => {
      // A key taps no place.
      if (!isBeside || !event.detail) return;
      isBeside = false;
      document.querySelector(":popover-open")?.hidePopover(); // Safari before 18.3 leaves it open on a phone
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true
  );
})();

// --- the theme among the settings: the server keeps it, and writes it into each page ---

document.addEventListener("change", ({ target }) => {
  if (target.id !== "theme") return;
  const { media } = target.selectedOptions[0].dataset;
  for (const each of document.querySelectorAll("head [media]")) each.setAttribute("media", media);
  document.dispatchEvent(new CustomEvent("setting", { detail: target.id }));
});

// --- the address: a reload, also of a tab that a phone has dropped, shows the partners that were tapped ---

(() => {
  // A digital table asks for news with more than its address may say: of that only the partners.
  const PARTNERS = ["partners", "start"];

  function nameThePage() {
    const table = document.getElementById("table");
    if (table?.dataset.query === undefined) return;
    const asked = new URLSearchParams(table.dataset.query),
      isDigital = table.classList.contains("cards"),
      query = isDigital ? new URLSearchParams(location.search) : asked;
    // How this phone counts is remembered by the server.
    query.delete("count");
    if (isDigital) for (const name of PARTNERS) asked.has(name) ? query.set(name, asked.get(name)) : query.delete(name);
    const search = query.size ? `?${query}` : "";
    if (search !== location.search) history.replaceState(history.state, "", location.pathname + search);
  }

  document.addEventListener("htmx:after:swap", nameThePage);
  nameThePage();
})();

// --- that the connection is down lies over the thumb bar as long as other messages; then a word stays at the thumb ---
{
  const bar = document.querySelector("#slot > .line");
  let said = "",
    passing = 0;

  const say = () => {
    const words = bar.querySelector("[role=status]").textContent;
    const news = [!Line.isUp, words.includes(bar.dataset.unsaved), words.includes(bar.dataset.later)].join();
    if (news === said) return;
    said = news;
    bar.classList.add("is-new");
    clearTimeout(passing);
    passing = setTimeout(() => bar.classList.remove("is-new"), 5000);
  };

  if (bar) {
    say();
    document.addEventListener("taps", say);
  }
}
