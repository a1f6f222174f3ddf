// The order of the hand: as dealt, by suit, by weight, doubles first, or as its holder drags it. It never leaves this browser.
import { byId } from "../dom.js";
import { tellKeys, tilesInHand } from "./page.js";

const choice = byId("order");
const own = `hand ${location.pathname}`;
const halves = ({ dataset }) => dataset.tile.split("-").map(Number);
const pips = (tile) => halves(tile)[0] + halves(tile)[1];
const isDouble = (tile) => Number(halves(tile)[0] === halves(tile)[1]);
const bySuit = (one, other) => halves(other)[0] - halves(one)[0] || halves(other)[1] - halves(one)[1];
const laidOut = () => JSON.parse(sessionStorage.getItem(own) ?? "[]");
// A tile that has been drawn since comes last.
const place = (order, { dataset }) => (order.indexOf(dataset.tile) + order.length + 1) % (order.length + 1);

const ORDERS = {
  suit: () => bySuit,
  weight: () => (one, other) => pips(other) - pips(one) || bySuit(one, other),
  doubles: () => (one, other) => isDouble(other) - isDouble(one) || bySuit(one, other),
  own:
    (order = laidOut()) =>
    (one, other) =>
      place(order, one) - place(order, other),
};

function put(tiles) {
  const focused = document.activeElement;
  byId("hand").append(...tiles);
  tellKeys();
  if (tiles.includes(focused)) focused.focus({ preventScroll: true });
}

/** Put the hand in its holder's order, as every swap brings it in that of the deal. */
export function arrange() {
  const order = ORDERS[choice.value];
  if (!order) return;
  const tiles = tilesInHand();
  const sorted = tiles.toSorted(order());
  if (sorted.some((tile, at) => tile !== tiles[at])) put(sorted);
}

/** The tile has been dragged along the rack to this point. */
export function moveTo(tile, x, y) {
  const others = tilesInHand().filter((each) => each !== tile);
  const isBefore = (each) => {
    const { left, width, top, bottom } = each.getBoundingClientRect();
    return bottom < y || (top <= y && left + width / 2 < x);
  };
  const at = others.findLastIndex(isBefore) + 1;
  const tiles = others.toSpliced(at, 0, tile);
  sessionStorage.setItem(own, JSON.stringify(tiles.map(({ dataset }) => dataset.tile)));
  choose("own");
  put(tiles);
}

function choose(order) {
  choice.value = order;
  localStorage.setItem("order", order);
}

choice.value = localStorage.getItem("order") ?? "";
