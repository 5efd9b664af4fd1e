// The hand on this phone: its settings, the order of its cards, and the keys that reach them and the board.
// All of it is optional: without script the cards stand as they are sorted, and Tab reaches each of them.
"use strict";

const Hand = (() => {
  const settings = document.getElementById("settings"),
    fields = settings.querySelectorAll(".check :is(input, select)");
  const hand = () => document.getElementById("hand");

  // --- settings: kept on this phone ---

  const valueOf = (field) => (field.type === "checkbox" ? (field.checked ? "1" : "") : field.value);
  const on = (name) => valueOf(settings.querySelector(`[name=${name}]`));

  for (const field of fields) {
    try {
      // The coach speaks until it is switched off.
      const kept = localStorage.getItem(`cards-${field.name}`) ?? (field.name === "coach" ? "1" : "");
      if (field.type === "checkbox") field.checked = kept === "1";
      else field.value = kept;
    } catch {
      /* this browser has no storage */
    }
    field.addEventListener("change", () => {
      try {
        localStorage.setItem(`cards-${field.name}`, valueOf(field));
        if (field.name === "coach") localStorage.removeItem("cards-coached");
      } catch {
        /* this browser has no storage */
      }
      apply();
      document.dispatchEvent(new CustomEvent("setting", { detail: field.name }));
    });
  }

  function switchOff(name) {
    const field = settings.querySelector(`[name=${name}]`);
    field.checked = false;
    try {
      localStorage.removeItem(`cards-${name}`);
    } catch {
      /* this browser has no storage */
    }
  }

  function apply() {
    const { classList } = document.documentElement;
    classList.toggle("has-large-cards", on("large") !== "");
    classList.toggle("is-left-handed", on("left") !== "");
    classList.toggle("has-coach", on("coach") !== "");
  }

  // The coach is for the first rounds: after these it is switched off, and can be switched on for as many again.
  const COACHED = 8;

  function countRound() {
    if (!on("coach")) return;
    try {
      const round = location.pathname + document.getElementById("table").dataset.turns,
        seen = (localStorage.getItem("cards-coached") ?? "").split(" ").filter(Boolean);
      if (seen.includes(round)) return;
      if (seen.length < COACHED) {
        localStorage.setItem("cards-coached", [...seen, round].join(" "));
        return;
      }
      localStorage.setItem("cards-coach", "");
      localStorage.removeItem("cards-coached");
      settings.querySelector("[name=coach]").checked = false;
      apply();
    } catch {
      /* this browser has no storage */
    }
  }

  // --- the order of the cards ---
  // The server gives each card a slot: its row and its place there (classes r and k; k of the dock: slots of the upper
  // row, of the hand: all).  Another order keeps the suits of each row and their sizes, so that no card moves out of
  // its suit; where trumps are wanted at the other end the rows change places for the whole round.

  let rows = [], // of each row: how many slots a suit has
    rowsOf = "",
    trump = "",
    trumpRow = 0,
    trumpOf = "";
  const numberOf = (element, letter) => Number(new RegExp(`\\b${letter}(\\d+)\\b`).exec(element.className)?.[1] ?? 0);
  const slotOf = (card) => numberOf(card, "k") + numberOf(card, "r") * numberOf(hand().parentElement, "k");
  const suitOf = (card) => /\bs-(\w+)/.exec(card.querySelector(".face").className)[1];

  function arrange() {
    if (!hand()) return;
    const cards = [...hand().querySelectorAll(".in-hand")],
      dock = hand().parentElement;
    for (const each of [dock, ...cards]) {
      if (each.dataset.dealt) each.className = each.dataset.dealt;
      else each.dataset.dealt = each.className;
    }
    cards.sort((a, b) => slotOf(a) - slotOf(b));
    const count = numberOf(hand(), "k"),
      upper = numberOf(dock, "k"),
      root = document.getElementById("table"),
      { turns } = root.dataset,
      now = [turns, root.className, count].join();
    const held = new Map();
    for (const card of cards) held.set(suitOf(card), [...(held.get(suitOf(card)) ?? []), card]);
    if (rowsOf !== now) {
      rowsOf = now;
      countRound();
      rows = [upper, count - upper].map((length, row) => {
        const firsts = [...held].filter(([, [first]]) => numberOf(first, "r") === row);
        const startOf = (i) => (i ? (firsts[i] ? numberOf(firsts[i][1][0], "k") : length) : 0);
        return new Map(firsts.map(([suit], i) => [suit, startOf(i + 1) - startOf(i)]));
      });
    }
    const high = cards.find((card) => card.querySelector(".is-trump"));
    if (high) [trump, trumpRow, trumpOf] = [suitOf(high), numberOf(high, "r"), turns];
    const wanted = trumpOf === turns && on("trump"),
      isFalling = on("falling") !== "";
    if (!wanted && !isFalling) return;
    const end = wanted === "left" ? -1 : 1,
      isTurned = wanted && trumpRow !== (end > 0 ? 1 : 0);
    (isTurned ? [...rows].reverse() : rows).forEach((sizes, row) => {
      let start = 0;
      const suits = [...sizes.keys()];
      if (wanted) suits.sort((a, b) => end * ((a === trump) - (b === trump)));
      for (const suit of suits) {
        const own = held.get(suit) ?? [];
        (isFalling ? own.reverse() : own).forEach((card, i) => {
          replace(card, "r", row);
          replace(card, "k", start + i);
        });
        start += sizes.get(suit);
      }
    });
    if (isTurned) replace(dock, "k", count - upper);
  }

  function replace(element, letter, number) {
    element.className = element.className.replace(new RegExp(`\\b${letter}\\d+\\b`), letter + number);
  }

  // --- keys: one card is reached by Tab, the others from it ---

  let current = "",
    currentOf = "",
    isByKeys = false,
    wasInHand = false,
    hinted = "", // the card or space that a hint shows
    row = ""; // of the board, where the focus was
  const cardOf = (each) => (each.matches(".in-hand") ? each : each.nextElementSibling);
  const reachable = () =>
    [...(hand()?.querySelectorAll("button.in-hand, input[type=checkbox]") ?? [])].sort(
      (a, b) => slotOf(cardOf(a)) - slotOf(cardOf(b))
    );
  const isLegal = (each) => cardOf(each).matches(".is-playable");

  function rove() {
    const cards = reachable(),
      { turns } = document.getElementById("table").dataset;
    if (turns !== currentOf) current = "";
    currentOf = turns;
    const at = cards.find(({ id }) => id === current) ?? cards.find(isLegal) ?? cards[0];
    current = at?.id ?? "";
    for (const card of cards) card.tabIndex = card === at ? 0 : -1;
    return at;
  }

  // Its place in the hand is noted by `focusin`.
  const goTo = (thing) => thing?.focus({ preventScroll: true });

  // The focus goes to what a hint shows that has come; it returns to the hand with the turn, and stays there when a
  // card that had it was played.
  function keepFocus(isMyTurn) {
    const at = rove(),
      { activeElement } = document,
      isFree = activeElement.matches("body, main"),
      mark = document.querySelector(":is(.in-hand, .space).is-shown"),
      before = hinted;
    hinted = mark?.id ?? "";
    if (!isByKeys || document.querySelector(":popover-open")) return;
    if (mark && hinted !== before) return goTo(mark.control ?? mark);
    if (isFree) goTo(document.querySelector(".go :is(button, a)"));
    if (isMyTurn && isFree) focusBoard();
    if (!at) return;
    if (isMyTurn && (isFree || at.form === activeElement.form)) goTo(reachable().find(isLegal) ?? at);
    else if (isFree && wasInHand) goTo(at);
  }

  const openSpaces = () => [...document.querySelectorAll("form.board .space:not([disabled], .is-covered, .is-left)")];

  function focusBoard() {
    const spaces = openSpaces();
    goTo(spaces.find(({ id }) => id.startsWith(row)) ?? spaces[0]);
  }

  // From a space the arrows lead to the next one of its row, or to the nearest one of the row above or below.
  function beside(key, from) {
    const spaces = openSpaces(),
      boxOf = (space) => space.getBoundingClientRect(),
      { left, top } = boxOf(from),
      way = key === "arrowup" || key === "arrowleft" ? -1 : 1,
      isAside = key === "arrowleft" || key === "arrowright";
    const far = (space) => Math.abs(boxOf(space).top - top) * 100 + Math.abs(boxOf(space).left - left);
    return spaces
      .filter((space) => {
        const { left: x, top: y } = boxOf(space);
        return isAside ? y === top && Math.sign(x - left) === way : Math.sign(y - top) === way;
      })
      .sort((a, b) => far(a) - far(b))[0];
  }

  document.addEventListener("pointerdown", () => (isByKeys = false), true);
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches("form.board .space")) row = target.id.replace(/-.*/, "-");
    wasInHand = Boolean(target.closest("#hand")) || (wasInHand && target.matches("main"));
    if (!target.closest("#hand")) return;
    current = target.id;
    rove();
  });

  document.addEventListener(
    "keydown",
    (event) => {
      isByKeys = true;
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.matches("input:not([type=checkbox], [type=radio]), select, textarea")) return;
      const key = event.key.toLowerCase();
      if (key === "enter" && event.target.matches("#hand input")) {
        event.preventDefault();
        return event.target.click();
      }
      const page = { l: "last", "?": "help" }[key];
      if (page) toggle(document.getElementById(page));
      if (key === "h") document.getElementById("hint")?.click();
      const isClosed = !page && !document.querySelector(":popover-open"),
        isArrow = key.startsWith("arrow"),
        isOnBoard = event.target.matches("form.board .space") && isArrow,
        space = isClosed && isOnBoard ? beside(key, event.target) : null,
        card = isClosed && !isOnBoard ? reached(key, event.target) : null;
      if (isClosed && isArrow && event.target.matches("body, main")) focusBoard();
      if (page || card || space) event.preventDefault();
      goTo(space ?? card);
    },
    true
  );

  // The focus goes along, so that Enter plays no card below an open page; it returns by itself.
  function toggle(page) {
    page?.togglePopover();
    enter(page);
  }
  function enter(page) {
    if (isByKeys && page?.matches(":popover-open")) page.querySelector("[popovertargetaction=hide]").focus();
  }
  document.addEventListener("toggle", ({ target }) => enter(target), true);

  // The card that a key leads to: beside it, above, at an end, or the next one of a suit (its letter) or rank.
  // From outside of the hand the arrows to the sides lead to the card that Tab would reach.
  function reached(key, from) {
    const cards = reachable(),
      at = cards.indexOf(from),
      isInside = at >= 0;
    if (key === "arrowleft" || key === "arrowright")
      return isInside ? cards.at((at + (key === "arrowright" ? 1 : -1)) % cards.length) : rove();
    if (isInside && (key === "home" || key === "end")) return cards.at(key === "home" ? 0 : -1);
    if (isInside && (key === "arrowup" || key === "arrowdown")) return across(cards, from);
    // A rank with two digits is found by its first.
    const shows = (card, part) => cardOf(card).querySelector(part)?.textContent.trim().toLowerCase().startsWith(key);
    const later = [...cards.slice(at + 1), ...cards.slice(0, at + 1)];
    return later.find((card) => shows(card, ".suit b") || shows(card, ".rank"));
  }

  function across(cards, from) {
    const { left, top } = cardOf(from).getBoundingClientRect();
    const distance = (card) => Math.abs(cardOf(card).getBoundingClientRect().left - left);
    return cards
      .filter((card) => Math.abs(cardOf(card).getBoundingClientRect().top - top) > 20)
      .sort((a, b) => distance(a) - distance(b))[0];
  }

  apply();
  return { on, switchOff, arrange, keepFocus };
})();
