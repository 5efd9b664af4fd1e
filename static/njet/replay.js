// The replay with script: keys, swipes, the slider and the play button change the step; a lost connection is shown.
"use strict";

const PAUSE = 1600;
const root = document.documentElement;
const replay = () => document.getElementById("replay");
const say = (failed) => {
  document.getElementById("unreached").hidden = !failed;
};
const follow = (id) => document.getElementById(id)?.click();
const isPlaying = () => root.classList.contains("is-playing");
let timer = 0;

// --- playing by itself ---

function play(on) {
  clearTimeout(timer);
  root.classList.toggle("is-playing", on && Boolean(document.getElementById("next")));
  if (isPlaying()) timer = setTimeout(follow, PAUSE / (root.classList.contains("is-fast") ? 2 : 1), "next");
}

document.addEventListener("click", (event) => {
  if (event.target.closest("#speed")) {
    root.classList.toggle("is-fast");
    play(isPlaying());
  } else if (event.target.closest("#play")) {
    const starts = !isPlaying();
    play(starts);
    if (starts) follow("next");
  } else if (event.isTrusted) play(false);
});

// --- the slider ---

document.addEventListener("change", (event) => {
  const { id, value, dataset } = event.target;
  if (id !== "scrub") return;
  play(false);
  const link = document.createElement("a");
  link.href = `${dataset.href}${value}/${dataset.query}`;
  link.hidden = true;
  replay().append(link);
  htmx.process(link);
  link.click();
});

// --- keys and swipes ---

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select")) return;
  const ids = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
  const id = ids[event.key] ?? document.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key)}"]`)?.id;
  const plays = event.key === " " && !event.target.closest("a, button, input, summary");
  if (!id && !plays) return;
  event.preventDefault();
  if (plays) return follow("play");
  play(false);
  follow(id);
});

let from = null;
document.addEventListener(
  "touchstart",
  (event) => {
    from = event.touches.length === 1 && !event.target.closest("input, .thumb") ? event.touches[0] : null;
  },
  { passive: true }
);
document.addEventListener("touchend", (event) => {
  if (!from) return;
  const [to] = event.changedTouches,
    across = to.clientX - from.clientX;
  if (Math.abs(across) < 60 || Math.abs(to.clientY - from.clientY) > 40) return;
  play(false);
  follow(across < 0 ? "next" : "back");
});

// --- after each step ---

document.addEventListener("htmx:after:swap", () => {
  say(false);
  const slider = document.getElementById("scrub");
  slider.value = slider.dataset.step;
  document.title = replay().dataset.title;
  if (document.activeElement === document.body) replay().querySelector("main").focus({ preventScroll: true });
  play(isPlaying());
});

document.addEventListener("htmx:error", () => {
  play(false);
  say(true);
});

// A refusal is a whole page.
document.addEventListener("htmx:before:response", (event) => {
  const { response, request } = event.detail.ctx;
  if (response.status < 400) return;
  event.preventDefault();
  location.assign(request.action);
});
