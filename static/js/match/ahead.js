// One's own tile lies on the felt at the press, before the server has answered. Every frame and every refusal puts the
// hand and the line right again.
import { all, byId } from "../dom.js";
import { fly, mayMove } from "./board.js";
import { board } from "./page.js";

const DRAWN = "http://www.w3.org/2000/svg";
let laid = null; // {drawing, held, chip}

function use(href, x, y) {
  const part = document.createElementNS(DRAWN, "use");
  for (const [name, value] of Object.entries({ href, x, y })) part.setAttribute(name, value);
  return part;
}

// The place shows the halves as they will lie: a body under them is the tile.
function tileAt(place) {
  const tile = document.createElementNS(DRAWN, "g");
  const [ghost, ...halves] = all("use", place);
  const [href, x, y] = ["href", "x", "y"].map((name) => ghost.getAttribute(name) ?? 0);
  tile.append(use(href.replace("#g", "#b"), x, y), ...halves.map((half) => half.cloneNode()));
  return tile;
}

function lead(name) {
  const [high, low] = name.split("-");
  const tile = document.createElementNS(DRAWN, "g");
  if (high === low) tile.append(use("#bv", 0, 0), use(`#v${high}`, 0, -20), use(`#v${low}`, 0, 20));
  else tile.append(use("#bh", 0, 0), use(`#h${high}`, -20, 0), use(`#h${low}`, 20, 0));
  return tile;
}

/** Lay the tile of this move, if it is a play of one tile. */
export function layAhead(move) {
  takeBack();
  const [name, end] = move.split("@");
  const held = byId(`held-${name}`);
  const svg = board();
  if (!held || !svg || move.includes("+")) return;
  const place = document
    .querySelector(`#places-${svg.classList[0]} .spot[data-tile="${name}"][data-end="${end}"]`)
    ?.closest("g");
  if (end && !place) return;
  const drawing = end ? tileAt(place) : lead(name);
  drawing.id = "laid-ahead"; // no swap of the whole makes an element with an id into another: into the tile that lies
  drawing.dataset.tile = name;
  svg.querySelector(".laid").prepend(drawing); // the last one is taken for the newest
  if (mayMove() && !held.classList.contains("is-dropped")) flyFrom(held, drawing, svg);
  held.classList.add("is-laid");
  // What has the focus and is hidden loses it, and the keyboard would go on from the top of the page.
  if (document.activeElement.matches(".spot")) held.focus({ preventScroll: true });
  byId("table").classList.add("is-sending");
  const chip = svg.querySelector(`.line-end[data-end="${end}"]`);
  chip?.classList.add("is-covered");
  laid = { drawing, held, chip };
}

function flyFrom(held, drawing, svg) {
  const from = held.firstElementChild.getBoundingClientRect();
  const easing = "cubic-bezier(.3, 1.1, .5, 1)";
  fly(drawing, { from, isTile: true, scale: svg.getScreenCTM().a, time: 200, easing });
}

/** The answer has come, or none will. */
export function takeBack() {
  if (!laid) return;
  laid.drawing.remove();
  laid.held.classList.remove("is-laid");
  laid.chip?.classList.remove("is-covered");
  byId("table").classList.remove("is-sending");
  laid = null;
}
