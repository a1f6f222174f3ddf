// Checks of a record's values, and comparison with the expected ones.

import { ensure, Fault } from "./tiles.js";

const MAX_EXCERPT_LENGTH = 200;
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// Return JSON with sorted keys: equal values give equal texts.
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`;
}

export const excerpt = (value) => canonicalJson(value).slice(0, MAX_EXCERPT_LENGTH);

// Return whether the value is a time like 2026-11-21T10:00:00Z.
export function isTime(value) {
  if (typeof value !== "string" || !UTC_TIME.test(value) || value.startsWith("0000")) return false;
  const moment = new Date(value);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().replace(".000Z", "Z") === value;
}

export function checkKeys(value, required, optional = [], prefix = "") {
  for (const name of required) ensure(Object.hasOwn(value, name), "missing", { name: prefix + name });
  for (const name of Object.keys(value))
    ensure(required.includes(name) || optional.includes(name), "unknown", { name: prefix + name });
}

// Throw a Fault unless the values are equal. For objects it names the first key that differs.
export function expectEqual(actual, expected, name) {
  if (canonicalJson(actual) === canonicalJson(expected)) return;
  if (isObject(actual) && isObject(expected)) {
    checkKeys(actual, Object.keys(expected), [], `${name}.`);
    for (const key of Object.keys(expected)) expectEqual(actual[key], expected[key], `${name}.${key}`);
  }
  throw new Fault("differs", { name, told: excerpt(actual), due: excerpt(expected) });
}

// Throw a Fault unless the tiles are equal. It lists only the tiles that differ.
function expectEqualTiles(actual, expected, kind, details) {
  ensure(Array.isArray(actual), "shape", { name: details.name });
  if (canonicalJson(actual) === canonicalJson(expected)) return;
  const missing = [...expected];
  const wrong = actual.filter((tile) => {
    const index = missing.indexOf(tile);
    if (index >= 0) missing.splice(index, 1);
    return index < 0;
  });
  if (!wrong.length && !missing.length) throw new Fault(`${kind}_order`, details);
  const joinTiles = (tiles) =>
    tiles.map((tile) => (typeof tile === "string" ? tile : canonicalJson(tile))).join(" ");
  throw new Fault(kind, {
    ...details,
    told: joinTiles(wrong).slice(0, MAX_EXCERPT_LENGTH) || "–",
    due: joinTiles(missing) || "–",
  });
}

export function expectEqualHands(actual, expected, seats) {
  ensure(Array.isArray(actual) && actual.length === expected.length, "shape", { name: "hands" });
  for (const [seat, hand] of expected.entries())
    expectEqualTiles(actual[seat], hand, "hand", { name: "hands", n: seat + 1, player: seats[seat].name });
}

export const expectEqualBoneyard = (actual, expected) =>
  expectEqualTiles(actual, expected, "boneyard", { name: "boneyard" });
