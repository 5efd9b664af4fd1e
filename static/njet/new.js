// The new table with script: Enter leads to the next name, after the last one to the line that adds a seat; the disc
// shows letter and colour at once, a seat goes away without a page, and the main button says what it will do.
"use strict";

const form = document.getElementById("new-table");
const main = form.querySelector(".button.is-main");
const rows = [...form.querySelectorAll(".names li")].map((row) => ({
  row,
  name: row.querySelector('[name^="name-"]'),
  disc: row.querySelector(".token"),
  plays: row.querySelectorAll('[name^="plays-"]')
}));
const isDigital = () => form.elements.mode.value === "digital";
// The line that adds a seat, while there is one.
const adding = () => form.querySelector("li:has([value=none]:checked) .add input");
const playsOf = ({ plays }) => [...plays].find((each) => each.checked).value;

// Against bots alone all hands are shown after each round, unless the box was tapped.
const showHands = () => {
  const { open_hands: box, usual_hands: usual } = form.elements;
  const people = rows.filter((each) => ["here", "person"].includes(playsOf(each))).length;
  const alone = isDigital() && people === 1;
  if (box.checked === (usual.value === "1")) box.checked = alone;
  usual.value = alone ? "1" : "";
};

const say = () => {
  showHands();
  rows.forEach((each) => {
    const { hint, here, person, bot } = each.name.dataset;
    each.name.placeholder = isDigital() ? ({ none: hint, here, person }[playsOf(each)] ?? bot) : hint;
  });
  const friends = rows.filter((each) => playsOf(each) === "person");
  // As the server lists them: no comma before "and".
  const listed = new Intl.ListFormat(document.documentElement.lang.replace(/^en$/, "en-GB")).format(
    friends.map(({ name }) => (name.value.trim() || name.dataset.person).replaceAll(" ", "\u00a0"))
  );
  if (isDigital() && friends.length) main.textContent = main.dataset.invite.replace("{names}", listed);
  else main.textContent = main.dataset.start;
};

const draw = ({ row, name, disc, plays }, place) => {
  const typed = name.value.trim();
  disc.textContent = [...typed.toUpperCase()][0] || place + 1;
  row.classList.toggle("is-free", !typed);
  // A name that was typed in the other mode is a friend's.
  if (typed && plays[0].checked) plays[2].checked = true;
};

rows.forEach((each, place) => {
  each.name.addEventListener("keydown", (event) => {
    const next = rows.slice(place + 1).find(({ name }) => name.checkVisibility())?.name ?? adding();
    if (event.key !== "Enter" || event.isComposing || !next?.checkVisibility()) return;
    event.preventDefault();
    next.focus();
  });
  each.row.querySelector(".add input").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== adding()) return;
    event.preventDefault();
    event.target.click();
    each.name.focus();
  });
  each.name.addEventListener("input", () => {
    draw(each, place);
    form.querySelectorAll(".names [aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
    form.querySelectorAll(".names .field-error").forEach((sentence) => sentence.remove());
  });
  each.row.querySelector(".remove").addEventListener("click", (event) => {
    event.preventDefault();
    each.name.value = "";
    each.plays[0].checked = true;
    draw(each, place);
    say();
    adding().focus();
  });
});
form.addEventListener("input", say);
// What unfolds is not left under the main button.
const rules = document.getElementById("rules");
rules.querySelector("summary").addEventListener("click", () => {
  requestAnimationFrame(() => rules.open && rules.scrollIntoView({ block: "start" }));
});
say();
