// The connection to the server: receives new versions of the game, fetches the fragment of the page and morphs it in.
// Events carry only the version and who is present. Where they do not arrive, the page polls.
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
  // A finished game sends no events, but it can be reopened.
  const isOver = () => "over" in root().dataset;
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

  line.get = (url, timeout = TIMEOUT) =>
    fetch(url, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(timeout), cache: "no-store" });

  // Ignore a fragment that is older than the version on the page.
  line.show = async (text, { mayBeOlder = false, isNews = false } = {}) => {
    const found = /data-version="(\d+)"/.exec(text);
    const isRestored = !text.includes(`data-epoch="${root().dataset.epoch}"`);
    if (!found || (Number(found[1]) < line.version() && !mayBeOlder && !isRestored)) return false;
    await htmx.swap({ text, target: root(), swap: "outerMorph", sourceElement: root(), isNews });
    return true;
  };

  line.refresh = async () => {
    if (isAsking || line.isBusy()) return void (askAgain = true);
    isAsking = true;
    asked = now();
    try {
      const url = new URL(location.pathname + (root().dataset.query ?? ""), location);
      url.searchParams.set("since", line.version());
      url.searchParams.set("epoch", root().dataset.epoch);
      if (document.hidden) url.searchParams.set("away", "");
      const answer = await line.get(url);
      const text = answer.status === 200 ? await answer.text() : "";
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

  // An event that arrives while a tap is being sent may report that tap.
  line.settle = () => {
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
    stream = new EventSource(root().dataset.liveUrl);
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

  if (!navigator.onLine) line.isUp = false; // a page from the cache of the service worker starts offline
  // Only when every script has loaded and listens.
  document.addEventListener("DOMContentLoaded", () => {
    heard = asked = now();
    if (line.isUp) listen();
    setInterval(tick, 1000);
  });
  return line;
})();
