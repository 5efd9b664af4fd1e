// The digital table with script: clears a finished trick, plays forced or chosen cards, signals a player's turn.
// All of it is optional: without script each card is a button of a form.
"use strict";

(() => {
  const SHOWN = 1500,
    TREMBLE = 350,
    LEAST = 1500,
    MOST = 3000;
  const root = () => document.getElementById("table");
  const settings = document.getElementById("settings"),
    bar = document.getElementById("line");
  const on = (name) => settings.querySelector(`[name=${name}]`).checked;
  const due = () => root().dataset.due;
  let known = null,
    until = 0,
    ahead = "",
    aheadOf = "",
    timer = 0,
    tapped = null,
    asking = 0,
    here = [],
    sound = null;

  for (const box of settings.querySelectorAll("input")) {
    try {
      box.checked = localStorage.getItem(`cards-${box.name}`) === "1";
    } catch {
      /* this browser has no storage */
    }
    box.addEventListener("change", () => {
      try {
        localStorage.setItem(`cards-${box.name}`, box.checked ? "1" : "");
      } catch {
        /* this browser has no storage */
      }
      if (box.checked && (box.name === "sound" || box.name === "buzz")) remind();
      look();
    });
  }

  // --- after each swap ---

  function look() {
    forgetSeat();
    const mine = due(),
      trick = document.getElementById("trick")?.dataset.last;
    const before = known ?? { mine, trick };
    known = { mine, trick: trick ?? before.trick };
    if (trick && trick !== before.trick) until = performance.now() + SHOWN;
    showLast();
    if (mine && mine !== before.mine) remind();
    markAway();
    playByItself();
  }

  // A reload shows what the address names: under the cover it names no seat, so that no hand is shown again.
  function forgetSeat() {
    const url = new URL(location),
      before = url.href;
    for (const name of root().matches(".is-cover") ? ["seat", "open"] : ["open"]) url.searchParams.delete(name);
    if (url.href !== before) history.replaceState(history.state, "", url);
  }

  // A complete trick stays for a short time, even if the next one is led at once; a tap clears it.
  function showLast() {
    const left = until - performance.now();
    document.getElementById("trick")?.classList.toggle("shows-last", left > 0);
    if (left > 0) setTimeout(showLast, left + 10);
  }

  // --- a card without a tap ---

  function playByItself() {
    clearTimeout(timer);
    const cards = [...document.querySelectorAll("#hand button.in-hand")];
    for (const card of cards) mark(card, false);
    const chosen = cards.find((card) => card.id === ahead),
      playable = cards.filter((card) => card.matches(".is-playable"));
    // The choice is valid for one seat and round: on a shared phone another hand may hold the same card.
    if (ahead && (!chosen || !on("ahead") || aheadOf !== root().dataset.turns)) ahead = "";
    else if (chosen) mark(chosen, true);
    // Wait while a proposal is open: a card would cancel it.
    if (!due() || "asked" in root().dataset) return;
    const forced = on("forced") && new Set(playable.map((card) => card.value)).size === 1 ? playable[0] : null;
    const wanted = ahead ? chosen : null,
      card = playable.includes(wanted) ? wanted : forced;
    if (wanted && card !== wanted) {
      mark(wanted, false);
      ahead = "";
    }
    if (!card) return;
    card.classList.add("is-going");
    // Take as long as a player who chooses, so that the pause reveals nothing.
    timer = setTimeout(
      () => {
        if (card.isConnected && Line.isUp && !asking) card.form.requestSubmit(card);
      },
      LEAST + Math.random() * (MOST - LEAST)
    );
  }

  function mark(card, isAhead) {
    card.classList.toggle("is-ahead", isAhead);
    card.classList.remove("is-going");
    if (on("ahead") && !due()) card.ariaPressed = String(isAhead);
    else card.removeAttribute("aria-pressed");
  }

  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest("#trick")) {
        until = 0;
        showLast();
      }
      const card = event.target.closest("#hand button.in-hand");
      if (!card) return;
      // A second tap right after the first is accidental: the cards have moved meanwhile.
      const tap = { at: performance.now(), version: Line.version() },
        isFinger = event.detail > 0;
      const trembled = isFinger && tapped && tap.at - tapped.at < TREMBLE && tap.version !== tapped.version;
      tapped = tap;
      const waits = !due() && on("ahead");
      if (trembled || waits) event.preventDefault();
      if (trembled) return;
      clearTimeout(timer);
      ahead = waits && ahead !== card.id ? card.id : "";
      aheadOf = root().dataset.turns;
      if (waits) playByItself();
    },
    true
  );

  // Too many cards are chosen: release the first one.
  let picked = [];
  document.addEventListener("change", ({ target }) => {
    const form = target.closest("form.choosing");
    if (!form) return;
    picked = [
      ...picked.filter((each) => each !== target && each.isConnected && each.checked),
      ...(target.checked ? [target] : [])
    ];
    while (picked.length > Number(form.dataset.needed)) picked.shift().checked = false;
  });

  // --- it is your turn ---

  function remind() {
    if (on("buzz") && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(60);
    if (!on("sound")) return;
    sound ??= new AudioContext();
    const tone = sound.createOscillator(),
      volume = sound.createGain(),
      now = sound.currentTime;
    tone.frequency.value = 587;
    volume.gain.setValueAtTime(0.06, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.35);
    tone.connect(volume).connect(sound.destination);
    tone.start();
    tone.stop(now + 0.35);
  }

  // --- who is there ---

  document.addEventListener("here", ({ detail }) => {
    here = detail;
    markAway();
  });

  function markAway() {
    const there = new Set(here.filter((phone) => !phone.away).map((phone) => String(phone.key)));
    for (const seat of document.querySelectorAll(".sitter")) {
      const isAway =
        here.length > 0 && !seat.matches(".is-bot") && !seat.dataset.phones.split(" ").some((key) => there.has(key));
      seat.classList.toggle("is-away", isAway);
      seat.querySelector(".is-gone").hidden = !isAway;
    }
  }

  // A stream is for one key of the phone only. Poll for the other keys, so that they count as present.
  setInterval(() => {
    const asks = root() && "several" in root().dataset && !("over" in root().dataset);
    if (asks && Line.isUp && !document.hidden) Line.refresh();
  }, 6000);

  // --- the connection ---

  Line.isBusy = () => asking > 0;
  document.addEventListener("htmx:before:request", () => {
    asking += 1;
  });
  document.addEventListener("htmx:finally:request", () => {
    asking = Math.max(0, asking - 1);
    setTimeout(Line.settle);
  });
  document.addEventListener("htmx:error", () => {
    Line.lost();
    tell("unsaved");
  });
  document.addEventListener("line", () => {
    if (!Line.isUp) return tell("down");
    bar.hidden = true;
    if (root()) playByItself(); // a card that was due while the connection was down
  });
  document.getElementById("retry").addEventListener("click", () => Line.retry());
  function tell(what) {
    bar.hidden = false;
    bar.querySelector("span").textContent = bar.dataset[what];
  }

  document.addEventListener("htmx:after:swap", () => {
    if (root()) look();
  });
  look();
})();
