// WebKit leaves a page with containers in the styles of before when its width changes, as by a phone that is turned.
// It looks for its styles again when one sheet has been off and on.
"use strict";

addEventListener("resize", () => {
  for (document.styleSheets[0].disabled of [true, false]) getComputedStyle(document.body).color;
});
