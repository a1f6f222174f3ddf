// The lobby: the socket is told which game is on the felt, and the focus goes there; the time left of the day.
import { all, byId } from "./dom.js";
import "./game-search.js";

let socket = null;

document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socket = detail.socketWrapper;
  tellChoice(); // a new connection knows only what the page was loaded with
});

function tellChoice() {
  const preset = new URLSearchParams(location.search).get("preset");
  if (preset !== null) socket?.send(`choose ${preset}`);
}

document.addEventListener("htmx:replacedInHistory", tellChoice);

// A game chosen from the list of all: the list closes, and what comes next is on the felt.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.requestConfig?.elt.id !== "choose") return;
  const { activeElement } = document;
  if (activeElement === document.body || byId("game-choices").contains(activeElement))
    document.querySelector(".deal-acts button").focus();
});

// A press changes who waits before the next page is here: the felt does not speak of it, as if of somebody else.

const LEAVING_MS = 10_000;
let leftAt = Number.NEGATIVE_INFINITY;

document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && event.target.method === "post") leftAt = event.timeStamp;
});
document.addEventListener("htmx:oobBeforeSwap", ({ detail, timeStamp }) => {
  if (detail.target.id === "felt" && timeStamp - leftAt < LEAVING_MS) detail.shouldSwap = false;
});

// How long the day's deal is open

const MINUTE_MS = 60_000;

function showTimeLeft() {
  for (const time of all("[data-left-until]")) {
    const minutes = Math.max(0, Math.ceil((Date.parse(time.dateTime) - Date.now()) / MINUTE_MS));
    time.textContent = time.dataset.leftUntil
      .replace("{hours}", Math.floor(minutes / 60))
      .replace("{minutes}", minutes % 60);
  }
}

showTimeLeft();
setInterval(showTimeLeft, MINUTE_MS / 3);
document.addEventListener("htmx:afterSettle", showTimeLeft);
