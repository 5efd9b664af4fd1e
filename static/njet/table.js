// Extras with script: notices, who is here, the scripts that a first visit does not need.
// All of it is optional: every form works without script.
"use strict";

const table = () => document.getElementById("table");
const byId = (id) => document.getElementById(id);

// --- after each swap ---

document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (!table()) return; // a refusal is a whole page
  sleep();
  document.title = document.title.replace(/^.*? · /, `${table().dataset.title} · `);
  showHere();
  passNotice();
  // The field that is wrong, or the message.
  if (detail.ctx?.isNews) return;
  table().querySelector("[autofocus]")?.focus({ preventScroll: true });
  // The tapped element may be gone: keep the keyboard focus near it, not at the top of the page.
  stayNear();
});

function stayNear() {
  if (document.activeElement === document.body) focusMain();
}

function focusMain() {
  table().querySelector("main:not([hidden])")?.focus({ preventScroll: true });
}

// --- notices over the thumb bar: a sentence goes by itself, a question stays ---

let passing = 0;
const noticeNow = () => document.querySelector(".table > .thumb > .notice");

function passNotice() {
  clearTimeout(passing);
  const notice = noticeNow();
  if (notice && !notice.querySelector("form")) passing = setTimeout(dismiss, 5000);
}

function dismiss() {
  noticeNow()?.remove();
  stayNear();
  document.querySelector(".is-refused")?.classList.remove("is-refused");
}

// Its link loads the page for those without script; numbers that are typed in the page stay.
document.addEventListener(
  "click",
  (event) => {
    if (!event.target.closest("a") || !noticeNow()?.contains(event.target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    dismiss();
  },
  true
);

// --- others ---

const NEWS = "● ";

// The title is new with each swap.
document.addEventListener("news", () => {
  if (document.hidden) document.title = NEWS + document.title;
});

let phones = [];
document.addEventListener("here", ({ detail }) => {
  phones = detail;
  showHere();
});
document.addEventListener("line", showHere);

function showHere() {
  const words = byId("here").dataset,
    button = byId("here-button"),
    there = phones.filter((phone) => !phone.away);
  button.hidden = false;
  button.ariaLabel = words.button.replace("%s", there.length);
  button.textContent = Line.isUp ? there.length || 1 : "!";
  button.classList.toggle("is-down", !Line.isUp);
}

document.addEventListener("visibilitychange", () => {
  document.title = document.title.replace(NEWS, "");
});

// --- a scene that has just come takes no tap, as a page that has just come (media.css) ---

let scene = "";

function sleep() {
  const { phase, scene: now = phase } = table().dataset,
    nap = parseFloat(getComputedStyle(table()).animationDuration) * 1000;
  if (scene && scene !== now && nap) table().animate({ pointerEvents: ["none", "none"] }, nap);
  scene = now;
}

// --- at the start ---

const worker = byId("here").dataset.worker;
if (worker) navigator.serviceWorker?.register(worker);

sleep();
showHere();
passNotice();

// --- what the first visit does not need: soon, as a phone counts offline too ---

// What does not arrive is tried again.
function add(tag, values) {
  const [address] = Object.values(values);
  if (!address || document.querySelector(`[src="${address}"], [href="${address}"]`)) return;
  const element = Object.assign(document.createElement(tag), values, { onerror: () => element.remove() });
  document.head.append(element);
}

function addRest({ type } = {}) {
  const { firstTap, later, rounds } = byId("here").dataset;
  if (!Line.isUp && !navigator.serviceWorker?.controller) return;
  add("link", { href: rounds, rel: "stylesheet" });
  add("script", { src: later });
  if (type === "click") add("script", { src: firstTap });
}
setTimeout(addRest, navigator.onLine ? 5000 : 0);
for (const event of ["click", "line"]) document.addEventListener(event, addRest);
