"use strict";

// The server writes UTC; show local time, as the phone writes dates.  data-only: the day or the time alone.
for (const time of document.querySelectorAll("time[datetime]")) {
  const { only } = time.dataset;
  time.textContent = new Date(time.dateTime).toLocaleString(undefined, {
    dateStyle: only === "time" ? undefined : "medium",
    timeStyle: only === "day" ? undefined : "short"
  });
}
