// Taps go through a queue on this phone: stored first, sent in order, shown as waiting until the server answers.
// A refused tap is shown with its reason. Only "Discard" drops a tap.
"use strict";

// A page begins with the focus on its heading, as a phase does, unless it shows a wrong field or leads to a part of it.
if (!location.hash && !document.querySelector("[autofocus]")) {
  document.querySelector("h1").focus();
}

// The storage of this phone survives a reload, a closed tab, an empty battery. Where it fails, the page keeps the taps.
// A tap: {id, game, url, fields: [[name, value]], by, label, version, isChained, isTried, isHeld, hasWaited, reason}
//   by: the seat whose marker it is; label: what it did, as the history says it; isTried, reason: once sent, refused.
//   version: the version on the page; a chained tap follows another one and takes the version that one resulted in.
const Queue = (() => {
  const queue = { isLost: false };
  const others = new BroadcastChannel("njet");

  const opened = new Promise((resolve, reject) => {
    setTimeout(reject, 3000);
    const request = indexedDB.open("njet", 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore("taps", { keyPath: "id", autoIncrement: true }).createIndex("game", "game");
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  });

  async function ask(mode, act, otherwise) {
    try {
      const transaction = (await opened).transaction("taps", mode, { durability: "strict" });
      const request = act(transaction.objectStore("taps"));
      await new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = transaction.onerror = reject;
      });
      if (mode === "readwrite") others.postMessage("changed");
      return request.result;
    } catch {
      queue.isLost = true;
      return otherwise;
    }
  }

  queue.add = async (tap) => {
    tap.id = await ask("readwrite", (taps) => taps.add(tap), 0);
  };
  queue.put = (tap) => tap.id && ask("readwrite", (taps) => taps.put(tap));
  queue.remove = (tap) => tap.id && ask("readwrite", (taps) => taps.delete(tap.id));
  // The stored tap; undefined if another tab has sent or undone it.
  queue.get = (tap) => (tap.id && !queue.isLost ? ask("readonly", (taps) => taps.get(tap.id), tap) : tap);
  queue.of = (game) => ask("readonly", (taps) => taps.index("game").getAll(game), []);
  queue.onChange = (act) => (others.onmessage = act);

  // Sends one tap. Throws the errors of fetch: the tap may have arrived all the same; its id prevents a repetition.
  queue.send = (tap, version, token) =>
    fetch(tap.url, {
      method: "POST",
      headers: { "HX-Request": "true" },
      body: new URLSearchParams([...tap.fields, ["version", version], ["csrfmiddlewaretoken", token]]),
      signal: AbortSignal.timeout(10000),
      redirect: "error"
    });

  return queue;
})();

(() => {
  const bar = byId("line");
  const [retry, again, discard] = ["retry", "send", "discard"].map(byId);
  const game = location.pathname.split("/")[2];
  let taps = [],
    isSending = false,
    isAsked = false,
    hasFault = false,
    isPadOpen = false,
    given = null,
    tapped = {},
    undone = -Infinity,
    isUnsaved = false,
    wanted = "";

  const stored = new WeakMap();
  Line.isBusy = () => isSending;
  const waiting = () => taps.filter((tap) => !tap.reason);
  const field = (tap, name) => tap.fields.find(([key]) => key === name)?.[1];

  // --- a tap ---

  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (!form.action.endsWith("/act/") || !table().contains(form)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const button = event.submitter;
      // A second tap right after the first is accidental; an action that occurs once in a round is queued once.
      const does = new FormData(form).get("do"),
        once = ["team", "tally", "conditions"].includes(does);
      if (button?.matches(".space.is-waiting, .is-shut")) return;
      // The same player may win the next trick soon.
      const pause = isSending || does === "place" ? 500 : 300;
      if (button === tapped.button && performance.now() - tapped.at < pause) return;
      if (once && waiting().some((tap) => field(tap, "do") === does)) return;
      tapped = { button, at: performance.now() };
      take(form, button);
    },
    true
  );

  // Undo removes waiting taps before recorded entries.
  document.addEventListener(
    "submit",
    (event) => {
      if (!event.target.matches("form.undo")) return;
      // A second tap would undo what the button did not name yet.
      const isAgain = performance.now() - undone < 500;
      if (!isAgain) undone = performance.now();
      if (!isAgain && Line.isUp && !waiting().length) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (isAgain) return;
      if (!waiting().length) fails();
      else if (mayTakeBack()) drop([waiting().at(-1)]);
    },
    true
  );

  // Report an action that cannot be queued and was not sent.
  function fails() {
    isUnsaved = true;
    show();
  }
  document.addEventListener("htmx:error", () => {
    Line.lost();
    fails();
  });

  // A tap that was sent may have arrived, although no answer came.
  const mayTakeBack = () => !isSending && waiting().length > 0 && !waiting().at(-1).isTried;

  // Offline, a link waits for the line: the browser would leave the table for an error page.  Board and teams go on
  // from the pad, which was sent with the page.
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target.closest("#table a:not([href^='#'])");
      if (!link || Line.isUp) return;
      // Over https the browser has the home page.
      if (link.pathname === "/" && navigator.serviceWorker?.controller) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (link.matches(".choice, .is-setup a[href$='?board']")) isPadOpen = true;
      else wanted = link.href;
      show();
      for (const seat of new URL(link.href).searchParams.get("partners")?.split("-") ?? []) {
        const box = document.querySelector(`#pad [name=partner][value="${seat}"]`);
        if (box && !box.checked) box.click();
      }
      Line.retry();
    },
    true
  );

  async function take(form, button) {
    wanted = "";
    const fields = [...new FormData(form, button)].filter(
      ([name]) => !["csrfmiddlewaretoken", "version", "request_id", "partner", "monster"].includes(name)
    );
    const team = new FormData(form);
    if (form.closest("#pad") && team.get("do") === "team") {
      fields.push(["team", `${team.getAll("partner").join("-") || "alone"}:${team.get("monster") ?? ""}`]);
    }
    fields.push(["request_id", Line.newId()]);
    const before = waiting();
    const by = team.get("do") === "place" && turnNow();
    if ((before.length || !Line.isUp) && by) fields.push(["turn", by.seat]);
    const tap = {
      game,
      url: new URL(form.action).pathname,
      fields,
      by: by && { ...by.item.dataset },
      label: (button?.dataset["own" + by.seat] ?? button?.dataset.did ?? button?.ariaLabel ?? "").replace(
        "%s",
        () => by.short ?? by.name
      ),
      version: Line.version(),
      isChained: before.length > 0,
      isHeld: before.some((tap) => tap.isHeld),
      hasWaited: before.length > 0 || !Line.isUp
    };
    taps.push(tap);
    isUnsaved = false;
    show();
    stored.set(tap, Queue.add(tap));
    await stored.get(tap);
    if (Line.isUp) send();
  }

  // --- sending ---

  async function send() {
    if (isSending) return void (isAsked = true);
    isSending = true;
    isAsked = hasFault = false;
    show();
    try {
      for (let tap; (tap = waiting()[0]) && !tap.isHeld;) await deliver(tap);
      Line.heard();
    } catch (error) {
      // No answer: the tap waits, and its id prevents a repetition.
      if (error !== "fault") Line.lost();
      else hasFault = true;
      for (const tap of waiting()) {
        if (tap.hasWaited) continue;
        tap.hasWaited = true;
        await Queue.put(tap);
      }
      // Where the browser supports it, taps are sent even with no page open.
      navigator.serviceWorker?.ready.then(({ sync }) => sync?.register("taps")).catch(() => {});
    } finally {
      isSending = false;
      show();
    }
    if (isAsked && Line.isUp && !hasFault) return send();
    Line.settle();
  }

  async function deliver(tap) {
    // Only when it is stored: a tap that is sent and removed earlier would stay in the storage.
    await stored.get(tap);
    if (!(await Queue.get(tap))) return void (taps = taps.filter((each) => each !== tap));
    const version = tap.isChained && given !== null ? given : tap.version;
    if (!tap.isTried) {
      tap.isTried = true;
      tap.version = version;
      await Queue.put(tap);
    }
    const answer = await Queue.send(tap, tap.version, table().dataset.csrf),
      { status } = answer,
      text = await answer.text();
    // The login page of a wifi answers 200 to everything.
    if ([200, 409, 422].includes(status) && isNaN(Line.versionIn(text))) throw "fault";
    if (status === 200) {
      given = versionIn(text);
      // The next tap follows this one, even if the tab is closed in between.
      const next = waiting()[1];
      if (next?.isChained && !next.isTried) await Queue.put(Object.assign(next, { version: given }));
      await forget(tap);
      await Line.show(text);
    } else if (status === 409) await stale(tap, text);
    else if (status === 422 || status === 400) await refused(tap, text);
    else if (status === 403 || status === 404) await closed(tap, status);
    // Many taps that have waited are sent faster than people tap: the rest goes on a second later.
    else if (status === 429) await new Promise((resolve) => setTimeout(resolve, 1000));
    else throw "fault";
  }

  // Others were faster. For a new tap the server offers to repeat it; a tap that has waited needs the player's consent.
  async function stale(tap, text) {
    await Line.show(text, { mayBeOlder: true });
    given = versionIn(text);
    if (!tap.hasWaited) return forget(tap);
    table().querySelector(".notice")?.remove();
    for (const each of waiting()) await hold(each, true);
  }

  async function refused(tap, text) {
    await Line.show(text, { mayBeOlder: true });
    const notice = table().querySelector(".notice");
    const row = field(tap, "space")?.split(":")[0];
    table().querySelector(`.row-${row}`)?.classList.add("is-refused");
    if (!tap.hasWaited) return forget(tap);
    tap.reason = table().querySelector(".notice p, .field-error")?.textContent ?? "?";
    notice?.remove();
    await Queue.put(tap);
    // Taps that followed it may mean something else now: the player decides.
    if (!isForced) for (const each of waiting()) await hold(each, true);
  }

  let isForced = false,
    isReloaded = false;

  async function closed(tap, status) {
    if (status === 403 && !isReloaded) {
      // The CSRF token may be too old: a new page has another.
      isReloaded = true;
      await Line.show(await (await Line.get(location.href)).text());
      throw "fault";
    }
    tap.hasWaited = true;
    tap.reason = bar.dataset.closed;
    await Queue.put(tap);
  }

  async function hold(tap, isHeld) {
    const kept = await Queue.get(tap);
    // Another tab has it already, with the id that both will send.
    if (isHeld && kept?.isHeld && !tap.isHeld) return void Object.assign(tap, kept);
    const isNew = isHeld && !tap.isHeld;
    Object.assign(tap, { isHeld, isTried: false, isChained: true, hasWaited: true });
    if (isNew) tap.fields = tap.fields.map(([name, value]) => [name, name === "request_id" ? Line.newId() : value]);
    await Queue.put(tap);
  }

  async function forget(tap) {
    await Queue.remove(tap);
    taps = taps.filter((each) => each !== tap);
  }

  async function drop(gone) {
    for (const tap of gone) await forget(tap);
    if (!taps.length) {
      isPadOpen = false;
      hasFault = false;
      wanted = "";
    }
    clear();
    show();
    if (Line.isUp) Line.refresh();
  }

  const versionIn = (text) => Line.versionIn(text) || Line.version();

  again.addEventListener("click", async () => {
    given = Line.version();
    for (const tap of waiting()) await hold(tap, false);
    isForced = true;
    await send();
    isForced = false;
  });
  discard.addEventListener("click", () => drop(taps.filter((tap) => tap.reason || tap.isHeld)));
  retry.addEventListener("click", () => {
    isUnsaved = false;
    show();
    Line.retry();
    if (waiting().length) send();
  });

  // --- what is shown ---

  const make = (tag, values) => Object.assign(document.createElement(tag), values);
  const put = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };

  function show() {
    const wait = waiting(),
      refusals = taps.filter((tap) => tap.reason),
      isHeld = wait.some((tap) => tap.isHeld);
    const words = [];
    const lasts = wait.some((tap) => tap.hasWaited);
    if (isUnsaved) words.push(bar.dataset.unsaved);
    else if (!Line.isUp && !lasts) words.push(bar.dataset.down);
    if (Queue.isLost && lasts) words.push(bar.dataset.lost);
    if (refusals.length) words.push(bar.dataset.refused.replace("%s", refusals.length));
    if (lasts) {
      // That taps are safe is said alone: after a fault it would contradict.
      const state = isHeld ? "held" : hasFault ? "fault" : Line.isUp || words[0] ? "waiting" : taps[1] ? "taps" : "tap";
      words.push(bar.dataset[state].replace("%s", wait.length));
    }
    if (wanted && !Line.isUp) words.push(bar.dataset.later);
    else if (wanted && !taps.length) {
      location.assign(wanted);
      wanted = "";
    }
    bar.hidden = !words.length;
    put(bar.querySelector("[role=status]"), words.join(" "));
    put(bar.querySelector("b"), `${Line.isUp ? "…" : bar.dataset.off}\n${taps.length || ""}`);
    bar.querySelector("ol").replaceChildren(...[...refusals, ...(lasts ? wait : [])].map(line));
    if (refusals.length || isHeld || bar.hidden) bar.querySelector("details").open = !bar.hidden;
    again.hidden = !isHeld || isSending;
    discard.hidden = !isHeld && !refusals.length;
    retry.hidden = Line.isUp && !hasFault && !isUnsaved;
    byId("saving").classList.toggle("htmx-request", isSending);
    mark();
    document.dispatchEvent(new CustomEvent("taps", { detail: lasts ? wait : [] }));
  }

  function line(tap) {
    const item = make("li");
    item.append(tap.label, " ", make("small", { textContent: tap.reason }));
    return item;
  }

  // Not disabled, which would remove the keyboard focus.
  function close(button, how) {
    button.classList.add(how);
    button.ariaDisabled = "true";
  }

  function clear() {
    for (const button of document.querySelectorAll(".is-waiting, .is-shut")) {
      button.querySelector(".marker")?.remove();
      button.classList.remove("is-waiting", "is-shut", "is-covered");
      button.ariaDisabled = null;
    }
  }

  // The board, the turn and the next question as they will be after these taps, marked as waiting, never as saved.
  function mark() {
    clear();
    const board = boardOf();
    for (const tap of waiting()) {
      const space = field(tap, "space");
      const button = space ? board?.querySelector(`[value="${space}"]`) : tap.hasWaited ? null : buttonOf(tap);
      // Another phone may have covered the space.
      if (!button || button.matches(".is-covered")) continue;
      close(button, "is-waiting");
      if (!tap.by) continue;
      button.classList.add("is-covered");
      button.append(make("i", { className: `marker t-${tap.by.token}`, textContent: tap.by.sign }));
    }
    for (const row of board?.querySelectorAll(".row") ?? []) {
      const open = row.querySelectorAll(".space:not(.is-covered, .is-left)");
      if (open.length === 1 && row.querySelector(".is-waiting")) close(open[0], "is-shut");
    }
    showStage();
    const form = document.querySelector("form.undo"),
      last = waiting().at(-1);
    if (!form) return; // a viewer
    const isLate = last?.hasWaited && mayTakeBack();
    put(form.querySelector("span + span"), isLate ? bar.dataset.undo.replace("%s", () => last.label) : "");
    form.hidden = !form.textContent.trim();
  }

  const boardOf = () => table().querySelector("form.board");
  const buttonOf = (tap) => {
    const [name, value] = tap.fields.find(([key]) => ["trick", "team"].includes(key)) ?? [];
    return name && table().querySelector(`button[name="${name}"][value="${value}"]`);
  };

  // Whose turn it is after all waiting taps. Each marker moves the turn one seat on, past players without markers.
  function turnNow() {
    const order = table().querySelector(".order");
    if (!order) return null;
    const seats = [...order.children].map((item) => ({ ...item.dataset, item, left: Number(item.dataset.left) }));
    const after = (at) => {
      do at = (at + 1) % seats.length;
      while (!seats[at].left);
      return at;
    };
    let at = seats.findIndex(({ seat }) => seat === order.dataset.now);
    for (const tap of waiting()) {
      if (field(tap, "do") !== "place") continue;
      seats[at].left -= 1;
      if (!seats.some(({ left }) => left)) return null;
      at = after(at);
    }
    return seats[at].left ? { ...seats[at], seats, now: seats[at], then: seats[after(at)] } : null;
  }

  // The panel goes on with the taps that wait.
  function showTurn() {
    const turn = turnNow();
    if (!turn) return;
    const show = (part, text) => put(table().querySelector(`.turn ${part}`), text);
    const words = [bar.dataset.left.replace("%s", turn.left)];
    if (turn.then !== turn.now) words.push(bar.dataset.then.replace("%s", turn.then.name));
    show("b", turn.name);
    show("small", words.join(" · "));
    show(".token", turn.sign);
    table().querySelector(".turn .token").className = `token t-${turn.token}`;
    for (const seat of turn.seats) {
      seat.item.classList.toggle("is-now", seat === turn.now);
      seat.item.lastChild.data = seat.left;
    }
  }

  // The next question after the waiting taps: from the page if it asks the same, else from the pad.
  function showStage() {
    const pad = byId("pad");
    if (!pad) return;
    const view = /is-(\w+)/.exec(table().className)[1];
    let stage = view === "setup" ? (isPadOpen ? "board" : "setup") : view;
    for (const tap of waiting()) {
      const did = field(tap, "do");
      if (did === "place") stage = turnNow() ? "board" : "teams";
      else stage = { conditions: "teams", team: "count", trick: "count", tally: "done" }[did] ?? stage;
    }
    const ask = (what) =>
      ["questions", "fresh-board"].map((id) => byId(id)?.content.querySelector(`[data-stage=${what}]`)).find(Boolean);
    if (stage === "teams" && !ask("teams")) stage = "count";
    const lasts = !Line.isUp || waiting().some((tap) => tap.hasWaited);
    const isPad = lasts && ask(stage) && stage !== "setup" && (stage !== view || (stage === "teams" && isPadOpen));
    pad.hidden = !isPad;
    if (isPad && pad.dataset.shows !== stage) {
      pad.dataset.shows = stage;
      pad.replaceChildren(ask(stage).cloneNode(true));
      document.dispatchEvent(new Event("pad"));
    } else if (!isPad) {
      pad.replaceChildren();
      delete pad.dataset.shows;
    }
    for (const part of table().querySelectorAll(":scope > :is(main, .turn), .thumb > .is-main")) part.hidden = isPad;
    showTurn();
  }

  // --- when ---

  document.addEventListener("line", () => {
    if (Line.isUp) isUnsaved = false;
    show();
    if (Line.isUp && waiting().length) send();
  });
  document.addEventListener("htmx:after:swap", show);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && waiting().length) send();
  });
  setInterval(() => {
    if (Line.isUp && !isSending && waiting().some((tap) => !tap.isHeld)) send();
  }, 4000);

  // A swap of the table leaves it where it is.
  byId("slot").append(bar);

  async function read() {
    const kept = await Queue.of(game);
    // Reloaded, or tapped in another tab: the waiting taps have no answer yet.
    for (const tap of kept) tap.hasWaited = true;
    taps = [...kept, ...taps.filter((tap) => !tap.id)];
    show();
  }
  Queue.onChange(() => {
    if (!isSending) read();
  });
  read().then(() => {
    isPadOpen = waiting().length > 0;
    show();
    if (waiting().length && Line.isUp) send();
  });
})();

// --- a desk shows the sheet beside every phase, also a tablet that is turned ---

(onresize = () => innerWidth < 900 || add("link", { href: byId("here").dataset.sheet, rel: "stylesheet" }))();
