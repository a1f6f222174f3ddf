// What every page needs: its socket, the manners of its requests, the sound switch, the account menu.
import { ReconnectingSocket } from "./connection.js";
import { byId, root } from "./dom.js";

// What comes to a page is in the language of the page, also after its reader has chosen another in another tab.
htmx.createWebSocket = (url) =>
  new ReconnectingSocket(`${url}${url.includes("?") ? "&" : "?"}lang=${root.lang}`, forgetRequests);

// What was asked of a network that is gone gets no answer; the new socket brings the present state.
const underWay = new Map(); // requests, and when they began

const givenUp = new WeakSet();

function forgetRequests(before) {
  for (const [request, began] of underWay)
    if (began < before) {
      givenUp.add(request);
      request.abort();
    }
}

document.addEventListener("htmx:beforeSend", ({ detail }) => underWay.set(detail.xhr, Date.now()));
document.addEventListener("htmx:afterRequest", ({ detail }) => underWay.delete(detail.xhr));

function failed({ type, target, detail }) {
  if (detail.requestConfig?.verb === "get" || root.dataset.live === "lost") return;
  // A move is sent again (match/sending.js); what else was called off gave way to a newer request.
  if (type === "htmx:sendAbort" && (target.id === "play" || !givenUp.has(detail.xhr))) return;
  const before = root.dataset.live;
  root.dataset.live = "failed";
  setTimeout(() => {
    if (root.dataset.live === "failed") root.dataset.live = before;
  }, 6000);
}

for (const name of ["htmx:sendError", "htmx:sendAbort", "htmx:responseError", "htmx:timeout"])
  document.addEventListener(name, failed);

// A part of which a piece has come shows what the page is told now, and not what its stamp says any more.
function takePiece(target) {
  const part = target.closest("[data-version]");
  const sync = byId("sync");
  if (!part || !sync || part === sync) return;
  part.dataset.version = sync.dataset.version;
  delete part.dataset.stamp;
}

// An answer to an element that is gone by then would be swapped in, and nobody would hear of it.
const isAsking = (sync) => sync.classList.contains("htmx-request");

// What the page shows from now on. Its question waits its time from here again: an element of its own asks it.
function takeStamp({ version, stamp }) {
  const sync = byId("sync");
  Object.assign(sync.dataset, { version, stamp });
  if (!isAsking(sync)) {
    const next = sync.cloneNode();
    sync.replaceWith(next);
    htmx.process(next);
  }
  const number = byId("version");
  number.dataset.version = version;
  number.value = version;
}

document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (target.id === "sync" && target.dataset.stamp) detail.parameters.v = target.dataset.stamp;
});

// Something else has taken an element away, as an extension of the browser may: the page asks for everything.
function forgetStamp() {
  const sync = byId("sync");
  if (!sync) return;
  sync.dataset.stamp = "";
  htmx.trigger(sync, "due");
}

// [ids, attributes, inner]: to elements that stay as they are otherwise come attributes, null for one that they have no
// more, and what they hold now; or what they hold more, where `attributes` is that; or they are gone, where it is null.
function takeChanges(changes) {
  for (const [ids, attributes, inner] of changes)
    for (const target of ids.split(" ").map(byId)) {
      if (!target) {
        forgetStamp();
        continue;
      }
      takePiece(target);
      if (typeof attributes === "string") target.insertAdjacentHTML("beforeend", attributes);
      else if (attributes) takeAttributes(target, attributes);
      else target.remove();
      if (inner !== undefined) target.innerHTML = inner;
    }
}

function takeAll(target, dataset) {
  for (const name of Object.keys(target.dataset)) delete target.dataset[name];
  Object.assign(target.dataset, dataset);
}

function takeAttributes(target, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (value === null) target.removeAttribute(name);
    else target.setAttribute(name, value);
  if (attributes.value) target.value = attributes.value;
}

// An answer and a push race, and a poll may be slower than both; what the page shows already is left as it is, with
// what is being chosen there.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const fresh = detail.fragment.firstElementChild ?? detail.fragment;
  if (!fresh.dataset) return;
  if (fresh.id === "changed") {
    if (fresh.dataset.stamp) takeStamp(fresh.dataset);
    takeChanges(JSON.parse(fresh.dataset.of));
    detail.shouldSwap = false;
    return;
  }
  // idiomorph's extension has htmx take every swap for one of the element itself.
  if ("around" in fresh.dataset) fresh.replaceWith(...fresh.childNodes);
  if (!("version" in fresh.dataset)) takePiece(detail.target);
  const isOlder = Number(fresh.dataset.version) < Number(detail.target.dataset.version);
  const { stamp } = fresh.dataset;
  const isShown = stamp && stamp === detail.target.dataset.stamp;
  const isAsked = fresh.id === "sync" && isAsking(detail.target);
  if (isAsked && !isOlder) takeAll(detail.target, fresh.dataset);
  if (isOlder || isShown || isAsked) detail.shouldSwap = false;
});

// A page taken from the browser's memory shows an old state and has no socket.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

// The sound switch

const sound = byId("sound");

function showSound() {
  sound.setAttribute("aria-pressed", String(root.dataset.sound === "on"));
}

if (sound) {
  root.dataset.sound = localStorage.getItem("sound") ?? root.dataset.sound;
  sound.hidden = false;
  showSound();
  sound.addEventListener("click", () => {
    root.dataset.sound = root.dataset.sound === "on" ? "off" : "on";
    localStorage.setItem("sound", root.dataset.sound);
    showSound();
  });
}

// The account menu

const account = document.querySelector(".account");

document.addEventListener("click", (event) => {
  if (account?.open && !account.contains(event.target)) account.open = false;
});

// Not through onKeys: Escape closes a menu for those, too, who have switched the table's keys off.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !account?.open) return;
  account.open = false;
  account.querySelector("summary").focus();
});
