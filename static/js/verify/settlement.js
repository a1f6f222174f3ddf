// Points at the end of a round (docs/rules.md, "The end of a round").

import { halves, has, isDouble, min, pips, sum } from "./tiles.js";

const UNITS = {
  pips: (n) => n,
  nearest_five: (n) => Math.floor((n + 2) / 5) * 5,
  fifths_nearest: (n) => Math.floor((n + 2) / 5),
  fifths_up: (n) => Math.floor((n + 4) / 5),
  one: (n) => n,
};

const zero = () => 0;
const others = (weights, side) => sum(weights) - weights[side];
const othersLessOwn = (weights, side) => Math.max(0, sum(weights) - 2 * weights[side]);
const heavierLessOwn = (weights, side) => sum(weights.map((weight) => Math.max(0, weight - weights[side])));
const all = (weights) => sum(weights);
const own = (weights, side) => weights[side];

const OUT = { opponents: othersLessOwn, none: zero, losers: others, table: all, own };
const BLOCKED = {
  total: others,
  difference: othersLessOwn,
  chain: heavierLessOwn,
  none: zero,
  table: all,
  own,
};

export const unitOfBlock = (rules) => rules.blocked_unit ?? rules.bonus_unit;

const tooFew = (rules, score, points) => Boolean(rules.opening) && !score && points < rules.opening.points;

export const passesTarget = (rules, score, points) => rules.exact && score + points > rules.target;

export function awardablePoints(rules, score, points) {
  if (passesTarget(rules, score, points)) return 0;
  return tooFew(rules, score, points) ? 0 : points;
}

// Return [points added to the score, points kept until the side opens].
export function computeAward(rules, score, kept, points, ceiling = null) {
  let granted = awardablePoints(rules, score, points + kept);
  if (ceiling !== null) granted = Math.max(0, Math.min(granted, ceiling - score));
  if (granted) return [granted, 0];
  return [0, rules.opening?.kept && tooFew(rules, score, points + kept) ? kept + points : kept];
}

export function handPips(rules, hand) {
  const alone = hand.length === 1 ? rules.lone_pips[hand[0]] : undefined;
  return alone ?? sum(hand.map(pips));
}

const bySide = (match, weights) => match.sides.map((side) => sum(side.map((seat) => weights[seat])));

// Return the seat that wins a blocked round, or null.
export function blockedWinner(match, weights, closer) {
  const rules = match.rules;
  const [seats, compared] = weighSides(match, weights, closer);
  const lightest = min([...compared.values()]);
  let tied = [...compared.keys()].filter((side) => compared.get(side) === lightest);
  if (tied.length > 1) tied = breakTie(match, rules.blocked_tie, tied, closer);
  if (tied.length > 1) return null;
  const winners = seats.filter((seat) => match.sideOf(seat) === tied[0]);
  return winners.reduce((lightestSeat, seat) =>
    weights[seat] < weights[lightestSeat] || (weights[seat] === weights[lightestSeat] && seat < lightestSeat)
      ? seat
      : lightestSeat,
  );
}

// Return the seats that are compared, and a Map of each of their sides to its pips.
function weighSides(match, weights, closer) {
  const seats = match.remainingSides().flatMap((side) => match.sides[side]);
  if (match.rules.blocked_winner === "side") {
    const totals = bySide(match, weights);
    return [seats, new Map(match.remainingSides().map((side) => [side, totals[side]]))];
  }
  const comparedSeats = match.rules.blocked_winner === "hand" ? seats : seatsFrom(match, closer).slice(0, 2);
  const lightest = new Map();
  for (const seat of comparedSeats) {
    const side = match.sideOf(seat);
    lightest.set(side, Math.min(weights[seat], lightest.get(side) ?? weights[seat]));
  }
  return [comparedSeats, lightest];
}

const seatsFrom = (match, first) =>
  match.seats.map((_, step) => (first + step) % match.seats.length).filter((seat) => !match.gone.has(seat));

function breakTie(match, rule, tied, closer) {
  if (rule === "leader" || rule === "closer") {
    const order = seatsFrom(match, rule === "leader" ? match.round.leader : closer);
    return order
      .map((seat) => match.sideOf(seat))
      .filter((side) => tied.includes(side))
      .slice(0, 1);
  }
  if (rule !== "lightest_tile") return tied;
  const tiles = tied.map((side) => min(match.sides[side].flatMap((seat) => match.hands[seat].map(pips))));
  return tied.filter((_, i) => tiles[i] === min(tiles));
}

const awardedSides = (match, rule, side) => {
  if (rule === "chain") return match.remainingSides();
  return rule === "own" ? match.remainingSides().filter((other) => other !== side) : [side];
};

// Return the bonus of each side for a round that `winner` won. `opening`, `bonus_ceiling` and `exact` are not applied.
export function roundBonuses(match, blocked, winner, weights, carried, extras) {
  const rules = match.rules;
  const side = match.sideOf(winner);
  const outBonus = takesFromScore(match) ? "losers" : rules.out_bonus;
  const rule = blocked ? rules.blocked_bonus : outBonus;
  const unit = blocked ? unitOfBlock(rules) : rules.bonus_unit;
  const bonuses = match.sides.map(() => 0);
  if (unit === "one") bonuses[side] = carried + Number(rule !== "none");
  else {
    const totals = bySide(match, weights);
    for (const each of awardedSides(match, rule, side)) {
      bonuses[each] = (blocked ? BLOCKED : OUT)[rule](totals, each) + carried;
    }
    for (const each of match.sides.keys()) bonuses[each] = UNITS[unit](bonuses[each]);
  }
  if (blocked && rules.blocked_double) bonuses[side] *= 2;
  bonuses[side] += extras;
  return bonuses;
}

// Return the points that a tied block carries to the next winner.
export function pointsCarried(rules, weights) {
  if (rules.blocked_tie !== "carry") return 0;
  return unitOfBlock(rules) === "one" ? 1 : sum(weights);
}

// Return whether the next round is led like the first, under `reset`.
export function isLevel(match, scores) {
  const levels = { none: [], all_scored: [0], one_all: [0, 1] }[match.rules.reset];
  return levels.some((level) => match.remainingSides().every((side) => scores[side] === level));
}

// Return what each side loses under `reset` after a round, or null.
export function lostByReset(match) {
  const { scores, scoresAtStart: before } = match;
  const sides = match.remainingSides();
  if (match.rules.reset === "none" || match.isTargetReached() || sides.some((side) => !scores[side]))
    return null;
  if (match.rules.reset === "one_all") {
    if (sides.every((side) => scores[side] === 1)) return null;
    if (sides.every((side) => before[side] === 1)) {
      const lost = scores.map((score, side) => (score === before[side] ? score : 0));
      return lost.some(Boolean) ? lost : null;
    }
  }
  return [...scores];
}

const takesFromScore = (match) =>
  match.rules.partner_pips !== "bonus" && match.sides.length < match.seats.length;

// Return what the partner's tiles cost the score of the side of `winner`, who went out.
export function pipsTaken(match, winner, weights) {
  if (!takesFromScore(match)) return 0;
  const own = sum(match.sides[match.sideOf(winner)].map((seat) => weights[seat]));
  return match.rules.partner_pips === "score" ? own : UNITS[match.rules.bonus_unit](own);
}

// Return the extras for going out with this play, as [name, points].
export function lastTileExtras(extras, plays, before) {
  if (plays.length > 1) return [];
  const [tile, end] = plays[0];
  const [high, low] = halves(tile);
  const earned = [];
  if (before !== null && end !== null) {
    const [left, right] = before.tips.map((tip) => tip.suit);
    const fitsBoth = (left !== right || isDouble(tile)) && has(tile, left) && has(tile, right);
    if (isDouble(tile) && fitsBoth && extras.capicua_double)
      earned.push(["capicua_double", extras.capicua_double]);
    else if (isDouble(tile)) earned.push(["double", extras.double]);
    else if (fitsBoth)
      earned.push(low ? ["capicua", extras.capicua] : ["capicua_blank", extras.capicua_blank]);
  }
  if (!high) earned.push(["chucha", extras.chucha]);
  return earned.filter(([, points]) => points);
}

// Return the extras of the round's winner, as [name, points]. `wonBefore` counts earlier rounds with a winner.
export function roundExtras(extras, wonBefore, blocked) {
  const earned = [
    ["rounds", extras.rounds?.[wonBefore]],
    ["block", blocked ? extras.block : 0],
  ];
  return earned.filter(([, points]) => points);
}
