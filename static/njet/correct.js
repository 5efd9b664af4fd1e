// The correction of a round: what each row decides, who can hold the monster card, what the figures can be.
// Without script the preview answers all of it.
"use strict";

(() => {
  const form = document.querySelector("form.correct");
  const figures = form.querySelector(".figures");
  const chosen = (name) => form.querySelector(`[name=${name}]:checked`);

  function tell() {
    for (const row of form.querySelectorAll(".open-rows .board-row"))
      row.querySelector("em").textContent = row.querySelector(":checked")?.dataset.outcome ?? "";
    const smaller = chosen("partners")?.dataset.smaller.trim().split(" ");
    for (const holder of form.querySelectorAll("[name=monster]")) {
      holder.parentNode.hidden = smaller && !smaller.includes(holder.value);
      if (holder.parentNode.hidden) holder.checked = false;
      if (smaller?.length === 1) holder.checked = holder.value === smaller[0];
    }
    if (figures) bound();
  }

  // What the figures can be follows from the board and the teams; the button that waits for them says it (counting.js).
  function bound() {
    const [tricks, least] = JSON.parse(figures.dataset.rounds)[chosen("discard")?.value] ?? [];
    if (tricks) Object.assign(figures.dataset, { tricks, least });
    for (const field of figures.querySelectorAll("[name^=tricks]")) field.max = figures.dataset.tricks;
    const teams = form.querySelector("[name=partners]");
    // Partners who were chosen for another start player are asked for again.
    const isOpen = form.asked?.value !== chosen("start")?.value && chosen("start");
    const most = isOpen ? [] : (chosen("partners")?.dataset.perTrick.split(" ") ?? []);
    if (teams)
      for (const [seat, field] of figures.querySelectorAll("[name^=captured]").entries())
        field.dataset.perTrick = most[seat] ?? "unknown";
    document.dispatchEvent(new Event("bounds"));
  }

  // Where there is room nothing is folded.
  if (matchMedia("(min-width: 600px) and (min-height: 600px)").matches)
    for (const block of form.querySelectorAll("details")) block.open = true;
  form.addEventListener("input", ({ target }) => {
    if (target.closest(".tally")) return;
    form.querySelector(".notice")?.remove();
    tell();
    const said = target.closest("details")?.querySelector("summary small");
    // The line of a folded block: what its rows decide now; of teams that were changed, nothing.
    if (said)
      said.textContent = [...target.closest("details").querySelectorAll("em")]
        .map((each) => each.textContent)
        .join(" · ");
  });
  // Back from the preview, the browser may have kept what was typed.
  addEventListener("pageshow", tell);
})();
