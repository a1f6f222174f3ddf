// Checks a finished match in the reader's own browser (docs/record.md): every published key hashes to the one before
// it, down to the seal, the shuffle made from it gives the tiles that were dealt, and the rules give every score.

import { verify } from "./verify/record.js";
import { hashed, shuffled } from "./verify/shuffle.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

async function checkRound(record, round, before) {
  if ((await hashed(round.secret)) !== before) return "key";
  const order = await shuffled(
    record.rules.set,
    round.secret,
    "deal",
    round.number,
    round.attempt,
    record.entropy,
  );
  if (!same(order, [...round.hands.flat(), ...round.boneyard])) return "deal";
  if (round.lots) {
    const lots = await shuffled(record.rules.set, round.secret, "lots", round.number, 0, record.entropy);
    if (!same(lots.slice(0, round.lots.filter(Boolean).length), round.lots.filter(Boolean))) return "lots";
  }
  return "good";
}

async function movesToo(record) {
  try {
    await verify(record);
    return page.dataset.allGood;
  } catch {
    return page.dataset.movesBad;
  }
}

async function check(page) {
  const say = (row, outcome) => {
    row.dataset.outcome = outcome;
    row.querySelector("[data-says]").textContent = page.dataset[outcome];
  };
  const record = await (await fetch(page.dataset.record, { headers: { Accept: "application/json" } })).json();
  let before = page.dataset.seal;
  let all = record.seal === before;
  for (const round of record.rounds) {
    const outcome = await checkRound(record, round, before);
    say(page.querySelector(`[data-round="${round.number}"]`), outcome);
    all &&= outcome === "good";
    before = round.secret;
  }
  const verdict = page.querySelector("#verdict");
  verdict.textContent = all ? await movesToo(record) : page.dataset.notGood;
}

const page = document.getElementById("verify");
page.querySelector("#verdict").textContent = page.querySelector("#verdict").dataset.checking;
if (!globalThis.crypto?.subtle) page.querySelector("#verdict").textContent = page.dataset.noCrypto;
else
  check(page).catch(() => {
    page.querySelector("#verdict").textContent = page.dataset.notGood;
  });
