// Subscribes this browser to the notices of its reader, unsubscribes it, and mends what was lost in between.
import { lasting, root } from "./dom.js";

const WORKER_ADDRESS = "/sw.js";
const ADDRESS = "/notifications";
const WANTED = "notices"; // in lasting: the account that wants notices in this browser
const CHECKED = "notices-checked"; // in lasting: when the subscription was last compared with the site's
const CHECK_MS = 600_000;

/** Thrown where a subscription fails: `reason` is `denied`, `service` (the browser's push service) or `site`. */
export class NotSubscribed extends Error {
  constructor(reason, cause) {
    super(reason, { cause });
    this.reason = reason;
  }
}

export const canPush = () => "serviceWorker" in navigator && "PushManager" in globalThis;
export const wantsNotices = () => lasting.getItem(WANTED) !== null;

function decodeKey(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Return the key that a subscription was made with as the site writes it; null where the browser does not tell. */
function encodeKey(buffer) {
  if (!buffer) return null;
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function post(address, fields) {
  const headers = { "X-CSRFToken": JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"] };
  const body = new URLSearchParams(fields);
  return fetch(address, { method: "POST", body, headers: { ...headers, Accept: "application/json" } });
}

/** Register the service worker, which shows notifications. */
export const registerWorker = () => navigator.serviceWorker.register(WORKER_ADDRESS);

export async function findSubscription() {
  const registration = await navigator.serviceWorker?.getRegistration("/");
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Ask for permission, and subscribe. Throw `NotSubscribed` if that fails. */
export async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") throw new NotSubscribed("denied");
  const { key } = await askSite(() => fetch(`${ADDRESS}/key`, { headers: { Accept: "application/json" } }));
  await store(await subscribeAtService(key), key);
}

async function askSite(request) {
  let response;
  try {
    response = await request();
  } catch (error) {
    throw new NotSubscribed("site", error);
  }
  if (!response.ok || response.redirected) throw new NotSubscribed("site");
  return response.status === 204 ? {} : response.json();
}

async function subscribeAtService(key) {
  try {
    await registerWorker();
    const { pushManager } = await navigator.serviceWorker.ready;
    const before = await pushManager.getSubscription();
    if (before && hasOtherKey(before, key)) await before.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: decodeKey(key) });
  } catch (error) {
    throw new NotSubscribed("service", error);
  }
}

const hasOtherKey = ({ options }, key) => (encodeKey(options?.applicationServerKey) ?? key) !== key;

async function store(subscription, key) {
  const { endpoint, keys } = subscription.toJSON();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  const fields = { endpoint, key: keys.p256dh, secret: keys.auth, time_zone: zone, server_key: key };
  await askSite(() => post(`${ADDRESS}/subscribe`, fields));
  lasting.setItem(WANTED, root.dataset.account);
  lasting.setItem(CHECKED, Date.now());
}

export async function unsubscribe() {
  lasting.removeItem(WANTED);
  const subscription = await findSubscription();
  if (!subscription) return;
  await post(`${ADDRESS}/unsubscribe`, { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

/** Forget the reader who has logged out: subscription, notices on the screen, the number on the icon. */
export async function forget() {
  lasting.removeItem(WANTED);
  await (await findSubscription())?.unsubscribe();
  await settle({ open: [], badge: 0 });
}

/** Close the notices that are not unread any more, and those about this page. */
async function settle({ open, badge }) {
  const registration = await navigator.serviceWorker?.getRegistration("/");
  registration?.active?.postMessage({ type: "notices", open, path: location.pathname });
  await showBadge(badge);
}

/** Show how many matches wait on the icon of an installed app. */
export async function showBadge(number) {
  try {
    await (number ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.());
  } catch (error) {
    console.warn(error);
  }
}

async function hasNotices() {
  const registration = await navigator.serviceWorker?.getRegistration("/");
  return Boolean((await registration?.getNotifications?.())?.length);
}

/**
 * Compare this browser with the site, now and then and while notices are displayed: take those off the screen that were
 * read, and subscribe again what only one of them knows, or what has a key that the site has no more.
 */
export async function mend() {
  const { account } = root.dataset;
  const wanting = lasting.getItem(WANTED);
  if (wanting !== null && wanting !== account) return forget(); // somebody else was logged in here
  const isWanted = wanting !== null;
  const subscription = canPush() ? await findSubscription() : null;
  const isDue = Date.now() - Number(lasting.getItem(CHECKED)) > CHECK_MS;
  if (!(await hasNotices()) && !((subscription || isWanted) && (isDue || !subscription))) return;
  lasting.setItem(CHECKED, Date.now());
  const response = await post(`${ADDRESS}/check`, { endpoint: subscription?.endpoint ?? "" });
  if (!response.ok || response.redirected) return;
  const { state, key, open, badge } = await response.json();
  await settle({ open, badge });
  if (state === "known") lasting.setItem(WANTED, account);
  if (state === "removed") await unsubscribe();
  else if (globalThis.Notification?.permission !== "granted" || !(subscription || isWanted)) return;
  else if (state === "unknown" || hasOtherKey(subscription, key))
    await store(await subscribeAtService(key), key);
}
