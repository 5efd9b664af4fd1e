// Counting a round at once: a tap for each number, the rest offered to the last player, and drafts that stay on this
// phone.
// A round that is corrected has the same rows and keys; its figures stand in the form, and there are no drafts.
// Without script the form has number fields, and the server says what is missing.
"use strict";

(() => {
  const table = () => document.getElementById("table"); // none on the page of a correction
  const pad = () => document.getElementById("pad");
  // The form of this round: on the page, or on the pad of a phone offline; of a correction the block of the figures.
  const ours = () => document.getElementById("tally") ?? pad()?.querySelector(".tally");
  const formOf = (input) => input.closest(".tally");
  const buttonOf = (form) =>
    document.querySelector("button[form=tally]") ?? form.closest("form").querySelector("button.is-main");
  const game = location.pathname.split("/")[2];
  const figures = (form, kind) => [...form.querySelectorAll(`[name^="${kind}-"]`)];
  const number = (input) => parseInt(input.value || input.dataset.offer, 10) || 0;
  const sum = (inputs) => inputs.reduce((total, input) => total + number(input), 0);
  const put = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };
  let at = table() ? null : "", // the field that the keys fill; the keys of a correction wait for a tap
    last = "", // the field that was typed last
    waiting = null; // the taps that wait on this phone, once they are known

  // --- drafts: what is typed stays on this phone until the round is counted, by anybody ---

  const NAME = `tally ${game}`;
  let kept = null; // where the browser stores nothing

  function read() {
    try {
      return JSON.parse(localStorage.getItem(NAME)) ?? kept;
    } catch {
      return kept;
    }
  }

  function store(draft) {
    kept = draft;
    try {
      if (draft) localStorage.setItem(NAME, JSON.stringify(draft));
      else localStorage.removeItem(NAME);
    } catch {
      /* this browser has no storage */
    }
  }

  const field = (tap, name) => tap.fields.find(([key]) => key === name)?.[1];

  // What a row has settled: as the strip says, or the space that the board and the waiting taps leave open.
  function settled(row) {
    const strip = table().querySelector(`.strip .on-${row}`);
    if (strip) return strip.dataset.space;
    const board = table().querySelector("form.board") ?? document.getElementById("fresh-board")?.content;
    const spaces = [...(board?.querySelectorAll(`.row-${row} .space:not(.is-covered)`) ?? [])];
    const covered = (waiting ?? []).map((tap) => field(tap, "space"));
    const open = spaces.map((space) => space.value).filter((value) => !covered.includes(value));
    return open.length === 1 ? open[0].split(":")[1] : undefined;
  }

  // What is played: a round that was void and is played again has another board.  A page that opens offline may be
  // some taps older than the draft: rows that it has not settled say nothing.
  const boardNow = () => ["start", "discard", "trump", "supertrump", "points"].map((row) => settled(row) ?? "");
  const isOther = (board) => boardNow().some((space, row) => space && board?.[row] && space !== board[row]);

  // The numbers that were typed in this round, by field.
  function typed() {
    if (!table()) return Object.fromEntries([...new FormData(ours().closest("form"))].filter(([, value]) => value));
    const [view, round] = table().dataset.phase.split("-");
    const draft = read();
    const isHere = draft?.round === round,
      isOver = !isHere || (!draft.isPad && !["count", "teams"].includes(view));
    // A round that this phone has counted keeps its numbers: when that is undone, one of them was wrong.
    if (draft && isOver && (!draft.isSent || (isHere && view !== "finished"))) store(null);
    else if (waiting && isHere && (view === "count" || pad()?.querySelector("form.tally")) && isOther(draft.board))
      store(null);
    return read()?.round === round ? read().values : {};
  }

  function type(input, value) {
    input.value = value;
    last = input.name;
    changed(input);
  }

  function changed(input) {
    const form = formOf(input);
    input.form.querySelector(".notice")?.remove();
    input.removeAttribute("aria-invalid");
    if (form !== ours()) return;
    const { [input.name]: _, ...values } = typed();
    if (input.value !== "") values[input.name] = input.value;
    if (table())
      store({ round: table().dataset.phase.split("-")[1], board: boardNow(), isPad: pad()?.contains(form), values });
    draw();
  }

  // --- what is shown ---

  function draw() {
    for (const form of document.querySelectorAll(".tally")) show(form);
    if (!table()) return; // a correction, or a refusal that is a whole page
    const values = Object.entries(typed()).filter(([name]) => name.startsWith("tricks")),
      line = document.querySelector(".remind[data-draft]");
    // The form itself says it beside its button.
    if (!line || !values.length || ours()) return;
    const all = values.reduce((total, [, value]) => total + Number(value), 0);
    put(line.firstElementChild, line.dataset.draft.replace("%s", all));
  }

  function show(form) {
    for (const button of form.querySelectorAll(".step")) button.hidden = false;
    for (const input of form.querySelectorAll(".field")) input.inputMode = "none";
    showKeys(form);
    if (form === ours()) {
      if (table()) fill(form);
      judge(form);
    }
    mark(form);
  }

  // What was typed; when all players but one are typed, the last one is offered what is left, in grey.
  function fill(form) {
    const values = typed();
    for (const input of form.querySelectorAll(".field")) {
      const value = values[input.name] ?? input.defaultValue;
      if (input.value === "" && input === document.activeElement) continue; // being typed
      if (input.value !== value) input.value = value;
    }
    const tricks = figures(form, "tricks");
    for (const input of tricks) {
      delete input.dataset.offer;
      input.placeholder = 0;
    }
    const open = untyped(form),
      rest = form.dataset.tricks - sum(tricks);
    if (open.length === 1 && rest >= 0) open[0].placeholder = open[0].dataset.offer = rest;
  }

  // Going on to the captures, or counting, takes what is offered.
  function accept(form) {
    const offered = form?.querySelector("[data-offer]");
    if (offered) type(offered, offered.dataset.offer);
  }

  // The field that is missing, else the one that was typed last: it made the sum wrong.
  function refuse(form, button) {
    const kind = sum(figures(form, "tricks")) === Number(form.dataset.tricks) ? "captured" : "tricks",
      suspects = figures(form, kind);
    const wrong =
      untyped(form)[0] ?? suspects.find((input) => input.name === last) ?? suspects.find((input) => number(input));
    const field = (kind === "captured" && overfull(form)?.input) || (wrong ?? suspects[0]);
    field.focus({ preventScroll: Boolean(table()) });
    field.setAttribute("aria-invalid", "true");
    button.classList.add("is-wrong");
    button.querySelector("small").role = "alert";
    setTimeout(() => button.classList.remove("is-wrong"), 1500);
  }

  const untyped = (form) => {
    const values = typed();
    return figures(form, "tricks").filter((input) => !(input.name in values));
  };

  // A player with more captured cards than their tricks can bring.
  function overfull(form) {
    for (const [seat, input] of figures(form, "captured").entries()) {
      // Where the teams are not known (offline), this is no number.
      const most = number(figures(form, "tricks")[seat]) * input.dataset.perTrick;
      if (number(input) > most) return { input, name: input.closest(".counted").ariaLabel, sum: number(input), most };
    }
    return null;
  }

  // What is missing stands on the button, which waits until it fits.
  function judge(form) {
    const button = buttonOf(form),
      tricks = sum(figures(form, "tricks")),
      captured = sum(figures(form, "captured")),
      player = overfull(form);
    const { tricks: all, least, most } = form.dataset;
    const words = (name, values) =>
      button.dataset[name].replace(/{(\w+)}/g, (_, key) => ({ all, least, most, ...values })[key]);
    // A correction that corrects nothing (unchanged.js) is not asked for the rest.
    const wrong =
      "same" in button.dataset
        ? button.dataset.unchanged
        : tricks < all
          ? words("missing", { sum: tricks, rest: all - tricks })
          : tricks > all
            ? words("over", { sum: tricks, rest: tricks - all })
            : captured > most
              ? words("many", { sum: captured })
              : captured < least
                ? words("few", { sum: captured })
                : player && words("each", player);
    button.ariaDisabled = wrong ? "true" : null;
    put(button.querySelector("small"), wrong || words(captured ? "fits" : "none", { sum: tricks, captured }));
    for (const [kind, total] of [
      ["tricks", tricks - (form.querySelector("[data-offer]")?.dataset.offer ?? 0)],
      ["captured", captured]
    ]) {
      const line = document.querySelector(`[data-sum-${kind}]`);
      if (line) put(line, line.getAttribute(`data-sum-${kind}`).replace("%s", total));
    }
  }

  // --- the keys: a number is one tap, and the next field is due ---

  function showKeys(form) {
    const keys = form.querySelector(".keys");
    const most = Number(figures(form, "tricks")[0].max);
    keys.hidden = false;
    if (keys.dataset.most === String(most)) return;
    keys.dataset.most = most;
    keys.replaceChildren();
    const key = (value) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: value });
      Object.assign(button, { className: "key", value, tabIndex: -1 });
      keys.append(button);
    };
    // A hand has at most 16 cards: three rows of keys.
    for (let value = 0; value <= most; value += 1) key(value);
  }

  const current = (form) =>
    form.contains(document.activeElement) && document.activeElement.matches(".field")
      ? document.activeElement
      : (form.querySelector(`[name="${at}"]`) ?? untyped(form)[0] ?? figures(form, "tricks")[0]);

  function mark(form) {
    const due = at === "" ? null : current(form);
    for (const input of form.querySelectorAll(".field")) input.classList.toggle("is-due", input === due);
  }

  // After the tricks of all players, the captures of those who won a trick; in the end the button.
  function go(form, input) {
    // No other figure needs to be wrong: the same field can be filled again.
    if (!table()) return input.select();
    const tricks = figures(form, "tricks"),
      captured = figures(form, "captured"),
      seat = tricks.indexOf(input);
    const open = untyped(form);
    let next;
    if (seat >= 0 && form === ours()) {
      next = open.find((each) => tricks.indexOf(each) > seat) ?? open[0];
      // Piles that do not add up: this number, or another one, is wrong.
      if (!next && sum(tricks) !== Number(form.dataset.tricks)) {
        input.setAttribute("aria-invalid", "true");
        return input.select();
      }
    } else if (seat >= 0) next = tricks[seat + 1];
    next ??= captured.slice(captured.indexOf(input) + 1).find((each) => number(tricks[captured.indexOf(each)]));
    at = next?.name ?? "";
    if (next) next.focus({ preventScroll: true });
    else buttonOf(form)?.focus({ preventScroll: true });
    mark(form);
  }

  document.addEventListener("focusin", ({ target }) => {
    if (!target.matches(".tally .field")) return leave(target);
    if (target.name.startsWith("captured")) accept(ours());
    at = target.name;
    target.select();
    mark(formOf(target));
    if (!table()) target.scrollIntoView({ block: "nearest" });
  });

  // The keys of a correction go when something else is tapped.
  function leave(target) {
    if (table() || !ours() || target.closest(".tally, .thumb")) return;
    at = "";
    mark(ours());
  }

  // The keys leave the focus where it is.
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".key, .step")) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const { target } = event,
      step = target.closest(".step"),
      key = target.closest(".key");
    if (step) {
      const input = step.parentElement.querySelector("input");
      accept(ours());
      type(input, Math.min(Math.max(number(input) + Number(step.dataset.step), 0), input.max));
    } else if (key) {
      const form = formOf(key),
        input = current(form);
      type(input, key.value);
      go(form, input);
    } else leave(target);
  });

  document.addEventListener("input", ({ target }) => {
    if (!target.matches(".tally .field")) return;
    last = target.name;
    changed(target);
  });

  // Also what the key Enter presses.
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button"),
        form = ours();
      if (!button || !form || button !== buttonOf(form)) return;
      if (!button.ariaDisabled) {
        accept(form);
        if (table() && read()) store({ ...read(), isSent: true });
        return;
      }
      event.preventDefault();
      refuse(form, button);
    },
    true
  );

  // --- tricks that wait on this phone count too ---

  document.addEventListener("taps", ({ detail }) => {
    waiting = detail;
    drawPad();
    const tricks = detail.flatMap((tap) => field(tap, "trick") ?? []).map((trick) => trick.split(":"));
    for (const cell of document.querySelectorAll("#table [data-won]")) {
      const [seat, won] = cell.dataset.won.split(" "),
        theirs = tricks.filter(([winner]) => winner === seat);
      const more = cell.matches("b") ? theirs.length : theirs.reduce((sum, [, captured]) => sum + Number(captured), 0);
      put(cell, String(Number(won) + more));
    }
    drawNext(tricks);
  });

  // How many tricks are done, and who leads the next one.
  function drawNext(tricks) {
    const progress = document.querySelector("#table [data-done]"),
      question = document.querySelector("#table [data-leads]");
    if (!progress || !question) return;
    const done = Number(progress.dataset.done) + tricks.length,
      leader = tricks.at(-1)?.[0] ?? question.dataset.leader;
    let name = "";
    for (const won of document.querySelectorAll("#table .winner b[data-won]")) {
      const row = won.closest(".choice"),
        leads = won.dataset.won.split(" ")[0] === leader;
      row.classList.toggle("is-leading", leads);
      if (leads) name = row.querySelector("bdi").textContent;
    }
    put(progress, progress.dataset.progress.replace("%s", done));
    if (name) put(question, question.dataset.leads.replace("%n", name).replace("%s", done + 1));
  }

  // --- the pad of a phone offline: questions and forms that fit the board as its taps leave it ---

  function drawPad() {
    const form = pad()?.querySelector("form");
    if (!form) return;
    const start = settled("start");
    const [all, least] =
      form
        .closest("[data-rounds]")
        ?.dataset.rounds.match(new RegExp(`\\b${settled("discard")}:(\\d+):(\\d+)`))
        ?.slice(1) ?? [];
    const tally = pad().querySelector("form.tally");
    if (tally && all) Object.assign(tally.dataset, { tricks: all, least });
    if (form.dataset.partners) askTeams(form, start);
    draw();
  }

  // The start player is no partner; the monster is in the smaller team; the button waits until the teams fit.
  function askTeams(form, start) {
    const partners = [...form.querySelectorAll("[name=partner]")],
      monsters = [...form.querySelectorAll("[name=monster]")];
    const hide = (box, isHidden) => {
      box.parentElement.hidden = isHidden;
      if (isHidden) box.checked = false;
    };
    for (const box of partners) hide(box, box.value === start);
    const own = [start, ...partners.filter((box) => box.checked).map((box) => box.value)];
    const isOwn = own.length * 2 <= partners.length;
    for (const box of monsters) hide(box, Boolean(start) && own.includes(box.value) !== isOwn);
    const isRight = form.dataset.partners.split(" ").includes(String(own.length - 1)),
      isWhole = !monsters.length || monsters.some((box) => box.checked);
    form.querySelector("button").ariaDisabled = isRight && isWhole ? null : "true";
  }

  document.addEventListener("change", ({ target }) => {
    if (target.closest("#pad [data-partners]")) drawPad();
  });

  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest("#pad [data-partners] button")?.ariaDisabled) event.preventDefault();
    },
    true
  );

  // The pad comes after the first visit.
  async function fetchPad() {
    if (!pad() || document.getElementById("questions") || (!Line.isUp && !navigator.serviceWorker?.controller)) return;
    try {
      const answer = await Line.get(`/g/${game}/pad/`);
      if (!answer.ok || document.getElementById("questions")) return;
      document.body.insertAdjacentHTML("beforeend", await answer.text());
    } catch {
      return; // again with the next sign of the line
    }
    document.dispatchEvent(new Event("line"));
  }

  // A round that has been counted: the team of this phone's player confirms it first.  A page that is there already
  // stays as it is.
  document.addEventListener("htmx:after:swap", () => {
    draw();
    const { label } = document.getElementById("here").dataset;
    for (const form of table()?.querySelectorAll(`[data-team*="|${CSS.escape(label)}|"]`) ?? []) {
      form.parentElement.querySelector("form").before(form);
      form.lastElementChild.classList.add("is-main");
    }
  });
  // A morph leaves a figure alone as long as somebody types it: a button, which may have the focus too, gets the value
  // of what it does next. A correction has no htmx.
  window.htmx?.registerExtension("typing", {
    htmx_before_morph_attr: (element, { attrName }) =>
      attrName !== "value" || element !== document.activeElement || element.tagName === "BUTTON"
  });
  document.addEventListener("pad", drawPad);
  document.addEventListener("bounds", draw);
  // The script of the queue then names the taps that have been waiting since before this one came.
  document.dispatchEvent(new Event("line"));
  draw();
  document.addEventListener("line", fetchPad);
  fetchPad();
})();
