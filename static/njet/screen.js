// The big board: says when what it shows may be old, and keeps the screen awake where the browser lets a page do that.
"use strict";

document.addEventListener("line", ({ detail: isUp }) => {
  document.getElementById("stale").hidden = isUp;
});

document.addEventListener("news", () => {
  document.title = document.title.replace(/^.*? · /, `${document.querySelector("#screen [aria-live]").textContent} · `);
});

async function stayAwake() {
  if (document.hidden) return;
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // A battery that is almost empty refuses; the screen then goes dark as it always did.
  }
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
