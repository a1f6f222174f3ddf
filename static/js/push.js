// Subscribes this browser to the notices of its reader, and unsubscribes it.
const WORKER_ADDRESS = "/sw.js";
const ADDRESS = "/notifications";

export const canPush = () => "serviceWorker" in navigator && "PushManager" in globalThis;

function decodeKey(text) {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
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

/** Subscribe, once the reader has given permission. Return whether it worked. */
export async function subscribe() {
  if (!canPush()) return false;
  const response = await fetch(`${ADDRESS}/key`, { headers: { Accept: "application/json" } });
  if (!response.ok) return false;
  const { key } = await response.json();
  await registerWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: decodeKey(key),
  });
  const { endpoint, keys } = subscription.toJSON();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  const fields = { endpoint, key: keys.p256dh, secret: keys.auth, time_zone: zone };
  return (await post(`${ADDRESS}/subscribe`, fields)).ok;
}

export async function unsubscribe() {
  const subscription = await findSubscription();
  if (!subscription) return;
  await post(`${ADDRESS}/unsubscribe`, { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}
