// Registers the service worker, and lets it store pages for use without a network. site.js loads this after the page,
// and only for readers who come back, so that a first visit loads no more.
import { root } from "../dom.js";
import { findSubscription, forget, mend, registerWorker, showBadge, wantsNotices } from "../push.js";

const OWN = "own"; // of service-worker.js

async function forgetReader() {
  await caches.delete(OWN);
  await forget();
}

/** Return whether the site knows this browser's reader, or cannot say. A page that was stored names nobody. */
async function isLoggedIn() {
  return (await fetch("/offline/mine.json", { redirect: "manual" })).type !== "opaqueredirect"; // to the log-in
}

/** Return the path of the page without the prefix of its language. */
function findPath() {
  const { pathname } = location;
  const prefix = `/${root.lang}/`;
  return pathname.startsWith(prefix) ? pathname.slice(prefix.length - 1) : pathname;
}

async function refresh() {
  const account = root.dataset.account ?? "";
  if (!account && navigator.onLine) await showBadge(0); // of who has logged out
  if (!account && (wantsNotices() || (await caches.has(OWN)) || (await findSubscription()))) {
    if (await isLoggedIn()) return;
    await forgetReader(); // the session may have ended on another device
  }
  await registerWorker();
  const { active } = await navigator.serviceWorker.ready;
  const first = document.body.matches(".works-offline") ? `/${root.lang}${findPath()}` : "";
  active.postMessage({ type: "refresh", language: root.lang, account, first });
  if (account) await mend();
}

if (navigator.serviceWorker) refresh().catch(console.warn); // a full disk, or a browser that stores nothing
