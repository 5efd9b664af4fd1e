// A token shows the colour that is chosen for it.
"use strict";

for (const select of document.querySelectorAll(".disc select")) {
  select.addEventListener("change", () => {
    const token = select.parentNode.querySelector(".token");
    if (select.value) token.className = `token t-${select.value}`;
  });
}
