// The document and its keys, in as few words as the modules need.
export const root = document.documentElement;
export const byId = (id) => document.getElementById(id);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
export const isShown = (element) => element.getClientRects().length > 0;
export const isDisabled = (button) => button.getAttribute("aria-disabled") === "true";

/**
 * For those who have not switched keys off and are not typing: calls `press(name, event)` with a letter in lower
 * case or a key's name. An answer of true was the whole use of the key.
 */
export function onKeys(press, unlessIn) {
  document.addEventListener("keydown", (event) => {
    if (root.dataset.keys === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.(unlessIn)) return;
    const name = event.key?.length === 1 ? event.key.toLowerCase() : event.key;
    if (press(name, event)) event.preventDefault();
  });
}
