// The page that checks a file of records, with or without a network: sentences are the page's own, in its language.

import { isKey, verify } from "./record.js";
import { Fault, sum } from "./tiles.js";

const page = document.getElementById("verify-file");
const list = page.querySelector("ol");
const line = page.querySelector("template").content.firstElementChild;
const verdict = page.querySelector("[role=status]");
const presets = JSON.parse(document.getElementById("presets").textContent);
const CODE = /^[0-9a-z]{10}$/; // of a match of this site
const plurals = new Intl.PluralRules(document.documentElement.lang);
const said = (name, values = {}) =>
  (page.querySelector(`[data-say="${name}"]`)?.textContent ?? name).replace(
    /\{(\w+)\}/g,
    (hole, key) => values[key] ?? hole,
  );
const counted = (name, n) => said(`${name}-${plurals.select(n)}`, { n });

// How many names a value has, however deep, and how many a text of it.
function namesIn(value) {
  let names = 0;
  const waiting = [value];
  while (waiting.length) {
    const each = waiting.pop();
    if (each === null || typeof each !== "object") continue;
    const inside = Object.values(each);
    if (!Array.isArray(each)) names += inside.length;
    for (const one of inside) waiting.push(one);
  }
  return names;
}

const namesWritten = (text) =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon).length;

// A name that stands twice in an object is read by one reader as this and by another as that.
function parsed(text) {
  const value = JSON.parse(text);
  if (namesIn(value) !== namesWritten(text)) throw new Fault("twice");
  return value;
}

// The records of a text: one JSON value or a list of them, or one a line.
function values(text) {
  const whole = text.replace(/^\uFEFF/, "").trim();
  try {
    const value = parsed(whole);
    return Array.isArray(value) ? value : [value];
  } catch (error) {
    if (error instanceof Fault) throw error;
    const lines = whole.split("\n").filter((row) => row.trim());
    return lines.map(parsed);
  }
}

function place(fault) {
  const where = [];
  if (fault.round !== null) where.push(said("round", { n: fault.round }));
  if (fault.move !== null) where.push(said("move", { n: fault.move }));
  const told = where.join(", ");
  return told && `${told[0].toUpperCase()}${told.slice(1)}: `;
}

// Each tile of a text stays on one line.
function withTiles(text) {
  return text.split(/(\d+-\d+)/).map((part, i) => {
    if (i % 2 === 0) return part;
    const tile = document.createElement("span");
    tile.textContent = part;
    return tile;
  });
}

function show(record, text, good) {
  const item = line.cloneNode(true);
  const sealed = item.querySelector("[data-sealed]");
  const link = sealed.querySelector("a");
  item.querySelector("[data-told]").append(...withTiles(text));
  item.dataset.outcome = good ? "good" : "bad";
  if (isKey(record?.seal)) sealed.querySelector("code").textContent = record.seal;
  else sealed.remove();
  if (good && CODE.test(record.match))
    link.setAttribute("href", link.getAttribute("href").replace("0000000000", record.match));
  else link.remove();
  list.append(item);
}

async function check(record, number) {
  const name = CODE.test(record?.match) ? record.match : String(number);
  try {
    const match = await verify(record, presets);
    const rounds = counted("rounds", match.ended.length);
    const moves = counted("moves", sum(record.rounds.map((round) => round.moves.length)));
    const scores = match.scores.join(" – ");
    return [said("sound", { match: name, rounds, moves, scores }), true];
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault("broken");
    return [said("unsound", { match: name, fault: place(fault) + said(fault.kind, fault.details) }), false];
  }
}

let reading = 0; // the number of the file chosen last: an earlier one is left where it is

async function read(file) {
  const mine = ++reading;
  list.replaceChildren(); // at once: what was said of another file is not said of this one
  verdict.textContent = "";
  let records;
  try {
    records = values(await file.text());
  } catch (error) {
    if (mine === reading) verdict.textContent = said(error instanceof Fault ? error.kind : "no_json");
    return;
  }
  let good = 0;
  for (const [index, record] of records.entries()) {
    const [told, sound] = await check(record, index + 1);
    if (mine !== reading) return;
    show(record, told, sound);
    good += Number(sound);
    verdict.textContent = said("progress", { done: index + 1, all: records.length });
  }
  const all = good === records.length ? "all_sound" : "not_sound";
  verdict.textContent = said(records.length ? all : "no_records", { good, all: records.length });
}

const file = page.querySelector("input[type=file]");
const ready = globalThis.crypto?.subtle;
file.disabled = !ready;
if (!ready) verdict.textContent = said("no_crypto");
file.addEventListener("change", () => {
  if (file.files.length) read(file.files[0]);
});
