// The page of notices: its buttons subscribe this browser, or unsubscribe it.
import { byId } from "./dom.js";
import { canPush, findSubscription, subscribe, unsubscribe } from "./push.js";

const on = byId("push-on");
const off = byId("push-off");
const isOnIos = "standalone" in navigator;

async function show() {
  const denied = globalThis.Notification?.permission === "denied";
  const subscription = canPush() ? await findSubscription() : null;
  on.hidden = !canPush() || denied || Boolean(subscription);
  off.hidden = !subscription;
  byId("push-denied").hidden = !denied;
  byId("push-missing").hidden = canPush() || isOnIos;
  byId("push-ios").open = isOnIos && !canPush();
}

async function press(action) {
  on.disabled = off.disabled = true;
  try {
    await action();
    location.reload(); // the list of devices has changed
  } catch (error) {
    byId("push-status").textContent = String(error.message);
    await show();
  } finally {
    on.disabled = off.disabled = false;
  }
}

on.addEventListener("click", () =>
  press(async () => {
    if ((await Notification.requestPermission()) === "granted") await subscribe();
  }),
);
off.addEventListener("click", () => press(unsubscribe));
show();

const zone = document.querySelector('input[name="time_zone"]');
if (zone?.value === "UTC") zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
