// WebKit leaves a page with containers in the styles of before when its width changes, as by a phone that is turned.
// It asks the media queries of a style sheet again when the sheet has changed.
"use strict";

addEventListener("resize", () => {
  for (const sheet of document.styleSheets) sheet.deleteRule(sheet.insertRule("a {}"));
});
