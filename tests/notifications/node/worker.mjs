// Runs the service worker of a file in a made-up browser. Standard input: {state, events}; standard output: what the
// worker did, as a list of [what, ...], and the notices that are left on the screen.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [file] = process.argv.slice(2);
const { state, events } = JSON.parse(readFileSync(0, "utf8"));
const calls = [];
const note = (...call) => calls.push(call);
const ORIGIN = "https://site.example";

let notices = [];
function display(title, options) {
  notices = notices.filter(({ tag }) => tag !== options.tag);
  const notice = { title, ...options, close: () => (notices = notices.filter((each) => each !== notice)) };
  notices.push(notice);
}
for (const { title, ...options } of state.notices ?? []) display(title, options);

const subscription = (endpoint) => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
  unsubscribe: async () => note("unsubscribe"),
});

const pages = (state.pages ?? []).map((path) => ({
  url: ORIGIN + path,
  focus: async () => {
    note("focus", path);
    if (state.refuses?.includes("focus")) throw new Error("not allowed");
  },
  navigate: async (address) => note("navigate", path, address),
}));

async function request(address, options = {}) {
  const path = new URL(address, ORIGIN).pathname;
  note("fetch", path, Object.fromEntries(options.body ?? []));
  const answer = state.answers?.[path]?.shift?.() ?? state.answers?.[path]; // a list: one after the other
  if (!answer || Array.isArray(answer)) throw new TypeError("Failed to fetch");
  if (typeof answer === "number")
    return new Response("", { status: answer, headers: answer === 429 ? { "Retry-After": "3" } : {} });
  return {
    ok: true,
    status: 200,
    redirected: false,
    json: async () => answer,
    text: async () => JSON.stringify(answer),
    ...(answer.response ?? {}),
  };
}

const stored = {}; // by cache, then by address
const absolute = (address) => new URL(address.url ?? address, ORIGIN).href;
for (const [name, entries] of Object.entries(state.caches ?? {}))
  stored[name] = new Map(Object.entries(entries).map(([path, data]) => [ORIGIN + path, data]));
const caches = {
  delete: async (name) => {
    note("delete", name);
    return delete stored[name];
  },
  has: async (name) => name in stored,
  match: async (address, { cacheName }) => (stored[cacheName] ? (await caches.open(cacheName)).match(address) : undefined),
  open: async (name) => {
    const cache = (stored[name] ??= new Map());
    return {
      keys: async () => [...cache.keys()].map((url) => ({ url })),
      match: async (address) => {
        const data = cache.get(absolute(address));
        return data === undefined ? undefined : Response.json(data);
      },
      put: async (address, response) => cache.set(absolute(address), await response.json()),
      delete: async (address) => cache.delete(absolute(address)),
    };
  },
};

/** A timer of no time, so that the tests need not wait; it notes how long it was. */
function setTimeoutAtOnce(action, milliseconds) {
  note("wait", milliseconds);
  return setTimeout(action);
}

const listeners = {};
const globals = {
  addEventListener: (name, listener) => (listeners[name] = [...(listeners[name] ?? []), listener]),
  location: new URL(ORIGIN),
  registration: {
    showNotification: async (title, options) => display(title, options),
    getNotifications: async () => [...notices],
    pushManager: {
      getSubscription: async () => (state.endpoint ? subscription(state.endpoint) : null),
      subscribe: async (options) => {
        note("subscribe", options.applicationServerKey);
        return subscription("https://push.example/new");
      },
    },
  },
  clients: {
    matchAll: async () => pages,
    openWindow: async (address) => {
      note("open", new URL(address).pathname);
      if (state.refuses?.includes("open")) throw new Error("not allowed");
    },
  },
  caches,
  navigator: {
    setAppBadge: async (number) => note("badge", number),
    clearAppBadge: async () => note("badge", 0),
  },
  fetch: request,
  console: { warn: () => {} },
  ...{ URL, URLSearchParams, Response, AbortSignal, setTimeout: setTimeoutAtOnce },
};
globals.self = globals;
const context = vm.createContext(globals);
vm.runInContext(readFileSync(file, "utf8"), context, { filename: file });

for (const { type, ...fields } of events) {
  const waits = [];
  const event = { ...fields, waitUntil: (promise) => waits.push(promise), respondWith: (promise) => waits.push(promise) };
  if (type === "push") event.data = { json: () => fields.data };
  if (type === "notificationclick") event.notification = notices.find(({ tag }) => tag === fields.tag);
  if (type === "pushsubscriptionchange") event.oldSubscription = subscription(fields.endpoint);
  if (type === "fetch") event.request = { url: ORIGIN + fields.path, method: fields.method, mode: "navigate" };
  for (const listener of listeners[type] ?? []) listener(event);
  await Promise.all(waits);
}
const kept = Object.fromEntries(
  Object.entries(stored).map(([name, cache]) => [
    name,
    Object.fromEntries([...cache].map(([url, data]) => [url.slice(ORIGIN.length), data])),
  ]),
);
process.stdout.write(JSON.stringify({ calls, kept, screen: notices.map(({ title }) => title) }));
