// A move goes over the page's socket while that is open; else, and if the socket does not answer, as the form it is.
// What cannot be sent is said, and the tile is put down.
import { byId, root } from "../dom.js";
import { say } from "./announcer.js";
import { forget } from "./choosing.js";
import { lazy, version } from "./page.js";

const PATIENCE = 5000; // milliseconds
const room = byId("play-room");
let socket = null;
let sent = null; // {move, version, bySocket}: what waits for its answer
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
// A seat that was left over the socket is chosen about: no version tells of that, and nobody moves meanwhile.
const isWaiting = () => sent !== null && sent.version === version() && byId("leaver").hidden;

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

// That the line is away is untrue once it is back; that nothing was sent is not, and says what lies in the hand again.
new MutationObserver(() => {
  const isSaid = byId("refusal").textContent.trim() === room.dataset.away;
  if (isSaid && root.dataset.live === "on") say(room.dataset.notSent, byId("refusal"));
}).observe(root, { attributeFilter: ["data-live"] });

// Not once somebody has moved: that may have been this very move. The whole page may have come since the press, with
// buttons of its own.
function sendAgain() {
  if (!isWaiting()) {
    answered();
    return;
  }
  const form = byId("play");
  const button = [...form.elements].find((each) => each.name === "move" && each.value === sent.move);
  answered();
  if (button) form.requestSubmit(button);
  else putBack(room.dataset.notSent);
}

document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socket = detail.socketWrapper;
  reopened = true;
});

document.addEventListener("htmx:wsClose", () => {
  socket = null;
  if (sent?.bySocket) sendAgain();
});

const isOfThePlay = (message) => /^<(?:div id="sync"|i id="changed" data-version)/.test(message);

document.addEventListener("htmx:wsAfterMessage", ({ detail }) => {
  socket = detail.socketWrapper;
  const isRefused = detail.message.startsWith('<p id="refusal"');
  if (isRefused) takeBack();
  if (!isWaiting() || isRefused) answered();
  else if (!sent.bySocket || !reopened || !isOfThePlay(detail.message)) return;
  else if (tooLate) putBack(room.dataset.notSent);
  else sendAgain(); // the new socket's first word about the play: the move has not come through
});

const isPlay = ({ target }) => target.id === "play";

// The form had no answer. If the move came through, the next version takes the sentence away; if that has come already,
// there is nothing to say.
for (const name of ["htmx:sendError", "htmx:timeout"])
  document.addEventListener(name, (event) => isPlay(event) && isWaiting() && putBack(room.dataset.notSent));

// A socket that was asked for after the form has opened, and the form was given up for the old line (site.js): it goes
// over the new one, as soon as htmx has let go of it.
document.addEventListener("htmx:sendAbort", (event) => {
  if (!isPlay(event) || !isWaiting()) return;
  if (tooLate) putBack(room.dataset.notSent);
  else setTimeout(sendAgain);
});

// As a form it has its answer in the request.
document.addEventListener("htmx:afterRequest", (event) => {
  if (!isPlay(event) || !event.detail.xhr.status) return;
  answered();
  takeBack();
});

// htmx takes for the button the one clicked last, unless it has lost the focus since: what is sent again was not clicked.
document.addEventListener("htmx:configRequest", (event) => {
  const { triggeringEvent, formData } = event.detail;
  const button = triggeringEvent?.submitter;
  if (isPlay(event) && button) formData.set(button.name, button.value);
});

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
  const bySocket = socket !== null && root.dataset.live === "on";
  if (bySocket) event.preventDefault();
  if (bySocket && isWaiting()) return;
  sent = { move, version: Number(seen), bySocket };
  reopened = false;
  tooLate = false;
  clearTimeout(late);
  late = setTimeout(() => {
    tooLate = !bySocket || isAway();
    if (tooLate) return;
    socket = null;
    sendAgain();
  }, PATIENCE);
  if (bySocket) socket.sendImmediately(JSON.stringify({ move, version: seen, claim }));
});
