// A move goes over the page's socket while that is open; else, and if the socket does not answer, as the form it is.
const PATIENCE = 5000; // milliseconds
let socket = null;
let sent = null; // the button whose move waits for its answer
let late = 0;

function answered() {
  clearTimeout(late);
  sent = null;
}

function sendAgain() {
  const button = sent;
  answered();
  socket = null;
  if (button?.isConnected) button.form.requestSubmit(button);
}

document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socket = detail.socketWrapper;
});

document.addEventListener("htmx:wsClose", sendAgain);
document.addEventListener("htmx:wsBeforeMessage", ({ detail }) => {
  socket = detail.socketWrapper;
  answered();
});

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  const button = requestConfig.triggeringEvent?.submitter;
  if (elt.id !== "play" || !socket || !button) return;
  event.preventDefault();
  if (sent) return;
  sent = button;
  late = setTimeout(sendAgain, PATIENCE);
  const { move, version, claim } = Object.fromEntries(requestConfig.formData);
  socket.sendImmediately(JSON.stringify({ move, version, claim }));
});
