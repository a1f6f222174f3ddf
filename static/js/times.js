// Times in the reader's time zone. Today and yesterday are written as words, other days as dates.
import { all, root } from "./dom.js";

const timeFormat = new Intl.DateTimeFormat(root.lang, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const relativeFormat = new Intl.RelativeTimeFormat(root.lang, { numeric: "auto" });
const dayFormat = { day: "numeric", month: "short" };

function daysAgo(time) {
  const midnight = (date) => new Date(date).setHours(0, 0, 0, 0);
  return Math.round((midnight(Date.now()) - midnight(time)) / 86_400_000);
}

for (const element of all("time[data-local]")) {
  const time = new Date(element.dateTime);
  const ago = daysAgo(time);
  const yearFormat = time.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" };
  const date =
    ago < 2
      ? relativeFormat.format(-ago, "day")
      : time.toLocaleDateString(root.lang, { ...dayFormat, ...yearFormat });
  element.title = time.toLocaleString(root.lang);
  element.textContent = `${date} ${timeFormat.format(time)}`;
}
