// The settled board in five taps: what each row decides is said at once, and the last choice sends the form.
// Without script the form has its button, and the browser says what is missing.
"use strict";

(() => {
  const form = document.querySelector("form.quick");
  const notice = form.querySelector(".notice");
  const missing = () => [...form.querySelectorAll(".board-row")].filter((row) => !row.querySelector(":checked"));
  form.noValidate = true;

  function tell() {
    chosen = form.querySelectorAll(":checked").length;
    for (const row of form.querySelectorAll(".board-row"))
      row.querySelector("em").textContent = row.querySelector(":checked")?.dataset.outcome ?? "";
  }

  let chosen = 0; // rows, before this tap

  // The table, which comes next, ignores a second tap in the same place (table.js).
  document.addEventListener("pointerup", ({ timeStamp, clientX: x, clientY: y }) => {
    try {
      sessionStorage.tap = JSON.stringify({ at: performance.timeOrigin + timeStamp, x, y });
    } catch {
      /* this browser has no storage */
    }
  });

  form.addEventListener("click", ({ target, detail }) => {
    if (!target.matches("[type=radio]")) return;
    const before = chosen;
    notice.hidden = true;
    target.closest(".board-row").classList.remove("is-refused");
    tell();
    // Not by the arrow keys, which pass through the spaces, and not when a choice is changed.
    if (detail && !missing().length && chosen > before) form.requestSubmit();
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
