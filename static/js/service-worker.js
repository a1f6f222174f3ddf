// The service worker, at /sw.js. dominoes_site/offline.py writes `self.BUILD` (release, addresses, icons, pause) and
// offline/notices-worker.js before it.
// Pages come from the network, and from the cache only without one. Static files have the hash of their content in
// their names, so a cached one is never stale.
const { BUILD } = self;
const STATIC = "static";
const PAGES = "pages"; // as an anonymous visitor gets them
const OWN = "own"; // the reader's last replays; deleted when they log out
const SHARED = "shared"; // a record on its way to the page that checks it
const STATE = "/offline/state.json"; // in PAGES: the plan that was stored, and when
const PROGRESS = "/offline/progress.json"; // in PAGES: what was stored when the browser stopped the worker
const ACCOUNT = "/offline/account.json"; // in OWN: the account that it belongs to, and when it was stored
const REFRESH_MS = 12 * 60 * 60 * 1000;
const REFRESH_OWN_MS = 5 * 60 * 1000;
const ATTEMPTS = 5;
const BUSY_MS = 2000; // before another attempt, where the site does not say
// What nobody waits for. The site refuses it first (dominoes_site/budgets.py).
const BACKGROUND = { headers: { Purpose: "prefetch" }, priority: "low" };
const HASHED = /\.[0-9a-f]{12}\.\w+$/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST") handlePost(event, url);
  else if (request.method !== "GET") return;
  else if (HASHED.test(url.pathname) && url.pathname.startsWith(BUILD.static))
    event.respondWith(openStatic(request));
  else if (request.mode === "navigate" || url.pathname.startsWith("/embed/"))
    event.respondWith(openPage(request, url));
  else if (url.pathname.startsWith(BUILD.static)) event.respondWith(openUnhashed(request));
});

async function openStatic(request) {
  return (await caches.match(request.url, { cacheName: STATIC })) ?? fetch(request);
}

async function openUnhashed(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const stored = await caches.match(request.url, { cacheName: STATIC });
    if (stored) return stored;
    throw error;
  }
}

async function openPage(request, url) {
  try {
    return await fetch(request);
  } catch (error) {
    const stored = await findPage(url);
    if (stored) return stored;
    throw error;
  }
}

/** Return the stored page for an address, in the language of the last visit, or else the offline page. */
async function findPage(url) {
  const exact = (await find(url.pathname + url.search)) ?? (await find(url.pathname));
  if (exact) return exact;
  const language = await readLanguage();
  if (!language) return null;
  const [, prefix] = url.pathname.split("/");
  const path = BUILD.languages.includes(prefix) ? url.pathname.slice(prefix.length + 1) : url.pathname;
  const replay = path.match(/^\/games\/(\w+)\/(?:replay\/)?$/);
  const puzzle = path.match(/^\/learn\/puzzles\/(\d+)\/$/);
  const embedded = replay ? `games/${replay[1]}` : puzzle && `puzzles/${puzzle[1]}`;
  return (
    (await find(`/${language}${path}`)) ??
    (embedded && (await find(`/embed/${embedded}/?lang=${language}`))) ??
    find(`/${language}/offline/`)
  );
}

async function find(address) {
  // Opening a cache would create it, and whether there is OWN tells whether there is anything to forget.
  return (await caches.match(address, { cacheName: OWN })) ?? caches.match(address, { cacheName: PAGES });
}

// Forms: logging out, a shared record, and the answers to lessons without a network.

function handlePost(event, url) {
  if (url.pathname === BUILD.logout) event.waitUntil(forgetReader());
  else if (url.pathname === BUILD.share) event.respondWith(takeRecord(event.request));
  else if (event.request.mode === "navigate" && /\/learn\/\w+\/\d+\/$/.test(url.pathname))
    event.respondWith(answerLesson(event.request, url));
}

async function forgetReader() {
  await caches.delete(OWN);
  await self.forgetNotices(); // offline/notices-worker.js
}

async function takeRecord(request) {
  const file = (await request.formData()).get("record");
  if (file instanceof File) await (await caches.open(SHARED)).put("/record", new Response(file));
  return Response.redirect("/verify/?shared", 303);
}

/** Send the answer to a lesson; without a network compare it with the expected one. */
async function answerLesson(request, url) {
  const copy = request.clone();
  try {
    return await fetch(request);
  } catch (error) {
    const { language, plan } = await readState();
    const fields = await copy.formData();
    const path = url.pathname.replace(new RegExp(`^/(?:${BUILD.languages.join("|")})(?=/)`), "");
    const address = `/${language}${path}`;
    const steps = plan?.lessons.find((lesson) =>
      lesson.steps.some((step) => step.address === address),
    )?.steps;
    const at = steps?.findIndex((step) => step.address === address) ?? -1;
    if (at < 0) throw error;
    const claim = fields.get("claim") ?? "0";
    const move = fields.get("move") ?? "";
    const answer = fields.get("answer") || (move && claim !== "0" ? `${move}=${claim}` : move);
    if (answer === steps[at].right && steps[at + 1]) return Response.redirect(steps[at + 1].address, 303);
    return respondWithSentence(await find(address), plan.wrong);
  }
}

async function respondWithSentence(page, sentence) {
  const html = await page.text();
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  return new Response(
    html.replace(/(<p id="said"[^>]*>)/, (start) => start + sentence),
    { headers },
  );
}

// Storing, when a page asks for it: in the background, one request after the other.

let refreshing = null;

addEventListener("message", (event) => {
  if (event.data?.type !== "refresh") return;
  refreshing ??= refresh(event.data).finally(() => {
    refreshing = null;
  });
  event.waitUntil(refreshing);
});

const readState = () => readJson(PAGES, STATE);

/** Return the language of the stored pages, also while they are being stored; undefined without any. */
async function readLanguage() {
  const { language } = await readState();
  return language ?? (await readJson(PAGES, PROGRESS)).pass?.split(" ").at(-1);
}

async function readJson(name, address) {
  const stored = await caches.match(address, { cacheName: name });
  return stored ? stored.json() : {};
}

async function writeJson(name, address, value) {
  await (await caches.open(name)).put(address, Response.json(value));
}

async function refresh({ language, account, first }) {
  await refreshPages(language, first);
  await refreshOwn(language, account);
}

/** Store the pages of the site; `first`, the page that asks, at once with its static files. */
async function refreshPages(language, first) {
  const state = await readState();
  const isSame = state.release === BUILD.release && state.language === language;
  if (isSame && Date.now() - state.at < REFRESH_MS) return;
  const response = await request(`/offline/plan.json?lang=${language}`, { credentials: "omit" });
  if (!response.ok) return;
  const plan = await response.json();
  const pages = [...plan.pages, ...plan.lessons.flatMap(({ steps }) => steps.map(({ address }) => address))];
  const embedded = plan.puzzles.flatMap(({ addresses }) => addresses);
  pages.sort((one, other) => (other === first) - (one === first));
  const pass = `${BUILD.release} ${language}`;
  const progress = await readJson(PAGES, PROGRESS);
  const stored = progress.pass === pass ? progress.stored : [];
  const isStored = await storePages(
    PAGES,
    [...pages, ...embedded],
    [...stored, ...(isSame ? pages : [])],
    async (address) => {
      stored.push(address);
      await writeJson(PAGES, PROGRESS, { pass, stored });
      if (address === first) await storeStatic();
    },
  );
  if (!isStored) return; // the next page that is opened goes on
  await storeStatic(); // first: the browser may stop the worker at any time
  await writeJson(PAGES, STATE, { release: BUILD.release, language, at: Date.now(), plan });
  await (await caches.open(PAGES)).delete(PROGRESS);
}

async function refreshOwn(language, account) {
  const state = await readJson(OWN, ACCOUNT);
  if (state.account !== account) await caches.delete(OWN);
  else if (state.language === language && Date.now() - state.at < REFRESH_OWN_MS) return;
  if (!account) return;
  const response = await request(`/offline/mine.json?lang=${language}`);
  if (!response.ok || response.redirected) return;
  const mine = await response.json();
  const addresses = mine.replays.flatMap(({ address, frames }) => [address, frames]);
  if (!(await storePages(OWN, addresses, addresses))) return;
  await storeStatic();
  if (!(await caches.has(OWN))) return; // logged out meanwhile
  await writeJson(OWN, "/offline/mine.json", mine);
  await writeJson(OWN, ACCOUNT, { account, language, at: Date.now() });
}

/** Store these addresses, and no others; return whether all are. Those in `unchanged` are not requested again. */
async function storePages(name, addresses, unchanged, whenStored = async () => {}) {
  const cache = await caches.open(name);
  const wanted = new Set(addresses.map((address) => new URL(address, location.origin).href));
  for (const { url } of await cache.keys())
    if (!wanted.has(url) && !url.endsWith(".json")) await cache.delete(url);
  for (const address of addresses) {
    if (unchanged.includes(address) && (await cache.match(address))) continue;
    if (!(await store(cache, address))) return false;
    await whenStored(address);
    await wait(BUILD.pause);
  }
  return true;
}

/** Store a response; return whether the site had one. What it has no longer is not asked for again, either. */
async function store(cache, address) {
  const response = await request(address, { credentials: "omit" });
  if (response.ok && !response.redirected) await cache.put(address, response);
  return !isBusy(response);
}

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const isBusy = ({ status }) => status === 429 || status >= 500;

/** Fetch in the background; while the site is busy, wait as long as it says. */
async function request(address, options = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(address, { ...BACKGROUND, ...options });
    if (!isBusy(response) || attempt === ATTEMPTS) return response;
    await wait(Number(response.headers.get("Retry-After")) * 1000 || BUSY_MS);
  }
}

/** Store the static files of the stored pages, and those that these load; delete all others. */
async function storeStatic() {
  const cache = await caches.open(STATIC);
  const wanted = new Set();
  const pages = [];
  for (const name of [PAGES, OWN])
    if (await caches.has(name))
      for (const request of await (await caches.open(name)).keys()) pages.push([name, request]);
  for (const [name, request] of pages) {
    const text = await (await (await caches.open(name)).match(request)).text();
    for (const [, address] of text.matchAll(/(?:src|href|data-style|data-turn)="([^"#]+)/g))
      if (address.startsWith(BUILD.static)) wanted.add(new URL(address, location.origin).href);
  }
  for (const address of wanted) {
    if (!(await cache.match(address))) await store(cache, address);
    const text = /\.(css|js)$/.test(address) ? await (await cache.match(address))?.text() : "";
    for (const [, name] of (text ?? "").matchAll(
      /["'(]\s*(\.{1,2}\/[\w./-]+\.(?:js|css|woff2|svg))\s*["')]/g,
    ))
      wanted.add(new URL(name, address).href);
  }
  for (const { url } of await cache.keys()) if (!wanted.has(url)) await cache.delete(url);
}
