// WebKit leaves a page with containers in the styles of before when its width changes, as by a phone that is turned.
// It looks for its styles again when one sheet is off for a moment.
"use strict";

(() => {
  let width = innerWidth;
  addEventListener("resize", () => {
    if (width === innerWidth) return;
    width = innerWidth;
    const [sheet] = document.styleSheets;
    sheet.disabled = true;
    getComputedStyle(document.body).color; // the styles without it
    sheet.disabled = false;
  });
})();
