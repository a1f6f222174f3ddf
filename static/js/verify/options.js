// Validation of a record's rules (docs/rules.md, "The options").

import { OPTION_CONFLICTS } from "./conflicts.js";
import { ensure, setOf } from "./tiles.js";
import { canonicalJson, checkKeys, excerpt, isObject } from "./validation.js";

const SEATS = [2, 3, 4];
const MAX_NUMBER = 1_000_000;
const MAX_ROUNDS = 1000;
const MAX_ROUND_EXTRAS = 10;
const TILES = new Set(setOf(12));

const DEFAULTS = {
  max_doubles: null,
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
  goal: "reach",
  past_target: "award",
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

const EXTRAS = "capicua capicua_blank chucha pass_lead pass_round block".split(" ");

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
  rounds: anyOf(isNull, isNumberFrom(1, MAX_ROUNDS - 1)),
};

// Return the rules of a record with all defaults. Throw a Fault for an invalid option.
export function parseRules(values) {
  ensure(isObject(values), "shape", { name: "rules" });
  const named = Object.keys(OPTIONS).filter((name) => !Object.hasOwn(DEFAULTS, name));
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

const isEqual = (one, other) => canonicalJson(one) === canonicalJson(other);

// Throw a Fault unless the rules are the preset's: its own with variants, or of an earlier version; either with another
// rated target. The presets: `usual` has the rules of one game; `games` has by preset id what differs from it.
export function checkPreset(id, rules, presets) {
  if (id === null) return;
  ensure(typeof id === "string" && Object.hasOwn(presets.games, id), "no_preset", { told: excerpt(id) });
  const { differing, targets, earlier, variants, together } = presets.games[id];
  const current = { ...presets.usual, ...differing };
  const target = isRated(targets, rules.target) ? rules.target : current.target;
  const versions = earlier.map((options) => ({ ...current, ...options, target }));
  if (versions.some((version) => isEqual(version, rules))) return;
  const isOwn = (option) =>
    isEqual(rules[option], option === "target" ? target : current[option]) ||
    variants[option]?.some((value) => isEqual(value, rules[option]));
  const incomplete = together.find((group) => isPartOf(group, rules));
  const name =
    Object.keys(OPTIONS).find((option) => !isOwn(option)) ??
    Object.keys(incomplete ?? {}).find((option) => !isEqual(rules[option], incomplete[option]));
  if (name === undefined) return;
  ensure(false, "preset", { name, told: excerpt(rules[name]), due: excerpt(current[name]), preset: id });
}

const isRated = ({ usual, start, end }, target) =>
  target !== null && (usual.includes(target) || (start <= target && target <= end));

// Return whether the rules have some, but not all, of the values that go together.
function isPartOf(group, rules) {
  const present = Object.entries(group).filter(([option, value]) => isEqual(rules[option], value));
  return present.length > 0 && present.length < Object.keys(group).length;
}
