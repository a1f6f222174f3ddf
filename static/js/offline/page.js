// The offline page: lists what the service worker has stored in this browser.
import { byId } from "../dom.js";

const RELOAD_DELAY_MS = 1000; // a network may come and go

async function readJson(cacheName, address) {
  if (!(await caches.has(cacheName))) return null;
  const stored = await (await caches.open(cacheName)).match(address);
  return stored ? stored.json() : null;
}

function list(id, entries) {
  const section = byId(id);
  section.hidden = !entries.length;
  section.querySelector("ul").replaceChildren(
    ...entries.map(({ title, address }) => {
      const item = document.createElement("li");
      item.append(Object.assign(document.createElement("a"), { href: address, textContent: title }));
      return item;
    }),
  );
}

async function show() {
  const state = await readJson("pages", "/offline/state.json");
  const mine = await readJson("own", "/offline/mine.json");
  list("stored-replays", mine?.replays ?? []);
  list(
    "stored-puzzles",
    (state?.plan.puzzles ?? []).map(({ title, addresses: [address] }) => ({ title, address })),
  );
  list(
    "stored-lessons",
    (state?.plan.lessons ?? []).map(({ title, steps }) => ({ title, address: steps[0].address })),
  );
  byId("nothing-stored").hidden = Boolean(state);
}

function showNetwork() {
  byId("no-network").hidden = navigator.onLine;
}

// At an address other than its own, the page replaces one that could not be loaded.
const isReplacement = !location.pathname.endsWith("/offline/");
const reloadIfOnline = () => navigator.onLine && location.reload();
addEventListener("online", () => {
  showNetwork();
  if (isReplacement) setTimeout(reloadIfOnline, RELOAD_DELAY_MS);
});
addEventListener("offline", showNetwork);
byId("try-again").hidden = !isReplacement;
byId("try-again").addEventListener("click", () => location.reload());
showNetwork();
if (globalThis.caches) show();
