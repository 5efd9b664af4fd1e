// The correction of a round: what each row decides, who can hold the monster card, how many tricks are counted.
// Without script the preview answers all of it.
"use strict";

(() => {
  const form = document.querySelector("form.correct");
  const figures = form.querySelector(".figures");
  const chosen = (name) => form.querySelector(`[name=${name}]:checked`);

  function tell() {
    for (const row of form.querySelectorAll(".open-rows fieldset"))
      row.querySelector("em").textContent = row.querySelector(":checked")?.dataset.outcome ?? "";
    const smaller = chosen("partners")?.dataset.smaller.trim().split(" ");
    for (const holder of form.querySelectorAll("[name=monster]")) {
      holder.parentNode.hidden = smaller && !smaller.includes(holder.value);
      if (holder.parentNode.hidden) holder.checked = false;
      if (smaller?.length === 1) holder.checked = holder.value === smaller[0];
    }
    if (!figures) return;
    const sum = [...figures.querySelectorAll("[name^=tricks]")].reduce((all, field) => all + Number(field.value), 0);
    const all = JSON.parse(figures.dataset.tricks)[chosen("discard")?.value];
    const words = figures.querySelector("[data-words]");
    words.textContent = words.dataset.words.replace("%s", sum).replace("%t", all);
    words.classList.toggle("is-wrong", sum !== all);
  }

  // Where there is room nothing is folded.
  if (matchMedia("(min-width: 600px) and (min-height: 600px)").matches)
    for (const block of form.querySelectorAll("details")) block.open = true;
  form.addEventListener("input", ({ target }) => {
    tell();
    const said = target.closest("details")?.querySelector("summary small");
    // The line of a folded block: what its rows decide now; of teams that were changed, nothing.
    if (said)
      said.textContent = [...target.closest("details").querySelectorAll("em")]
        .map((each) => each.textContent)
        .join(" · ");
  });
  form.addEventListener("focusin", ({ target }) => target.matches("[type=number]") && target.select());
  // Back from the preview, the browser may have kept what was typed.
  addEventListener("pageshow", tell);
})();
