// A move goes over the page's socket while that is open; else, and if the socket does not answer, as the form it is.
// What cannot be sent is said, and the tile is put down.
import { byId, root } from "../dom.js";
import { say } from "./announcer.js";
import { forget } from "./choosing.js";
import { lazy, version } from "./page.js";

const PATIENCE = 5000; // milliseconds
const room = byId("play-room");
let socket = null;
let sent = null; // the button whose move waits for its answer, and the version that it was pressed at
let reopened = false; // since then
let tooLate = false; // to be sent by itself once the line is back: they may think otherwise by then
let late = 0;
// Lays the tile before the answer; asked for with the first sign of a hand, and with each press.
const ahead = lazy(() => import("./ahead.js"));

addEventListener("pointermove", ahead, { once: true });
for (const name of ["pointerdown", "keydown"]) addEventListener(name, ahead, { capture: true });

/** The answer has come, or none will. */
export const takeBack = () => ahead.made?.takeBack();

const isAway = () => root.dataset.live === "lost";
const isWaiting = () => sent !== null && sent.version === version();

function answered() {
  clearTimeout(late);
  sent = null;
}

function putBack(why) {
  answered();
  takeBack();
  forget();
  const refusal = byId("refusal");
  refusal.removeAttribute("class");
  refusal.removeAttribute("style");
  say(why, refusal);
}

// Not once somebody has moved: that may have been this very move.
function sendAgain() {
  const button = isWaiting() ? sent.button : null;
  answered();
  if (button?.isConnected) button.form.requestSubmit(button);
}

document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socket = detail.socketWrapper;
  reopened = true;
});

document.addEventListener("htmx:wsClose", () => {
  socket = null;
  sendAgain();
});

document.addEventListener("htmx:wsAfterMessage", ({ detail }) => {
  socket = detail.socketWrapper;
  const isRefused = detail.message.startsWith('<p id="refusal"');
  if (isRefused) takeBack();
  if (!isWaiting() || isRefused) answered();
  else if (reopened && tooLate) putBack(room.dataset.notSent);
  else if (reopened) sendAgain(); // the new socket's first word: the move has not come through
});

// The form had no answer. If the move came through, the next version takes the sentence away.
for (const name of ["htmx:sendError", "htmx:sendAbort", "htmx:timeout"])
  document.addEventListener(name, ({ target }) => target.id === "play" && putBack(room.dataset.notSent));

// As a form it has its answer in the request.
document.addEventListener("htmx:afterRequest", ({ target }) => target.id === "play" && takeBack());

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  const button = requestConfig.triggeringEvent?.submitter;
  if (elt.id !== "play" || !button) return;
  if (isAway()) {
    event.preventDefault();
    putBack(room.dataset.away);
    return;
  }
  const { move, version: seen, claim } = Object.fromEntries(requestConfig.formData);
  if (!isWaiting()) ahead.made?.layAhead(move);
  if (!socket || root.dataset.live !== "on") return;
  event.preventDefault();
  if (isWaiting()) return;
  sent = { button, version: Number(seen) };
  reopened = false;
  tooLate = false;
  clearTimeout(late);
  late = setTimeout(() => {
    tooLate = isAway();
    if (tooLate) return;
    socket = null;
    sendAgain();
  }, PATIENCE);
  socket.sendImmediately(JSON.stringify({ move, version: seen, claim }));
});
