"use strict";

// The server writes its own times; show local time, in the language of the page as the phone writes it: with the order
// and the hours of its own country.  data-only: the day or the time alone.
const { lang } = document.documentElement;
const locale = navigator.languages.find((each) => each.startsWith(lang)) ?? lang;

for (const time of document.querySelectorAll("time[datetime]")) {
  const { only } = time.dataset;
  time.textContent = new Date(time.dateTime).toLocaleString(locale, {
    dateStyle: only === "time" ? undefined : "medium",
    timeStyle: only === "day" ? undefined : "short"
  });
}

// The server needs the time zone for what it makes by days (games/pages/time_zone.py).  A page of that kind
// (data-days), if it was the first one, is fetched again.
const secure = location.protocol === "https:";
const zone = `${secure ? "__Host-" : ""}njet_zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
const isKept = () => document.cookie.split("; ").includes(zone);

if (!isKept()) {
  document.cookie = `${zone}; path=/; max-age=34560000; samesite=lax${secure ? "; secure" : ""}`;
  if (isKept() && document.querySelector("[data-days]")) {
    location.reload();
  }
}
