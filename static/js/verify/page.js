// The page that checks a file of records, with or without a network: sentences are the page's own, in its language.

import { verify } from "./record.js";
import { Fault } from "./tiles.js";

const page = document.getElementById("verify-file");
const list = page.querySelector("ol");
const verdict = page.querySelector("[role=status]");
const said = (name, values = {}) =>
  Object.entries(values).reduce(
    (text, [key, value]) => text.replaceAll(`{${key}}`, value),
    page.querySelector(`[data-say="${name}"]`)?.textContent ?? name,
  );

// The JSON values of a text: one, or one a line.
function values(text) {
  const whole = text.replace(/^\uFEFF/, "").trim();
  try {
    return [JSON.parse(whole)];
  } catch {
    return whole.split("\n").map((line) => JSON.parse(line));
  }
}

function place(fault) {
  const where = [];
  if (fault.round !== null) where.push(said("round", { n: fault.round }));
  if (fault.move !== null) where.push(said("move", { n: fault.move }));
  return where.length ? `${where.join(", ")}: ` : "";
}

function show(text, good) {
  const item = document.createElement("li");
  item.textContent = text;
  item.dataset.outcome = good ? "good" : "bad";
  list.append(item);
}

async function check(record, number) {
  const name = typeof record?.match === "string" ? record.match : String(number);
  try {
    const match = await verify(record);
    const moves = record.rounds.reduce((sum, round) => sum + round.moves.length, 0);
    show(
      said("sound", { match: name, rounds: match.ended.length, moves, scores: match.scores.join(" – ") }),
      true,
    );
    return true;
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault("shape", { name: error.message });
    show(`${name}: ${place(fault)}${said(fault.kind, fault.details)}`, false);
    return false;
  }
}

async function read(text) {
  list.replaceChildren();
  let records;
  try {
    records = values(text);
  } catch {
    verdict.textContent = said("no_json");
    return;
  }
  let good = 0;
  for (const [index, record] of records.entries()) {
    good += Number(await check(record, index + 1));
    verdict.textContent = said("progress", { done: index + 1, all: records.length });
  }
  verdict.textContent = said(good === records.length ? "all_sound" : "not_sound", {
    good,
    all: records.length,
  });
}

const file = page.querySelector("input[type=file]");
const ready = globalThis.crypto?.subtle;
file.disabled = !ready;
if (!ready) verdict.textContent = said("no_crypto");
file.addEventListener("change", async () => {
  if (file.files.length) await read(await file.files[0].text());
});
