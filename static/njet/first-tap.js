// What a page needs after its first tap only: the screen that stays on, rules at the phase, double taps, vibration.
"use strict";

// --- the screen stays on: by a wake lock where pages have them (https), else by a silent film ---
// Chromium leaves the screen on for a film that has sound: it has a silent track and is not muted, and needs no place
// on the page.  Before a tap no page may play a film.
{
  const here = document.getElementById("here");
  const line = document.getElementById("awake");
  const setting = document.getElementById("stays-on");
  let lock = null,
    film = null,
    battery = null;

  const isLow = () => battery !== null && !battery.charging && battery.level < 0.15;

  const stay = async () => {
    const wanted = setting.checked && !isLow() && !document.hidden;
    try {
      if (navigator.wakeLock) {
        if (!wanted) await lock?.release();
        else if (!lock || lock.released) {
          lock = await navigator.wakeLock.request("screen");
          lock.addEventListener("release", say);
        }
      } else if (!wanted) film?.pause();
      else await (film ??= load()).play();
    } catch {
      /* the browser does not allow it, or not yet: the line says so */
    }
    say();
  };

  const load = () => {
    const video = document.createElement("video");
    video.loop = video.playsInline = true;
    for (const name of ["webm", "mp4"]) {
      const source = document.createElement("source");
      source.src = here.dataset[name];
      source.type = `video/${name}`;
      video.append(source);
    }
    return video;
  };

  const say = () => {
    const isAwake = (lock && !lock.released) || (film && !film.paused);
    line.textContent = here.dataset[isAwake ? "awake" : "sleepy"];
  };

  try {
    setting.checked = localStorage.getItem("screen") !== "off";
  } catch {
    /* this browser has no storage */
  }
  setting.addEventListener("change", () => {
    try {
      localStorage.setItem("screen", setting.checked ? "on" : "off");
    } catch {
      /* this browser has no storage */
    }
    stay();
  });
  document.addEventListener("visibilitychange", stay);
  // Safari plays a film while a tap is handled only.
  document.addEventListener("click", () => film?.paused && stay());
  navigator.getBattery?.().then(
    (found) => {
      battery = found;
      for (const change of ["levelchange", "chargingchange"]) battery.addEventListener(change, stay);
      stay();
    },
    () => {} // it may be forbidden
  );
  stay();
}

// --- the rules open at the present phase ---
{
  const show = ({ target }) => {
    if (target?.id !== "help" || !target.matches(":popover-open")) return;
    const [view] = (document.getElementById("table").dataset.phase ?? "").split("-");
    const part = { teams: "teams", count: "tricks", finished: "score" }[view];
    document.getElementById(`help-${part ?? "placing"}`)?.scrollIntoView();
  };
  document.addEventListener("toggle", show, true);
  show({ target: document.getElementById("help") });
}

// --- a second tap in the place of the first does not answer the question that has come there meanwhile ---
{
  const AGAIN = 700,
    REACH = 48;
  let last = null;
  const look = (event) => {
    const table = document.getElementById("table");
    // A key or a screen reader taps no place.
    if (!event.detail || !table.contains(event.target)) return;
    const tap = { ...place(event), scene: `${/is-\w+/.exec(table.className)} ${table.dataset.phase}` };
    const isAgain =
      last?.scene !== tap.scene &&
      tap.at - last?.at < AGAIN &&
      Math.hypot(tap.x - last.x, tap.y - last.y) < REACH &&
      event.target.closest("a, button, label, input");
    if (!isAgain) return void (last = tap);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const place = ({ timeStamp, clientX, clientY }) => ({ at: timeStamp, x: clientX, y: clientY });
  document.addEventListener("click", look, true);
}

// --- whether the phone vibrates: it may not before a tap ---
{
  const quiet = document.getElementById("quiet");
  try {
    if (quiet) quiet.checked = localStorage.getItem("quiet") === "1";
  } catch {
    /* this browser has no storage */
  }
  // At a digital table somebody acts all the time: vibrate only where the setting exists.
  document.addEventListener("news", () => quiet && !quiet.checked && navigator.vibrate?.(40));
  quiet?.addEventListener("change", () => {
    try {
      localStorage.setItem("quiet", quiet.checked ? "1" : "");
    } catch {
      /* this browser has no storage */
    }
  });
}
