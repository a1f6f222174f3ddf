// Validation of a record's rules (docs/rules.md, "The options", "What does not go together").

import { unitOfBlock } from "./settlement.js";
import { ensure, halves, isDouble, setOf } from "./tiles.js";
import { canonicalJson, checkKeys, excerpt, isObject } from "./validation.js";

const SEATS = [2, 3, 4];
const MAX_NUMBER = 1_000_000;
const MAX_ROUNDS = 1000;
const MAX_ROUND_EXTRAS = 10;
const TILES = new Set(setOf(12));

const DEFAULTS = {
  max_doubles: null,
  asleep: null,
  two_doubles: false,
  blocked_winner: "side",
  extras: {},
  opening: null,
  lone_pips: {},
  lead_draws: "reserve",
  call_last: false,
  partner_pips: "bonus",
  partners_out: "one",
  blocked_unit: null,
  blocked_double: false,
  goal: "reach",
  past_target: "award",
  reset: "none",
  rounds: null,
};

const isBoolean = (value) => typeof value === "boolean";
const isNumberFrom =
  (minimum, maximum = MAX_NUMBER) =>
  (value) =>
    Number.isInteger(value) && minimum <= value && value <= maximum;
const isNull = (value) => value === null;
const anyOf = (one, other) => (value) => one(value) || other(value);
const oneOf = (values) => (value) => values.includes(value);
const oneWordOf = (values) => oneOf(values.split(" "));
const isTile = (value) => TILES.has(value);
const allValues = (value, fits) => isObject(value) && Object.values(value).every(fits);
const isNumberBySeats = (minimum) => (value) =>
  allValues(value, isNumberFrom(minimum)) &&
  canonicalJson(Object.keys(value)) === canonicalJson(["2", "3", "4"]);
const isNextLead = oneWordOf("winner first rotate");
const isUnit = oneWordOf("pips nearest_five fifths_nearest fifths_up one");

const arePlayerCounts = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((seats, i) => SEATS.includes(seats) && (i === 0 || seats > value[i - 1]));

const CAPICUAS = ["capicua", "capicua_blank", "capicua_double"];
const EXTRAS = "capicua capicua_blank capicua_double double chucha pass_lead pass_round block".split(" ");

function areExtras(value) {
  if (!isObject(value)) return false;
  const { rounds, ...numbers } = value;
  const named = Object.keys(numbers).every((name) => EXTRAS.includes(name));
  return (
    named &&
    allValues(numbers, isNumberFrom(1)) &&
    (!Object.hasOwn(value, "rounds") || areRoundExtras(rounds))
  );
}

// The last entry is not zero.
const areRoundExtras = (value) =>
  Array.isArray(value) &&
  value.length <= MAX_ROUND_EXTRAS &&
  value.every(isNumberFrom(0)) &&
  value.at(-1) > 0;

const isOpening = (value) =>
  isObject(value) &&
  canonicalJson(Object.keys(value).sort()) === canonicalJson(["kept", "points"]) &&
  isNumberFrom(1)(value.points) &&
  isBoolean(value.kept);

const areLonePips = (value) => allValues(value, isNumberFrom(1)) && Object.keys(value).every(isTile);

const OPTIONS = {
  set: oneOf([6, 9, 12]),
  players: arePlayerCounts,
  partners: isBoolean,
  hand_size: isNumberBySeats(1),
  max_same_suit: anyOf(isNull, isNumberFrom(3)),
  max_doubles: anyOf(isNull, isNumberFrom(2)),
  asleep: anyOf(isNull, isTile),
  first_lead: oneWordOf("lot highest_double lowest_double double_from_1 tile"),
  lead_tile: anyOf(isNull, isTile),
  lead_draws: oneWordOf("reserve all"),
  lead_with: oneWordOf("any named scoring"),
  next_lead: isNextLead,
  next_lead_after_block: isNextLead,
  spinner: oneWordOf("none first first_enclosed first_open cross every"),
  draw: oneWordOf("none until_playable free"),
  reserve: isNumberBySeats(0),
  pass: oneWordOf("stuck free always"),
  many_ends: isBoolean,
  two_doubles: isBoolean,
  count: oneWordOf("none fives fives_by_one fives_threes matching"),
  claims: oneWordOf("automatic muggins"),
  call_last: isBoolean,
  partners_out: oneWordOf("one both"),
  out_bonus: oneWordOf("opponents none losers table own"),
  partner_pips: oneWordOf("bonus score score_unit"),
  out_points: isNumberFrom(0),
  blocked_bonus: oneWordOf("total difference chain none table own"),
  blocked_winner: oneWordOf("side hand closer"),
  blocked_tie: oneWordOf("lightest_tile nobody leader closer carry"),
  bonus_unit: isUnit,
  blocked_unit: anyOf(isNull, isUnit),
  blocked_double: isBoolean,
  bonus_ceiling: anyOf(isNull, isNumberFrom(1)),
  extras: areExtras,
  opening: anyOf(isNull, isOpening),
  lone_pips: areLonePips,
  team_difference: isBoolean,
  target: anyOf(isNull, isNumberFrom(1)),
  goal: oneWordOf("reach exceed"),
  exact: isBoolean,
  past_target: oneWordOf("award round"),
  finish: oneWordOf("at_once round_end"),
  lowest_wins: isBoolean,
  extra_rounds: oneWordOf("one players"),
  reset: oneWordOf("none all_scored one_all"),
  rounds: anyOf(isNull, isNumberFrom(1, MAX_ROUNDS - 1)),
};

export const OPTION_NAMES = Object.keys(OPTIONS);

const forSomePlayers = (rules, isUnfit) => rules.players.some((seats) => isUnfit(seats));
const tilesLeft = (rules, seats) => setOf(rules.set).length - seats * rules.hand_size[seats];
const isInSet = (rules, tile) => halves(tile)[0] <= rules.set;
const chargesOwnPips = (rules) => rules.out_bonus === "own" || rules.blocked_bonus === "own";

// A cross needs a named double as the lead of every round.
function crossLacksDoubleLead(rules) {
  if (rules.spinner !== "cross") return false;
  const everyRound = rules.next_lead === "first" && rules.next_lead_after_block === "first";
  const plain = rules.lead_tile !== null && !isDouble(rules.lead_tile);
  return !everyRound || rules.lead_with !== "named" || rules.first_lead === "lot" || plain;
}

function isScoringImpossible(rules, seats) {
  const smallest = Math.min(...smallestAwards(rules, seats));
  return smallest === Number.POSITIVE_INFINITY || (rules.exact && smallest > (rules.target ?? 0));
}

// Return the smallest positive award of each way of scoring. With one tile each, the leader goes out with the lead:
// nobody passes, no round is blocked, and no tile joins two ends.
function smallestAwards(rules, seats) {
  const goesOutWithLead = rules.hand_size[seats] === 1;
  const { rounds = [], ...extras } = rules.extras;
  const awards = [rules.out_points, ...rounds];
  if (rules.count !== "none") awards.push({ fives: 5, matching: 2 }[rules.count] ?? 1);
  if (rules.out_bonus !== "none") awards.push(smallestBonus(rules.bonus_unit));
  if (rules.blocked_bonus !== "none" && !goesOutWithLead)
    awards.push(smallestBonus(unitOfBlock(rules)) * (rules.blocked_double ? 2 : 1));
  for (const [name, points] of Object.entries(extras)) {
    const isImpossible = goesOutWithLead || (name === "pass_lead" && seats === 2);
    if (name === "chucha" || !isImpossible) awards.push(points);
  }
  return awards.filter((points) => points > 0);
}

// Return whether no score can pass the ceiling of bonuses and reach the target, however many rounds are played.
function staysUnderCeiling(rules, seats) {
  const { bonus_ceiling: ceiling, target, goal, extras } = rules;
  if (ceiling === null || target === null || rules.rounds !== null) return false;
  if (ceiling >= target + (goal === "exceed" ? 1 : 0) || rules.count !== "none" || rules.out_points > 0)
    return false;
  const givesForPasses = extras.pass_round > 0 || (seats > 2 && extras.pass_lead > 0);
  return !(givesForPasses && rules.hand_size[seats] > 1);
}

const smallestBonus = (unit) => (unit === "nearest_five" ? 5 : 1);

const DEAL_CONFLICTS = [
  ["hand_size", (r) => forSomePlayers(r, (seats) => tilesLeft(r, seats) < 0)],
  ["reserve", (r) => forSomePlayers(r, (seats) => r.reserve[seats] > tilesLeft(r, seats))],
  [
    "max_doubles",
    (r) =>
      r.max_doubles !== null &&
      forSomePlayers(r, (seats) => 2 * r.hand_size[seats] > r.max_doubles * (r.set + 2)),
  ],
  ["max_same_suit", (r) => r.max_same_suit !== null && forSomePlayers(r, (seats) => r.hand_size[seats] > 9)],
  ["lead_tile", (r) => (r.lead_tile === null) === (r.first_lead === "tile")],
  ["lead_tile", (r) => r.lead_tile !== null && !isInSet(r, r.lead_tile)],
  ["lead_draws", (r) => r.lead_draws === "all" && r.first_lead !== "tile"],
  ["lone_pips", (r) => Object.keys(r.lone_pips).some((tile) => !isInSet(r, tile))],
  ["asleep", (r) => r.asleep !== null && (!isInSet(r, r.asleep) || r.asleep === r.lead_tile)],
  ["asleep", (r) => r.asleep !== null && (r.draw !== "none" || r.lead_draws === "all")],
  [
    "asleep",
    (r) => r.asleep !== null && forSomePlayers(r, (seats) => tilesLeft(r, seats) > 0 && !r.reserve[seats]),
  ],
  ["lead_with", (r) => r.lead_with === "named" && r.first_lead === "lot"],
  ["spinner", crossLacksDoubleLead],
];

const countsFives = (r) => r.count === "fives" || r.count === "fives_by_one";

const PLAY_CONFLICTS = [
  ["count", (r) => r.count === "matching" && r.spinner !== "none"],
  ["claims", (r) => r.claims === "muggins" && r.count === "none"],
  ["call_last", (r) => r.call_last && r.claims !== "muggins"],
  ["partners_out", (r) => r.partners_out === "both" && !r.partners],
  ["many_ends", (r) => r.many_ends && (!countsFives(r) || r.spinner === "every")],
  ["lead_with", (r) => r.lead_with === "scoring" && !countsFives(r)],
  ["two_doubles", (r) => r.two_doubles && (r.spinner !== "none" || r.count !== "none")],
  ["extras", (r) => r.spinner !== "none" && CAPICUAS.some((name) => r.extras[name])],
  ["extras", (r) => (r.draw !== "none" || r.pass !== "stuck") && (r.extras.pass_lead || r.extras.pass_round)],
];

const BONUS_CONFLICTS = [
  ["blocked_bonus", (r) => r.blocked_bonus === "own" && r.out_bonus !== "own"],
  ["out_bonus", (r) => r.out_bonus === "own" && !["own", "none"].includes(r.blocked_bonus)],
  ["out_bonus", (r) => chargesOwnPips(r) && (!r.lowest_wins || r.count !== "none" || r.out_points > 0)],
  ["out_bonus", (r) => chargesOwnPips(r) && (Object.keys(r.extras).length > 0 || r.bonus_unit !== "pips")],
  ["bonus_unit", (r) => r.bonus_unit === "one" && r.blocked_bonus === "chain" && r.blocked_unit === null],
  ["blocked_unit", (r) => r.blocked_unit !== null && ["none", "own"].includes(r.blocked_bonus)],
  ["blocked_unit", (r) => r.blocked_unit === "one" && r.blocked_bonus === "chain"],
  [
    "blocked_unit",
    (r) => r.blocked_tie === "carry" && (r.bonus_unit === "one") !== (unitOfBlock(r) === "one"),
  ],
  ["blocked_double", (r) => r.blocked_double && ["none", "own", "chain"].includes(r.blocked_bonus)],
  ["blocked_winner", (r) => r.blocked_tie === "lightest_tile" && r.blocked_winner !== "side"],
  ["blocked_tie", (r) => r.blocked_tie === "carry" && ["chain", "none"].includes(r.blocked_bonus)],
  ["opening", (r) => r.opening !== null && r.target !== null && r.opening.points > r.target],
  ["opening", (r) => r.opening !== null && (r.team_difference || r.count === "matching")],
  ["opening", (r) => r.opening !== null && [r.bonus_unit, r.blocked_unit].includes("one")],
  ["opening", (r) => r.opening?.kept && r.claims === "muggins"],
  ["partner_pips", (r) => r.partner_pips !== "bonus" && (!r.partners || r.out_bonus !== "opponents")],
  ["partner_pips", (r) => r.partner_pips !== "bonus" && (r.team_difference || r.opening !== null)],
  [
    "partner_pips",
    (r) => r.partner_pips !== "bonus" && (r.bonus_unit === "one" || r.partners_out === "both"),
  ],
];

const FINISH_CONFLICTS = [
  [
    "target",
    (r) =>
      r.target === null &&
      (r.rounds === null ||
        r.exact ||
        r.bonus_ceiling !== null ||
        r.opening !== null ||
        r.finish === "at_once"),
  ],
  ["goal", (r) => r.goal === "exceed" && r.exact],
  ["past_target", (r) => r.past_target === "round" && !r.exact],
  ["bonus_ceiling", (r) => forSomePlayers(r, (seats) => staysUnderCeiling(r, seats))],
  ["exact", (r) => r.exact && (r.finish === "round_end" || r.bonus_ceiling !== null)],
  ["lowest_wins", (r) => r.lowest_wins && (r.exact || r.finish === "at_once")],
  [
    "team_difference",
    (r) =>
      r.team_difference &&
      (r.finish === "at_once" || !r.partners || r.players.length > 1 || r.players[0] !== 4),
  ],
  ["reset", (r) => r.reset !== "none" && (r.finish === "at_once" || r.lowest_wins || r.opening !== null)],
  ["reset", (r) => r.reset !== "none" && (r.team_difference || r.partner_pips !== "bonus")],
  ["count", (r) => forSomePlayers(r, (seats) => isScoringImpossible(r, seats))],
];

// [option at fault, predicate]; the first match is reported.
const OPTION_CONFLICTS = [...DEAL_CONFLICTS, ...PLAY_CONFLICTS, ...BONUS_CONFLICTS, ...FINISH_CONFLICTS];

// Return the rules of a record with all defaults. Throw a Fault for an invalid option.
export function parseRules(values) {
  ensure(isObject(values), "shape", { name: "rules" });
  const named = OPTION_NAMES.filter((name) => !Object.hasOwn(DEFAULTS, name));
  checkKeys(values, named, Object.keys(DEFAULTS), "rules.");
  for (const [name, value] of Object.entries(values)) {
    ensure(OPTIONS[name](value), "option", { name, told: excerpt(value) });
    const isDefault = Object.hasOwn(DEFAULTS, name) && canonicalJson(value) === canonicalJson(DEFAULTS[name]);
    ensure(!isDefault, "unknown", { name: `rules.${name}` });
  }
  const rules = { ...DEFAULTS, ...values };
  for (const [name, conflictsWith] of OPTION_CONFLICTS) ensure(!conflictsWith(rules), "together", { name });
  return rules;
}
