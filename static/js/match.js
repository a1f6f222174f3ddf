// The page of a match: what happens around a swap.
import { byId, isShown, root } from "./dom.js";
import {
  elsewhere,
  noticeMyTurn,
  noticeTheBeginning,
  sayBeside,
  sayNews,
  unsayAll,
} from "./match/announcer.js";
import { fit, measure, play, zoomAgain } from "./match/board.js";
import { adopt, forget, keep } from "./match/choosing.js";
import { pressTheOnlyMove, setClocks } from "./match/clocks.js";
import "./match/keys.js";
import {
  closeScene,
  isMyTurn,
  isOver,
  isSceneClosed,
  isSceneOpen,
  prodded,
  snapshot,
  version,
} from "./match/page.js";
import { countUnread, followMoves, readsTheLatest } from "./match/rail.js";
import "./match/sending.js";

const refusal = byId("refusal");
let before = null;
let sounds = null;

// Before its person has touched it no page may sound: until then the sounds are not asked for, either.
async function loadSounds() {
  if (root.dataset.sound === "on") sounds ??= await import("./match/sounds.js");
}

for (const name of ["pointerdown", "keydown"]) addEventListener(name, loadSounds, { capture: true });

function look() {
  before ??= {
    ...snapshot(),
    refusal: refusal.textContent,
    focused: document.activeElement !== document.body,
    latest: readsTheLatest(),
    scene: isSceneOpen(),
    closed: isSceneClosed(),
  };
  measure();
}

function settle() {
  const was = before;
  before = null;
  if (!was) return;
  setClocks();
  countUnread();
  followMoves(was.latest);
  fit();
  zoomAgain();
  if (version() !== was.version) follow(was);
  else if (was.closed) closeScene();
  if (prodded() && prodded() !== was.prodded) hurry();
  sayBeside();
  if (isOver() && !was.over && !document.activeElement?.matches("input, textarea")) byId("over").focus();
  else if (was.focused) keepFocus();
}

function hurry() {
  sounds?.soundProd();
  elsewhere(byId("prodded").textContent.trim());
}

// Somebody has moved.
function follow(was) {
  if (refusal.textContent === was.refusal) refusal.textContent = "";
  keep();
  claimAgain(was);
  play();
  sayNews(was);
  sounds?.soundNews(was);
  noticeMyTurn(was);
  pressTheOnlyMove();
}

// A claim lasts as long as the turn.
function claimAgain(was) {
  if (!was.myTurn || !isMyTurn() || !was.claim) return;
  const again = document.querySelector(`#claim input[value="${was.claim}"]`);
  if (again) again.checked = true;
}

// What had the focus is gone: the keyboard goes on from the hand, not from the top of the page.
function keepFocus() {
  const focused = document.activeElement;
  const isCovered = isSceneOpen() && focused?.closest("#hand, #board, #bone, #acts");
  if (focused && focused !== document.body && isShown(focused) && !isCovered) return;
  const next = isSceneOpen() ? "#over, #go-on" : "#over, #hand .hand-tile";
  (document.querySelector(next) ?? byId("main")).focus({ preventScroll: true });
}

// A frame tells what it follows. A page that shows something else has lost a frame: it asks for the whole.
function follows(frame) {
  const [, stamp, after] = /^<div id="sync" data-stamp="(\w+)" data-after="(\w+)"/.exec(frame) ?? [];
  const shown = byId("sync").dataset.stamp;
  if (!after || after === shown) return true;
  if (stamp !== shown) htmx.trigger("#sync", "due");
  return false;
}

document.addEventListener("htmx:wsBeforeMessage", (event) => {
  if (follows(event.detail.message)) look();
  else event.preventDefault();
});
document.addEventListener("htmx:wsAfterMessage", settle);

// Who was logged out elsewhere keeps what anybody may see of the match: the page asks for that at once.
document.addEventListener("htmx:wsClose", () => {
  if (root.dataset.live !== "ended") return;
  unsayAll();
  forget();
  htmx.trigger("#sync", "due");
});
document.addEventListener("htmx:beforeOnLoad", look);
document.addEventListener("htmx:afterOnLoad", settle);

document.addEventListener("click", (event) => {
  if (event.target.closest("#play") && !event.target.closest("[aria-disabled=true]"))
    refusal.textContent = "";
});

byId("continue")?.addEventListener("submit", () => {
  closeScene();
  keepFocus();
});

setClocks();
fit();
adopt();
pressTheOnlyMove();
followMoves(true);
noticeTheBeginning();
if (version() === 0 && byId("notify")) loadSounds().then(() => sounds?.soundTheBeginning());
