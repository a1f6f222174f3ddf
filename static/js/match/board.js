// Board animations: positions are measured before a swap and animated after it, with the Web Animations API.
import { all, byId, isShown, root } from "../dom.js";
import { measureConsequences, showAtOnce, showConsequences } from "./consequences.js";
import { board, isOver, lazy, tilesInHand } from "./page.js";

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
export const mayAnimate = () =>
  !reducedMotion.matches && root.dataset.animation !== "off" && !document.hidden;
const findShown = (selector) => all(selector).find(isShown);
const FLIGHT_MS = 200;
const FLIGHT_EASING = "cubic-bezier(.3, 1.1, .5, 1)";
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
  ahead: measureTileLaidAhead(),
  consequences: measureConsequences(),
});

// The viewer's own tile may still be in flight when the response comes: the real one flies on.
function measureTileLaidAhead() {
  const tile = byId("laid-ahead");
  const [flight] = tile?.getAnimations() ?? [];
  if (!tile) return null;
  return { name: tile.dataset.tile, frames: flight?.effect.getKeyframes(), time: flight?.currentTime };
}

/** Animate an element from the box `from`; also from its size if that is a tile (not a plate or the heap). */
function animateFrom(element, { from, isTile, scale = 1, time, easing, delay = 0 }) {
  const to = element.getBoundingClientRect();
  const [fromX, fromY] = center(from);
  const [toX, toY] = center(to);
  const size = isTile ? Math.max(from.width, from.height) / Math.max(to.width, to.height, 1) : 0.6;
  element.style.transformBox = "fill-box";
  element.style.transformOrigin = "center";
  const start = `translate(${(fromX - toX) / scale}px, ${(fromY - toY) / scale}px) scale(${size})`;
  return element.animate(
    [
      { transform: start, opacity: 1 },
      { transform: "none", opacity: 1 },
    ],
    { duration: time, easing, delay, fill: "backwards" },
  );
}

/** Let a tile fly to its place, above its neighbours in the hand. */
export function flyToPlace(tile, from, isTile, scale, delay = 0) {
  keepBoardAbove(animateFrom(tile, { from, isTile, scale, time: FLIGHT_MS, easing: FLIGHT_EASING, delay }));
}

let lastFlight = null;

function keepBoardAbove(flight) {
  const { classList } = byId("table");
  classList.add("is-flying");
  lastFlight = flight;
  flight.onfinish = flight.oncancel = () => {
    if (flight === lastFlight) classList.remove("is-flying");
  };
}

function flyOn(tile, { frames, time }) {
  if (!frames || time === null || time >= FLIGHT_MS) return;
  tile.style.transformBox = "fill-box";
  tile.style.transformOrigin = "center";
  const flight = tile.animate(frames, { duration: FLIGHT_MS, easing: FLIGHT_EASING });
  flight.currentTime = time;
  keepBoardAbove(flight);
}

const PLANNED_ANSWER_DELAY_MS = 900;

/** Let the new tiles fly to the board; a planned answer after the tile that it answers. Return its delay. */
function animateToBoard(was, svg, scale) {
  let delay = 0;
  let hasOther = false;
  for (const tile of all(".laid [data-tile]", svg)) {
    const name = tile.dataset.tile;
    const held = was.hand.get(name);
    const from = held ?? was.seat;
    const isAhead = name === was.ahead?.name;
    if (!isAhead && was.laid.has(name)) continue;
    for (const settling of tile.getAnimations()) settling.cancel();
    if (held && hasOther) delay = PLANNED_ANSWER_DELAY_MS;
    hasOther ||= !held;
    if (isAhead) flyOn(tile, was.ahead);
    else if (from) flyToPlace(tile, from, Boolean(held), scale, held ? delay : 0);
  }
  return delay;
}

const DRAW_INTERVAL_MS = 90;

function animateToHand(was) {
  if (!was.heap || !was.hand.size) return;
  const drawn = tilesInHand().filter((tile) => !was.hand.has(tile.dataset.tile));
  for (const [nth, tile] of drawn.entries())
    animateFrom(tile.firstElementChild, {
      from: was.heap,
      time: 220,
      easing: "ease-out",
      delay: nth * DRAW_INTERVAL_MS,
    });
}

function animateZoom(svg, times) {
  const frames = [{ transform: `scale(${times})` }, { transform: "none" }];
  svg.querySelector(".laid")?.animate(frames, { duration: 400, easing: "ease-out" });
}

/** Animate what a swap has changed. Return when the tile lands, the points and the scores appear, in milliseconds. */
export function animateChanges() {
  const was = measurements;
  measurements = null;
  if (!was || !mayAnimate()) return showAtOnce();
  const svg = board();
  const scale = svg?.getScreenCTM()?.a;
  const isZoomed = was.scale && scale && Math.abs(was.scale / scale - 1) > 0.02;
  let delay = 0;
  if (isZoomed) animateZoom(svg, was.scale / scale);
  else if (svg) delay = animateToBoard(was, svg, scale || 1);
  animateToHand(was);
  // A flight may go on that an earlier swap has begun: the clock changes the page, too.
  const flight = lastFlight?.playState === "running" ? lastFlight : null;
  return showConsequences(was.consequences, flight || isZoomed ? FLIGHT_MS + delay : 0, flight);
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
    if (zoom.module && isOver()) zoom.module.fitFinalFrame(svg);
    else if (zoom.module) zoom.module.fitFrame(svg, MIN_HALF_TILE_PX);
    else if (isOver() || HALF_TILE_UNITS * svg.getScreenCTM().a < MIN_HALF_TILE_PX)
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

// The shape of the board ("wide" or "tall", by style sheet) is sent to the server, which then renders only that drawing.

let socket = null;
let sentShape = "";

const shape = () => getComputedStyle(byId("board")).getPropertyValue("--shape").trim();

function sendShape() {
  if (!socket || sentShape === shape()) return;
  sentShape = shape();
  socket.sendImmediately(`shape ${sentShape}`);
}

document.addEventListener("htmx:wsOpen", ({ detail }) => {
  socket = detail.socketWrapper;
  sentShape = "";
  sendShape();
});

document.addEventListener("htmx:wsClose", () => {
  socket = null;
});

document.addEventListener("htmx:configRequest", ({ detail }) => {
  detail.headers.Shape = shape();
});

new ResizeObserver(() => {
  sendShape();
  if (isOver()) fitBoard(); // the result leaves it less room
}).observe(byId("board"));
