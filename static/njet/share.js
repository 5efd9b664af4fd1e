// Buttons that send a link or copy a text.
"use strict";

// Over plain http browsers offer neither the share sheet nor the clipboard; what is selected can be copied there too.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.body.appendChild(document.createElement("textarea"));
  field.value = text;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("not copied");
}

// The link of a page that only shares it is selected: a long press copies it, too.
const link = document.getElementById("link");
link?.addEventListener("focus", () => link.select());
link?.focus({ preventScroll: true });

for (const button of document.querySelectorAll("[data-share], [data-copy]")) {
  button.hidden = false;
  const words = button.querySelector("[data-copies]");
  if (words && !navigator.share) words.textContent = words.dataset.copies;
  button.addEventListener("click", async () => {
    const url = button.dataset.share;
    try {
      if (url && navigator.share) return await navigator.share({ url });
      await copy(url ?? document.getElementById(button.dataset.copy).value);
      button.focus();
      const label = button.querySelector("[data-copied]");
      label.textContent = label.dataset.copied;
    } catch {
      /* Not sent, not copied: the link, the text stands beside it. */
    }
  });
}
