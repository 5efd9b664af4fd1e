// The settled board in five taps: what each row decides is said at once, and the last choice sends the form.
// The button is there without script, and for choices by key or that were changed.
"use strict";

(() => {
  const form = document.querySelector("form.quick");
  const notice = form.querySelector(".notice");
  const button = form.querySelector("button");
  const missing = () => [...form.querySelectorAll(".board-row")].filter((row) => !row.querySelector(":checked"));
  form.noValidate = true;

  function tell() {
    chosen = form.querySelectorAll(":checked").length;
    button.hidden = Boolean(missing().length);
    for (const row of form.querySelectorAll(".board-row"))
      row.querySelector("em").textContent = row.querySelector(":checked")?.dataset.outcome ?? "";
  }

  let chosen = 0; // rows, before this tap

  form.addEventListener("click", ({ target, detail }) => {
    if (!target.matches("[type=radio]")) return;
    const before = chosen;
    notice.hidden = true;
    target.closest(".board-row").classList.remove("is-refused");
    tell();
    // Not by the arrow keys, which pass through the spaces, and not when a choice is changed.
    if (!detail || button.hidden || chosen === before) return;
    form.requestSubmit();
    button.hidden = true;
  });

  form.addEventListener("submit", (event) => {
    const row = missing()[0];
    if (!row) return;
    event.preventDefault();
    row.classList.add("is-refused");
    notice.textContent = form.dataset.missing.replace("%s", row.getAttribute("aria-label"));
    notice.hidden = false;
    row.querySelector("input:enabled").focus();
  });

  // Back from the next page, the browser may have kept the choices.
  addEventListener("pageshow", tell);
})();
