// The page of the seats with script: shows at once who sits down, and a rematch to join.
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
  } catch {
    /* No connection: try again next time. */
  }
}, REMATCH);

document.addEventListener("htmx:before:response", (event) => {
  if (!document.getElementById("seating") || event.detail.ctx.response.status < 400) return;
  event.preventDefault();
  // Load the address: the page may be the answer to a form, which must not be sent twice.
  location.assign(location.pathname);
});
