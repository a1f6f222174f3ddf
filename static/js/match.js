// The match page: what happens before and after each swap.
import { all, byId, forTab, root } from "./dom.js";
import {
  announceEvents,
  announceMoves,
  announceRound,
  announceStart,
  clearAnnouncements,
  notifyIfHidden,
  notifyMyTurn,
  notifyStart,
} from "./match/announcer.js";
import { animateChanges, fitBoard, mayAnimate, measure, restoreZoom } from "./match/board.js";
import { pressOnlyMove, setClocks } from "./match/clocks.js";
import {
  adoptSelection,
  arrange,
  clearSelection,
  keepLegalSelection,
  playPremove,
  restoreSelection,
} from "./match/selection.js";
import "./match/keys.js";
import {
  closeScene,
  closeSheet,
  delaySheet,
  isMyTurn,
  isOver,
  isSceneClosed,
  isSceneOpen,
  isSheetClosed,
  isSheetLate,
  labelKeys,
  lazy,
  openResult,
  openSheet,
  proddedUntil,
  restoreFocus,
  snapshot,
  version,
} from "./match/page.js";
import {
  closeRail,
  hasNewTalk,
  isAtLatestMove,
  mayLeave,
  renderNewestMove,
  scrollToLatestMove,
  stopAsking,
  updateUnread,
} from "./match/rail.js";
import { playKeptMove, removeLaidTile } from "./match/sending.js";

const refusal = byId("refusal");
let before = null;
const sounds = lazy(() => import("./match/sounds.js"));
const ending = lazy(() => import("./match/ending.js"));
const seenTiles = lazy(() => import("./match/seen-tiles.js"));

// Browsers ask whether to leave a page only after user activation.
const leaving = lazy(() => import("./match/leaving.js"));
// Audio needs it, too: do not load the sounds before.
async function loadSounds() {
  if (root.dataset.sound === "on") await sounds();
}

for (const load of [leaving, loadSounds])
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, load, { capture: true });

const isHalted = () => "halted" in byId("absent").dataset;
function takeSnapshot() {
  before ??= {
    ...snapshot(),
    refusal: refusal.textContent,
    focused: document.activeElement !== document.body,
    latest: isAtLatestMove(),
    plays: mayLeave(),
    scene: isSceneOpen(),
    closed: isSceneClosed(),
    shape: byId("board").dataset.shape,
    isAutomatic: Boolean(byId("hand").dataset.auto),
    halted: isHalted(),
  };
  measure();
}

function applyChanges() {
  const was = before;
  before = null;
  if (!was) return;
  setClocks();
  updateUnread();
  if (hasNewTalk()) sounds.module?.soundTalk();
  scrollToLatestMove(was.latest);
  stopAsking();
  if (was.plays && !mayLeave()) closeRail(); // the viewer left, by a button in the rail
  fitBoard();
  restoreZoom();
  labelKeys();
  arrange();
  seenTiles.module?.renderSeenTiles();
  if (version() !== was.version) handleMove(was);
  else handleRedraw(was);
  highlightHint();
  if (proddedUntil() && proddedUntil() !== was.prodded) announceProd();
  announceRound();
  announceEvents();
  if (was.focused) restoreFocus();
  if (isOver()) showEnd(was);
}

// The tile or the button of a hint, as long as its sentence is displayed.
function highlightHint() {
  for (const each of all(".is-hinted")) each.classList.remove("is-hinted");
  const { hint } = refusal.dataset;
  if (!hint || !refusal.textContent) return;
  const tiles = hint.split("+").map((play) => byId(`held-${play.split("@")[0]}`));
  for (const each of [...tiles, byId(hint)]) each?.classList.add("is-hinted");
}

// The result sheet opens with a delay, so that the last tile and the hands are visible first. It does not wait for its
// script, which takes long on a slow line.
async function showEnd(was) {
  const justNow = !was.over;
  const wait = justNow && mayAnimate() ? 1500 : 0;
  if (wait) delaySheet();
  if (justNow) {
    closeRail();
    if (!isTyping()) byId("over").focus({ preventScroll: true });
    setTimeout(showResult, wait, wait > 0);
  }
  const module = await ending();
  if (!module) openSheet();
  else if (!justNow) module.followRematch(was.rematch);
}

// The result sheet is open before its script has come.
for (const name of ["click", "keydown"])
  document.addEventListener(name, async (event) => {
    if (ending.module || !isOver() || isSheetClosed()) return;
    if (event.type === "click" ? !event.target.closest("#close-sheet") : event.key !== "Escape") return;
    event.preventDefault();
    const module = await ending();
    if (module) module.closeResult();
    else closeSheet();
  });

const isTyping = () => Boolean(document.activeElement?.matches("input, textarea"));

// Open the result sheet, unless it was closed meanwhile, without taking the focus from a text field.
function showResult(isLate) {
  notifyIfHidden(byId("over-h").textContent.trim());
  if (isLate && !isSheetLate()) return;
  if (isTyping()) openSheet();
  else openResult();
}

function announceProd() {
  sounds.module?.soundProd();
  notifyIfHidden(byId("prodded").textContent.trim());
}

// The version is the same.
function handleRedraw(was) {
  if (was.closed) closeScene();
  if (was.halted && !isHalted()) refusal.textContent = "";
  if (was.shape !== byId("board").dataset.shape) cancelAnimations();
  restoreSelection();
}

// After a rotation the other drawing has no new tiles.
function cancelAnimations() {
  for (const each of byId("board").getAnimations({ subtree: true })) each.cancel();
}

// There is a new version.
function handleMove(was) {
  removeLaidTile();
  renderNewestMove();
  if (refusal.textContent === was.refusal) refusal.textContent = "";
  keepLegalSelection();
  restoreClaim(was);
  const times = animateChanges();
  announceMoves(was);
  sounds.module?.soundNews(was, times);
  notifyMyTurn(was);
  pressOnlyMove();
  playPremove();
}

// Keep a claim during the turn.
function restoreClaim(was) {
  if (!was.myTurn || !isMyTurn() || !was.claim) return;
  const input = document.querySelector(`#claim input[value="${was.claim}"]`);
  if (input) input.checked = true;
}

/** Return whether a frame applies to the state that the page shows. If it has missed one, poll for all fragments. */
function isApplicable(frame) {
  const [, checksum, base] =
    /^<i id="patches" data-version="\d+" data-checksum="(\w+)" data-base="(\w+)"/.exec(frame) ?? [];
  const shown = byId("sync").dataset.checksum;
  if (!base || base === shown) return true;
  if (checksum !== shown) htmx.trigger("#sync", "due");
  return false;
}

document.addEventListener("lowtime", () => sounds.module?.soundLowTime());
document.addEventListener("htmx:wsBeforeMessage", (event) => {
  if (isApplicable(event.detail.message)) takeSnapshot();
  else event.preventDefault();
});
document.addEventListener("htmx:wsAfterMessage", applyChanges);

// After a logout elsewhere the page polls at once for what spectators may see.
document.addEventListener("htmx:wsClose", () => {
  if (root.dataset.live !== "ended") return;
  clearAnnouncements();
  clearSelection();
  htmx.trigger("#sync", "due");
});
document.addEventListener("htmx:beforeOnLoad", takeSnapshot);
document.addEventListener("htmx:afterOnLoad", applyChanges);

const sharing = lazy(() => import("./match/share.js"));
document.addEventListener("click", async ({ target }) => {
  if (target.closest("#play") && !target.closest("[aria-disabled=true]")) refusal.textContent = "";
  if (target.closest("#share")) (await sharing())?.shareResult();
});

const backward = lazy(() => import("./match/look-back.js"));

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-look-back]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  backward().then((module) => (module ? module.lookBack(link) : location.assign(link.href)));
});

byId("continue")?.addEventListener("submit", () => {
  closeScene();
  restoreFocus();
  announceRound(true);
});

// Opening it shrinks the move list: keep the latest move in view.
let wasInView = true;
byId("seen")?.addEventListener("click", () => {
  wasInView = isAtLatestMove();
});
byId("seen")?.addEventListener("toggle", async () => {
  (await seenTiles())?.renderSeenTiles();
  scrollToLatestMove(wasInView);
});

// Once in this tab: not again when the page is reloaded before the first move.
async function showDeal() {
  const key = `dealt ${location.pathname}`;
  if (
    version() > 0 ||
    isOver() ||
    !document.querySelector("#hand .hand-tile") ||
    !mayAnimate() ||
    forTab.getItem(key)
  )
    return;
  forTab.setItem(key, "1");
  byId("table").classList.add("is-dealing");
  const module = await lazy(() => import("./match/deal.js"))();
  if (module) module.animateDeal();
  else byId("table").classList.remove("is-dealing");
}

showDeal();
setClocks();
fitBoard();
adoptSelection();
labelKeys();
arrange();
pressOnlyMove();
playKeptMove();
scrollToLatestMove(true);
announceStart();
notifyStart();
if (isOver()) ending();
// Not against computers, where nobody has waited.
if (version() === 0 && byId("notify") && byId("play-room").dataset.begun)
  loadSounds().then(() => sounds.module?.soundStart());
