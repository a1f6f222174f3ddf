// A closer look at small tiles, and back.
import { all, byId, isShown } from "../dom.js";
import { board } from "./page.js";

const UNIT = 40; // of the drawing: half a tile
// Where tiles got small the frame closes round the line. It leaves room for the next tile all round, and changes in steps
// so that it moves seldom.

export function closeRound(svg, tiny) {
  const places = all(`#board > svg.places.${svg.classList[0]}`);
  const seen = svg.getAttribute("viewBox");
  if (seen !== svg.dataset.closed) svg.dataset.frame = seen; // as the server has sent it
  for (const each of [svg, ...places]) each.setAttribute("viewBox", svg.dataset.frame);
  if (UNIT * svg.getScreenCTM().a >= tiny) return;
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

const LARGE = 44; // pixels that half a tile measures at a closer look
let factor = 0;
let looked = ""; // at which drawing

const drawing = () => `${board()?.id} ${document.querySelector("#news [data-round]")?.dataset.round}`;

function draw() {
  const size = factor ? `${factor * 100}%` : "";
  byId("board").classList.toggle("is-zoomed", factor > 0);
  for (const svg of all("#board > svg").filter(isShown))
    Object.assign(svg.style, { width: size, height: size });
}

/** A swap has brought a new drawing. That of a turned screen or of another round is another: it is seen whole. */
export function zoomAgain() {
  if (!factor) return;
  if (looked !== drawing()) factor = 0;
  draw();
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
    draw();
    showPlaces();
    return;
  }
  byId("board").scrollBy(
    beyond(left, right, felt.left, felt.right),
    beyond(top, bottom, felt.top, felt.bottom),
  );
}

/** Where the felt was tapped; tiles of `small` pixels and more need no closer look. */
export function zoom(felt, { clientX, clientY }, small) {
  const svg = board();
  const unit = UNIT * (svg?.getScreenCTM()?.a ?? 1);
  if (!factor && unit >= small) return;
  const box = svg.getBoundingClientRect();
  const x = (clientX - box.left) / box.width;
  const y = (clientY - box.top) / box.height;
  factor = factor ? 0 : LARGE / unit;
  looked = drawing();
  draw();
  felt.scrollTo(x * felt.scrollWidth - felt.clientWidth / 2, y * felt.scrollHeight - felt.clientHeight / 2);
  showPlaces();
}
