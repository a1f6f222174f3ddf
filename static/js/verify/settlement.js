// What the end of a round gives (docs/rules.md, "The end of a round"), and what a score may take.

import { halves, has, isDouble, least, pips, sum } from "./tiles.js";

const UNITS = {
  pips: (n) => n,
  nearest_five: (n) => Math.floor((n + 2) / 5) * 5,
  fifths_nearest: (n) => Math.floor((n + 2) / 5),
  fifths_up: (n) => Math.floor((n + 4) / 5),
  one: (n) => n,
};

const nothing = () => 0;
const others = (weights, side) => sum(weights) - weights[side];
const othersLessOwn = (weights, side) => Math.max(0, sum(weights) - 2 * weights[side]);
const heavierLessOwn = (weights, side) => sum(weights.map((weight) => Math.max(0, weight - weights[side])));
const all = (weights) => sum(weights);
const own = (weights, side) => weights[side];

const OUT = { opponents: othersLessOwn, none: nothing, losers: others, table: all, own };
const BLOCKED = {
  total: others,
  difference: othersLessOwn,
  chain: heavierLessOwn,
  none: nothing,
  table: all,
  own,
};

const tooFew = (rules, score, points) => Boolean(rules.opening) && !score && points < rules.opening.points;

export function pointsGiven(rules, score, points) {
  if (rules.exact && score + points > rules.target) return 0;
  return tooFew(rules, score, points) ? 0 : points;
}

// [what a side with this score is given, what is then kept for it]
export function given(rules, score, kept, points, ceiling = null) {
  let got = pointsGiven(rules, score, points + kept);
  if (ceiling !== null) got = Math.max(0, Math.min(got, ceiling - score));
  if (got) return [got, 0];
  return [0, rules.opening?.kept && tooFew(rules, score, points + kept) ? kept + points : kept];
}

export function handPips(rules, hand) {
  const alone = hand.length === 1 ? rules.lone_pips[hand[0]] : undefined;
  return alone ?? sum(hand.map(pips));
}

const bySide = (match, weights) => match.sides.map((side) => sum(side.map((seat) => weights[seat])));

// The seat that wins a blocked round, or null.
export function blockedWinner(match, weights, closer) {
  const rules = match.rules;
  const [seats, compared] = looksAt(match, weights, closer);
  const lightest = least([...compared.values()]);
  let tied = [...compared.keys()].filter((side) => compared.get(side) === lightest);
  if (tied.length > 1) tied = stillTied(match, rules.blocked_tie, tied, closer);
  if (tied.length > 1) return null;
  const mine = seats.filter((seat) => match.sideOf(seat) === tied[0]);
  return mine.reduce((best, seat) =>
    weights[seat] < weights[best] || (weights[seat] === weights[best] && seat < best) ? seat : best,
  );
}

// The seats that are looked at, and what each of their sides weighs.
function looksAt(match, weights, closer) {
  const seats = match.staying().flatMap((side) => match.sides[side]);
  if (match.rules.blocked_winner === "side") {
    const totals = bySide(match, weights);
    return [seats, new Map(match.staying().map((side) => [side, totals[side]]))];
  }
  const looked = match.rules.blocked_winner === "hand" ? seats : fromOn(match, closer).slice(0, 2);
  const lightest = new Map();
  for (const seat of looked) {
    const side = match.sideOf(seat);
    lightest.set(side, Math.min(weights[seat], lightest.get(side) ?? weights[seat]));
  }
  return [looked, lightest];
}

const fromOn = (match, first) =>
  match.seats.map((_, step) => (first + step) % match.seats.length).filter((seat) => !match.gone.has(seat));

function stillTied(match, rule, tied, closer) {
  if (rule === "leader" || rule === "closer") {
    const order = fromOn(match, rule === "leader" ? match.round.leader : closer);
    return order
      .map((seat) => match.sideOf(seat))
      .filter((side) => tied.includes(side))
      .slice(0, 1);
  }
  if (rule !== "lightest_tile") return tied;
  const tiles = tied.map((side) => least(match.sides[side].flatMap((seat) => match.hands[seat].map(pips))));
  return tied.filter((_, i) => tiles[i] === least(tiles));
}

const awarded = (match, rule, side) => {
  if (rule === "chain") return match.staying();
  return rule === "own" ? match.staying().filter((other) => other !== side) : [side];
};

// What each side is to be given for a round that this seat won, before opening, ceiling and exact.
export function bonusesOf(match, blocked, winner, weights, carried, extras) {
  const rules = match.rules;
  const side = match.sideOf(winner);
  const rule = blocked ? rules.blocked_bonus : rules.out_bonus;
  const bonuses = match.sides.map(() => 0);
  if (rules.bonus_unit === "one") bonuses[side] = carried + Number(rule !== "none");
  else {
    const totals = bySide(match, weights);
    for (const each of awarded(match, rule, side)) {
      bonuses[each] = (blocked ? BLOCKED : OUT)[rule](totals, each) + carried;
    }
    for (const each of match.sides.keys()) bonuses[each] = UNITS[rules.bonus_unit](bonuses[each]);
  }
  bonuses[side] += extras;
  return bonuses;
}

// What a block that nobody wins keeps for the next winner.
export function keptBack(rules, weights) {
  if (rules.blocked_tie !== "carry") return 0;
  return rules.bonus_unit === "one" ? 1 : sum(weights);
}

// What a seat earns by going out with this play: [name, points] each.
export function ofLastTile(extras, plays, before) {
  if (plays.length > 1) return [];
  const [tile, end] = plays[0];
  const [high, low] = halves(tile);
  const earned = [];
  if (before !== null && end !== null && !isDouble(tile)) {
    const [left, right] = before.tips.map((tip) => tip.suit);
    if (left !== right && has(tile, left) && has(tile, right))
      earned.push(low ? ["capicua", extras.capicua] : ["capicua_blank", extras.capicua_blank]);
  }
  if (!high) earned.push(["chucha", extras.chucha]);
  return earned.filter(([, points]) => points);
}

// What the winner of a round earns, after so many of the match that had a winner.
export function ofRound(extras, wonBefore, blocked) {
  const earned = [
    ["rounds", extras.rounds?.[wonBefore]],
    ["block", blocked ? extras.block : 0],
  ];
  return earned.filter(([, points]) => points);
}
