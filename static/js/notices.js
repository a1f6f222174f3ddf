// Notices for a reader in another tab: the tab's title and icon and, if allowed, a notification. Chrome on Android
// shows notifications only from a service worker.
import { byId, root } from "./dom.js";
import { registerWorker, subscribe } from "./push.js";

const icon = byId("favicon");
const initial = { title: document.title, icon: icon?.getAttribute("href") };
const button = byId("notify");

const mayNotify = () => button && globalThis.Notification?.permission === "granted";

const findWorker = async () => mayNotify() && navigator.serviceWorker && registerWorker();

let worker = findWorker().catch(() => null);

async function notify(sentence, body) {
  if (!mayNotify()) return;
  const options = { body, tag: location.pathname, icon: icon?.dataset.turn, data: location.href };
  const registration = await worker;
  try {
    if (registration?.active) await registration.showNotification(sentence, options);
    else new Notification(sentence, options);
  } catch (error) {
    console.warn(error); // the title has the notice, too
  }
}

/** Notify, unless the page is visible. */
export function notifyIfHidden(sentence, body = "") {
  if (!document.hidden) return;
  document.title = `● ${sentence} · ${initial.title}`;
  icon?.setAttribute("href", icon.dataset.turn);
  notify(sentence, body);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  document.title = initial.title;
  icon?.setAttribute("href", initial.icon);
});

/** Request permission to notify, and hide the button. Notices also come while no page is open. */
export async function requestPermission() {
  const permission = await Notification.requestPermission();
  button.hidden = true;
  worker = findWorker().catch(() => null);
  if (permission === "granted" && root.dataset.account) await subscribe().catch(console.warn);
}
