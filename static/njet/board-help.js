// The title of a row opens the rules where that row is explained; without script it opens them at their top.
"use strict";

document.addEventListener("click", ({ target }) => {
  const part = target.closest("[data-part]")?.dataset.part;
  if (part) requestAnimationFrame(() => document.getElementById(part).scrollIntoView());
});
