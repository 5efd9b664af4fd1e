"use strict";

// The server writes UTC; show local time.
for (const time of document.querySelectorAll("time[datetime]")) {
  time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short"
  });
}
