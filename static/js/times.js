// Moments in the reader's own zone: of today and yesterday the words, of other days the date.
import { all, root } from "./dom.js";

const time = new Intl.DateTimeFormat(root.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const near = new Intl.RelativeTimeFormat(root.lang, { numeric: "auto" });
const day = { day: "numeric", month: "short" };

function daysAgo(moment) {
  const midnight = (date) => new Date(date).setHours(0, 0, 0, 0);
  return Math.round((midnight(Date.now()) - midnight(moment)) / 86_400_000);
}

for (const element of all("time[data-local]")) {
  const moment = new Date(element.dateTime);
  const ago = daysAgo(moment);
  const year = moment.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" };
  const date = ago < 2 ? near.format(-ago, "day") : moment.toLocaleDateString(root.lang, { ...day, ...year });
  element.title = moment.toLocaleString(root.lang);
  element.textContent = `${date} ${time.format(moment)}`;
}
