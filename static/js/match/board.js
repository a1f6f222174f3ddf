// The board: tiles that travel, measured before and after the swap, drawn by the Web Animations API, never in anybody's way.
import { all, byId, isShown, root } from "../dom.js";
import { board, lazy, tilesInHand } from "./page.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
export const mayMove = () => !still.matches && root.dataset.animation !== "off" && !document.hidden;
const shown = (selector) => all(selector).find(isShown);
const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
let before = null;

export function measure() {
  before = mayMove() ? measured() : null;
}

const measured = () => ({
  hand: new Map(
    tilesInHand().map((tile) => [tile.dataset.tile, tile.firstElementChild.getBoundingClientRect()]),
  ),
  laid: new Set(all("#board [data-tile]:not(button)").map((tile) => tile.dataset.tile)),
  seat: shown(".seat[data-turn]")?.getBoundingClientRect(),
  heap: shown("#bone")?.getBoundingClientRect(),
  scale: board()?.getScreenCTM()?.a,
  scores: new Map(all("[id^=score-]").map((score) => [score.id, score.textContent])),
});

// From a tile in hand it starts at that tile's size; a plate and the heap only say where it starts.
export function fly(element, { from, isTile, scale = 1, time, easing }) {
  const to = element.getBoundingClientRect();
  const [fromX, fromY] = middle(from);
  const [toX, toY] = middle(to);
  const size = isTile ? Math.max(from.width, from.height) / Math.max(to.width, to.height, 1) : 0.6;
  element.style.transformBox = "fill-box";
  element.style.transformOrigin = "center";
  const start = `translate(${(fromX - toX) / scale}px, ${(fromY - toY) / scale}px) scale(${size})`;
  element.animate(
    [
      { transform: start, opacity: 1 },
      { transform: "none", opacity: 1 },
    ],
    { duration: time, easing },
  );
}

function flyToBoard(was, svg, scale) {
  for (const tile of all(".laid [data-tile]", svg)) {
    const name = tile.dataset.tile;
    const held = was.hand.get(name);
    const from = held ?? was.seat;
    if (from && !was.laid.has(name))
      fly(tile, { from, isTile: Boolean(held), scale, time: 200, easing: "cubic-bezier(.3, 1.1, .5, 1)" });
  }
}

function flyToHand(was) {
  if (!was.heap || !was.hand.size) return;
  for (const tile of tilesInHand())
    if (!was.hand.has(tile.dataset.tile))
      fly(tile.firstElementChild, { from: was.heap, time: 220, easing: "ease-out" });
}

function grow(svg, times) {
  const frames = [{ transform: `scale(${times})` }, { transform: "none" }];
  svg.querySelector(".laid")?.animate(frames, { duration: 400, easing: "ease-out" });
}

const scores = lazy(() => import("./scores.js"));

async function liftScores(was) {
  for (const [id, text] of was.scores) {
    const score = byId(id);
    if (score && score.textContent !== text) (await scores())?.lift(score, text);
  }
}

export function play() {
  const was = before;
  before = null;
  if (!was || !mayMove()) return;
  const svg = board();
  const scale = svg?.getScreenCTM()?.a;
  if (was.scale && scale && Math.abs(was.scale / scale - 1) > 0.02) grow(svg, was.scale / scale);
  else if (svg) flyToBoard(was, svg, scale || 1);
  flyToHand(was);
  liftScores(was);
}

// Small tiles are looked at more closely: what does that is asked for with the first of them.

const UNIT = 40; // of the drawing: half a tile
const TINY = 20; // pixels that half a tile may measure before the frame closes round the line
const closer = lazy(() => import("./closer.js"));

// A tile in flight would count where it is.
const landed = (svg) =>
  Promise.allSettled(svg.getAnimations({ subtree: true }).map((flight) => flight.finished));

/** A swap, or a turn of the screen, has brought a new drawing or a new size. */
export function fit() {
  for (const svg of all("#board > svg:not(.places)").filter(isShown))
    if (closer.made) closer.made.closeRound(svg, TINY);
    else if (UNIT * svg.getScreenCTM().a < TINY)
      closer().then(async (made) => {
        await landed(svg);
        if (made) fit();
      });
}

addEventListener("resize", () => {
  fit();
  showPlaces();
});

// One tap on the felt shows tiles that got small as large as they should be, another the whole line again.

const SMALL = 28; // pixels that half a tile may measure and need no zoom

/** A swap has brought a new drawing. */
export const zoomAgain = () => closer.made?.zoomAgain();

/** Places have been lit: all of them are to be seen. */
export const showPlaces = () => closer.made?.showPlaces();

document.addEventListener("click", async (event) => {
  const felt = event.target.closest("#board");
  if (!felt || event.target.closest("button")) return;
  if (!closer.made && UNIT * (board()?.getScreenCTM()?.a ?? 1) >= SMALL) return;
  (await closer())?.zoom(felt, event, SMALL);
});
