// The page of the seats with script: shows at once who sits down.
"use strict";

document.addEventListener("htmx:before:response", (event) => {
  if (!document.getElementById("seating") || event.detail.ctx.response.status < 400) return;
  event.preventDefault();
  // Load the address: the page may be the answer to a form, which must not be sent twice.
  location.assign(location.pathname);
});
