// The digital table with script: keeps a finished trick for a while, plays forced or chosen cards, signals a turn.
// All of it is optional: without script each card is a button of a form.
"use strict";

(() => {
  const SHOWN = 1200,
    TREMBLE = 350,
    AHEAD = 250,
    LEAST = 1500,
    MOST = 3000;
  const root = () => document.getElementById("table");
  const bar = document.getElementById("line");
  const { on } = Hand;
  const due = () => root().dataset.due;
  let known = null,
    until = 0, // how long the last trick stays
    isHeld = false,
    isCollecting = false,
    shown = 0,
    ahead = "",
    aheadOf = "",
    lifted = "", // tapped once, where a second tap is asked for
    sent = null, // what an answer is awaited for
    kept = null, // the same, when no answer came
    timer = 0,
    tapped = null,
    asking = 0,
    here = [],
    sound = null;

  document.addEventListener("setting", ({ detail }) => {
    if (on(detail) && (detail === "sound" || detail === "buzz")) remind();
    if (on(detail) && detail === "clicks") click();
    if (detail === "notify") askConsent();
    look();
  });

  // --- after each swap ---

  function look() {
    forgetSeat();
    Hand.arrange();
    for (const each of root().querySelectorAll("section.gone")) each.hidden = !on("gone");
    const mine = due(),
      trick = document.getElementById("trick")?.dataset.last,
      isPlaying = root().matches(".is-tricks");
    const before = known ?? { mine, trick };
    known = { mine, trick: trick ?? before.trick, isPlaying };
    if (trick && trick !== before.trick && before.isPlaying) until = performance.now() + SHOWN;
    showLast();
    if (Motion.look() && on("clicks")) click();
    if (mine && mine !== before.mine) remind();
    markAway();
    playByItself();
    sayChosen();
    Hand.keepFocus(Boolean(mine) && mine !== before.mine);
  }

  // A reload shows what the address names: under the cover it names no seat, so that no hand is shown again.
  function forgetSeat() {
    const url = new URL(location),
      before = url.href;
    for (const name of root().matches(".is-cover") ? ["seat", "open"] : ["open"]) url.searchParams.delete(name);
    if (url.href !== before) history.replaceState(history.state, "", url);
  }

  // A complete trick stays for a short time, even if the next one is led at once or the round is over, and then goes to
  // its winner; a tap clears it.
  function showLast() {
    const left = until - performance.now();
    clearTimeout(shown);
    hold(left > 0 || isHeld); // a swap has taken its classes
    if (left > 0) shown = setTimeout(showLast, left + 10);
    else if (isHeld && !isCollecting) {
      isCollecting = true;
      Motion.collect(() => {
        isCollecting = false;
        if (until > performance.now()) return;
        hold(false);
        Hand.keepFocus(false);
      });
    }
  }

  function hold(isOn) {
    if (isHeld && !isOn && root().matches(".holds")) Motion.rise(root().querySelector(".felt > .page"));
    isHeld = isOn;
    document.getElementById("trick")?.classList.toggle("shows-last", isOn);
    // What may be played shows with the card that was led.
    const lead = root().querySelector("#trick .slot:not(.was) .face");
    root().classList.toggle("hides-lead", isOn && Boolean(lead));
    root().classList.toggle("holds", isOn && root().matches(".is-result"));
    // The head counts the trick that is shown.
    for (const number of root().querySelectorAll(".was-number")) number.hidden = !isOn;
  }

  // --- a card without a tap ---

  function playByItself() {
    clearTimeout(timer);
    const cards = [...document.querySelectorAll("#hand button.in-hand")];
    for (const card of cards) mark(card, false);
    const playable = cards.filter((card) => card.matches(".is-playable"));
    if (kept) return sendKept(cards);
    const chosen = cards.find((card) => card.id === ahead);
    // The choice is valid for one seat and round: on a shared phone another hand may hold the same card.
    const isOther = aheadOf !== root().dataset.turns;
    if (ahead && (!chosen || !on("ahead") || isOther)) ahead = "";
    else if (chosen) mark(chosen, true);
    const raised = due() && on("twice") && !isOther && cards.find((card) => card.id === lifted);
    if (raised) raise(raised);
    else lifted = "";
    root().querySelector(".say")?.classList.toggle("asks-again", Boolean(raised));
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
    // A card that is forced takes as long as a player who chooses, so that the pause reveals nothing.  One that was
    // chosen before the trick was known reveals nothing.
    go(card, card === wanted ? AHEAD : LEAST + Math.random() * (MOST - LEAST));
  }

  function go(card, pause) {
    timer = setTimeout(() => {
      if (!card.isConnected || !Line.isUp || asking) return;
      card.form.requestSubmit(card);
    }, pause);
  }

  // A tap without an answer goes again when the connection is back, with its id: one that had arrived is not repeated,
  // and to one that came too late the server says so.
  function sendKept(cards) {
    const thing = document.getElementById(kept.button);
    thing?.classList.add(cards.includes(thing) ? "is-going" : "is-waiting");
    if (cards.includes(thing)) layKept(thing);
    if (Line.isUp && !("asked" in root().dataset)) timer = setTimeout(sendAgain, AHEAD);
  }

  async function sendAgain() {
    if (asking || !Line.isUp || !kept) return;
    asking += 1;
    const { url, body } = kept;
    try {
      const signal = AbortSignal.timeout(10000),
        answer = await fetch(url, { method: "POST", headers: { "HX-Request": "true" }, body, signal }),
        text = await answer.text();
      kept = null;
      // An error of the server, or the login page of a wifi, is no table.
      if (!(await Line.show(text, { mayBeOlder: true }))) tell("unsaved");
    } catch {
      Line.lost();
    } finally {
      asking -= 1;
      Line.settle();
    }
  }

  // In my place, hatched: it waits and is not played.
  function layKept(card) {
    const slot = document.querySelector(".sitter.at-me > .slot:not(.was)");
    if (!slot || slot.querySelector(".is-kept")) return;
    const face = card.querySelector(".face").cloneNode(true);
    face.classList.add("is-kept");
    slot.append(face);
  }

  function mark(card, isAhead) {
    card.classList.toggle("is-ahead", isAhead);
    card.classList.remove("is-going");
    if (on("ahead") && !due()) card.ariaPressed = String(isAhead);
    else card.removeAttribute("aria-pressed");
  }

  function raise(card) {
    card.classList.add("is-going");
    card.ariaPressed = "true";
  }

  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest("#trick")) {
        until = 0;
        hold(false);
      }
      const card = event.target.closest("#hand button.in-hand");
      if (!card) return;
      // A second tap right after the first is accidental: the cards have moved since.
      const tap = { at: performance.now(), version: Line.version() },
        isFinger = event.detail > 0,
        waits = !due() && on("ahead");
      const trembled = !waits && isFinger && tapped && tap.at - tapped.at < TREMBLE && tap.version !== tapped.version;
      const lifts = !waits && due() && on("twice") && card.matches(".is-playable") && lifted !== card.id;
      tapped = tap;
      if (trembled || waits || lifts) event.preventDefault();
      if (trembled) return;
      clearTimeout(timer);
      kept = null;
      ahead = waits && ahead !== card.id ? card.id : "";
      aheadOf = root().dataset.turns;
      if (lifts) lifted = card.id;
      if (waits || lifts) playByItself();
    },
    true
  );

  document.addEventListener("submit", ({ target, submitter }) => {
    target.closest("#more")?.hidePopover();
    const body = new URLSearchParams(new FormData(target, submitter));
    sent = target.action.endsWith("/act/") ? { url: target.action, body, button: submitter?.id } : null;
  });

  // Too many cards are chosen: release the first one.  A card that may not go says why.
  let picked = [];
  document.addEventListener("change", ({ target }) => {
    const form = target.closest("form#hand");
    if (!form) return;
    if (target.checked && !target.labels[0].matches(".is-playable")) {
      target.checked = false;
      Motion.shake(target.labels[0].querySelector(".face"));
      return toast(form.dataset.kept);
    }
    root().querySelector(".toasts > .is-error")?.remove();
    picked = [
      ...picked.filter((each) => each !== target && each.isConnected && each.checked),
      ...(target.checked ? [target] : [])
    ];
    while (picked.length > Number(form.dataset.needed)) picked.shift().checked = false;
    sayChosen();
  });

  // The button says what is chosen; the cards lie on the felt as long as they can be taken back.
  function sayChosen() {
    const button = document.getElementById("choose");
    if (!button) return;
    const chosen = [...document.querySelectorAll("#hand :checked")],
      [one, two] = chosen.map(({ dataset }) => dataset.name),
      { none, partly, full } = button.dataset,
      isFull = two || (one && document.getElementById("hand").matches(".needs-1"));
    button.textContent = isFull ? full.replace("{one}", one).replace("{two}", two) : one ? partly : none;
    document.querySelectorAll("#slots > .card-slot").forEach((slot, at) => {
      const face = chosen[at]?.labels[0].querySelector(".face");
      slot.replaceChildren(...(face ? [face.cloneNode(true)] : []));
    });
  }

  // A tap on a sentence that goes by itself lets it go at once.
  document.addEventListener("click", ({ target }) =>
    target
      .closest(".toasts > .passes")
      ?.getAnimations()
      .forEach((each) => each.finish())
  );

  function toast(text) {
    const note = document.createElement("p");
    note.className = "notice is-error";
    note.role = "alert";
    note.textContent = text;
    root().querySelector(".toasts > .is-error")?.remove();
    root().querySelector(".toasts").append(note);
    setTimeout(() => note.remove(), 4000);
  }

  // --- it is your turn ---

  function remind() {
    if (document.hidden) notify();
    if (on("buzz") && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(60);
    if (!on("sound")) return;
    tone(587, 0.06, 0.35);
  }

  // The mark in the title is for this phone's turn; under the cover of a shared phone for any news.
  document.addEventListener("news", () => {
    if (due() === "") document.title = document.title.replace(NEWS, "");
  });

  // Only over https, which has a service worker: not every browser lets the page itself notify.
  const notices = () => ("worker" in byId("here").dataset && on("notify") ? navigator.serviceWorker.ready : null);

  async function notify() {
    const { title } = root().dataset,
      worker = await notices();
    // The browser refuses it without consent.
    worker?.showNotification(title, { tag: location.pathname }).catch(() => {});
  }

  document.addEventListener("visibilitychange", async () => {
    if (document.hidden) return;
    const worker = await notices();
    for (const notice of (await worker?.getNotifications({ tag: location.pathname })) ?? []) notice.close();
  });

  async function askConsent() {
    const refused = byId("notify-refused");
    refused.hidden = true;
    if (!on("notify") || (await self.Notification?.requestPermission()) === "granted") return;
    Hand.switchOff("notify");
    refused.hidden = false;
  }

  const click = () => tone(190, 0.09, 0.07);

  function tone(pitch, loudness, duration) {
    sound ??= new AudioContext();
    const source = sound.createOscillator(),
      volume = sound.createGain(),
      now = sound.currentTime;
    source.frequency.value = pitch;
    volume.gain.setValueAtTime(loudness, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + duration);
    source.connect(volume).connect(sound.destination);
    source.start();
    source.stop(now + duration);
  }

  // --- who is there ---

  document.addEventListener("here", ({ detail }) => {
    here = detail;
    markAway();
  });

  function markAway() {
    const heard = (silent) => here.filter((phone) => !phone[silent]).map((phone) => String(phone.key));
    for (const gone of document.querySelectorAll("#table .is-gone")) {
      const seat = gone.closest("[data-phones]"),
        { phones, silent = "away" } = seat.dataset;
      gone.hidden = !here.length || heard(silent).some((key) => phones.split(" ").includes(key));
      seat.classList.toggle("is-away", !gone.hidden);
    }
    const button = document.getElementById("here-button");
    if (button.classList.toggle("is-alone", heard("away").length < 2 && !button.matches(".is-down")))
      button.textContent = button.dataset.alone;
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
    [kept, sent] = [sent, null];
    tell(kept ? "kept" : "unsaved");
    playByItself();
  });
  document.addEventListener("line", () => {
    if (!Line.isUp) return tell(kept ? "kept" : "down");
    bar.hidden = true;
    if (root()) playByItself();
  });
  document.getElementById("retry").addEventListener("click", () => Line.retry());
  function tell(what) {
    bar.hidden = false;
    bar.querySelector("span").textContent = bar.dataset[what];
  }

  document.addEventListener("htmx:before:swap", ({ detail }) => {
    // What has the focus and is not in the answer gives it up now: removed with it, the page is laid out twice.
    const { id } = document.activeElement,
      text = detail.ctx?.text ?? "";
    const goes = text.includes('id="table"') && !text.includes(`id="${id}"`);
    if (id && goes && root()?.contains(document.activeElement)) focusMain();
  });
  document.addEventListener("htmx:after:swap", ({ detail }) => {
    sent = null;
    if (!root()) return;
    look();
    if (!detail.ctx?.isNews) Motion.refuse();
  });
  look();
})();
