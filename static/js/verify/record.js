// Verification of a record (docs/record.md, "The record"): shape, seal, deals, moves and scores.

import { deal } from "./deal.js";
import { indexOf } from "./layout.js";
import { legalMoves } from "./legal.js";
import { Match } from "./match.js";
import { parseRules } from "./options.js";
import { checkPreset } from "./preset.js";
import { sha256, sha256OfText } from "./shuffle.js";
import { ensure, Fault, setOf } from "./tiles.js";
import {
  checkKeys,
  expectEqual,
  expectEqualBoneyard,
  expectEqualHands,
  isObject,
  isTime,
} from "./validation.js";

const HEADER_KEYS = "format match preset rules seats rated seal entropy rounds result".split(" ");
// Records made outside the site (self-play) have no times, older ones no commitments; those of shared deals name their
// set instead.
const OPTIONAL_KEYS = ["started", "ended", "commitments", "deals"];
const ROUND_KEYS = "number secret attempt lots hands boneyard lead_draws leader named moves end scores".split(
  " ",
);
const DEAL_KEYS = "number secret attempt lots lead_draws leader named".split(" ");
const LISTS_LEGAL = ["play", "draw", "pass", "takeover", "abort", "void"];
const OTHER_MOVES = [
  "draw",
  "pass",
  "muggins",
  "resign",
  "time",
  "left",
  "takeover",
  "abort",
  "close",
  "void",
];
const SEAT_KINDS = ["player", "guest", "computer"];
const LEVELS = ["beginner", "casual", "club", "strong", "master"];
const MAX_ROUNDS = 1000;
const KEY = /^[0-9a-f]{64}$/;
const SET_NAME = /^[a-z0-9-]{1,40}$/;
const NONCE = /^[0-9a-z]{0,64}$/;
const PLAY = /^(\d{1,2}-\d{1,2})(?:@([LRUD](?:[2-9]|1[0-3])?))?$/;
const TILES = new Set(setOf(12));
const MAX_BLOCKING_MS = 40;

// Replay a record and return its match. Throw a Fault for the first difference. Without `presets` (see preset.js) the
// rules are not compared with the preset's.
export async function verify(record, presets = null) {
  checkHeader(record);
  const rules = parseRules(record.rules);
  if (presets !== null) checkPreset(record.preset, rules, presets);
  ensure(rules.players.includes(record.seats.length), "seats");
  if (Object.hasOwn(record, "deals")) checkDeals(record);
  else await checkNonces(record);
  checkTimes(record);
  checkRated(record);
  const match = new Match(rules, record.seats, record.entropy);
  const hasLegalMoves = record.rounds.some((recorded) =>
    recorded.moves.some((row) => Object.hasOwn(row, "legal")),
  );
  const yieldIfBusy = createYield();
  let seal = record.seal;
  for (const [index, recorded] of record.rounds.entries()) {
    try {
      await checkRound(match, index + 1, recorded, seal, hasLegalMoves, yieldIfBusy);
    } catch (fault) {
      throw locate(fault, index + 1);
    }
    seal = recorded.secret;
  }
  if (match.result === null)
    throw locate(new Fault("goes_on"), record.rounds.length, record.rounds.at(-1).moves.length);
  expectEqual(record.result, match.result, "result");
  return match;
}

export const isKey = (value) => typeof value === "string" && KEY.test(value);

function checkHeader(record) {
  ensure(isObject(record), "no_record");
  ensure(record.format === "domino-record/1", "format");
  checkKeys(record, HEADER_KEYS, OPTIONAL_KEYS);
  for (const name of ["seats", "rounds"])
    ensure(Array.isArray(record[name]) && record[name].length > 0, "shape", { name });
  ensure(typeof record.match === "string" && record.match, "shape", { name: "match" });
  ensure(typeof record.rated === "boolean", "shape", { name: "rated" });
  ensure(typeof record.entropy === "string", "shape", { name: "entropy" });
  ensure(isKey(record.seal), "shape", { name: "seal" });
  for (const [index, seat] of record.seats.entries()) ensure(isSeat(seat), "no_player", { n: index + 1 });
  if (record.rounds.length > MAX_ROUNDS) throw locate(new Fault("over"), MAX_ROUNDS + 1);
  for (const [index, recorded] of record.rounds.entries()) checkRoundShape(recorded, index);
}

function checkDeals(record) {
  const { deals, entropy, preset, rated } = record;
  ensure(typeof deals === "string" && SET_NAME.test(deals), "shape", { name: "deals" });
  ensure(!Object.hasOwn(record, "commitments"), "shape", { name: "commitments" });
  expectEqual(entropy, deals, "entropy");
  ensure(preset === null && !rated, "set");
}

async function checkNonces(record) {
  const nonces = record.entropy.split(".");
  const { commitments } = record;
  ensure(nonces.length === record.seats.length && nonces.every((nonce) => NONCE.test(nonce)), "parts");
  if (!Object.hasOwn(record, "commitments")) return;
  const isShaped = Array.isArray(commitments) && commitments.length === nonces.length;
  ensure(isShaped, "shape", { name: "commitments" });
  for (const [index, nonce] of nonces.entries()) {
    const told = commitments[index];
    const fits = told === null ? nonce === "" : told === (await sha256OfText(`nonce:${nonce}`));
    ensure(fits, "commitment", { n: index + 1 });
  }
}

// A record has all of its times or none, and they never run backwards.
function checkTimes(record) {
  const [started, ended] = [record.started ?? null, record.ended ?? null];
  for (const [name, value] of Object.entries({ started, ended }))
    ensure(value === null || isTime(value), "shape", { name });
  ensure((started === null) === (ended === null), "times");
  let earlier = started;
  for (const [index, { moves }] of record.rounds.entries())
    for (const [nth, row] of moves.entries()) {
      try {
        earlier = checkTime(row, earlier);
      } catch (fault) {
        throw locate(fault, index + 1, nth + 1);
      }
    }
  ensure(earlier === null || earlier <= ended, "backwards", { name: "ended", told: ended, due: earlier });
}

// Return the time of a move; `earlier` is that of the move before, or null in a record without times.
function checkTime(row, earlier) {
  ensure(Object.hasOwn(row, "at") === (earlier !== null), "times");
  if (earlier === null) return null;
  ensure(isTime(row.at), "shape", { name: "at" });
  ensure(earlier <= row.at, "backwards", { name: "at", told: row.at, due: earlier });
  return row.at;
}

function checkRated({ rated, preset, seats }) {
  ensure(!rated || (preset !== null && seats.every(({ kind }) => kind === "player")), "rated");
}

function isSeat(seat) {
  if (!isObject(seat) || Object.keys(seat).sort().join() !== "kind,level,name") return false;
  const { name, kind, level } = seat;
  if (typeof name !== "string" || !name.trim() || !SEAT_KINDS.includes(kind)) return false;
  return level === null || (kind === "computer" && LEVELS.includes(level));
}

function checkRoundShape(recorded, index) {
  try {
    ensure(isObject(recorded), "no_round");
    checkKeys(recorded, ROUND_KEYS);
    ensure(Array.isArray(recorded.moves), "shape", { name: "moves" });
    ensure(isKey(recorded.secret), "shape", { name: "secret" });
  } catch (fault) {
    throw locate(fault, index + 1);
  }
  const nth = recorded.moves.findIndex((row) => !isObject(row));
  if (nth >= 0) throw locate(new Fault("not_a_move"), index + 1, nth + 1);
}

async function checkRound(match, number, recorded, seal, hasLegalMoves, yieldIfBusy) {
  ensure(match.result === null, "over");
  ensure((await sha256(recorded.secret)) === seal, "key");
  const expected = await deal(match, number, recorded.secret, match.roundResults.at(-1) ?? null);
  expectEqualHands(recorded.hands, expected.hands, match.seats);
  expectEqualBoneyard(recorded.boneyard, expected.boneyard);
  for (const name of DEAL_KEYS) expectEqual(recorded[name], expected[name], name);
  match.begin(expected);
  for (const [index, row] of recorded.moves.entries()) {
    try {
      checkMove(match, row, hasLegalMoves);
    } catch (fault) {
      throw locate(fault, number, index + 1);
    }
    await yieldIfBusy();
  }
  ensure(match.roundResult !== null, "round_goes_on");
  expectEqual(recorded.end, match.roundResult.end, "end");
  expectEqual(recorded.scores, match.roundResult.scores, "scores");
}

// Return a function that yields to the event loop if it was blocked for too long.
function createYield() {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MAX_BLOCKING_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  };
}

function checkMove(match, row, hasLegalMoves) {
  ensure(match.roundResult === null, "over");
  const move = parseMove(row.move);
  const listsLegal = hasLegalMoves && LISTS_LEGAL.includes(move.kind);
  const legal = listsLegal ? { legal: row.seat === match.turn ? legalMoves(match, row.seat) : [] } : {};
  const expected = { ...match.move(row.seat, move, row.claim ?? null), ...legal };
  checkKeys(row, ["seat", "move", ...Object.keys(expected)], ["at"]);
  for (const name of Object.keys(expected)) expectEqual(row[name], expected[name], name);
}

function parseMove(move) {
  if (OTHER_MOVES.includes(move)) return { kind: move, plays: [] };
  ensure(typeof move === "string", "not_a_move");
  const plays = move.split("+").map((part) => {
    const match = PLAY.exec(part);
    ensure(match && TILES.has(match[1]), "not_a_move");
    return [match[1], match[2] ?? null];
  });
  ensure(new Set(plays.map(([tile]) => tile)).size === plays.length, "not_a_move");
  const ends = plays.map(([, end]) => (end === null ? -1 : indexOf(end)));
  ensure(
    ends.every((end, i) => i === 0 || end > ends[i - 1]),
    "not_a_move",
  );
  return { kind: "play", plays };
}

// Add the place to a fault, unless it has one.
function locate(fault, round, move = null) {
  if (!(fault instanceof Fault)) return fault;
  fault.round ??= round;
  fault.move ??= move;
  return fault;
}
