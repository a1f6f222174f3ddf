// A record checked (docs/record.md, "The record"): its shape, its seal, every deal, every move, every score.

import { deal } from "./deal.js";
import { Match } from "./match.js";
import { hashed } from "./shuffle.js";
import { Fault, refuse, setOf } from "./tiles.js";

const DEFAULTS = {
  max_doubles: null,
  two_doubles: false,
  blocked_winner: "side",
  extras: {},
  opening: null,
  lone_pips: {},
};
const HEADER = "format match preset rules seats rated seal entropy rounds result".split(" ");
const ROUND = "number secret attempt lots hands boneyard lead_draws leader named moves end scores".split(" ");
const OPENING = ROUND.slice(0, 9);
const PLAIN = ["draw", "pass", "muggins", "resign", "time", "left", "takeover", "abort"];
const KEY = /^[0-9a-f]{64}$/;
const PART = /^(\d{1,2}-\d{1,2})(?:@([LRUD](?:[2-9]|1[0-3])?))?$/;
const TILES = new Set(setOf(12));

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// JSON with sorted keys: equal values are equal texts.
function text(value) {
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${text(value[name])}`).join(",")}}`;
}

function agree(told, due, name) {
  if (told === undefined || text(told) !== text(due))
    throw new Fault("differs", {
      name,
      told: told === undefined ? "–" : text(told).slice(0, 200),
      due: text(due),
    });
}

function keys(value, needed, allowed = []) {
  refuse(isObject(value), "shape", { name: "{}" });
  for (const name of needed) refuse(name in value, "missing", { name });
  for (const name of Object.keys(value))
    refuse(needed.includes(name) || allowed.includes(name), "unknown", { name });
}

// The match that a record tells, played again. Throws a Fault for the first thing that is otherwise. `tell` is called
// after each round.
export async function verify(record, tell = () => {}) {
  header(record);
  const match = new Match({ ...DEFAULTS, ...record.rules }, record.seats, record.entropy);
  refuse(record.rules.players.includes(record.seats.length), "seats");
  let before = record.seal;
  for (const [index, told] of record.rounds.entries()) {
    try {
      await round(match, index + 1, told, before);
    } catch (fault) {
      throw at(fault, index + 1);
    }
    before = told.secret;
    tell(index + 1);
  }
  refuse(match.result !== null, "goes_on");
  agree(record.result, match.result, "result");
  return match;
}

function header(record) {
  keys(record, HEADER, ["started", "ended"]);
  refuse(record.format === "domino-record/1", "format");
  for (const name of ["seats", "rounds"])
    refuse(Array.isArray(record[name]) && record[name].length, "shape", { name });
  refuse(isObject(record.rules) && Array.isArray(record.rules.players), "shape", { name: "rules" });
  for (const name of Object.keys(DEFAULTS))
    refuse(!(name in record.rules) || text(record.rules[name]) !== text(DEFAULTS[name]), "unknown", { name });
  refuse(typeof record.entropy === "string" && /^[ -~]*$/.test(record.entropy), "shape", { name: "entropy" });
  refuse(KEY.test(record.seal), "shape", { name: "seal" });
}

async function round(match, number, told, before) {
  refuse(match.result === null, "over");
  keys(told, ROUND);
  refuse(KEY.test(told.secret), "shape", { name: "secret" });
  refuse((await hashed(told.secret)) === before, "key");
  const due = await deal(match, number, told.secret, match.ended.at(-1) ?? null);
  for (const name of OPENING) agree(told[name], due[name], name);
  match.begin(due);
  refuse(Array.isArray(told.moves), "shape", { name: "moves" });
  for (const [index, row] of told.moves.entries()) {
    try {
      step(match, row);
    } catch (fault) {
      throw at(fault, number, index + 1);
    }
  }
  refuse(match.over !== null, "round_goes_on");
  agree(told.end, match.over.end, "end");
  agree(told.scores, match.over.scores, "scores");
}

function step(match, row) {
  refuse(match.over === null, "over");
  refuse(isObject(row), "shape", { name: "{}" });
  const due = match.move(row.seat, parsed(row.move), row.claim ?? null);
  keys(row, ["seat", "move", ...Object.keys(due)], ["at", "legal"]);
  for (const name of Object.keys(due)) agree(row[name], due[name], name);
}

function parsed(move) {
  if (PLAIN.includes(move)) return { kind: move, plays: [] };
  refuse(typeof move === "string", "not_a_move");
  const plays = move.split("+").map((part) => {
    const found = PART.exec(part);
    refuse(found && TILES.has(found[1]), "not_a_move");
    return [found[1], found[2] ?? null];
  });
  refuse(new Set(plays.map(([tile]) => tile)).size === plays.length, "not_a_move");
  return { kind: "play", plays };
}

// Where a fault is; whatever else goes wrong is a record that is none.
function at(fault, round, move = null) {
  const told = fault instanceof Fault ? fault : new Fault("shape", { name: String(fault.message) });
  told.round ??= round;
  told.move ??= move;
  return told;
}
