// The title of a row and a condition open the rules where they are explained; without script these open at their top.
"use strict";

document.addEventListener(
  "click",
  ({ target }) => {
    const help = document.getElementById("help"),
      part = target.closest("[data-part]:not(.help)")?.dataset.part;
    if (!help || target.closest(".help")) return;
    if (!part) return delete help.dataset.part;
    help.dataset.part = part;
    requestAnimationFrame(() => document.getElementById(part).scrollIntoView());
  },
  true
);
