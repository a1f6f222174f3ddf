// What the page of a match shows at this moment; every swap may change it.
import { all, byId } from "../dom.js";

export const version = () => Number(byId("version").value);
export const isMyTurn = () => byId("sync").dataset.turn === "mine";
export const isOver = () => Boolean(byId("over"));
export const tilesInHand = () => all("#hand .hand-tile");
/** The plays of this tile alone. */
export const fitsOf = ({ name, value, dataset }) =>
  (dataset.fits ?? (name === "move" ? value : "")).split(" ").filter(Boolean);
export const tilesLaid = () => all("#board svg .laid [data-tile]").length;
export const points = () =>
  all("[id^=score-]")
    .map((score) => score.textContent)
    .join();
export const claim = () => document.querySelector("#claim input:checked")?.value;

/** [number, sentence] of each of the latest moves. */
export const news = () =>
  all(".news > :not([data-round])").map((item) => [Number(item.id.split("-")[1]), item.textContent]);

/** The drawing that is seen: wide or tall. */
export const board = () => all("#board > svg").find((svg) => svg.getClientRects().length);

/** Until when the viewer, whom the others asked, should move; empty if nobody has asked. */
export const prodded = () => document.querySelector("[data-prodded]")?.dataset.prodded ?? "";

/** All that the consequences of a swap are judged by. */
export const snapshot = () => ({
  version: version(),
  myTurn: isMyTurn(),
  over: isOver(),
  laid: tilesLaid(),
  held: tilesInHand().length,
  points: points(),
  prodded: prodded(),
  claim: claim(),
});

/**
 * A module that is asked for at its first use: a function that promises it, or null where it has not come, as while the
 * line is away; the next use asks again. Its `made` is the module once it is there.
 */
export function lazy(load) {
  const use = async () => {
    use.made ??= await load().catch(() => null);
    return use.made;
  };
  return use;
}

/** What few tables need has its styles with it. */
export function loadStyle(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
}

// The end of a round, while it lies open. Continue, Escape and a move of one's own go on; so does the end of its pause.

const scene = () => byId("round-end");

export const isSceneOpen = () => !scene().hidden && !scene().classList.contains("is-closed");

export const isSceneClosed = () => scene().classList.contains("is-closed");

export const closeScene = () => scene().classList.add("is-closed");

/** Go on; whether there was anything to go on from. */
export function proceed() {
  const button = byId("go-on");
  if (!button || !isSceneOpen()) return false;
  closeScene();
  button.form.requestSubmit(button);
  return true;
}

// The result lies over the end of a match; what has closed it outlasts what is swapped.

export const isSheetClosed = () => byId("table").classList.contains("is-sheet-closed");

export const closeSheet = () => byId("table").classList.add("is-sheet-closed");

export const openSheet = () => byId("table").classList.remove("is-sheet-closed");

/** Each tile tells the key that chooses it. */
export function tellKeys() {
  tilesInHand().forEach((tile, at) => {
    const digit = at < 20 ? String((at + 1) % 10) : "";
    const shift = at >= 10 && digit;
    tile.dataset.key = shift ? `\u21e7${digit}` : digit;
    tile.setAttribute("aria-keyshortcuts", shift ? `Shift+${digit}` : digit);
  });
}
