// The button says what the form will do: “Ella −10”, for a team “Anna and Chloé −10 each”.
"use strict";

(() => {
  const form = document.querySelector("form");
  const button = form.querySelector("[data-each]");
  const usual = button.textContent;

  function say() {
    const who = form.querySelector('[name="seat"]:checked');
    const sign = form.elements.way.value === "gives" ? "+" : "−";
    const typed = form.elements.points.value
      .trim()
      .replace("−", "-")
      .match(/^([+-]?)(\d+)$/);
    // What the server refuses is not announced.
    const fits = who && typed && Number(typed[2]) && (!typed[1] || typed[1] === sign.replace("−", "-"));
    if (!fits) return (button.textContent = usual);
    const change = sign + Number(typed[2]);
    const each = who.value.includes("-") ? button.dataset.each.replace("%s", change) : change;
    button.textContent = `${who.parentNode.querySelector(".one").textContent} ${each}`;
  }

  // On the window: after the listeners of the steps, which change the field by script.
  for (const event of ["pageshow", "input", "click"]) addEventListener(event, say);
  say();
})();
