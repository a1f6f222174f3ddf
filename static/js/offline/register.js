// Registers the service worker, and has it store what the reader may want without a network. For readers who come back:
// site.js loads this after the page, so that a first visit loads nothing more.
import { root } from "../dom.js";
import { findSubscription, registerWorker } from "../push.js";

const OWN = "own"; // of service-worker.js

async function forgetReader() {
  await caches.delete(OWN);
  await (await findSubscription())?.unsubscribe();
}

async function refresh() {
  const account = root.dataset.account ?? "";
  if (!account) await forgetReader(); // the session may have ended on another device
  await registerWorker();
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ type: "refresh", language: root.lang, account });
}

if (navigator.serviceWorker) refresh().catch(console.warn); // a full disk, or a browser that stores nothing
