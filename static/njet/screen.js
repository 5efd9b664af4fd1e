// The big board: shows when its content may be out of date, and keeps the screen awake where the browser allows it.
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
    // Refused when the battery is almost empty; the screen then goes dark as usual.
  }
}
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
