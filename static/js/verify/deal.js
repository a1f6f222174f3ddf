// The deal and the lead (docs/rules.md, "The deal and the lead").

import { shuffled } from "./shuffle.js";
import { halves, has, isDouble, largest, pips } from "./tiles.js";

// The round that this key deals, `previous` before it: as a record tells it, up to its moves.
export async function deal(match, number, key, previous) {
  const { rules, entropy, seats } = match;
  let leader = previous === null ? null : byRotation(match, previous);
  let lots = null;
  if (leader === null && rules.first_lead === "lot")
    lots = (await shuffled(rules.set, key, "lots", number, 0, entropy)).slice(0, seats.length);
  const { attempt, hands, boneyard } = await dealt(rules, seats.length, number, key, entropy);
  let won = null;
  let draws = [];
  if (leader === null) [leader, won, draws] = firstLead(match, lots, hands, boneyard);
  return {
    number,
    secret: key,
    attempt,
    lots,
    hands,
    boneyard,
    lead_draws: draws,
    leader,
    named: rules.lead_with === "named" ? won : null,
  };
}

function byRotation(match, previous) {
  const { rules, gone } = match;
  const how = previous.end.how === "blocked" ? rules.next_lead_after_block : rules.next_lead;
  // A round that nobody won has no winner who leads.
  if (how === "winner" && !gone.has(previous.end.winner)) return previous.end.winner;
  return how === "rotate" ? match.seatAfter(previous.leader) : null;
}

async function dealt(rules, seats, number, key, entropy) {
  const size = rules.hand_size[seats];
  for (let attempt = 0; ; attempt++) {
    const order = await shuffled(rules.set, key, "deal", number, attempt, entropy);
    const hands = Array.from({ length: seats }, (_, seat) => order.slice(seat * size, (seat + 1) * size));
    if (!hands.some((hand) => oneSided(rules, hand)))
      return { attempt, hands, boneyard: order.slice(seats * size) };
  }
}

function oneSided(rules, hand) {
  if (rules.max_doubles !== null && hand.filter(isDouble).length > rules.max_doubles) return true;
  if (rules.max_same_suit === null) return false;
  const plain = hand.filter((tile) => !isDouble(tile));
  const suits = Array.from({ length: rules.set + 1 }, (_, suit) => suit);
  return suits.some((suit) => plain.filter((tile) => has(tile, suit)).length > rules.max_same_suit);
}

function firstLead(match, lots, hands, boneyard) {
  const { rules } = match;
  const staying = match.seats.map((_, seat) => seat).filter((seat) => !match.gone.has(seat));
  if (lots) return [largest(staying, (seat) => [pips(lots[seat]), halves(lots[seat])[0]]), null, []];
  if (rules.lead_tile !== null) return byTile(match, staying, hands, boneyard);
  const held = staying.flatMap((seat) => hands[seat]);
  const named = largest(held, (tile) => rank(rules.first_lead, tile));
  return [staying.find((seat) => hands[seat].includes(named)), named, []];
}

// By what tiles are compared for the lead: doubles before the others.
function rank(first, tile) {
  const double = isDouble(tile);
  const high = halves(tile)[0];
  if (first === "lowest_double" || (first === "double_from_1" && double && high))
    return [double, -pips(tile), -high];
  if (first === "double_from_1" && double) return [double, -100, high];
  return [double, pips(tile), high];
}

function byTile(match, staying, hands, boneyard) {
  const tile = match.rules.lead_tile;
  const holder = hands.findIndex((hand) => hand.includes(tile));
  if (holder >= 0) return match.gone.has(holder) ? [match.seatAfter(holder), null, []] : [holder, tile, []];
  const draws = [];
  while (boneyard.length - draws.length - staying.length >= match.reserve) {
    const turn = staying.map((seat, i) => [seat, boneyard[draws.length + i]]);
    draws.push(...turn);
    const found = turn.find(([, drawn]) => drawn === tile);
    if (found) return [found[0], tile, draws];
  }
  return [staying[0], null, draws];
}
