// The board: tiles that travel, measured before and after the swap, drawn by the Web Animations API, never in anybody's way;
// and a closer look at small ones.
import { all, byId, isShown, root } from "../dom.js";
import { board, tilesInHand } from "./page.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");
const mayMove = () => !still.matches && root.dataset.animation !== "off" && !document.hidden;
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
  seat: shown(".seat.is-turn")?.getBoundingClientRect(),
  heap: shown("#bone")?.getBoundingClientRect(),
  scale: board()?.getScreenCTM()?.a,
  scores: new Map(all("[id^=score-]").map((score) => [score.id, score.textContent])),
});

// From a tile in hand it starts at that tile's size; a plate and the heap only say where it starts.
function fly(element, { from, isTile, scale = 1, time, easing }) {
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

function liftScores(was) {
  const frames = [{ color: "var(--brass-text)", transform: "translateY(-3px)" }, { transform: "none" }];
  for (const [id, text] of was.scores) {
    const score = byId(id);
    if (score && score.textContent !== text) score.animate(frames, { duration: 900, easing: "ease-out" });
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

// Where tiles got small the frame closes round the line. It leaves room for the next tile all round, and changes in steps
// so that it moves seldom.

const UNIT = 40; // of the drawing: half a tile
const TINY = 20; // pixels that half a tile may measure before the frame closes

function closeRound(svg) {
  const places = all(`#board > svg.places.${svg.classList[0]}`);
  const seen = svg.getAttribute("viewBox");
  if (seen !== svg.dataset.closed) svg.dataset.frame = seen; // as the server has sent it
  for (const each of [svg, ...places]) each.setAttribute("viewBox", svg.dataset.frame);
  if (UNIT * svg.getScreenCTM().a >= TINY) return;
  const [x, y, width, height] = svg.dataset.frame.split(" ").map(Number);
  const line = svg.getBBox();
  const out = (edge) => Math.sign(edge) * UNIT * Math.ceil(Math.abs(edge) / UNIT + 1.5);
  const left = Math.max(x, out(line.x));
  const top = Math.max(y, out(line.y));
  const right = Math.min(x + width, out(line.x + line.width));
  const bottom = Math.min(y + height, out(line.y + line.height));
  svg.dataset.closed = `${left} ${top} ${right - left} ${bottom - top}`;
  for (const each of [svg, ...places]) each.setAttribute("viewBox", svg.dataset.closed);
}

/** A swap, or a turn of the screen, has brought a new drawing or a new size. */
export function fit() {
  for (const svg of all("#board > svg:not(.places)").filter(isShown)) closeRound(svg);
}

addEventListener("resize", () => {
  fit();
  showPlaces();
});

// One tap on the felt shows tiles that got small as large as they should be, another the whole line again.

const SMALL = 28; // pixels that half a tile may measure and need no zoom
const LARGE = 44;
let factor = 0;

function zoom() {
  const size = factor ? `${factor * 100}%` : "";
  byId("board").classList.toggle("is-zoomed", factor > 0);
  for (const svg of all("#board > svg").filter(isShown))
    Object.assign(svg.style, { width: size, height: size });
}

/** A swap has brought a new drawing. */
export function zoomAgain() {
  if (factor) zoom();
}

const MARGIN = 8; // pixels around what is to be seen
const beyond = (low, high, from, to) => Math.max(0, high + MARGIN - to) || Math.min(0, low - MARGIN - from);

/** Places have been lit, or the look has changed: all of them are to be seen, as large as they can be together. */
export function showPlaces() {
  const lit = all("#board button.spot").filter(isShown);
  if (!factor || !lit.length) return;
  const felt = byId("board").getBoundingClientRect();
  const boxes = lit.map((place) => place.getBoundingClientRect());
  const edge = (choose, name) => choose(...boxes.map((box) => box[name]));
  const [left, right] = [edge(Math.min, "left"), edge(Math.max, "right")];
  const [top, bottom] = [edge(Math.min, "top"), edge(Math.max, "bottom")];
  const room = (size, taken) => (size - 2 * MARGIN) / taken;
  const most = factor * Math.min(room(felt.width, right - left), room(felt.height, bottom - top));
  if (most < 0.99 * factor) {
    factor = most > 1 ? most : 0;
    zoom();
    showPlaces();
    return;
  }
  byId("board").scrollBy(
    beyond(left, right, felt.left, felt.right),
    beyond(top, bottom, felt.top, felt.bottom),
  );
}

document.addEventListener("click", (event) => {
  const felt = event.target.closest("#board");
  if (!felt || event.target.closest("button")) return;
  const svg = board();
  const unit = UNIT * (svg?.getScreenCTM()?.a ?? 1);
  if (!factor && unit >= SMALL) return;
  const box = svg.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width;
  const y = (event.clientY - box.top) / box.height;
  factor = factor ? 0 : LARGE / unit;
  zoom();
  felt.scrollTo(x * felt.scrollWidth - felt.clientWidth / 2, y * felt.scrollHeight - felt.clientHeight / 2);
  showPlaces();
});
