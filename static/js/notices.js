// What wants the eyes of somebody who looks elsewhere: the tab's title and icon and, where it was allowed, a notification.
// Chrome on Android shows those by a service worker alone.
import { byId } from "./dom.js";

const icon = byId("favicon");
const plain = { title: document.title, icon: icon?.getAttribute("href") };
const button = byId("notify");

const isAllowed = () => button && globalThis.Notification?.permission === "granted";

async function register() {
  return isAllowed() && navigator.serviceWorker?.register(new URL("./notices-worker.js", import.meta.url));
}

let worker = register().catch(() => null);

async function notify(sentence, body) {
  if (!isAllowed()) return;
  const about = { body, tag: location.pathname, icon: icon?.dataset.turn, data: location.href };
  const registration = await worker;
  try {
    if (registration?.active) await registration.showNotification(sentence, about);
    else new Notification(sentence, about);
  } catch (error) {
    console.warn(error); // the title says it, too
  }
}

/** Says nothing to whoever looks at the page. */
export function notice(sentence, body = "") {
  if (!document.hidden) return;
  document.title = `● ${sentence} · ${plain.title}`;
  icon?.setAttribute("href", icon.dataset.turn);
  notify(sentence, body);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  document.title = plain.title;
  icon?.setAttribute("href", plain.icon);
});

/** May this page notify? Whoever pressed the button for it is asked by the browser. */
export async function ask() {
  await Notification.requestPermission();
  button.hidden = true;
  worker = register().catch(() => null);
}
