// What every page needs: its socket, the manners of its requests, the sound switch, the account menu.
import { LastingSocket } from "./connection.js";
import { byId, root } from "./dom.js";

htmx.createWebSocket = (url) => new LastingSocket(url, forgetRequests);

// What was asked of a network that is gone gets no answer; the new socket brings the present state.
const underWay = new Map(); // requests, and when they began

function forgetRequests(before) {
  for (const [request, began] of underWay) if (began < before) request.abort();
}

document.addEventListener("htmx:beforeSend", ({ detail }) => underWay.set(detail.xhr, Date.now()));
document.addEventListener("htmx:afterRequest", ({ detail }) => underWay.delete(detail.xhr));

function failed({ detail }) {
  if (detail.requestConfig?.verb === "get" || root.dataset.live === "lost") return;
  const before = root.dataset.live;
  root.dataset.live = "failed";
  setTimeout(() => {
    if (root.dataset.live === "failed") root.dataset.live = before;
  }, 6000);
}

for (const name of ["htmx:sendError", "htmx:sendAbort", "htmx:responseError", "htmx:timeout"])
  document.addEventListener(name, failed);

// The answer to one's own move and the push about it race; a poll may be slower than both.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const fresh = detail.fragment.firstElementChild ?? detail.fragment;
  const shown = Number(detail.target.dataset.version);
  const offered = Number(fresh.dataset?.version);
  // What is fixed follows from the version alone: the same again would only undo what is being chosen there.
  if (offered < shown || (offered === shown && "fixed" in fresh.dataset)) detail.shouldSwap = false;
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
