// The line to the server: hears that the game has moved on, fetches the page's own fragment and morphs it in.
// Events say only that a version was reached and who is there. Where they do not arrive the page polls.
// Says "line" (up or down), "here" (who is at the table) and "news" (others have acted) as events of the document.
"use strict";

const Line = (() => {
  const BEAT = 4000, SILENCE = 9000, POLL = 3000, POLL_HIDDEN = 15000, STREAM_AGAIN = 60000, TIMEOUT = 10000;
  const line = { isUp: true, isBusy: () => false };
  let stream = null, name = "-", fails = 0, isAsking = false, askAgain = false, latest = null, older = 0;
  let heard = 0, streamHeard = 0, beaten = 0, asked = 0, streamTried = 0;

  const now = () => performance.now();
  const root = () => document.querySelector("[data-live]");
  // A finished game has no events; somebody may still reopen it.
  const isOver = () => "over" in root().dataset;
  const say = (what, detail) => document.dispatchEvent(new CustomEvent(what, { detail }));
  line.version = () => Number(root().dataset.version);

  line.heard = () => {
    heard = now();
    if (!line.isUp) say("line", (line.isUp = true));
  };
  line.lost = () => {
    if (line.isUp) say("line", (line.isUp = false));
  };

  line.get = (url, timeout = TIMEOUT) =>
    fetch(url, { headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(timeout), cache: "no-store" });

  // A fragment that is older than what is shown has been overtaken on its way.
  line.show = async (text, { mayBeOlder = false, isNews = false } = {}) => {
    const found = /data-version="(\d+)"/.exec(text);
    if (!found || (Number(found[1]) < line.version() && !mayBeOlder)) return false;
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
      if (document.hidden) url.searchParams.set("away", "");
      const answer = await line.get(url);
      const text = answer.status === 200 ? await answer.text() : "";
      hear(answer);
      // The table is gone, or this phone may not see it any more: the page says so.
      if (answer.status === 403 || answer.status === 404) return location.reload();
      // Faults of the server, and portals of a wifi, are not the table.
      if (answer.status !== 204 && !text.includes("data-version=")) return line.lost();
      line.heard();
      if (answer.status === 204) older = 0;
      else if (await line.show(text, { isNews: true })) say("news", (older = 0));
      // A server whose backup was restored stays behind: what is shown here does not exist.
      else if (++older > 2) location.reload();
      else askAgain = true;
    } catch {
      line.lost();
    } finally {
      isAsking = false;
      line.settle();
    }
  };

  // What was told while a tap was on its way may have been the tap itself.
  line.settle = () => {
    if (!askAgain || line.isBusy()) return;
    askAgain = false;
    if (line.isUp && (older || latest !== line.version())) line.refresh();
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
      // Silence speaks for itself after nine seconds.
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
    on("hello", (data) => { name = data; fails = 0; });
    on("version", (data) => { latest = Number(data); if (latest !== line.version()) line.refresh(); });
    on("here", (data) => say("here", JSON.parse(data)));
    on("beat");
    on("bye", hangUp);
    // A stream that worked is opened again by the browser; one that never did may never.
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
    if (stream && time - streamHeard > SILENCE) { fails += 1; hangUp(); }
    const mayListen = fails < 2 || time - streamTried > STREAM_AGAIN;
    if (!stream && line.isUp && mayListen && time - streamTried > 1000) listen();
    const hears = stream && fails === 0;
    if (time - beaten > BEAT && (hears || line.isUp)) beat();
    if (!hears && time - asked > (line.isUp ? POLL : BEAT)) line.refresh();
  }

  line.retry = () => { fails = 0; hangUp(); return line.refresh(); };

  addEventListener("offline", () => { hangUp(); line.lost(); });
  addEventListener("online", line.retry);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return hangUp();
    heard = now();
    line.retry();
  });
  addEventListener("pagehide", hangUp);
  addEventListener("pageshow", (event) => { if (event.persisted) line.retry(); });

  if (!navigator.onLine) line.isUp = false; // a page that a service worker kept begins without a line
  // Not before every script is there to hear what is said.
  document.addEventListener("DOMContentLoaded", () => {
    heard = asked = now();
    if (line.isUp) listen();
    setInterval(tick, 1000);
  });
  return line;
})();
