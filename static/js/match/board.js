// Board animations: positions are measured before a swap and animated after it, with the Web Animations API.
import { all, byId, isShown, root } from "../dom.js";
import { board, lazy, tilesInHand } from "./page.js";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
export const mayAnimate = () =>
  !reducedMotion.matches && root.dataset.animation !== "off" && !document.hidden;
const findShown = (selector) => all(selector).find(isShown);
const center = (box) => [box.left + box.width / 2, box.top + box.height / 2];
let measurements = null;

export function measure() {
  measurements = mayAnimate() ? measureBoard() : null;
}

const measureBoard = () => ({
  hand: new Map(
    tilesInHand().map((tile) => [tile.dataset.tile, tile.firstElementChild.getBoundingClientRect()]),
  ),
  laid: new Set(all("#board [data-tile]:not(button)").map((tile) => tile.dataset.tile)),
  seat: findShown(".seat[data-turn]")?.getBoundingClientRect(),
  heap: findShown("#bone")?.getBoundingClientRect(),
  scale: board()?.getScreenCTM()?.a,
  scores: new Map(all("[id^=score-]").map((score) => [score.id, score.textContent])),
});

/** Animate an element from the box `from`; also from its size if that is a tile (not a plate or the heap). */
export function animateFrom(element, { from, isTile, scale = 1, time, easing }) {
  const to = element.getBoundingClientRect();
  const [fromX, fromY] = center(from);
  const [toX, toY] = center(to);
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

function animateToBoard(was, svg, scale) {
  for (const tile of all(".laid [data-tile]", svg)) {
    const name = tile.dataset.tile;
    const held = was.hand.get(name);
    const from = held ?? was.seat;
    if (from && !was.laid.has(name))
      animateFrom(tile, {
        from,
        isTile: Boolean(held),
        scale,
        time: 200,
        easing: "cubic-bezier(.3, 1.1, .5, 1)",
      });
  }
}

function animateToHand(was) {
  if (!was.heap || !was.hand.size) return;
  for (const tile of tilesInHand())
    if (!was.hand.has(tile.dataset.tile))
      animateFrom(tile.firstElementChild, { from: was.heap, time: 220, easing: "ease-out" });
}

function animateZoom(svg, times) {
  const frames = [{ transform: `scale(${times})` }, { transform: "none" }];
  svg.querySelector(".laid")?.animate(frames, { duration: 400, easing: "ease-out" });
}

const scores = lazy(() => import("./scores.js"));

async function animateScores(was) {
  for (const [id, text] of was.scores) {
    const score = byId(id);
    if (score && score.textContent !== text) (await scores())?.animateScore(score, text);
  }
}

export function animateChanges() {
  const was = measurements;
  measurements = null;
  if (!was || !mayAnimate()) return;
  const svg = board();
  const scale = svg?.getScreenCTM()?.a;
  if (was.scale && scale && Math.abs(was.scale / scale - 1) > 0.02) animateZoom(svg, was.scale / scale);
  else if (svg) animateToBoard(was, svg, scale || 1);
  animateToHand(was);
  animateScores(was);
}

// Zoom: the module loads with the first small tiles.

const HALF_TILE_UNITS = 40; // in the drawing
const MIN_HALF_TILE_PX = 20; // below it the view box shrinks to the line
const zoom = lazy(() => import("./zoom.js"));

// The bounding box of the line includes tiles where they are during an animation.
const waitForAnimations = (svg) =>
  Promise.allSettled(svg.getAnimations({ subtree: true }).map((flight) => flight.finished));

/** Fit the view box after a new drawing or a resize. */
export function fitBoard() {
  for (const svg of all("#board > svg:not(.places)").filter(isShown))
    if (zoom.module) zoom.module.fitFrame(svg, MIN_HALF_TILE_PX);
    else if (HALF_TILE_UNITS * svg.getScreenCTM().a < MIN_HALF_TILE_PX)
      zoom().then(async (module) => {
        await waitForAnimations(svg);
        if (module) fitBoard();
      });
}

addEventListener("resize", () => {
  fitBoard();
  scrollToPlaces();
});

const ZOOM_BELOW_PX = 28; // size of half a tile from which a tap does not zoom

/** Apply the zoom to a new drawing. */
export const restoreZoom = () => zoom.module?.restoreZoom();

/** Bring all highlighted places into view. */
export const scrollToPlaces = () => zoom.module?.scrollToPlaces();

document.addEventListener("click", async (event) => {
  const felt = event.target.closest("#board");
  if (!felt || event.target.closest("button")) return;
  if (!zoom.module && HALF_TILE_UNITS * (board()?.getScreenCTM()?.a ?? 1) >= ZOOM_BELOW_PX) return;
  (await zoom())?.toggleZoom(felt, event, ZOOM_BELOW_PX);
});
