"use strict";

// The server writes UTC; show local time, in the language of the page as the phone writes it: with the order and the
// hours of its own country.  data-only: the day or the time alone.
const { lang } = document.documentElement;
const locale = navigator.languages.find((each) => each.startsWith(lang)) ?? lang;

for (const time of document.querySelectorAll("time[datetime]")) {
  const { only } = time.dataset;
  time.textContent = new Date(time.dateTime).toLocaleString(locale, {
    dateStyle: only === "time" ? undefined : "medium",
    timeStyle: only === "day" ? undefined : "short"
  });
}
