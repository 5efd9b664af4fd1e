// The new table with script: Enter leads to the next name, and the disc shows letter and colour at once.
"use strict";

const names = [...document.querySelectorAll('.names [name^="name-"]')];
const discs = names.map((field) => field.closest("li").querySelector(".token"));

names.forEach((field, place) => {
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !names[place + 1]) return;
    event.preventDefault();
    names[place + 1].focus();
  });
  field.addEventListener("input", () => {
    const name = field.value.trim();
    discs[place].textContent = [...name.toUpperCase()][0] || place + 1;
    field.closest("li").classList.toggle("is-free", !name);
  });
  field
    .closest("li")
    .querySelector(".disc select")
    .addEventListener("change", (event) => {
      if (event.target.value) discs[place].className = `token t-${event.target.value}`;
    });
});
