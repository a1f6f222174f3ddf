// Sends moves over the socket, or as a form if it is closed or does not respond. Without a response the page requests the
// state: if the move has not arrived the page says so and returns the tile to the hand.
import { atLeastRoundTrips } from "../connection.js";
import { byId, forTab, root } from "../dom.js";
import { announce } from "./announcer.js";
import { serverTime } from "./clocks.js";
import { lazy, version } from "./page.js";
import { clearSelection, focusTile } from "./selection.js";

const RESPONSE_TIMEOUT_MS = 5000; // or four round trips, as for a form
const RECONNECT_ROUND_TRIPS = 8; // within which the page is connected again after a short cut
const playRoom = byId("play-room");
let socket = null;
let pendingMove = null; // {move, version, bySocket}, sent without a response yet
let hasReconnected = false; // since it was sent, or since the page requests the state
let isExpired = false; // too old to resend after a reconnect: the player may have changed their mind
let isAwaitingState = false; // no response will come: the next state shows whether the move has arrived
let timeoutTimer = 0;
// Loaded with the first pointer move or press, and retried with each press.
const optimistic = lazy(() => import("./optimistic.js"));

addEventListener("pointermove", optimistic, { once: true });
for (const name of ["pointerdown", "keydown"]) addEventListener(name, optimistic, { capture: true });

/** Draw the tile of this move, once the module has come: a touch is the first that loads it. */
async function layTile(move) {
  if (!optimistic.module && !(await optimistic())) return;
  if (isPending() && pendingMove.move === move) optimistic.module.layTile(move);
}

const showSending = (isSending) => byId("table").classList.toggle("is-sending", isSending);

/** Undo the optimistic update. */
export function removeLaidTile() {
  showSending(false);
  optimistic.module?.removeLaidTile();
}

const isDisconnected = () => !navigator.onLine || root.dataset.live === "lost";
// After a player has left by socket, `#leaver` replaces the response: the version stays, and nobody can move.
const isPending = () => pendingMove !== null && pendingMove.version === version() && byId("leaver").hidden;

function clearPending() {
  clearTimeout(timeoutTimer);
  pendingMove = null;
  isAwaitingState = false;
}

function cancelMove(why) {
  clearPending();
  removeLaidTile();
  clearSelection();
  const refusal = byId("refusal");
  refusal.removeAttribute("class");
  refusal.removeAttribute("style");
  announce(why, refusal);
}

// After a reconnect, replace "there is no connection" by "that was not sent".
new MutationObserver(() => {
  const isDisplayed = byId("refusal").textContent.trim() === playRoom.dataset.away;
  if (isDisplayed && root.dataset.live === "on") announce(playRoom.dataset.notSent, byId("refusal"));
}).observe(root, { attributeFilter: ["data-live"] });

function expire() {
  isExpired = true;
}

// Resend unless the version has changed, perhaps by this move. A swap may have replaced the pressed button.
function resend() {
  if (!isPending()) {
    clearPending();
    return;
  }
  const form = byId("play");
  const button = [...form.elements].find((each) => each.name === "move" && each.value === pendingMove.move);
  clearPending();
  if (button) form.requestSubmit(button);
  else cancelMove(playRoom.dataset.notSent);
}

/** Report or resend a pending move: the page shows a state from after it was sent, so it has been lost. */
function settle() {
  if (isPending() && isExpired) cancelMove(playRoom.dataset.notSent);
  else resend();
}

function requestState() {
  isAwaitingState = true;
  hasReconnected = false;
  htmx.trigger("#sync", "due");
}

const stateRequests = new WeakSet(); // sent since `requestState`

document.addEventListener("htmx:beforeSend", ({ detail: { requestConfig, xhr } }) => {
  if (isAwaitingState && requestConfig.path.startsWith(byId("sync").getAttribute("hx-get")))
    stateRequests.add(xhr);
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (isAwaitingState && detail.successful && stateRequests.has(detail.xhr)) settle();
});

document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socket = detail.socketWrapper;
  hasReconnected = true;
});

document.addEventListener("htmx:wsClose", () => {
  socket = null;
  if (!pendingMove?.bySocket) return;
  if (root.dataset.live === "ended" && isPending()) keepForReload(pendingMove);
  else resend();
});

// The session has ended, perhaps for another one of the same account: connection.js then reloads the page. A move that
// was pressed meanwhile is played after it, unless the version has changed.
const KEPT_MOVE_KEY = `move ${location.pathname}`;
const MAX_KEPT_SECONDS = 30;

function keepForReload(fields) {
  const { move, version: keptVersion } = fields instanceof FormData ? Object.fromEntries(fields) : fields;
  const { account } = root.dataset;
  forTab.setItem(
    KEPT_MOVE_KEY,
    JSON.stringify({ account, move, version: Number(keptVersion), at: Date.now() }),
  );
}

/** Play the move that was kept before the page was reloaded. */
export function playKeptMove() {
  const kept = JSON.parse(forTab.getItem(KEPT_MOVE_KEY) ?? "null");
  forTab.removeItem(KEPT_MOVE_KEY);
  if (!kept || kept.account !== root.dataset.account || kept.version !== version()) return;
  if (Date.now() > kept.at + 1000 * MAX_KEPT_SECONDS) return;
  const button = [...byId("play").elements].find((each) => each.name === "move" && each.value === kept.move);
  if (button) byId("play").requestSubmit(button);
  else announce(playRoom.dataset.notSent, byId("refusal"));
}

const isRefusal = (message) => message.startsWith('<p id="refusal"');
const isPlayFrame = (message) => /^<(?:div id="sync"|i id="patches" data-version)/.test(message);

// A refusal while a form is pending is of an earlier copy, sent by socket. The form's own answer counts.
document.addEventListener("htmx:wsBeforeMessage", (event) => {
  if (isRefusal(event.detail.message) && isPending() && !pendingMove.bySocket) event.preventDefault();
});

document.addEventListener("htmx:wsAfterMessage", ({ detail }) => {
  socket = detail.socketWrapper;
  const isRefused = isRefusal(detail.message);
  if (isRefused) removeLaidTile();
  if (!isPending() || isRefused) {
    clearPending();
    showSending(false);
  } else if (hasReconnected && isPlayFrame(detail.message)) {
    if (pendingMove.bySocket || isAwaitingState) settle();
    else htmx.trigger(byId("play"), "htmx:abort"); // a form sent before the cut gets no response
  }
});

const isPlayForm = ({ target }) => target.id === "play";

// The form got no response. After a cut of a slow line it times out before the page is connected again, so that it may
// not be too old to resend.
for (const name of ["htmx:sendError", "htmx:timeout"])
  document.addEventListener(name, (event) => {
    if (!isPlayForm(event) || !isPending()) return;
    if (name === "htmx:sendError") expire();
    requestState();
  });

// A newer socket has opened and site.js has aborted the form: resend once htmx has finished the request, or wait for the
// first frame.
document.addEventListener("htmx:sendAbort", (event) => {
  if (!isPlayForm(event) || !isPending()) return;
  if (!isExpired) setTimeout(resend);
  else requestState();
});

// The response of a form.
document.addEventListener("htmx:afterRequest", (event) => {
  if (!isPlayForm(event) || !event.detail.xhr.status) return;
  clearPending();
  removeLaidTile();
});

const responseTime = () => atLeastRoundTrips(RESPONSE_TIMEOUT_MS);
const reconnectTime = () => atLeastRoundTrips(0, RECONNECT_ROUND_TRIPS);

// htmx submits the button that was clicked last; a resent one was not clicked.
document.addEventListener("htmx:configRequest", (event) => {
  const { triggeringEvent, formData } = event.detail;
  const button = triggeringEvent?.submitter;
  if (!isPlayForm(event) || !button) return;
  formData.set(button.name, button.value);
  // After a cut an old connection may deliver the move when the page has said that it was not sent.
  formData.set("expires", Math.floor(serverTime() + responseTime() + reconnectTime()));
});

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  const button = requestConfig.triggeringEvent?.submitter;
  if (elt.id !== "play" || !button) return;
  if (!navigator.onLine) {
    event.preventDefault();
    cancelMove(playRoom.dataset.away);
    return;
  }
  if (root.dataset.live === "ended") {
    event.preventDefault();
    keepForReload(requestConfig.formData);
    return;
  }
  if (isPending()) {
    // The first press counts: it may have arrived, and its tile lies on the board.
    event.preventDefault();
    return;
  }
  const { move, version: shownVersion, claim, until, expires } = Object.fromEntries(requestConfig.formData);
  // The places are hidden now. A hidden element loses the focus, and Tab would start at the top of the page.
  focusTile(move, { preventScroll: true });
  showSending(true);
  const bySocket = socket !== null && root.dataset.live === "on";
  if (bySocket) event.preventDefault();
  pendingMove = { move, version: Number(shownVersion), bySocket };
  layTile(move);
  hasReconnected = isExpired = isAwaitingState = false;
  clearTimeout(timeoutTimer);
  const timeToExpire = reconnectTime();
  timeoutTimer = setTimeout(() => {
    if (bySocket && !isDisconnected()) {
      socket = null;
      resend();
    } else timeoutTimer = setTimeout(expire, timeToExpire);
  }, responseTime());
  if (bySocket)
    socket.sendImmediately(JSON.stringify({ move, version: shownVersion, claim, until, expires }));
});
