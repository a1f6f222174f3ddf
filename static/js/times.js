// Times in the reader's time zone. Days near today are written as words, others as dates.
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
    Math.abs(ago) < 2
      ? relativeFormat.format(-ago, "day")
      : time.toLocaleDateString(root.lang, { ...dayFormat, ...yearFormat });
  element.title = time.toLocaleString(root.lang);
  element.textContent = `${date} ${timeFormat.format(time)}`;
}

// Countdown to a time, in the largest unit that gives at least two. Days are those of the calendar: the format writes
// two as "послезавтра" or "pasado mañana".

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

function countDown() {
  for (const element of all("time[data-countdown]")) {
    const time = new Date(element.dateTime);
    const left = Math.max(0, time - Date.now());
    if (!left && element.dataset.over) {
      element.parentElement.textContent = element.dataset.over;
      continue;
    }
    const [unit, length] = UNITS.find(([, length]) => left >= 2 * length) ?? UNITS.at(-1);
    const count = unit === "day" ? -daysAgo(time) : Math.floor(left / length);
    element.textContent = relativeFormat.format(count, unit);
  }
}

countDown();
document.addEventListener("htmx:oobAfterSwap", countDown);
setInterval(countDown, 20_000);
