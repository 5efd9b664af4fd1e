// The button of a link: it opens the share sheet, or copies the link where there is none.
"use strict";

for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share && !navigator.clipboard;
  button.addEventListener("click", async () => {
    const url = button.dataset.share;
    try {
      if (navigator.share) await navigator.share({ url });
      else {
        await navigator.clipboard.writeText(url);
        const label = button.querySelector("[data-copied]");
        label.textContent = label.dataset.copied;
      }
    } catch {
      /* Not sent: the link stands below. */
    }
  });
}
