// Restores a group from its file: reads it line by line and sends some games at a time, so that a file of any size
// takes little memory here and on the server, and it shows how far it is.
"use strict";

(() => {
  const form = document.getElementById("restore"),
    [chosen] = form.querySelectorAll("[type=file]"),
    [button] = form.querySelectorAll("button"),
    [bar] = form.querySelectorAll("progress"),
    [said] = form.querySelectorAll("output"),
    [refused] = form.querySelectorAll("ul"),
    // Less than a second of the server's time; a game has up to a megabyte.
    MOST = 1_500_000;
  form.hidden = false;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    bar.hidden = false;
    bar.value = 0;
    refused.replaceChildren();
    said.textContent = "";
    try {
      await restore(chosen.files[0]);
    } catch (error) {
      said.textContent = error.sentence ?? form.dataset.failed;
    }
    button.disabled = false;
  });

  async function restore(file) {
    const counted = { stored: 0, known: 0 };
    let head = "",
      most = 1,
      part = [],
      size = 0,
      done = 0,
      [earlier, latest] = [Promise.resolve(), Promise.resolve()];

    // The server reads one part while it stores the one before.
    async function send() {
      const [games, body] = [part, new FormData(form)];
      part = [];
      size = 0;
      body.append("head", head);
      body.append("games", await packed(games.join("\n")));
      await earlier;
      [earlier, latest] = [latest, store(games.length, body)];
    }

    async function store(games, body) {
      const answer = await fetch(form.action, { method: "POST", body });
      const found = await answer.json();
      if (!answer.ok) throw Object.assign(new Error(found.error.code), { sentence: found.error.message });
      counted.stored += found.stored;
      counted.known += found.known;
      for (const sentence of found.refused)
        refused.append(Object.assign(document.createElement("li"), { textContent: sentence }));
      done += games;
      bar.value = done / most;
      said.textContent = ["stored", "known"].map((each) => `${counted[each]} ${form.dataset[each]}`).join(" · ");
    }

    for await (const line of lines(file)) {
      if (!head) {
        head = line;
        most = gamesOf(line);
        continue;
      }
      if (part.length && (part.length >= form.dataset.atOnce || size + line.length > MOST)) await send();
      part.push(line);
      size += line.length;
    }
    await send();
    await Promise.all([earlier, latest]);
    bar.value = 1;
  }

  function gamesOf(head) {
    try {
      return Math.max(1, JSON.parse(head).games);
    } catch {
      throw Object.assign(new Error("no file"), { sentence: form.dataset.noFile });
    }
  }

  // A game is mostly markers: a tenth is sent.
  function packed(text) {
    return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
  }

  async function* lines(file) {
    const reader = file
      .stream()
      .pipeThrough(new DecompressionStream("gzip"))
      .pipeThrough(new TextDecoderStream())
      .getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw Object.assign(new Error("no file"), { sentence: form.dataset.noFile });
      });
      if (done) break;
      const found = (rest + value).split("\n");
      rest = found.pop();
      for (const line of found) if (line) yield line;
    }
    if (rest) yield rest;
  }
})();
