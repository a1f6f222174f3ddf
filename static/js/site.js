// Shared by all pages: the socket, failed requests, the sound switch, the account menu.
import { atLeastRoundTrips, ReconnectingSocket } from "./connection.js";
import { all, byId, lasting, reload, root } from "./dom.js";

const isStill = () =>
  root.dataset.animation === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;

// Frames come in the language of the page, even if the reader has chosen another in another tab.
htmx.createWebSocket = (url) =>
  new ReconnectingSocket(
    `${url}${url.includes("?") ? "&" : "?"}lang=${root.lang}${isStill() ? "&still=1" : ""}`,
    abortRequestsBefore,
  );

// After a reconnect, abort older requests: they were sent over the dead network. The new socket brings the state.
const startTimes = new Map(); // of running requests
const abortedRequests = new WeakSet();

function abortRequestsBefore(time) {
  for (const [request, startedAt] of startTimes)
    if (startedAt < time) {
      abortedRequests.add(request);
      request.abort();
    }
}

document.addEventListener("htmx:beforeSend", ({ detail }) => startTimes.set(detail.xhr, Date.now()));
document.addEventListener("htmx:afterRequest", ({ detail }) => startTimes.delete(detail.xhr));

function extendTimeout({ detail }) {
  detail.timeout = atLeastRoundTrips(detail.timeout);
}

document.addEventListener("htmx:configRequest", extendTimeout, { capture: true }); // an element may choose another one

const FAILURE_DISPLAY_MS = 6000;

function showFailure({ type, target, detail }) {
  if (detail.requestConfig?.verb === "get" || root.dataset.live === "lost") return;
  // match/sending.js resends moves; htmx aborts a request for a newer one.
  if (type === "htmx:sendAbort" && (target.id === "play" || !abortedRequests.has(detail.xhr))) return;
  const before = root.dataset.live;
  root.dataset.live = "failed";
  setTimeout(() => {
    if (root.dataset.live === "failed") root.dataset.live = before;
  }, FAILURE_DISPLAY_MS);
}

for (const name of ["htmx:sendError", "htmx:sendAbort", "htmx:responseError", "htmx:timeout"])
  document.addEventListener(name, showFailure);

// An open page does not show that somebody is there: it tells whether it is in view.

let socketOfPage = null;
const sendVisibility = () => root.dataset.account && socketOfPage?.sendImmediately(document.visibilityState);

document.addEventListener("visibilitychange", sendVisibility);
document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socketOfPage = detail.socketWrapper;
  sendVisibility();
});
document.addEventListener("htmx:wsClose", () => {
  socketOfPage = null;
});

// The strip of a running match: its script and style are loaded with the first one

const strip = byId("strip");
let isStripLoaded = false;

async function loadStrip() {
  // Emptied, as its match was answered in another tab, it has title, icon and badge to put back.
  if (!strip?.firstElementChild && !isStripLoaded) return;
  isStripLoaded = true;
  const { style } = strip.parentElement.dataset;
  if (!document.querySelector(`link[href="${style}"]`))
    document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
  (await import("./strip.js").catch(console.warn))?.showStrip(); // the next swap tries again
}

loadStrip();
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => detail.target.id === "strip" && loadStrip());

// A reminder of a club night counts down

const countDown = () => document.querySelector("#nights time") && import("./times.js").catch(console.warn);

countDown();
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => detail.target.id === "nights" && countDown());

// A page that was opened before a match began has no socket and would not count as presence: it opens one when another
// tab of the same account shows a match or waits for one.

const PRESENCE_KEY = "present";
const PRESENT_PAGES = ["games", "tables", "here"].map((name) => `[ws-connect^="/ws/${name}/"]`).join();

function openSocket({ key, newValue }) {
  if (key !== PRESENCE_KEY || newValue?.split(" ")[0] !== root.dataset.account) return;
  if (!strip || document.querySelector("[ws-connect]")) return;
  const socket = document.createElement("div");
  socket.setAttribute("hx-ext", "ws");
  socket.setAttribute("ws-connect", "/ws/here/");
  strip.parentElement.append(socket);
  htmx.process(socket);
}

if (root.dataset.account) {
  if (document.querySelector(PRESENT_PAGES))
    lasting.setItem(PRESENCE_KEY, `${root.dataset.account} ${Date.now()}`);
  addEventListener("storage", openSocket);
}

// The reader's part of a shuffle: in forms by which they sit down, and while they wait at a table

const SEATING_FORMS = "sit rematch challenge".split(" ").map((end) => `form[action$="/${end}"]`);
const SHUFFLES = [
  "[data-shuffle]",
  'form[action^="/play/"]',
  'form[action="/tables/new"]',
  ...SEATING_FORMS,
].join();

// A table's forms for the next match get their buttons when it ends: match/ending.js loads the script then.
const hasButton = ({ elements }) => !elements || [...elements].some(({ type }) => type === "submit");

let areCommitmentsLoaded = false;
const heldForms = new WeakSet();

async function loadCommitments() {
  if (!all(SHUFFLES).some(hasButton)) return;
  const module = await import("./commitments.js").catch(console.warn);
  if (!module) return;
  areCommitmentsLoaded = true;
  module.advanceAll();
}

// A form that is submitted before waits for the script, or sits down without a part in the shuffle if that fails.
document.addEventListener(
  "submit",
  async (event) => {
    const { target: form, submitter } = event;
    if (areCommitmentsLoaded || !form.matches(SHUFFLES)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (heldForms.has(form)) return;
    heldForms.add(form);
    await import("./commitments.js").catch(() => {});
    areCommitmentsLoaded = true;
    form.requestSubmit(submitter);
  },
  { capture: true },
);

loadCommitments();
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (detail.target.id === "strip" || detail.target.id === "shuffle") loadCommitments();
});

// What opens without a network, and the notices: for readers who come back, want notices or open a page that is for use
// without a network, so that a first visit loads no more

const RETURN_MS = 600_000;
const firstVisit = lasting.getItem("first-visit") ?? Date.now();
lasting.setItem("first-visit", firstVisit);
const worksOffline = document.body.matches(".works-offline");
if (worksOffline || Date.now() - firstVisit > RETURN_MS || lasting.getItem("notices"))
  addEventListener(
    "load",
    () => setTimeout(() => import("./offline/register.js").catch(console.warn), 2000), // without a network
  );

// A page from the back/forward cache is outdated and has no socket.
addEventListener("pageshow", (event) => {
  if (event.persisted) reload();
});

// The sound switch

const sound = byId("sound");

function showSound() {
  sound.setAttribute("aria-pressed", String(root.dataset.sound === "on"));
}

if (sound) {
  root.dataset.sound = lasting.getItem("sound") ?? root.dataset.sound;
  sound.hidden = false;
  showSound();
  sound.addEventListener("click", () => {
    root.dataset.sound = root.dataset.sound === "on" ? "off" : "on";
    lasting.setItem("sound", root.dataset.sound);
    showSound();
  });
}

// The account menu

const account = document.querySelector(".account");

document.addEventListener("click", (event) => {
  if (account?.open && !account.contains(event.target)) account.open = false;
});

// Not through `onKeys`: Escape works even if single keys are disabled.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !account?.open) return;
  account.open = false;
  account.querySelector("summary").focus();
});
