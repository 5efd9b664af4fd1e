// The replay with script: arrow keys change the step; a lost connection is shown.
"use strict";

const replay = () => document.getElementById("replay");
const say = (failed) => {
  document.getElementById("unreached").hidden = !failed;
};

document.addEventListener("keydown", (event) => {
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (rel && !event.altKey && !event.ctrlKey && !event.metaKey) replay().querySelector(`a[rel=${rel}]`)?.click();
});

document.addEventListener("htmx:after:swap", () => {
  say(false);
  document.title = replay().dataset.title;
  if (document.activeElement === document.body) replay().querySelector("main").focus({ preventScroll: true });
});

document.addEventListener("htmx:error", () => say(true));

// A refusal is a whole page.
document.addEventListener("htmx:before:response", (event) => {
  const { response, request } = event.detail.ctx;
  if (response.status < 400) return;
  event.preventDefault();
  location.assign(request.action);
});
