// The layout as its ends ("tips"; docs/rules.md, "The layout").
//
// kind: tile, double (crosswise), lone (a side of a double without neighbours), free (a side of the spinner), waiting
// (at Sebastopol's spinner, while another side is free), none. suit: the half that fits. worth: its share of the count.

import { ensure, halves, has, isDouble, otherHalf, pips, sum } from "./tiles.js";

const L = 0;
const R = 1;
const U = 2;
const D = 3;
const OPEN = ["tile", "double", "lone", "free"];

const WORTH = {
  tile: (s) => s,
  double: (s) => 2 * s,
  lone: (s) => s,
  free: () => 0,
  waiting: (s) => s,
  none: () => 0,
};

const tip = (kind, suit) => ({ kind, suit, worth: WORTH[kind](suit), open: OPEN.includes(kind) });
const nothing = () => tip("none", -1);

// Return the index of an end among the tips: L R U D, then U2 D2 U3 D3 …
export function indexOf(end) {
  const first = "LRUD".indexOf(end[0]);
  return end.length === 1 ? first : first + 2 * (Number(end.slice(1)) - 1);
}

export function lead(rules, tile) {
  const [high, low] = halves(tile);
  const layout = { rule: rules.spinner, tips: [], spinner: null, count: pips(tile) };
  if (!isDouble(tile)) {
    layout.tips = [tip("tile", high), tip("tile", low), nothing(), nothing()];
    return layout;
  }
  const crossed = ["cross", "first_open"].includes(rules.spinner);
  if (crossed || rules.spinner === "first") layout.spinner = high;
  const arm = () => (crossed ? tip("free", high) : nothing());
  layout.tips = [tip("lone", high), tip("lone", high), arm(), arm()];
  return layout;
}

export const fits = (layout, tile) => layout.tips.some((at) => at.open && has(tile, at.suit));

export function fitsAt(layout, tile, end) {
  const at = layout.tips[indexOf(end)];
  return Boolean(at?.open) && has(tile, at.suit);
}

// Return the layout with this tile at this end.
export function joinTile(layout, tile, end) {
  ensure(end !== null && fitsAt(layout, tile, end), "no_fit", { tile, end });
  const after = { ...layout, tips: [...layout.tips] };
  const index = indexOf(end);
  const covered = layout.tips[index];
  const suit = covered.suit;
  after.tips[index] = isDouble(tile) ? tip("double", suit) : tip("tile", otherHalf(tile, suit));
  if (after.spinner === null && isDouble(tile)) {
    if (["first", "first_open"].includes(after.rule)) after.spinner = suit;
    if (after.rule === "first_open") branch(after, suit);
  }
  if (covered.kind !== "tile") cover(after, covered, index);
  after.count = sum(after.tips.map((at) => at.worth));
  return after;
}

function branch(layout, suit) {
  layout.tips[U] = tip("free", suit);
  layout.tips[D] = tip("free", suit);
}

// Update the other tips after a play against a double or a free side.
function cover(layout, covered, index) {
  const { tips, rule } = layout;
  const suit = covered.suit;
  if (covered.kind === "lone") tips[L + R - index] = tip("double", suit);
  else if (covered.kind === "double" && rule === "every") {
    if (layout.spinner === null) {
      layout.spinner = suit;
      branch(layout, suit);
    } else tips.push(tip("free", suit), tip("free", suit));
  } else if (covered.kind === "double" && tips[U].kind === "none") {
    if (rule === "first_enclosed") layout.spinner = suit;
    if (layout.spinner === suit) branch(layout, suit);
  }
  if (rule === "cross" && layout.spinner === suit) cross(layout, index);
}

function cross(layout, index) {
  layout.tips[index] = tip("waiting", layout.tips[index].suit);
  if (layout.tips.every((at) => at.kind === "waiting"))
    layout.tips = layout.tips.map((at) => tip("tile", at.suit));
}

const POINTS = {
  none: () => 0,
  fives: (count) => (count % 5 ? 0 : count),
  fives_by_one: (count) => (count % 5 ? 0 : count / 5),
  fives_threes: (count) => (count % 5 ? 0 : count / 5) + (count % 3 ? 0 : count / 3),
};

// Return the points of a play that makes this layout.
export function scoreOf(rules, layout) {
  if (rules.count !== "matching") return POINTS[rules.count](layout.count);
  const [left, right] = layout.tips;
  if (left.suit !== right.suit) return 0;
  return left.kind === "double" || right.kind === "double" ? 3 : 2;
}

// Return whether a tile scores as a lead.
export const scoresAsLead = (rules, tile) =>
  rules.count === "matching" ? isDouble(tile) : POINTS[rules.count](pips(tile)) > 0;
