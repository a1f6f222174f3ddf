// Registers the service worker, and lets it store pages for use without a network. site.js loads this after the page,
// and only for readers who come back, so that a first visit loads no more.
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
