// The page of notices: its buttons subscribe this browser, or unsubscribe it.
import { byId } from "./dom.js";
import { canPush, findSubscription, subscribe, unsubscribe } from "./push.js";

const on = byId("push-on");
const off = byId("push-off");
const status = byId("push-status");
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
  status.textContent = "";
  try {
    await action();
    location.reload(); // the list of devices has changed
  } catch (error) {
    console.warn(error);
    status.textContent = status.dataset[error.reason] ?? status.dataset.site;
    await show();
  } finally {
    on.disabled = off.disabled = false;
  }
}

on.addEventListener("click", () => press(subscribe));
off.addEventListener("click", () => press(unsubscribe));
show();

// The zone of this browser, until its reader has saved one; and the names of all, to choose from.
const zone = document.querySelector('input[name="time_zone"]');
if (zone?.value === "UTC") zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
if (zone && Intl.supportedValuesOf) {
  const list = Object.assign(document.createElement("datalist"), { id: "time-zones" });
  list.append(
    ...Intl.supportedValuesOf("timeZone").map((value) =>
      Object.assign(document.createElement("option"), { value }),
    ),
  );
  zone.after(list);
  zone.setAttribute("list", list.id);
}
