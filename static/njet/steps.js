// Buttons that count the number in the field beside them up and down.
"use strict";

for (const button of document.querySelectorAll("[data-step]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const field = button.parentNode.querySelector("input");
    const number = Number(field.value.replace("−", "-")) || 0;
    field.value = String(number + Number(button.dataset.step)).replace("-", "−");
  });
}
