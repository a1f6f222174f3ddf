// The state that the match page shows. Every swap may change it.
import { all, byId, isShown } from "../dom.js";

export const version = () => Number(byId("version").value);
export const isMyTurn = () => byId("sync").dataset.turn === "mine";
export const isOver = () => Boolean(byId("over"));
export const tilesInHand = () => all("#hand .hand-tile");
/** Return the single-tile plays of a tile in hand. */
export const playsOf = ({ name, value, dataset }) =>
  (dataset.fits ?? (name === "move" ? value : "")).split(" ").filter(Boolean);
/**
 * Return how many tiles lie on the board, without one that is drawn there before the server responds. Until the server
 * knows the shape of the board, each is drawn twice.
 */
export const countLaidTiles = () =>
  new Set(all("#board svg .laid [data-tile]:not(#laid-ahead)").map(({ dataset }) => dataset.tile)).size;
export const joinScores = () =>
  all("[id^=score-]")
    .map((score) => score.textContent)
    .join();
export const claim = () => document.querySelector("#claim input:checked")?.value;

/** Return [number, sentence] of each latest move. */
export const latestMoves = () =>
  all(".news > :not([data-round])").map((item) => [Number(item.id.split("-")[1]), item.textContent]);

/** Return the visible drawing, wide or tall. */
export const board = () => all("#board > svg").find((svg) => svg.getClientRects().length);

/** Return until when the viewer was asked to move, or an empty string. */
export const proddedUntil = () => document.querySelector("[data-prodded]")?.dataset.prodded ?? "";

/** Return the URL of the rematch, or of the next match of a night, and the sentence about its offer, each an empty string if there is none. */
export const rematchState = () => ({
  url: (byId("go-to-rematch") ?? byId("go-to-next"))?.href ?? "",
  offered: byId("offered")?.textContent.trim() ?? "",
});

/** Return the state to compare with after a swap. */
export const snapshot = () => ({
  rematch: rematchState(),
  version: version(),
  myTurn: isMyTurn(),
  over: isOver(),
  laid: countLaidTiles(),
  held: tilesInHand().length,
  points: joinScores(),
  prodded: proddedUntil(),
  claim: claim(),
});

/**
 * Return a function that loads a module on first use. It resolves to the module, or to null if loading failed, and then
 * the next call retries. Its property `module` is the loaded module.
 */
export function lazy(load) {
  const use = async () => {
    use.module ??= await load().catch(() => null);
    return use.module;
  };
  return use;
}

/** Load a style sheet that few tables need. Return a promise that resolves when it has come or failed. */
export function loadStyle(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((done) => {
    link.onload = link.onerror = done;
  });
}

// The end of a round. Continue, Escape, a move of the viewer and the end of the pause dismiss it.

const scene = () => byId("round-end");

// A lesson has none.
export const isSceneOpen = () => scene()?.hidden === false && !scene().classList.contains("is-closed");

export const isSceneClosed = () => scene().classList.contains("is-closed");

export const closeScene = () => scene().classList.add("is-closed");

/** Dismiss the end of a round. Return whether it was open. */
export function dismissScene() {
  const button = byId("go-on");
  if (!button || !isSceneOpen()) return false;
  closeScene();
  button.form.requestSubmit(button);
  return true;
}

// The result sheet. The class that closes it is on an element that is never swapped.

export const isSheetLate = () => byId("table").classList.contains("is-sheet-late");

export const isSheetClosed = () => byId("table").classList.contains("is-sheet-closed") && !isSheetLate();

export function closeSheet() {
  byId("table").classList.add("is-sheet-closed");
  byId("table").classList.remove("is-sheet-late");
}

export const openSheet = () => byId("table").classList.remove("is-sheet-closed", "is-sheet-late");

/** Let the result sheet take the focus at once, before it is shown. */
export function delaySheet() {
  byId("table").classList.add("is-sheet-closed", "is-sheet-late");
}

export function openResult() {
  openSheet();
  byId("over").focus();
}

/** If the focused element was removed, focus the hand, so that Tab does not start at the top of the page. */
export function restoreFocus() {
  const focused = document.activeElement;
  // After one's own last tile the hand is empty: during a pause for calls the main part has had the focus.
  const isCovered =
    isSceneOpen() && (focused === byId("main") || focused?.closest("#hand, #board, #bone, #acts"));
  if (focused && focused !== document.body && isShown(focused) && !isCovered) return;
  // On the viewer's turn a tile that fits, else the hand, whose name tells how many tiles are left. Hidden elements, like
  // the result sheet at first, do not take the focus.
  const places = isSceneOpen()
    ? all("#over, #go-on, #open-sheet")
    : [...all("#over"), ...all("#hand .hand-tile:not([aria-disabled])"), byId("hand")];
  for (const place of [...places, byId("main")]) {
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
}

/** Label each tile with its key. */
export function labelKeys() {
  tilesInHand().forEach((tile, at) => {
    const digit = at < 20 ? String((at + 1) % 10) : "";
    const shift = at >= 10 && digit;
    tile.dataset.key = shift ? `\u21e7${digit}` : digit;
    tile.setAttribute("aria-keyshortcuts", shift ? `Shift+${digit}` : digit);
  });
}
