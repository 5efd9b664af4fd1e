// The connection to the server: receives the fragment of the page after each change of the game, and morphs it in.
// After an event with a version only, and where no events arrive, the page fetches its fragment.
// A fragment is the same for all phones of a kind: what belongs to this one is a mark, which is filled in here.
// Dispatches on the document: "line" (up or down), "here" (who is at the table), "news" (others have acted).
"use strict";

const Line = (() => {
  const BEAT = 4000,
    SILENCE = 9000,
    POLL = 3000,
    POLL_HIDDEN = 15000,
    STREAM_AGAIN = 60000,
    TIMEOUT = 10000;
  const line = { isUp: true, isBusy: () => false };
  let stream = null,
    opened = "", // what the stream's fragments show
    news = null, // the latest fragment, as long as it cannot be shown
    name = "-",
    fails = 0,
    isAsking = false,
    askAgain = false,
    latest = null,
    epoch = null,
    older = 0;
  let heard = 0,
    streamHeard = 0,
    beaten = 0,
    asked = 0,
    streamTried = 0;

  const now = () => performance.now();
  const root = () => document.querySelector("[data-live]");
  // A game that the table has left for the next one sends no events, but it can be reopened.
  const isOver = () => "next" in root().dataset;
  const query = () => root().dataset.query;
  const say = (what, detail) => document.dispatchEvent(new CustomEvent(what, { detail }));
  line.version = () => Number(root().dataset.version);
  // A restored backup has another epoch: there the same version is another state.
  const isOld = () => latest !== line.version() || epoch !== root().dataset.epoch;

  line.heard = () => {
    heard = now();
    if (!line.isUp) say("line", (line.isUp = true));
  };
  line.lost = () => {
    if (line.isUp) say("line", (line.isUp = false));
  };

  line.get = (url, timeout = TIMEOUT, headers = {}) =>
    fetch(url, {
      headers: { "HX-Request": "true", ...headers },
      signal: AbortSignal.timeout(timeout)
    });

  line.versionIn = (text) => Number(/data-version="(\d+)"/.exec(text)?.[1] ?? NaN);
  line.newId = () => crypto.getRandomValues(new Uint32Array(4)).join("-");

  function fillIn(text) {
    const { csrf, key } = root().dataset;
    const own = { csrf_token: csrf, key_id: key, request_id: line.newId() };
    return text.replace(/<(csrf_token|key_id|request_id)>/g, (_, mark) => own[mark]);
  }

  // Ignore a fragment that is older than the version on the page.
  line.show = async (text, { mayBeOlder = false, isNews = false } = {}) => {
    const version = line.versionIn(text);
    const isRestored = !text.includes(`data-epoch="${root().dataset.epoch}"`);
    if (isNaN(version) || (version < line.version() && !mayBeOlder && !isRestored)) return false;
    await htmx.swap({ text, target: root(), swap: "outerMorph", sourceElement: root(), isNews });
    // The service worker shows it when the page is opened offline.
    if (isNews && "keep" in root().dataset)
      caches.open("kept").then((kept) => kept.put(`/kept/fragment${location.pathname}`, new Response(text)));
    return true;
  };

  line.refresh = async () => {
    if (isAsking || line.isBusy()) return void (askAgain = true);
    isAsking = true;
    asked = now();
    try {
      const url = new URL(location.pathname + (query() ?? ""), location);
      url.searchParams.set("since", line.version());
      url.searchParams.set("epoch", root().dataset.epoch);
      if (document.hidden) url.searchParams.set("away", "");
      const answer = await line.get(url, TIMEOUT, { "NJET-Marks": "1" });
      // A television goes on by itself.
      if (answer.redirected) return location.replace(answer.url);
      const text = answer.status === 200 ? fillIn(await answer.text()) : "";
      hear(answer);
      // The table is gone, or this phone may no longer see it: load the page, which explains it.
      if (answer.status === 403 || answer.status === 404) return location.reload();
      // Not the table: an error of the server, or the login page of a wifi.
      if (answer.status !== 204 && !text.includes("data-version=")) return line.lost();
      line.heard();
      if (answer.status === 204) older = 0;
      else if (await line.show(text, { isNews: true })) say("news", (older = 0));
      // After a database was copied back by hand the server is behind this page, whose version no longer exists.
      else if (++older > 2) location.reload();
      else askAgain = true;
    } catch {
      line.lost();
    } finally {
      isAsking = false;
      line.settle();
    }
  };

  // Show the fragment of an event. One that arrives while a tap is being sent may be what that tap shows, too.
  async function showNews() {
    if (isAsking || line.isBusy()) return;
    const text = news;
    news = null;
    if (!isOld()) return line.settle();
    if (opened !== query()) return line.refresh();
    isAsking = true;
    try {
      if (await line.show(fillIn(text), { isNews: true })) say("news");
      else askAgain = true;
    } finally {
      isAsking = false;
      line.settle();
    }
  }

  // An event that arrives while a tap is being sent may report that tap.
  line.settle = () => {
    if (news && !line.isBusy()) return showNews();
    if (!askAgain || line.isBusy()) return;
    askAgain = false;
    if (line.isUp && (older || isOld())) line.refresh();
  };

  function hear(answer) {
    const here = answer.headers.get("NJET-Here");
    if (here) say("here", JSON.parse(here));
  }

  async function beat() {
    beaten = now();
    try {
      const answer = await line.get(`${root().dataset.liveUrl}${name}/`, 5000);
      if (answer.status === 404) return line.refresh();
      if (answer.ok) line.heard();
      hear(answer);
    } catch {
      // Nine seconds without an event: the connection is down.
    }
  }

  function listen() {
    if (stream || isOver() || document.hidden) return;
    streamTried = streamHeard = now();
    opened = query();
    stream = new EventSource(root().dataset.liveUrl + (opened === undefined ? "" : `${opened || "?"}&fragment`));
    const on = (event, act) =>
      stream.addEventListener(event, ({ data }) => {
        streamHeard = now();
        line.heard();
        act?.(data);
      });
    on("hello", (data) => {
      name = data;
      fails = 0;
    });
    // It comes before the first version.
    on("epoch", (data) => (epoch = data));
    on("version", (data) => {
      latest = Number(data);
      if (isOld()) line.refresh();
    });
    on("table", (data) => {
      latest = line.versionIn(data);
      news = data;
      showNews();
    });
    // A phone that is busy asks later, since its stream ends.
    on("next", line.refresh);
    on("here", (data) => say("here", JSON.parse(data)));
    on("beat");
    on("bye", hangUp);
    // The browser reopens a stream that worked once, but not always one that never did.
    stream.onerror = () => {
      if (stream?.readyState === EventSource.CLOSED) fails = 2;
      else if (name === "-") fails += 1;
      else return;
      hangUp();
    };
  }

  function hangUp() {
    stream?.close();
    stream = null;
    name = "-";
  }

  function tick() {
    const time = now();
    if (document.hidden || isOver()) {
      if (time - asked > POLL_HIDDEN) line.refresh();
      return;
    }
    if (time - heard > SILENCE) line.lost();
    if (stream && time - streamHeard > SILENCE) {
      fails += 1;
      hangUp();
    }
    // The page shows something else now: another seat, another way of counting.
    if (stream && opened !== query() && time - streamTried > 1000) hangUp();
    const mayListen = fails < 2 || time - streamTried > STREAM_AGAIN;
    if (!stream && line.isUp && mayListen && time - streamTried > 1000) listen();
    const hears = stream && fails === 0;
    if (time - beaten > BEAT && (hears || line.isUp)) beat();
    if (!hears && time - asked > (line.isUp ? POLL : BEAT)) line.refresh();
  }

  line.retry = () => {
    fails = 0;
    hangUp();
    return line.refresh();
  };

  addEventListener("offline", () => {
    hangUp();
    line.lost();
  });
  addEventListener("online", line.retry);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return hangUp();
    heard = now();
    line.retry();
  });
  addEventListener("pagehide", hangUp);
  addEventListener("pageshow", (event) => {
    if (event.persisted) line.retry();
  });

  // A phase begins at its top, with the focus on the heading; never while somebody types, or reads the rules.
  let phase = root().dataset.phase;
  document.addEventListener("htmx:after:swap", () => {
    const shown = root()?.dataset.phase;
    if (shown === phase) return;
    phase = shown;
    if (document.activeElement.matches("input, select, textarea") || document.querySelector(":popover-open")) return;
    scrollTo(0, 0);
    const heading = document.querySelector("h1");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });

  if (!navigator.onLine) line.isUp = false; // a page from the cache of the service worker starts offline
  // Only when every script has loaded and listens.
  document.addEventListener("DOMContentLoaded", () => {
    heard = asked = now();
    if (line.isUp) listen();
    setInterval(tick, 1000);
  });
  return line;
})();
