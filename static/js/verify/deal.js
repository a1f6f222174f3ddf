// The deal and the lead (docs/rules.md, "The deal and the lead").

import { isLevel } from "./settlement.js";
import { shuffle } from "./shuffle.js";
import { halves, has, isDouble, maxBy, pips } from "./tiles.js";

// Return the round that this key deals after `previous`, as a record has it, without moves.
export async function deal(match, number, key, previous) {
  const { rules, entropy, seats } = match;
  let leader = previous === null ? null : nextLeader(match, previous);
  let lots = null;
  if (leader === null && rules.first_lead === "lot")
    lots = (await shuffle(rules.set, key, "lots", number, 0, entropy)).slice(0, seats.length);
  const { attempt, hands, boneyard } = await dealHands(rules, seats.length, number, key, entropy);
  let leadTile = null;
  let draws = [];
  if (leader === null) [leader, leadTile, draws] = findFirstLead(match, lots, hands, boneyard);
  return {
    number,
    secret: key,
    attempt,
    lots,
    hands,
    boneyard,
    lead_draws: draws,
    leader,
    named: rules.lead_with === "named" ? leadTile : null,
  };
}

function nextLeader(match, previous) {
  const { rules, gone } = match;
  if (isLevel(match, match.scores)) return null;
  const rule = previous.end.how === "blocked" ? rules.next_lead_after_block : rules.next_lead;
  // The winner is null if nobody won.
  if (rule === "winner" && !gone.has(previous.end.winner)) return previous.end.winner;
  return rule === "rotate" ? match.nextSeat(previous.leader) : null;
}

async function dealHands(rules, seats, number, key, entropy) {
  const size = rules.hand_size[seats];
  for (let attempt = 0; ; attempt++) {
    const shuffled = await shuffle(rules.set, key, "deal", number, attempt, entropy);
    const order = putAsleep(rules, shuffled, seats * size);
    const hands = Array.from({ length: seats }, (_, seat) => order.slice(seat * size, (seat + 1) * size));
    if (!hands.some((hand) => mustRedeal(rules, hand)))
      return { attempt, hands, boneyard: order.slice(seats * size) };
  }
}

function putAsleep(rules, order, dealt) {
  if (rules.asleep === null || dealt === order.length) return order;
  return [...order.filter((tile) => tile !== rules.asleep), rules.asleep];
}

function mustRedeal(rules, hand) {
  if (rules.max_doubles !== null && hand.filter(isDouble).length > rules.max_doubles) return true;
  if (rules.max_same_suit === null) return false;
  const plain = hand.filter((tile) => !isDouble(tile));
  const suits = Array.from({ length: rules.set + 1 }, (_, suit) => suit);
  return suits.some((suit) => plain.filter((tile) => has(tile, suit)).length > rules.max_same_suit);
}

function findFirstLead(match, lots, hands, boneyard) {
  const { rules } = match;
  const seats = match.seats.map((_, seat) => seat).filter((seat) => !match.gone.has(seat));
  if (lots) return [maxBy(seats, (seat) => [pips(lots[seat]), halves(lots[seat])[0]]), null, []];
  if (rules.lead_tile !== null) return findTileHolder(match, seats, hands, boneyard);
  const held = seats.flatMap((seat) => hands[seat]);
  const named = maxBy(held, (tile) => leadRank(rules.first_lead, tile));
  return [seats.find((seat) => hands[seat].includes(named)), named, []];
}

// Return the key to compare tiles by for the lead. Doubles rank above other tiles.
function leadRank(first, tile) {
  const double = isDouble(tile);
  const high = halves(tile)[0];
  if (first === "lowest_double" || (first === "double_from_1" && double && high))
    return [double, -pips(tile), -high];
  if (first === "double_from_1" && double) return [double, -100, high];
  return [double, pips(tile), high];
}

function findTileHolder(match, seats, hands, boneyard) {
  const tile = match.rules.lead_tile;
  const holder = hands.findIndex((hand) => hand.includes(tile));
  if (holder >= 0) return match.gone.has(holder) ? [match.nextSeat(holder), null, []] : [holder, tile, []];
  const drawsAll = match.rules.lead_draws === "all";
  const draws = [];
  while (boneyard.length - draws.length - seats.length >= (drawsAll ? 0 : match.reserve)) {
    const turn = seats.map((seat, i) => [seat, boneyard[draws.length + i]]);
    draws.push(...turn);
    const draw = turn.find(([, drawn]) => drawn === tile);
    if (draw) return [draw[0], tile, draws];
  }
  if (!drawsAll) return [seats[0], null, draws];
  // Fewer tiles are left than seats: the turn ends when the tile is found.
  const rest = boneyard.slice(draws.length);
  const last = rest.slice(0, rest.indexOf(tile) + 1).map((drawn, i) => [seats[i], drawn]);
  return [last.at(-1)[0], tile, [...draws, ...last]];
}
