// A move goes over the page's socket while that is open; else, and if the socket does not answer, as the form it is.
import { root } from "../dom.js";
import { version } from "./page.js";

const PATIENCE = 5000; // milliseconds
let socket = null;
let sent = null; // the button whose move waits for its answer, and the version that it was pressed at
let reopened = false; // since then
let late = 0;

const isWaiting = () => sent !== null && sent.version === version();

function answered() {
  clearTimeout(late);
  sent = null;
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
  if (!isWaiting() || detail.message.startsWith('<p id="refusal"')) answered();
  else if (reopened) sendAgain(); // the new socket's first word: the move has not come through
});

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  const button = requestConfig.triggeringEvent?.submitter;
  if (elt.id !== "play" || !button || !socket || root.dataset.live !== "on") return;
  event.preventDefault();
  if (isWaiting()) return;
  const { move, version: seen, claim } = Object.fromEntries(requestConfig.formData);
  sent = { button, version: Number(seen) };
  reopened = false;
  clearTimeout(late);
  late = setTimeout(() => {
    socket = null;
    sendAgain();
  }, PATIENCE);
  socket.sendImmediately(JSON.stringify({ move, version: seen, claim }));
});
