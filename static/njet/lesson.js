// A tap beside the target of the lesson is answered; the target itself is a link.
"use strict";

document.querySelector(".lesson").addEventListener("click", ({ target, currentTarget }) => {
  const tap = document.getElementById("tap");
  if (!tap || target.closest("a")) return;
  tap.textContent = tap.dataset.missed;
  currentTarget.classList.remove("missed");
  void currentTarget.offsetWidth;
  currentTarget.classList.add("missed");
});
