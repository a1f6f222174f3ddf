// Checks the deals of a finished match in the reader's own browser (docs/record.md §2): every published key
// hashes to the one before it, down to the seal, and the shuffle made from it gives the tiles that were dealt.

const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (buffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (text) => hex(await crypto.subtle.digest("SHA-256", bytes(text)));

function tiles(highest) {
  const set = [];
  for (let high = 0; high <= highest; high++)
    for (let low = 0; low <= high; low++) set.push(`${high}-${low}`);
  return set;
}

async function* words(key, message) {
  const hmac = await crypto.subtle.importKey("raw", bytes(key), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  for (let block = 0; ; block++) {
    const signed = await crypto.subtle.sign("HMAC", hmac, new TextEncoder().encode(`${message}:${block}`));
    const view = new DataView(signed);
    for (let i = 0; i < 32; i += 4) yield view.getUint32(i);
  }
}

async function shuffled(highest, key, purpose, round, attempt, entropy) {
  const set = tiles(highest);
  const source = words(key, `${purpose}:${round}:${attempt}:${entropy}`);
  for (let i = set.length - 1; i > 0; i--) {
    const limit = 2 ** 32 - (2 ** 32 % (i + 1));
    let word;
    do word = (await source.next()).value;
    while (word >= limit);
    const j = word % (i + 1);
    [set[i], set[j]] = [set[j], set[i]];
  }
  return set;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

async function checkRound(record, round, before) {
  if ((await sha256(round.secret)) !== before) return "key";
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
  page.querySelector("#verdict").textContent = all ? page.dataset.allGood : page.dataset.notGood;
}

const page = document.getElementById("verify");
if (!globalThis.crypto?.subtle) page.querySelector("#verdict").textContent = page.dataset.noCrypto;
else
  check(page).catch(() => {
    page.querySelector("#verdict").textContent = page.dataset.notGood;
  });
