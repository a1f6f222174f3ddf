// Zoom of the board for small tiles.
import { all, byId, isShown } from "../dom.js";
import { board } from "./page.js";

const HALF_TILE_UNITS = 40; // in the drawing

/**
 * Shrink the view box to the line if half a tile is smaller than `minimum` pixels: with space for the next tile, and
 * in steps, so that it changes rarely.
 */
export function fitFrame(svg, minimum) {
  setFrame(svg, keepFrame(svg));
  if (HALF_TILE_UNITS * svg.getScreenCTM().a >= minimum) return;
  const [x, y, width, height] = svg.dataset.frame.split(" ").map(Number);
  const line = svg.getBBox();
  const out = (edge) => Math.sign(edge) * HALF_TILE_UNITS * Math.ceil(Math.abs(edge) / HALF_TILE_UNITS + 1.5);
  const left = Math.max(x, out(line.x));
  const top = Math.max(y, out(line.y));
  const right = Math.min(x + width, out(line.x + line.width));
  const bottom = Math.min(y + height, out(line.y + line.height));
  svg.dataset.closed = `${left} ${top} ${right - left} ${bottom - top}`;
  setFrame(svg, svg.dataset.closed);
}

/** Keep the view box that the server sent, and return it. */
function keepFrame(svg) {
  const current = svg.getAttribute("viewBox");
  if (current !== svg.dataset.closed) svg.dataset.frame = current;
  return svg.dataset.frame;
}

function setFrame(svg, frame) {
  for (const each of [svg, ...all(`#board > svg.places.${svg.classList[0]}`)])
    each.setAttribute("viewBox", frame);
}

const FINAL_MARGIN_UNITS = 12;
const MAX_FINAL_HALF_TILE_PX = 31;

/** Shrink the view box to the line of an ended match, to which no tile comes, so that the tiles fill the board. */
export function fitFinalFrame(svg) {
  keepFrame(svg);
  const line = svg.getBBox();
  const { width, height } = svg.getBoundingClientRect();
  if (!line.width || !width) return;
  const least = (pixels) => (HALF_TILE_UNITS * pixels) / MAX_FINAL_HALF_TILE_PX;
  const wide = Math.max(line.width + 2 * FINAL_MARGIN_UNITS, least(width));
  const high = Math.max(line.height + 2 * FINAL_MARGIN_UNITS, least(height));
  const [left, top] = [line.x + (line.width - wide) / 2, line.y + (line.height - high) / 2];
  svg.dataset.closed = `${left} ${top} ${wide} ${high}`;
  setFrame(svg, svg.dataset.closed);
}

const ZOOMED_HALF_TILE_PX = 44;
let zoomFactor = 0;
let zoomedDrawing = ""; // key of the zoomed drawing

const drawingKey = () => `${board()?.id} ${document.querySelector("#news [data-round]")?.dataset.round}`;

function applyZoom() {
  const size = zoomFactor ? `${zoomFactor * 100}%` : "";
  byId("board").classList.toggle("is-zoomed", zoomFactor > 0);
  for (const svg of all("#board > svg").filter(isShown))
    Object.assign(svg.style, { width: size, height: size });
}

/** Apply the zoom to a new drawing, or end it if that is of another round or shape. */
export function restoreZoom() {
  if (!zoomFactor) return;
  if (zoomedDrawing !== drawingKey()) zoomFactor = 0;
  applyZoom();
}

const MARGIN_PX = 8;
const overflow = (low, high, from, to) =>
  Math.max(0, high + MARGIN_PX - to) || Math.min(0, low - MARGIN_PX - from);

/** Scroll to all highlighted places, and zoom out if they do not fit together. */
export function scrollToPlaces() {
  const lit = all("#board button.spot").filter(isShown);
  if (!zoomFactor || !lit.length) return;
  const felt = byId("board").getBoundingClientRect();
  const boxes = lit.map((place) => place.getBoundingClientRect());
  const edge = (choose, name) => choose(...boxes.map((box) => box[name]));
  const [left, right] = [edge(Math.min, "left"), edge(Math.max, "right")];
  const [top, bottom] = [edge(Math.min, "top"), edge(Math.max, "bottom")];
  const scaleToFit = (size, needed) => (size - 2 * MARGIN_PX) / needed;
  const maxFactor =
    zoomFactor * Math.min(scaleToFit(felt.width, right - left), scaleToFit(felt.height, bottom - top));
  if (maxFactor < 0.99 * zoomFactor) {
    zoomFactor = maxFactor > 1 ? maxFactor : 0;
    applyZoom();
    scrollToPlaces();
    return;
  }
  byId("board").scrollBy(
    overflow(left, right, felt.left, felt.right),
    overflow(top, bottom, felt.top, felt.bottom),
  );
}

/** Zoom to the tapped point, or back. Do nothing if half a tile has at least `threshold` pixels. */
export function toggleZoom(felt, { clientX, clientY }, threshold) {
  const svg = board();
  const unit = HALF_TILE_UNITS * (svg?.getScreenCTM()?.a ?? 1);
  if (!zoomFactor && unit >= threshold) return;
  const box = svg.getBoundingClientRect();
  const x = (clientX - box.left) / box.width;
  const y = (clientY - box.top) / box.height;
  zoomFactor = zoomFactor ? 0 : ZOOMED_HALF_TILE_PX / unit;
  zoomedDrawing = drawingKey();
  applyZoom();
  felt.scrollTo(x * felt.scrollWidth - felt.clientWidth / 2, y * felt.scrollHeight - felt.clientHeight / 2);
  scrollToPlaces();
}
