// The button that prints the page: sheet.css hides it where scripts do not run.
"use strict";

document.querySelector("[data-print]").addEventListener("click", () => window.print());
