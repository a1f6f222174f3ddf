// The sealed shuffle (docs/record.md, "The sealed shuffle").

import { setOf } from "./tiles.js";

const parseHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (buffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

const digest = async (bytes) => toHex(await crypto.subtle.digest("SHA-256", bytes));

export const sha256 = (key) => digest(parseHex(key));
export const sha256OfText = (text) => digest(new TextEncoder().encode(text));

// Return the digest by which the site tells whose a seal is: many rounds, so that nobody finds a private code by trying.
export async function ownerDigest(code, seal) {
  const encode = (text) => new TextEncoder().encode(text);
  const key = await crypto.subtle.importKey("raw", encode(code), "PBKDF2", false, ["deriveBits"]);
  const rounds = { name: "PBKDF2", hash: "SHA-256", salt: encode(seal), iterations: 10_000 };
  return toHex(await crypto.subtle.deriveBits(rounds, key, 256));
}

async function* randomWords(key, message) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const hmac = await crypto.subtle.importKey("raw", parseHex(key), algorithm, false, ["sign"]);
  for (let block = 0; ; block++) {
    const signed = await crypto.subtle.sign("HMAC", hmac, new TextEncoder().encode(`${message}:${block}`));
    const view = new DataView(signed);
    for (let i = 0; i < 32; i += 4) yield view.getUint32(i);
  }
}

export async function shuffle(highest, key, purpose, round, attempt, entropy) {
  const set = setOf(highest);
  const values = randomWords(key, `${purpose}:${round}:${attempt}:${entropy}`);
  for (let i = set.length - 1; i > 0; i--) {
    const limit = 2 ** 32 - (2 ** 32 % (i + 1));
    let value;
    do value = (await values.next()).value;
    while (value >= limit);
    const j = value % (i + 1);
    [set[i], set[j]] = [set[j], set[i]];
  }
  return set;
}
