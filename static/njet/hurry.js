// A tap on the trick says that this phone needs no more time: the bots of the table go on.
"use strict";

(() => {
  let said = null;

  document.addEventListener("click", ({ target }) => {
    const table = document.getElementById("table");
    if (!target.closest("#trick") || !document.getElementById("hand") || table.dataset.due || !Line.isUp) return;
    const { version, csrf } = table.dataset;
    if (said === version) return;
    said = version;
    const body = new URLSearchParams({ version });
    // Without an answer the bots take their pause.
    fetch(`${location.pathname}hurry/`, { method: "POST", headers: { "X-CSRFToken": csrf }, body }).catch(() => {});
  });
})();
