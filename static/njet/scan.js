// The camera reads the code of an invitation, where the browser can: only in some, and over https only.
"use strict";

(async () => {
  const button = document.getElementById("scan"),
    view = document.getElementById("view"),
    said = document.getElementById("scanned");
  const formats = (await globalThis.BarcodeDetector?.getSupportedFormats()) ?? [];
  if (!navigator.mediaDevices || !formats.includes("qr_code")) return;
  button.hidden = false;

  // Other codes lead anywhere: only an invitation to this server is followed.
  function invitation(text) {
    try {
      const url = new URL(text);
      return url.origin === location.origin && url.pathname.startsWith(button.dataset.below) ? url : null;
    } catch {
      return null;
    }
  }

  button.addEventListener("click", async () => {
    let stream;
    button.hidden = true;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      view.srcObject = stream;
      view.hidden = false;
      await view.play();
      said.textContent = "";
      await look(new BarcodeDetector({ formats: ["qr_code"] }));
    } catch {
      said.textContent = button.dataset.failed;
    }
    for (const track of stream?.getTracks() ?? []) track.stop();
    view.hidden = true;
    button.hidden = false;
  });

  async function look(detector) {
    for (;;) {
      const found = await detector.detect(view);
      const url = found.map(({ rawValue }) => invitation(rawValue)).find(Boolean);
      if (url) return location.assign(url);
      if (found.length) said.textContent = button.dataset.other;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
})();
