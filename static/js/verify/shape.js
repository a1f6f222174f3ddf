// How a record is written: what its values are, and how two of them differ.

import { Fault, refuse } from "./tiles.js";

const LONGEST = 200;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// JSON with sorted keys: equal values are equal texts.
export function text(value) {
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${text(value[name])}`).join(",")}}`;
}

export const short = (value) => text(value).slice(0, LONGEST);

// Whether it is a moment written like 2026-11-21T10:00:00Z.
export function isTime(value) {
  if (typeof value !== "string" || !TIME.test(value) || value.startsWith("0000")) return false;
  const moment = new Date(value);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().replace(".000Z", "Z") === value;
}

export function keys(value, needed, allowed = [], inside = "") {
  for (const name of needed) refuse(Object.hasOwn(value, name), "missing", { name: inside + name });
  for (const name of Object.keys(value))
    refuse(needed.includes(name) || allowed.includes(name), "unknown", { name: inside + name });
}

// Refuses what is told unless it is what is due; of objects the first key that differs is named.
export function agree(told, due, name) {
  if (text(told) === text(due)) return;
  if (isObject(told) && isObject(due)) {
    keys(told, Object.keys(due), [], `${name}.`);
    for (const key of Object.keys(due)) agree(told[key], due[key], `${name}.${key}`);
  }
  throw new Fault("differs", { name, told: short(told), due: short(due) });
}

// The same of tiles that were dealt: only those that differ are told.
function agreeOfTiles(told, due, kind, details) {
  refuse(Array.isArray(told), "shape", { name: details.name });
  if (text(told) === text(due)) return;
  const lacking = [...due];
  const wrong = told.filter((tile) => {
    const at = lacking.indexOf(tile);
    if (at >= 0) lacking.splice(at, 1);
    return at < 0;
  });
  if (!wrong.length && !lacking.length) throw new Fault(`${kind}_order`, details);
  const listed = (tiles) => tiles.map((tile) => (typeof tile === "string" ? tile : text(tile))).join(" ");
  throw new Fault(kind, {
    ...details,
    told: listed(wrong).slice(0, LONGEST) || "–",
    due: listed(lacking) || "–",
  });
}

export function agreeOnHands(told, due, seats) {
  refuse(Array.isArray(told) && told.length === due.length, "shape", { name: "hands" });
  for (const [seat, hand] of due.entries())
    agreeOfTiles(told[seat], hand, "hand", { name: "hands", n: seat, player: seats[seat].name });
}

export const agreeOnBoneyard = (told, due) => agreeOfTiles(told, due, "boneyard", { name: "boneyard" });
