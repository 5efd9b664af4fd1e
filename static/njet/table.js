// What a page can do better with script: steppers and their sum, and saying when a tap was not saved.
// Everything here is an extra: without it each form works by itself.
"use strict";

const table = () => document.getElementById("table");

function showSteppers() {
  for (const button of document.querySelectorAll(".step[hidden]")) button.hidden = false;
  for (const form of document.querySelectorAll("form.tally")) showSums(form);
}

function showSums(form) {
  for (const kind of ["tricks", "captured"]) {
    const inputs = [...form.querySelectorAll(`input[name^="${kind}-"]`)];
    const line = form.querySelector(`[data-sum-${kind}]`);
    if (inputs.every((input) => input.value === "")) continue;
    const sum = inputs.reduce((total, input) => total + (parseInt(input.value, 10) || 0), 0);
    line.textContent = line.dataset.words.replace("%s", sum);
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".step");
  if (!button) return;
  const input = button.parentElement.querySelector("input");
  const wanted = (parseInt(input.value, 10) || 0) + Number(button.dataset.step);
  input.value = Math.min(Math.max(wanted, Number(input.min)), Number(input.max));
  showSums(input.form);
});

document.addEventListener("input", (event) => {
  const form = event.target.closest("form.tally");
  if (form) showSums(form);
});

// A tap that got no answer is kept with its request id: sent again, it is done once.
let unsent = null;

document.addEventListener("htmx:error", (event) => {
  const source = event.detail.ctx?.sourceElement;
  unsent = source?.matches("form") ? { form: source, submitter: event.detail.ctx.request?.submitter } : null;
  document.getElementById("offline").hidden = false;
});

document.addEventListener("htmx:after:swap", () => {
  document.getElementById("offline").hidden = true;
  if (!table()) return;  // a refusal that is a page of its own
  document.title = document.title.replace(/^.*? · /, `${table().querySelector("[aria-live]").textContent} · `);
  showSteppers();
  // What was tapped may be gone: the keyboard goes on where the page does, not at its top.
  if (document.activeElement === document.body) {
    const main = table().querySelector("main");
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
  }
});

// The server keeps UTC; people read their own clock.
for (const time of document.querySelectorAll("time[datetime]")) {
  time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "medium",
  });
}

document.getElementById("retry")?.addEventListener("click", () => {
  if (unsent?.form.isConnected) unsent.form.requestSubmit(unsent.submitter?.isConnected ? unsent.submitter : null);
  else location.reload();
});

showSteppers();
