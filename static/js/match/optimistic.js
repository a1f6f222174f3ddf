// Optimistic update: the viewer's tile is drawn on the felt before the server responds. Frames and refusals undo it.
import { all, byId } from "../dom.js";
import { flyToPlace, mayAnimate } from "./board.js";
import { board } from "./page.js";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
let laidTile = null; // {layer, held, chip}

function createUse(href, x, y) {
  const part = document.createElementNS(SVG_NAMESPACE, "use");
  for (const [name, value] of Object.entries({ href, x, y })) part.setAttribute(name, value);
  return part;
}

// The place already draws the two halves: add the tile's body below them.
function createTileAt(place) {
  const tile = document.createElementNS(SVG_NAMESPACE, "g");
  const [ghost, ...halves] = all("use", place);
  const [href, x, y] = ["href", "x", "y"].map((name) => ghost.getAttribute(name) ?? 0);
  tile.append(createUse(href.replace("#g", "#b"), x, y), ...halves.map((half) => half.cloneNode()));
  return tile;
}

function createLead(name) {
  const [high, low] = name.split("-");
  const tile = document.createElementNS(SVG_NAMESPACE, "g");
  if (high === low)
    tile.append(createUse("#bv", 0, 0), createUse(`#v${high}`, 0, -20), createUse(`#v${low}`, 0, 20));
  else tile.append(createUse("#bh", 0, 0), createUse(`#h${high}`, -20, 0), createUse(`#h${low}`, 20, 0));
  return tile;
}

/** Draw the tile of this move, if it is a play of one tile. */
export function layTile(move) {
  removeLaidTile();
  const [name, end] = move.split("@");
  const held = byId(`held-${name}`);
  const svg = board();
  if (!held || !svg || move.includes("+")) return;
  const place = document
    .querySelector(`#places-${svg.classList[0]} .spot[data-tile="${name}"][data-end="${end}"]`)
    ?.closest("g");
  if (end && !place) return;
  const drawing = end ? createTileAt(place) : createLead(name);
  drawing.id = "laid-ahead"; // keeps idiomorph from morphing it into the real tile
  drawing.dataset.tile = name;
  const layer = document.createElementNS(SVG_NAMESPACE, "g");
  layer.classList.add("laid", "is-still");
  layer.append(drawing);
  svg.querySelector(".laid").after(layer); // above the tiles on the board
  if (mayAnimate() && !held.classList.contains("is-dropped"))
    flyToPlace(drawing, held.firstElementChild.getBoundingClientRect(), true, svg.getScreenCTM().a);
  held.classList.add("is-laid");
  byId("table").classList.add("is-sending");
  const chip = svg.querySelector(`.line-end[data-end="${end}"]`);
  chip?.classList.add("is-covered");
  laidTile = { layer, held, chip };
}

/** Undo `layTile`: the response has come, or none will. */
export function removeLaidTile() {
  if (!laidTile) return;
  laidTile.layer.remove();
  laidTile.held.classList.remove("is-laid");
  laidTile.chip?.classList.remove("is-covered");
  byId("table").classList.remove("is-sending");
  laidTile = null;
}
