// Combinations of options that are refused (docs/rules.md, "What does not go together").

import { unitOfBlock } from "./settlement.js";
import { halves, isDouble, setOf } from "./tiles.js";

const forSomePlayers = (rules, isUnfit) => rules.players.some((seats) => isUnfit(seats));
const tilesLeft = (rules, seats) => setOf(rules.set).length - seats * rules.hand_size[seats];
const isInSet = (rules, tile) => halves(tile)[0] <= rules.set;
const chargesOwnPips = (rules) => rules.out_bonus === "own" || rules.blocked_bonus === "own";

// A cross needs a named double as the lead of every round.
function crossLacksDoubleLead(rules) {
  if (rules.spinner !== "cross") return false;
  const everyRound = rules.next_lead === "first" && rules.next_lead_after_block === "first";
  const plain = rules.lead_tile !== null && !isDouble(rules.lead_tile);
  return !everyRound || rules.lead_with !== "named" || rules.first_lead === "lot" || plain;
}

function isScoringImpossible(rules, seats) {
  const smallest = Math.min(...smallestAwards(rules, seats));
  return smallest === Number.POSITIVE_INFINITY || (rules.exact && smallest > (rules.target ?? 0));
}

// Return the smallest positive award of each way of scoring. With one tile each, the leader goes out with the lead:
// nobody passes, no round is blocked, and no tile joins two ends.
function smallestAwards(rules, seats) {
  const goesOutWithLead = rules.hand_size[seats] === 1;
  const { rounds = [], ...extras } = rules.extras;
  const awards = [rules.out_points, ...rounds];
  if (rules.count !== "none") awards.push({ fives: 5, matching: 2 }[rules.count] ?? 1);
  if (rules.out_bonus !== "none") awards.push(smallestBonus(rules.bonus_unit));
  if (rules.blocked_bonus !== "none" && !goesOutWithLead) awards.push(smallestBonus(unitOfBlock(rules)));
  for (const [name, points] of Object.entries(extras)) {
    const isImpossible = goesOutWithLead || (name === "pass_lead" && seats === 2);
    if (name === "chucha" || !isImpossible) awards.push(points);
  }
  return awards.filter((points) => points > 0);
}

const smallestBonus = (unit) => (unit === "nearest_five" ? 5 : 1);

const DEAL_CONFLICTS = [
  ["hand_size", (r) => forSomePlayers(r, (seats) => tilesLeft(r, seats) < 0)],
  ["reserve", (r) => forSomePlayers(r, (seats) => r.reserve[seats] > tilesLeft(r, seats))],
  [
    "max_doubles",
    (r) =>
      r.max_doubles !== null &&
      forSomePlayers(r, (seats) => 2 * r.hand_size[seats] > r.max_doubles * (r.set + 2)),
  ],
  ["max_same_suit", (r) => r.max_same_suit !== null && forSomePlayers(r, (seats) => r.hand_size[seats] > 9)],
  ["lead_tile", (r) => (r.lead_tile === null) === (r.first_lead === "tile")],
  ["lead_tile", (r) => r.lead_tile !== null && !isInSet(r, r.lead_tile)],
  ["lead_draws", (r) => r.lead_draws === "all" && r.first_lead !== "tile"],
  ["lone_pips", (r) => Object.keys(r.lone_pips).some((tile) => !isInSet(r, tile))],
  ["lead_with", (r) => r.lead_with === "named" && r.first_lead === "lot"],
  ["spinner", crossLacksDoubleLead],
];

const countsFives = (r) => r.count === "fives" || r.count === "fives_by_one";

const PLAY_CONFLICTS = [
  ["count", (r) => r.count === "matching" && r.spinner !== "none"],
  ["claims", (r) => r.claims === "muggins" && r.count === "none"],
  ["call_last", (r) => r.call_last && r.claims !== "muggins"],
  ["partners_out", (r) => r.partners_out === "both" && !r.partners],
  ["many_ends", (r) => r.many_ends && (!countsFives(r) || r.spinner === "every")],
  ["lead_with", (r) => r.lead_with === "scoring" && !countsFives(r)],
  ["two_doubles", (r) => r.two_doubles && (r.spinner !== "none" || r.count !== "none")],
  ["extras", (r) => r.spinner !== "none" && (r.extras.capicua || r.extras.capicua_blank)],
  ["extras", (r) => (r.draw !== "none" || r.pass !== "stuck") && (r.extras.pass_lead || r.extras.pass_round)],
];

const BONUS_CONFLICTS = [
  ["blocked_bonus", (r) => r.blocked_bonus === "own" && r.out_bonus !== "own"],
  ["out_bonus", (r) => r.out_bonus === "own" && !["own", "none"].includes(r.blocked_bonus)],
  ["out_bonus", (r) => chargesOwnPips(r) && (!r.lowest_wins || r.count !== "none" || r.out_points > 0)],
  ["out_bonus", (r) => chargesOwnPips(r) && (Object.keys(r.extras).length > 0 || r.bonus_unit !== "pips")],
  ["bonus_unit", (r) => r.bonus_unit === "one" && r.blocked_bonus === "chain" && r.blocked_unit === null],
  ["blocked_unit", (r) => r.blocked_unit !== null && ["none", "own"].includes(r.blocked_bonus)],
  ["blocked_unit", (r) => r.blocked_unit === "one" && r.blocked_bonus === "chain"],
  [
    "blocked_unit",
    (r) => r.blocked_tie === "carry" && (r.bonus_unit === "one") !== (unitOfBlock(r) === "one"),
  ],
  ["blocked_winner", (r) => r.blocked_tie === "lightest_tile" && r.blocked_winner !== "side"],
  ["blocked_tie", (r) => r.blocked_tie === "carry" && ["chain", "none"].includes(r.blocked_bonus)],
  ["opening", (r) => r.opening !== null && r.target !== null && r.opening.points > r.target],
  ["opening", (r) => r.opening !== null && (r.team_difference || r.count === "matching")],
  ["opening", (r) => r.opening !== null && [r.bonus_unit, r.blocked_unit].includes("one")],
  ["opening", (r) => r.opening?.kept && r.claims === "muggins"],
  ["partner_pips", (r) => r.partner_pips !== "bonus" && (!r.partners || r.out_bonus !== "opponents")],
  ["partner_pips", (r) => r.partner_pips !== "bonus" && (r.team_difference || r.opening !== null)],
  [
    "partner_pips",
    (r) => r.partner_pips !== "bonus" && (r.bonus_unit === "one" || r.partners_out === "both"),
  ],
];

const FINISH_CONFLICTS = [
  [
    "target",
    (r) =>
      r.target === null &&
      (r.rounds === null ||
        r.exact ||
        r.bonus_ceiling !== null ||
        r.opening !== null ||
        r.finish === "at_once"),
  ],
  ["goal", (r) => r.goal === "exceed" && r.exact],
  ["past_target", (r) => r.past_target === "round" && !r.exact],
  ["exact", (r) => r.exact && (r.finish === "round_end" || r.bonus_ceiling !== null)],
  ["lowest_wins", (r) => r.lowest_wins && (r.exact || r.finish === "at_once")],
  [
    "team_difference",
    (r) =>
      r.team_difference &&
      (r.finish === "at_once" || !r.partners || r.players.length > 1 || r.players[0] !== 4),
  ],
  ["count", (r) => forSomePlayers(r, (seats) => isScoringImpossible(r, seats))],
];

// [option at fault, predicate]; the first match is reported.
export const OPTION_CONFLICTS = [
  ...DEAL_CONFLICTS,
  ...PLAY_CONFLICTS,
  ...BONUS_CONFLICTS,
  ...FINISH_CONFLICTS,
];
