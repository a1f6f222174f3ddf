// The page of a match: what happens around a swap.
import { all, byId, isShown, root } from "./dom.js";
import {
  elsewhere,
  noticeMyTurn,
  noticeTheBeginning,
  sayBeside,
  sayNews,
  unsayAll,
} from "./match/announcer.js";
import { fit, mayMove, measure, play, zoomAgain } from "./match/board.js";
import { adopt, arrange, forget, keep, playAhead, relight } from "./match/choosing.js";
import { pressTheOnlyMove, setClocks } from "./match/clocks.js";
import "./match/keys.js";
import {
  closeScene,
  closeSheet,
  isMyTurn,
  isOver,
  isSceneClosed,
  isSceneOpen,
  lazy,
  openSheet,
  prodded,
  snapshot,
  tellKeys,
  version,
} from "./match/page.js";
import {
  closeRail,
  countUnread,
  followMoves,
  isSpokenTo,
  mayLeave,
  readsTheLatest,
  stopAsking,
  tellNewest,
} from "./match/rail.js";
import { takeBack } from "./match/sending.js";
import "./match/shape.js";

const refusal = byId("refusal");
let before = null;
const sounds = lazy(() => import("./match/sounds.js"));
const ending = lazy(() => import("./match/ending.js"));
const seen = lazy(() => import("./match/seen.js"));

// Before its person has touched it no page may sound: until then the sounds are not asked for, either.
async function loadSounds() {
  if (root.dataset.sound === "on") await sounds();
}

for (const name of ["pointerdown", "keydown"]) addEventListener(name, loadSounds, { capture: true });

function look() {
  before ??= {
    ...snapshot(),
    refusal: refusal.textContent,
    focused: document.activeElement !== document.body,
    latest: readsTheLatest(),
    plays: mayLeave(),
    scene: isSceneOpen(),
    closed: isSceneClosed(),
    shape: byId("board").dataset.shape,
  };
  measure();
}

function settle() {
  const was = before;
  before = null;
  if (!was) return;
  setClocks();
  countUnread();
  if (isSpokenTo()) sounds.made?.soundTalk();
  followMoves(was.latest);
  stopAsking();
  if (was.plays && !mayLeave()) closeRail(); // in which it was pressed
  fit();
  zoomAgain();
  tellKeys();
  arrange();
  seen.made?.showSeen();
  if (version() !== was.version) follow(was);
  else again(was);
  if (prodded() && prodded() !== was.prodded) hurry();
  sayBeside();
  if (was.focused) keepFocus();
  if (isOver()) end(!was.over);
}

// The last tile is seen to lie there, and the hands, before the sheet of the result covers some of it.
async function end(justNow) {
  const wait = justNow && mayMove() ? 1500 : 0;
  if (wait) closeSheet();
  if (justNow) closeRail();
  const made = await ending();
  // Nothing else would open it.
  if (!made) openSheet();
  else if (justNow) setTimeout(made.arrive, wait);
  else made.follow();
}

function hurry() {
  sounds.made?.soundProd();
  elsewhere(byId("prodded").textContent.trim());
}

// Nobody has moved.
function again(was) {
  if (was.closed) closeScene();
  if (was.shape !== byId("board").dataset.shape) lieStill();
  relight();
}

// A turn of the screen has brought another drawing: nothing on it is new.
function lieStill() {
  for (const each of byId("board").getAnimations({ subtree: true })) each.cancel();
}

// Somebody has moved.
function follow(was) {
  takeBack();
  tellNewest();
  if (refusal.textContent === was.refusal) refusal.textContent = "";
  keep();
  claimAgain(was);
  play();
  sayNews(was);
  sounds.made?.soundNews(was);
  noticeMyTurn(was);
  pressTheOnlyMove();
  playAhead();
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
  const next = isSceneOpen() ? "#over, #go-on, #open-sheet" : "#over, #hand .hand-tile";
  // What is hidden for the moment, as the result is at first, does not take it.
  for (const place of [...all(next), byId("main")]) {
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
}

// A frame tells what it follows. A page that shows something else has lost a frame: it asks for the whole.
function follows(frame) {
  const [, stamp, after] =
    /^<i id="changed" data-version="\d+" data-stamp="(\w+)" data-after="(\w+)"/.exec(frame) ?? [];
  const shown = byId("sync").dataset.stamp;
  if (!after || after === shown) return true;
  if (stamp !== shown) htmx.trigger("#sync", "due");
  return false;
}

document.addEventListener("lowtime", () => sounds.made?.soundLowTime());
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

// It takes its room from the list of moves: whoever read the latest still does.
let readLatest = true;
byId("seen")?.addEventListener("click", () => {
  readLatest = readsTheLatest();
});
byId("seen")?.addEventListener("toggle", async () => {
  (await seen())?.showSeen();
  followMoves(readLatest);
});

setClocks();
fit();
adopt();
tellKeys();
arrange();
pressTheOnlyMove();
followMoves(true);
noticeTheBeginning();
if (isOver()) ending();
// Against computers nobody has waited.
if (version() === 0 && byId("notify") && byId("play-room").dataset.begun)
  loadSounds().then(() => sounds.made?.soundTheBeginning());
