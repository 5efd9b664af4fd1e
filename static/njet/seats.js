// The ways to and from the table, with script: who sits down is seen at once, and so is a rematch to follow into.
"use strict";

const REMATCH = 4000;

setInterval(async () => {
  const here = document.querySelector("#rematch[data-waiting]");
  if (!here || document.hidden) return;
  try {
    const answer = await fetch(here.dataset.waiting, { cache: "no-store", signal: AbortSignal.timeout(REMATCH) });
    const page = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
    const found = page.querySelector("#rematch:not([data-waiting])");
    if (found) here.replaceWith(document.adoptNode(found));
  } catch { /* No line: there is a next time. */ }
}, REMATCH);

document.addEventListener("htmx:before:response", (event) => {
  if (!document.getElementById("seating") || event.detail.ctx.response.status < 400) return;
  event.preventDefault();
  // By its address: the page may be the answer to a form, and a form is not sent twice.
  location.assign(location.pathname);
});
