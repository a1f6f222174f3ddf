// A record checked (docs/record.md, "The record"): its shape, its seal, every deal, every move, every score.

import { deal } from "./deal.js";
import { indexOf } from "./layout.js";
import { legal } from "./legal.js";
import { Match } from "./match.js";
import { agreeWithPreset, rulesOf } from "./options.js";
import { agree, agreeOnBoneyard, agreeOnHands, isObject, isTime, keys } from "./shape.js";
import { hashed } from "./shuffle.js";
import { Fault, refuse, setOf } from "./tiles.js";

const HEADER = "format match preset rules seats rated seal entropy rounds result".split(" ");
const TIMES = ["started", "ended"];
const ROUND = "number secret attempt lots hands boneyard lead_draws leader named moves end scores".split(" ");
const OPENING = "number secret attempt lots lead_draws leader named".split(" ");
const ON_TURN = ["play", "draw", "pass"];
const PLAIN = ["draw", "pass", "muggins", "resign", "time", "left", "takeover", "abort"];
const KINDS = ["player", "guest", "computer"];
const LEVELS = ["beginner", "casual", "club", "strong", "master"];
const MOST_ROUNDS = 1000;
const KEY = /^[0-9a-f]{64}$/;
const PART = /^(\d{1,2}-\d{1,2})(?:@([LRUD](?:[2-9]|1[0-3])?))?$/;
const TILES = new Set(setOf(12));
const AT_A_TIME = 40; // ms until the page may do something else

// The match that a record tells, played again. Throws a Fault for the first thing that is otherwise. Without `presets`
// (options.js) it is not asked whether the rules are those of the preset.
export async function verify(record, presets = null) {
  header(record);
  const rules = rulesOf(record.rules);
  if (presets !== null) agreeWithPreset(record.preset, rules, presets);
  refuse(rules.players.includes(record.seats.length), "seats");
  const match = new Match(rules, record.seats, record.entropy);
  const listed = record.rounds.some((told) => told.moves.some((row) => Object.hasOwn(row, "legal")));
  const rest = resting();
  let before = record.seal;
  for (const [index, told] of record.rounds.entries()) {
    try {
      await round(match, index + 1, told, before, listed, rest);
    } catch (fault) {
      throw at(fault, index + 1);
    }
    before = told.secret;
  }
  refuse(match.result !== null, "goes_on");
  agree(record.result, match.result, "result");
  return match;
}

export const isKey = (value) => typeof value === "string" && KEY.test(value);

function header(record) {
  refuse(isObject(record), "no_record");
  refuse(record.format === "domino-record/1", "format");
  keys(record, HEADER, TIMES);
  for (const name of ["seats", "rounds"])
    refuse(Array.isArray(record[name]) && record[name].length > 0, "shape", { name });
  refuse(typeof record.match === "string", "shape", { name: "match" });
  refuse(typeof record.rated === "boolean", "shape", { name: "rated" });
  refuse(typeof record.entropy === "string" && /^[\0-\x7f]*$/.test(record.entropy), "shape", {
    name: "entropy",
  });
  refuse(isKey(record.seal), "shape", { name: "seal" });
  for (const name of TIMES)
    refuse((record[name] ?? null) === null || isTime(record[name]), "shape", { name });
  for (const [n, seat] of record.seats.entries()) refuse(isSeat(seat), "no_player", { n });
  if (record.rounds.length > MOST_ROUNDS) throw at(new Fault("over"), MOST_ROUNDS + 1);
  for (const [index, told] of record.rounds.entries()) shapeOfRound(told, index);
}

function isSeat(seat) {
  if (!isObject(seat) || Object.keys(seat).sort().join() !== "kind,level,name") return false;
  const { name, kind, level } = seat;
  if (typeof name !== "string" || !name.trim() || !KINDS.includes(kind)) return false;
  return level === null || (kind === "computer" && LEVELS.includes(level));
}

function shapeOfRound(told, index) {
  try {
    refuse(isObject(told), "no_round");
    keys(told, ROUND);
    refuse(Array.isArray(told.moves), "shape", { name: "moves" });
    refuse(isKey(told.secret), "shape", { name: "secret" });
  } catch (fault) {
    throw at(fault, index + 1);
  }
  const nth = told.moves.findIndex((row) => !isObject(row));
  if (nth >= 0) throw at(new Fault("not_a_move"), index + 1, nth + 1);
}

async function round(match, number, told, before, listed, rest) {
  refuse(match.result === null, "over");
  refuse((await hashed(told.secret)) === before, "key");
  const due = await deal(match, number, told.secret, match.ended.at(-1) ?? null);
  agreeOnHands(told.hands, due.hands, match.seats);
  agreeOnBoneyard(told.boneyard, due.boneyard);
  for (const name of OPENING) agree(told[name], due[name], name);
  match.begin(due);
  for (const [index, row] of told.moves.entries()) {
    try {
      step(match, row, listed);
    } catch (fault) {
      throw at(fault, number, index + 1);
    }
    await rest();
  }
  refuse(match.over !== null, "round_goes_on");
  agree(told.end, match.over.end, "end");
  agree(told.scores, match.over.scores, "scores");
}

// A function that lets the page do something else, if it has had to wait for long.
function resting() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < AT_A_TIME) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}

function step(match, row, listed) {
  refuse(match.over === null, "over");
  const move = parsed(row.move);
  const open = listed && row.seat === match.turn && ON_TURN.includes(move.kind);
  const also = open ? { legal: legal(match, row.seat) } : {};
  const due = { ...match.move(row.seat, move, row.claim ?? null), ...also };
  keys(row, ["seat", "move", ...Object.keys(due)], ["at"]);
  refuse(!Object.hasOwn(row, "at") || isTime(row.at), "shape", { name: "at" });
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
  const ends = plays.map(([, end]) => (end === null ? -1 : indexOf(end)));
  refuse(
    ends.every((end, i) => i === 0 || end > ends[i - 1]),
    "not_a_move",
  );
  return { kind: "play", plays };
}

// Where a fault is.
function at(fault, round, move = null) {
  if (!(fault instanceof Fault)) return fault;
  fault.round ??= round;
  fault.move ??= move;
  return fault;
}
