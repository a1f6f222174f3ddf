// Verifies a finished match in the browser (docs/record.md): keys hash to the seal, shuffles give the deals, the rules
// give the scores.

import { verify } from "./verify/record.js";
import { sha256, shuffle } from "./verify/shuffle.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

async function checkRound(record, round, previousKey) {
  if ((await sha256(round.secret)) !== previousKey) return "key";
  const order = await shuffle(
    record.rules.set,
    round.secret,
    "deal",
    round.number,
    round.attempt,
    record.entropy,
  );
  if (!same(order, [...round.hands.flat(), ...round.boneyard])) return "deal";
  if (round.lots) {
    const lots = await shuffle(record.rules.set, round.secret, "lots", round.number, 0, record.entropy);
    if (!same(lots.slice(0, round.lots.filter(Boolean).length), round.lots.filter(Boolean))) return "lots";
  }
  return "good";
}

async function checkMoves(record) {
  try {
    await verify(record);
    return page.dataset.allGood;
  } catch {
    return page.dataset.movesBad;
  }
}

async function checkMatch(page) {
  const showOutcome = (row, outcome) => {
    row.dataset.outcome = outcome;
    row.querySelector("[data-outcome-text]").textContent = page.dataset[outcome];
  };
  const record = await (await fetch(page.dataset.record, { headers: { Accept: "application/json" } })).json();
  let previousKey = page.dataset.seal;
  let isValid = record.seal === previousKey;
  for (const round of record.rounds) {
    const outcome = await checkRound(record, round, previousKey);
    showOutcome(page.querySelector(`[data-round="${round.number}"]`), outcome);
    isValid &&= outcome === "good";
    previousKey = round.secret;
  }
  const verdict = page.querySelector("#verdict");
  verdict.textContent = isValid ? await checkMoves(record) : page.dataset.notGood;
  verdict.dataset.outcome = verdict.textContent === page.dataset.allGood ? "good" : "bad";
}

const page = document.getElementById("verify");
page.querySelector("#verdict").textContent = page.querySelector("#verdict").dataset.checking;
if (!globalThis.crypto?.subtle) page.querySelector("#verdict").textContent = page.dataset.noCrypto;
else
  checkMatch(page).catch(() => {
    page.querySelector("#verdict").textContent = page.dataset.notGood;
  });
