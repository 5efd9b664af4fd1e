// The preview of a correction waits until something differs from what was entered.
// Without script the server says that nothing was changed.
"use strict";

(() => {
  const button = document.querySelector("[data-unchanged]");
  if (!button) return; // what was sent before stands in the form
  const words = button.querySelector("small");
  // Of the buttons of a choice, the last one that is checked in the page counts.
  const wasChosen = ({ name }) =>
    [...button.form.querySelectorAll(`[name="${name}"]`)].findLast((each) => each.defaultChecked);
  const isSame = () =>
    [...button.form.querySelectorAll("input")].every((field) => {
      if (field.type === "radio") return !field.checked || field === wasChosen(field);
      if (field.type === "checkbox") return field.checked === field.defaultChecked;
      return field.value === field.defaultValue;
    });

  function judge() {
    button.toggleAttribute("data-same", isSame());
    // A button that waits for figures, too, has its words from there (counting.js).
    if (button.dataset.fits) return document.dispatchEvent(new Event("bounds"));
    button.ariaDisabled = isSame() ? "true" : null;
    words.textContent = isSame() ? button.dataset.unchanged : "";
  }

  // On the window: after the listeners of the keys and steps, which change a field by script.
  for (const event of ["pageshow", "input", "click"]) addEventListener(event, judge);
  // And before those that look for a wrong figure.
  addEventListener(
    "click",
    (event) => {
      if (!button.contains(event.target) || !isSame()) return;
      event.preventDefault();
      event.stopPropagation();
      words.role = "alert";
    },
    true
  );
  judge();
})();
