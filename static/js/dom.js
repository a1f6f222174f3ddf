// Short helpers for the document, its clocks and its keys.
export const root = document.documentElement;
export const byId = (id) => document.getElementById(id);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
export const isShown = (element) => element.getClientRects().length > 0;
export const isDisabled = (button) => button.getAttribute("aria-disabled") === "true";

/** Reload the page, without the question that closing it may ask (match/leaving.js). */
export function reload() {
  document.dispatchEvent(new Event("beforereload"));
  location.reload();
}

/** Return a storage of the browser, or one that lasts as long as the page where the browser denies it. */
function openStorage(name) {
  try {
    const storage = globalThis[name];
    storage.getItem("");
    return storage;
  } catch {
    const items = new Map();
    return {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => items.set(key, String(value)),
      removeItem: (key) => items.delete(key),
    };
  }
}

export const lasting = openStorage("localStorage");
export const forTab = openStorage("sessionStorage");

/** Set the text of an element unless it has it: browsers lay the page out again even for an equal text. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const DAY_SECONDS = 86_400;

/** Return the text of a clock: with tenths below ten seconds, with hours if there are any, from a day on in words. */
export function formatClock(seconds) {
  if (seconds >= DAY_SECONDS)
    return root.dataset.dayClock
      .replace("{days}", Math.floor(seconds / DAY_SECONDS))
      .replace("{hours}", Math.floor((seconds % DAY_SECONDS) / 3600));
  if (seconds < 10) return `0:${seconds.toFixed(1).padStart(4, "0")}`;
  const total = Math.floor(seconds);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  const rest = String(total % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

// Use the physical key where the layout has no Latin letters.
function keyName({ key, code }) {
  if (key?.length === 1 && /^Key[A-Z]$/.test(code) && !/[a-z]/i.test(key)) return code.at(-1).toLowerCase();
  return key?.length === 1 ? key.toLowerCase() : key;
}

/**
 * Call `onPress(name, event)` for each key, with a lower-case letter or the key's name, unless the reader has switched
 * keys off or the target is inside `ignored`. If it returns true the browser's own action is prevented.
 */
export function onKeys(onPress, ignored) {
  document.addEventListener("keydown", (event) => {
    if (root.dataset.keys === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.(ignored)) return;
    if (onPress(keyName(event), event)) event.preventDefault();
  });
}

/** Show the button that asks for permission to notify, unless the browser has asked already. */
export function offerNotices(loadNotices) {
  const button = byId("notify");
  if (!button || globalThis.Notification?.permission !== "default") return;
  button.hidden = false;
  button.addEventListener("click", async () => (await loadNotices())?.requestPermission());
}
