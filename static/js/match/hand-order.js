// The order of the hand: as dealt, by suit, by weight, doubles first, or dragged. It is stored only in this browser.
import { byId, forTab, lasting } from "../dom.js";
import { labelKeys, tilesInHand } from "./page.js";

const menu = byId("order");
const STORAGE_KEY = `hand ${location.pathname}`;
const halves = ({ dataset }) => dataset.tile.split("-").map(Number);
const pips = (tile) => halves(tile)[0] + halves(tile)[1];
const isDouble = (tile) => Number(halves(tile)[0] === halves(tile)[1]);
const bySuit = (one, other) => halves(other)[0] - halves(one)[0] || halves(other)[1] - halves(one)[1];
const readStoredOrder = () => JSON.parse(forTab.getItem(STORAGE_KEY) ?? "[]");
// Tiles drawn since then come last.
const positionIn = (order, { dataset }) =>
  (order.indexOf(dataset.tile) + order.length + 1) % (order.length + 1);

const ORDERS = {
  suit: () => bySuit,
  weight: () => (one, other) => pips(other) - pips(one) || bySuit(one, other),
  doubles: () => (one, other) => isDouble(other) - isDouble(one) || bySuit(one, other),
  own:
    (order = readStoredOrder()) =>
    (one, other) =>
      positionIn(order, one) - positionIn(order, other),
};

function setOrder(tiles) {
  const focused = document.activeElement;
  byId("hand").append(...tiles);
  labelKeys();
  if (tiles.includes(focused)) focused.focus({ preventScroll: true });
}

/** Sort the hand. Every swap restores the order of the deal. */
export function arrange() {
  const order = ORDERS[menu.value];
  if (!order) return;
  const tiles = tilesInHand();
  const sorted = [...tiles].sort(order());
  if (sorted.some((tile, at) => tile !== tiles[at])) setOrder(sorted);
}

/** Move a tile of the hand to this point, and keep that order. */
export function moveTo(tile, x, y) {
  const others = tilesInHand().filter((each) => each !== tile);
  const isBefore = (each) => {
    const { left, width, top, bottom } = each.getBoundingClientRect();
    return bottom < y || (top <= y && left + width / 2 < x);
  };
  const at = others.findLastIndex(isBefore) + 1;
  const tiles = [...others.slice(0, at), tile, ...others.slice(at)];
  forTab.setItem(STORAGE_KEY, JSON.stringify(tiles.map(({ dataset }) => dataset.tile)));
  storeChoice("own");
  setOrder(tiles);
}

function storeChoice(order) {
  menu.value = order;
  lasting.setItem("order", order);
}

menu.value = lasting.getItem("order") ?? "";
