// What the options of a game may be (docs/rules.md, "The options"): nothing is dealt by rules that are none.

import { isObject, keys, short, text } from "./shape.js";
import { refuse, setOf } from "./tiles.js";
import { IMPOSSIBLE } from "./together.js";

const SEATS = [2, 3, 4];
const LARGEST = 1_000_000;
const MOST_ROUNDS = 10;
const TILES = new Set(setOf(12));

const DEFAULTS = {
  max_doubles: null,
  two_doubles: false,
  blocked_winner: "side",
  extras: {},
  opening: null,
  lone_pips: {},
};

const flag = (value) => typeof value === "boolean";
const number = (least) => (value) => Number.isInteger(value) && least <= value && value <= LARGEST;
const none = (value) => value === null;
const either = (one, other) => (value) => one(value) || other(value);
const among = (values) => (value) => values.includes(value);
const word = (values) => among(values.split(" "));
const tile = (value) => TILES.has(value);
const every = (value, fits) => isObject(value) && Object.values(value).every(fits);
const bySeats = (least) => (value) =>
  every(value, number(least)) && text(Object.keys(value)) === text(["2", "3", "4"]);
const nextLead = word("winner first rotate");

const players = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((seats, i) => SEATS.includes(seats) && (i === 0 || seats > value[i - 1]));

const EXTRAS = "capicua capicua_blank chucha pass_lead pass_round block".split(" ");

function extras(value) {
  if (!isObject(value)) return false;
  const { rounds, ...numbers } = value;
  const named = Object.keys(numbers).every((name) => EXTRAS.includes(name));
  return named && every(numbers, number(1)) && (!Object.hasOwn(value, "rounds") || isOfRounds(rounds));
}

// No zeros at its end.
const isOfRounds = (value) =>
  Array.isArray(value) && value.length <= MOST_ROUNDS && value.every(number(0)) && value.at(-1) > 0;

const opening = (value) =>
  isObject(value) &&
  text(Object.keys(value).sort()) === text(["kept", "points"]) &&
  number(1)(value.points) &&
  flag(value.kept);

const lonePips = (value) => every(value, number(1)) && Object.keys(value).every(tile);

const OPTIONS = {
  set: among([6, 9, 12]),
  players,
  partners: flag,
  hand_size: bySeats(1),
  max_same_suit: either(none, number(3)),
  max_doubles: either(none, number(2)),
  first_lead: word("lot highest_double lowest_double double_from_1 tile"),
  lead_tile: either(none, tile),
  lead_with: word("any named scoring"),
  next_lead: nextLead,
  next_lead_after_block: nextLead,
  spinner: word("none first first_enclosed first_open cross every"),
  draw: word("none until_playable free"),
  reserve: bySeats(0),
  pass: word("stuck free always"),
  many_ends: flag,
  two_doubles: flag,
  count: word("none fives fives_by_one fives_threes matching"),
  claims: word("automatic muggins"),
  out_bonus: word("opponents none losers table own"),
  out_points: number(0),
  blocked_bonus: word("total difference chain none table own"),
  blocked_winner: word("side hand closer"),
  blocked_tie: word("lightest_tile nobody leader closer carry"),
  bonus_unit: word("pips nearest_five fifths_nearest fifths_up one"),
  bonus_ceiling: either(none, number(1)),
  extras,
  opening: either(none, opening),
  lone_pips: lonePips,
  team_difference: flag,
  target: number(1),
  exact: flag,
  finish: word("at_once round_end"),
  lowest_wins: flag,
  extra_rounds: word("one players"),
};

// The rules that a record tells, every option with its value.
export function rulesOf(told) {
  refuse(isObject(told), "shape", { name: "rules" });
  const named = Object.keys(OPTIONS).filter((name) => !Object.hasOwn(DEFAULTS, name));
  keys(told, named, Object.keys(DEFAULTS), "rules.");
  for (const [name, value] of Object.entries(told)) {
    refuse(OPTIONS[name](value), "option", { name, told: short(value) });
    const left = Object.hasOwn(DEFAULTS, name) && text(value) === text(DEFAULTS[name]);
    refuse(!left, "unknown", { name: `rules.${name}` });
  }
  const rules = { ...DEFAULTS, ...told };
  for (const [name, impossible] of IMPOSSIBLE) refuse(!impossible(rules), "together", { name });
  return rules;
}

// Refuses rules that are not those of the preset: its own, with another of its targets, or earlier ones. `presets` has
// the options of one game, and by id what each has otherwise.
export function agreeWithPreset(id, rules, presets) {
  if (id === null) return;
  refuse(typeof id === "string" && Object.hasOwn(presets.games, id), "no_preset", { told: short(id) });
  const { differing, targets, earlier } = presets.games[id];
  const own = { ...presets.usual, ...differing };
  const all = [own, ...earlier.map((options) => ({ ...own, ...options }))];
  if (targets.includes(rules.target)) all.push({ ...own, target: rules.target });
  if (all.some((each) => text(each) === text(rules))) return;
  const nearest = targets.includes(rules.target) ? all.at(-1) : own;
  const name = Object.keys(OPTIONS).find((option) => text(rules[option]) !== text(nearest[option]));
  refuse(false, "preset", { name, told: short(rules[name]), due: short(nearest[name]), preset: id });
}
