// Tiles in text: "6-4", the higher half first (docs/record.md, "Moves in text").

export const halves = (tile) => tile.split("-").map(Number);
export const isDouble = (tile) => halves(tile)[0] === halves(tile)[1];
export const pips = (tile) => halves(tile)[0] + halves(tile)[1];
export const has = (tile, suit) => halves(tile).includes(suit);
export const otherHalf = (tile, suit) => pips(tile) - suit;
export const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
export const min = (numbers) => Math.min(...numbers);

// Return the set up to a highest suit: 0-0, 1-0, 1-1, 2-0, …
export function setOf(highest) {
  const tiles = [];
  for (let high = 0; high <= highest; high++)
    for (let low = 0; low <= high; low++) tiles.push(`${high}-${low}`);
  return tiles;
}

// Compare lists of numbers and booleans lexicographically.
function compare(one, other) {
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return Number(one[i]) - Number(other[i]);
  return 0;
}

export const maxBy = (items, rank) =>
  items.reduce((best, item) => (compare(rank(item), rank(best)) > 0 ? item : best));

// The reason why a record is invalid. `round` and `move` count from 1 or are null.
export class Fault extends Error {
  constructor(kind, details = {}) {
    super(kind);
    this.kind = kind;
    this.round = null;
    this.move = null;
    this.details = details;
  }
}

export function ensure(condition, kind, details) {
  if (!condition) throw new Fault(kind, details);
}
