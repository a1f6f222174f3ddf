// Runs functions of a page's push.js in a made-up browser. Standard input: {state, action}; standard output: what they
// did, the name of what they threw, and what the page's storage has afterwards.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [file] = process.argv.slice(2);
const { state, action } = JSON.parse(readFileSync(0, "utf8"));
const calls = [];
const note = (...call) => calls.push(call);
const stored = new Map(Object.entries(state.stored ?? {}));

const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64url")).buffer;
const subscription = ({ endpoint, key }) => ({
  endpoint,
  options: { applicationServerKey: bytes(key) },
  toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
  unsubscribe: async () => {
    note("unsubscribe");
    state.subscription = null;
  },
});
const pushManager = {
  getSubscription: async () => (state.subscription ? subscription(state.subscription) : null),
  subscribe: async ({ applicationServerKey }) => {
    if (state.broken === "service") throw new DOMException("Registration failed", "AbortError");
    const key = Buffer.from(applicationServerKey).toString("base64url");
    note("subscribe", key);
    return subscription({ endpoint: "https://push.example/new", key });
  },
};
const registration = {
  pushManager,
  getNotifications: async () => state.notices ?? [],
  active: { postMessage: (message) => note("tell", message) },
};
const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true });
define("navigator", {
  setAppBadge: async (number) => note("badge", number),
  clearAppBadge: async () => note("badge", 0),
  serviceWorker: {
    register: async () => registration,
    getRegistration: async () => registration,
    ready: Promise.resolve(registration),
  },
});
define("PushManager", class {});
define("Notification", {
  permission: state.permission ?? "granted",
  requestPermission: async () => state.permission ?? "granted",
});
define("localStorage", {
  getItem: (name) => stored.get(name) ?? null,
  setItem: (name, value) => stored.set(name, String(value)),
  removeItem: (name) => stored.delete(name),
});
define("location", { pathname: "/games/AAAA/" });
define("document", {
  documentElement: { dataset: { account: "7" } },
  body: { getAttribute: () => '{"X-CSRFToken": "token"}' },
  addEventListener: () => {},
});
define("fetch", async (path, options = {}) => {
  note("fetch", path, Object.fromEntries(options.body ?? []));
  if (state.broken === "site") throw new TypeError("Failed to fetch");
  const answer = state.answers[path];
  return { ok: Boolean(answer), redirected: false, status: answer === 204 ? 204 : 200, json: async () => answer };
});

const script = await import(pathToFileURL(file));
let thrown = "";
try {
  await script[action]();
} catch (error) {
  thrown = error.reason ?? String(error);
}
process.stdout.write(JSON.stringify({ calls, thrown, stored: Object.fromEntries(stored) }));
