// Buttons that count the number in the field beside them up and down.
"use strict";

for (const button of document.querySelectorAll("[data-step]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = button.parentNode.querySelector("input");
    const number = Number(field.value.replace("−", "-")) || 0;
    const least = field.min === "" ? -Infinity : Number(field.min);
    field.value = String(Math.max(number + Number(button.dataset.step), least)).replace("-", "−");
  });
}
