// The document and its keys, in as few words as the modules need.
export const root = document.documentElement;
export const byId = (id) => document.getElementById(id);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
export const isShown = (element) => element.getClientRects().length > 0;
export const isDisabled = (button) => button.getAttribute("aria-disabled") === "true";

/** What a clock shows: tenths of a second at the end, hours if there are any. */
export function face(seconds) {
  if (seconds < 10) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  const whole = Math.floor(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

// A letter by its place on the keyboard where the layout has no Latin ones.
function nameOf({ key, code }) {
  if (key?.length === 1 && /^Key[A-Z]$/.test(code) && !/[a-z]/i.test(key)) return code.at(-1).toLowerCase();
  return key?.length === 1 ? key.toLowerCase() : key;
}

/**
 * For those who have not switched keys off and are not typing: calls `press(name, event)` with a letter in lower
 * case or a key's name. An answer of true was the whole use of the key.
 */
export function onKeys(press, unlessIn) {
  document.addEventListener("keydown", (event) => {
    if (root.dataset.keys === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.(unlessIn)) return;
    if (press(nameOf(event), event)) event.preventDefault();
  });
}

/** The button that lets this page notify, where the browser has not been asked yet; `load` brings what does it. */
export function offerNotices(load) {
  const button = byId("notify");
  if (!button || globalThis.Notification?.permission !== "default") return;
  button.hidden = false;
  button.addEventListener("click", async () => (await load())?.ask());
}
