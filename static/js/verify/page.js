// The page that checks a file of records, also offline. Its sentences come from the page, already translated.

import { isKey, verify } from "./record.js";
import { ownerDigest } from "./shuffle.js";
import { Fault, sum } from "./tiles.js";

const page = document.getElementById("verify-file");
const results = page.querySelector("ol");
const itemTemplate = page.querySelector("template").content.firstElementChild;
const verdict = page.querySelector("[role=status]");
const presets = JSON.parse(document.getElementById("presets").textContent);
const MATCH_CODE = /^[0-9a-z]{10}$/;
const plurals = new Intl.PluralRules(document.documentElement.lang);
const sentence = (name, values = {}) =>
  (page.querySelector(`[data-say="${name}"]`)?.textContent ?? name).replace(
    /\{(\w+)\}/g,
    (placeholder, key) => values[key] ?? placeholder,
  );
const countSentence = (name, n) => sentence(`${name}-${plurals.select(n)}`, { n });

// Return the number of object keys in a parsed value, at all depths.
function countKeys(value) {
  let keys = 0;
  const pending = [value];
  while (pending.length) {
    const each = pending.pop();
    if (each === null || typeof each !== "object") continue;
    const inside = Object.values(each);
    if (!Array.isArray(each)) keys += inside.length;
    for (const one of inside) pending.push(one);
  }
  return keys;
}

// Return the number of object keys in JSON text.
const countWrittenKeys = (text) =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon).length;

// Refuse duplicate keys: parsers disagree about which value counts.
function parseJson(text) {
  const value = JSON.parse(text);
  if (countKeys(value) !== countWrittenKeys(text)) throw new Fault("twice");
  return value;
}

// Return the records in a text: one JSON value, a list of them, or JSON Lines.
function parseRecords(text) {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  try {
    const value = parseJson(trimmed);
    return Array.isArray(value) ? value : [value];
  } catch (error) {
    if (error instanceof Fault) throw error;
    const lines = trimmed.split("\n").filter((row) => row.trim());
    return lines.map(parseJson);
  }
}

function describePlace(fault) {
  const where = [];
  if (fault.round !== null) where.push(sentence("round", { n: fault.round }));
  if (fault.move !== null) where.push(sentence("move", { n: fault.move }));
  const message = where.join(", ");
  return message && `${message[0].toUpperCase()}${message.slice(1)}: `;
}

// Wrap each tile in an element, so that no line breaks in it.
function wrapTiles(text) {
  return text.split(/(\d+-\d+)/).map((part, i) => {
    if (i % 2 === 0) return part;
    const tile = document.createElement("span");
    tile.textContent = part;
    return tile;
  });
}

const MAX_ASKED = 20; // seals of a file: for more there is the whole chain
const chainLines = new Map(); // by seal, promises of what the site says of it
let asking = Promise.resolve(); // one question after the other

// Ask the site for the seal's line in its chain; return the name of a sentence with its values, and whose the seal is.
async function findInChain(seal) {
  try {
    const address = new URL(page.querySelector("[data-all-seals]").href);
    address.search = new URLSearchParams({ seal });
    const answer = await fetch(address, { credentials: "omit" });
    if (answer.status === 404) return ["not_in_chain"];
    const words = answer.ok ? (await answer.text()).trim().split(" ") : [];
    if (answer.status === 202) return ["pending_in_chain", {}, words[1]];
    const [line, found, , owner] = words;
    return found === seal ? ["in_chain", { line }, owner] : ["chain_not_asked"];
  } catch {
    return ["chain_not_asked"]; // offline
  }
}

// Say beside a sound record whether its seal is this site's and its own; only then its match has a page here. The seal
// of a set of deals tells nothing of the match: with its keys anybody can invent one.
async function showChain(item, record) {
  const link = item.querySelector("[data-sealed] a");
  if (!chainLines.has(record.seal) && chainLines.size < MAX_ASKED)
    chainLines.set(record.seal, findInChain(record.seal));
  const [name, values, owner] = (await chainLines.get(record.seal)) ?? ["chain_too_many"];
  const isOwn = owner === (await ownerDigest(record.deals ?? record.match, record.seal));
  const isOfSet = Object.hasOwn(record, "deals");
  const ownName = isOfSet && name === "in_chain" ? "set_in_chain" : name;
  item.querySelector("[data-chain]").textContent = sentence(
    owner && !isOwn ? "other_in_chain" : ownName,
    values,
  );
  if (isOfSet || !isOwn || !MATCH_CODE.test(record.match)) return;
  link.setAttribute("href", link.getAttribute("href").replace("0000000000", record.match));
  link.hidden = false;
}

function appendResult(record, text, isValid) {
  const item = itemTemplate.cloneNode(true);
  const sealed = item.querySelector("[data-sealed]");
  item.querySelector("[data-verdict]").append(...wrapTiles(text));
  item.dataset.outcome = isValid ? "good" : "bad";
  if (isKey(record?.seal)) sealed.querySelector("code").textContent = record.seal;
  else sealed.remove();
  results.append(item);
  return item;
}

async function checkRecord(record, number) {
  const name = MATCH_CODE.test(record?.match) ? record.match : String(number);
  try {
    const match = await verify(record, presets);
    const rounds = countSentence("rounds", match.roundResults.length);
    const moves = countSentence("moves", sum(record.rounds.map((round) => round.moves.length)));
    const scores = match.scores.join(" – ");
    return [sentence("sound", { match: name, rounds, moves, scores }), true];
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault("broken");
    return [
      sentence("unsound", { match: name, fault: describePlace(fault) + sentence(fault.kind, fault.details) }),
      false,
    ];
  }
}

let lastFileNumber = 0; // the check of an earlier file stops

async function checkFile(file) {
  const fileNumber = ++lastFileNumber;
  results.replaceChildren(); // before the first await: these are the results of another file
  verdict.textContent = "";
  let records;
  try {
    records = parseRecords(await file.text());
  } catch (error) {
    if (fileNumber === lastFileNumber)
      verdict.textContent = sentence(error instanceof Fault ? error.kind : "no_json");
    return;
  }
  let good = 0;
  for (const [index, record] of records.entries()) {
    const [message, isValid] = await checkRecord(record, index + 1);
    if (fileNumber !== lastFileNumber) return;
    const item = appendResult(record, message, isValid);
    if (isValid) asking = asking.then(() => showChain(item, record));
    good += Number(isValid);
    verdict.textContent = sentence("progress", { done: index + 1, all: records.length });
  }
  const all = good === records.length ? "all_sound" : "not_sound";
  verdict.textContent = sentence(records.length ? all : "no_records", { good, all: records.length });
}

const file = page.querySelector("input[type=file]");
const ready = globalThis.crypto?.subtle;
file.disabled = !ready;
if (!ready) verdict.textContent = sentence("no_crypto");
file.addEventListener("change", () => {
  if (file.files.length) checkFile(file.files[0]);
});

// The installed app opens record files here (file_handlers), and gets those shared with it from the service worker.
globalThis.launchQueue?.setConsumer(async ({ files }) => {
  if (ready && files.length) checkFile(await files[0].getFile());
});

async function takeShared() {
  const cache = await caches.open("shared");
  const stored = await cache.match("/record");
  await cache.delete("/record");
  if (stored) checkFile(await stored.blob());
}

if (ready && new URLSearchParams(location.search).has("shared")) takeShared();
