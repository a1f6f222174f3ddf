// The form of a new night: the reader's time zone and, unless a start is written, this evening.
const form = document.querySelector("[data-zone-form]");
const { zone, start } = form.elements;
const HOUR = 20;

if (zone.value === zone.defaultValue && zone.value === "UTC")
  zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || zone.value;

if (!start.value) {
  const evening = new Date();
  if (evening.getHours() >= HOUR) evening.setDate(evening.getDate() + 1);
  const pad = (number) => String(number).padStart(2, "0");
  start.value = `${evening.getFullYear()}-${pad(evening.getMonth() + 1)}-${pad(evening.getDate())}T${HOUR}:00`;
}
