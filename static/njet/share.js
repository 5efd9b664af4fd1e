// Buttons that send a link, a text or a picture, or copy a text.
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

for (const button of document.querySelectorAll("[data-share], [data-send], [data-copy]")) {
  button.hidden = false;
  const { share: url, send, copy: copied } = button.dataset;
  const words = button.querySelector("[data-copies]");
  if (words && !navigator.share) words.textContent = words.dataset.copies;
  const label = button.querySelector("[data-copied]");
  const offer = label.textContent;
  button.addEventListener("click", async () => {
    const text = url ?? document.getElementById(send ?? copied).value;
    try {
      if (!copied && navigator.share) return await navigator.share(url ? { url } : { text });
      await copy(text);
      button.focus();
      label.textContent = label.dataset.copied;
      setTimeout(() => (label.textContent = offer), 4000);
    } catch {
      /* Not sent, not copied: the link, the text stands beside it. */
    }
  });
}

// A picture is sent as a file; where that is not possible, its link saves it.
const picture = (parts, name) => new File(parts, name, { type: "image/png" });
for (const link of document.querySelectorAll("[data-picture]")) {
  const name = link.dataset.picture;
  if (!navigator.canShare?.({ files: [picture([""], name)] })) continue;
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) throw new Error(answer.status);
      await navigator.share({ files: [picture([await answer.blob()], name)] });
    } catch (error) {
      if (error.name !== "AbortError") location.assign(link.href);
    }
  });
}
