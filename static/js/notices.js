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

// What was read in one tab is read in all that show the same match.
const tabs = new BroadcastChannel("notices-read");
tabs.addEventListener("message", ({ data }) => data === location.pathname && showRead());

function showRead() {
  document.title = initial.title;
  icon?.setAttribute("href", initial.icon);
}

async function closeOwn() {
  const displayed = (await (await worker)?.getNotifications?.({ tag: location.pathname })) ?? [];
  for (const notification of displayed) notification.close();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  showRead();
  tabs.postMessage(location.pathname);
  closeOwn().catch(console.warn);
});

/** Request permission to notify, and hide the button. Notices also come while no page is open. */
export async function requestPermission() {
  await Notification.requestPermission();
  button.hidden = true;
  worker = findWorker().catch(() => null);
  // Without a push service the open page still notifies.
  if (mayNotify() && root.dataset.account) await subscribe().catch(console.warn);
}
