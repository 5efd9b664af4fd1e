// Caches the shell of the pages and the last state of each table, so that a phone can open them offline; sends the taps
// that wait on the phone when the connection is back and no page is open.
// Caches only responses with the header "NJET-Keep", so never a page with a hand.
"use strict";

const SHELL = JSON.parse(`{{ shell|safe }}`);
const SHELL_CACHE = "shell-{{ version }}",
  KEPT = "kept";

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL_CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(() => skipWaiting())
  );
});

addEventListener("activate", (event) => {
  // Pages that were cached with another shell would name files that are gone.
  const old = (names) => names.filter((name) => name !== SHELL_CACHE);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => clients.claim())
  );
});

addEventListener("fetch", (event) => {
  const { request } = event,
    url = new URL(request.url);
  if (url.origin !== location.origin || url.pathname.startsWith("/live/")) return;
  if (SHELL.includes(url.pathname))
    event.respondWith(caches.match(url.pathname).then((kept) => kept ?? fetch(request)));
  else if (request.mode === "navigate" && request.method === "GET") event.respondWith(navigate(request, event));
  else if (url.pathname.endsWith("/pad/"))
    event.respondWith(
      fetch(request).then(
        (answer) => keep(answer, event),
        () => caches.match(nameOf("page", request.url)).then((kept) => kept ?? Response.error())
      )
    );
  else if (url.pathname.startsWith("/g/")) event.respondWith(fetch(request).then((answer) => keep(answer, event)));
});

const nameOf = (what, url) => `/kept/${what}${new URL(url).pathname.replace(/(act|undo)\/$/, "")}`;

function keep(answer, event) {
  const what = answer.headers.get("NJET-Keep");
  const copy = what ? answer.clone() : null;
  event.waitUntil(
    caches.open(KEPT).then(async (cache) => {
      if (copy) await cache.put(nameOf(what, answer.url), copy);
      // A page replaces older fragments; a table that is gone, or closed to this phone, is removed from the cache.
      if (what === "page" || answer.status === 404) await cache.delete(nameOf("fragment", answer.url));
      if (answer.status === 404) for (const part of ["", "pad/"]) await cache.delete(nameOf("page", answer.url) + part);
    })
  );
  return answer;
}

// With bad reception requests do not fail, they only take very long: show the cached page after a few seconds, and when
// the proxy reports that the server is down.
async function navigate(request, event) {
  const cache = await caches.open(KEPT);
  const page = await cache.match(nameOf("page", request.url));
  const late = page && new Promise((_, reject) => setTimeout(() => reject(new TypeError("too late")), 5000));
  try {
    const answer = await Promise.race([fetch(request), ...(late ? [late] : [])]);
    if (page && answer.status >= 502) throw new TypeError("no server");
    return keep(answer, event);
  } catch (error) {
    if (!page) throw error;
    const fragment = await cache.match(nameOf("fragment", request.url));
    let text = await page.text();
    if (fragment) {
      const [begin, end] = ["<!-- table -->", "<!-- end of table -->"].map((mark) => text.indexOf(mark));
      if (begin >= 0) text = text.slice(0, begin) + (await fragment.text()) + text.slice(end);
    }
    return new Response(text, { headers: page.headers });
  }
}

// --- a notification that it is somebody's turn leads to their table ---

addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window" }).then((open) => {
      const page = open.find((each) => new URL(each.url).pathname === notification.tag);
      return page ? page.focus() : clients.openWindow(notification.tag);
    })
  );
});

// --- waiting taps ---

addEventListener("sync", (event) => {
  if (event.tag === "taps") event.waitUntil(sendAll());
});

async function sendAll() {
  // An open page sends its own taps and shows the results.
  if ((await clients.matchAll({ type: "window" })).some((client) => client.url.includes("/g/"))) return;
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open("njet", 1);
    request.onupgradeneeded = () => {
      request.transaction.abort();
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  }).catch(() => null);
  if (!database) return;
  const ask = (mode, act) =>
    new Promise((resolve, reject) => {
      const request = act(database.transaction("taps", mode).objectStore("taps"));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const taps = await ask("readonly", (store) => store.getAll());
  for (const game of new Set(taps.map((tap) => tap.game))) {
    const page = await fetch(`/g/${game}/`, { headers: { "HX-Request": "true" } }).then((answer) => answer.text());
    const token = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(page)?.[1];
    let given = null;
    for (const tap of taps.filter((each) => each.game === game)) {
      if (!token || tap.reason || tap.isHeld) break;
      const version = !tap.isTried && tap.isChained && given !== null ? given : tap.version;
      await ask("readwrite", (store) => store.put({ ...tap, isTried: true, version }));
      const send = () =>
        fetch(tap.url, {
          method: "POST",
          headers: { "HX-Request": "true" },
          body: new URLSearchParams([...tap.fields, ["version", version], ["csrfmiddlewaretoken", token]])
        });
      let answer = await send();
      // As on the page: the rest goes on a second later.
      while (answer.status === 429) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        answer = await send();
      }
      // The player decides on the page about every tap that did not succeed.
      given = answer.status === 200 ? /data-version="(\d+)"/.exec(await answer.text())?.[1] : null;
      if (!given) break;
      await ask("readwrite", (store) => store.delete(tap.id));
    }
  }
}
