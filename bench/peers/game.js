// All Fives for two with the rules of the site's preset "all-fives": a draw game to 100 in which multiples of five of
// the open ends score at once.
const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const TARGET = 100;
const HAND_SIZE = 7;
const TILES = [0, 1, 2, 3, 4, 5, 6].flatMap((high) =>
  [...Array(high + 1).keys()].map((low) => `${high}${low}`),
);

const halves = (tile) => [...tile].map(Number);
const pips = (hand) => hand.reduce((sum, tile) => sum + halves(tile)[0] + halves(tile)[1], 0);
const count = (ends) => Object.values(ends).reduce((sum, end) => sum + end.worth, 0);

// Return the ends that a tile fits; [null] for the lead.
function fittingEnds(G, tile) {
  if (!G.ends) return [null];
  return Object.keys(G.ends).filter((end) => tile.includes(G.ends[end].suit));
}

// Return the legal moves of the seat on turn, as names with arguments. Needs only the view of that seat.
function legal(G, playerID) {
  const { hand } = G.players[playerID];
  const plays = hand.flatMap((tile) => fittingEnds(G, tile).map((end) => ["play", tile, end]));
  if (plays.length) return plays;
  return [[G.boneyard ? "draw" : "pass"]];
}

// `G.ends` has the suit of each end and its share of the count. The first double is the spinner; `line` marks its open
// sides along the line. When both are covered it no longer counts, and two arms open.
function lay(G, tile, end) {
  const [high, low] = halves(tile);
  const double = high === low;
  const spinner = double && !G.spinner;
  G.spinner ||= double;
  if (!end) {
    G.ends = { L: { suit: high, worth: high, line: double }, R: { suit: low, worth: low, line: double } };
    return;
  }
  const covered = G.ends[end];
  const suit = covered.suit === high ? low : high;
  G.ends[end] = { suit, worth: double ? 2 * suit : suit, line: spinner };
  if (!covered.line) return;
  const other = Object.values(G.ends).find((each) => each.line);
  if (other) other.worth = 2 * other.suit;
  else for (const arm of "UD") G.ends[arm] = { suit: covered.suit, worth: 0, line: false };
}

function deal(G, random) {
  const tiles = random.Shuffle(TILES);
  for (const player of Object.values(G.players)) player.hand = tiles.splice(0, HAND_SIZE);
  Object.assign(G, { ends: null, spinner: false, laid: [], round: G.round + 1 });
  G.secret.boneyard = tiles;
  publishSizes(G);
}

// Publish the numbers of tiles; the tiles themselves are secret.
function publishSizes(G) {
  G.boneyard = G.secret.boneyard.length;
  G.held = Object.values(G.players).map(({ hand }) => hand.length);
}

// Return the seat that wins the round, null for a draw, undefined while it continues.
function roundWinner(G) {
  const hands = Object.values(G.players).map(({ hand }) => hand);
  const out = hands.findIndex((hand) => !hand.length);
  if (out >= 0) return out;
  if (G.boneyard || hands.flat().some((tile) => fittingEnds(G, tile).length)) return undefined;
  const lightest = (hand) => Math.min(...hand.map((tile) => pips([tile])));
  const less = pips(hands[0]) - pips(hands[1]) || lightest(hands[0]) - lightest(hands[1]);
  return less ? Number(less > 0) : null;
}

function endRound(G, won, { random, events }) {
  if (won !== null) {
    G.scores[won] += pips(G.players[1 - won].hand);
    G.leader = won;
  }
  const [one, other] = G.scores;
  if (Math.max(one, other) >= TARGET && one !== other) {
    events.endGame({ winner: Number(other > one) });
    return;
  }
  deal(G, random);
  events.endTurn({ next: String(G.leader) });
}

function play({ G, playerID, random, events }, tile, end) {
  const { hand } = G.players[playerID];
  if (!hand.includes(tile) || !fittingEnds(G, tile).includes(end)) return INVALID_MOVE;
  hand.splice(hand.indexOf(tile), 1);
  lay(G, tile, end);
  G.laid.push([tile, end, playerID]);
  publishSizes(G);
  const points = count(G.ends);
  if (points % 5 === 0) G.scores[playerID] += points;
  const won = roundWinner(G);
  if (won === undefined) events.endTurn();
  else endRound(G, won, { random, events });
}

const mustPlay = (G, playerID, move) => legal(G, playerID)[0][0] === move;

function draw({ G, playerID, random, events }) {
  if (!mustPlay(G, playerID, "draw")) return INVALID_MOVE;
  G.players[playerID].hand.push(G.secret.boneyard.shift());
  publishSizes(G);
  const won = roundWinner(G);
  if (won !== undefined) endRound(G, won, { random, events });
}

function pass({ G, playerID, events }) {
  if (!mustPlay(G, playerID, "pass")) return INVALID_MOVE;
  events.endTurn();
}

// Clients cannot predict moves: the other hand and the boneyard are hidden from them.
const onServer = (move) => ({ move, client: false });

const Dominoes = {
  name: "dominoes",
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true, // drawn tiles are known
  setup: ({ random }) => {
    const players = { 0: { hand: [] }, 1: { hand: [] } };
    const G = { players, secret: {}, scores: [0, 0], round: 0, leader: random.Die(2) - 1 };
    deal(G, random);
    return G;
  },
  turn: {
    order: {
      first: ({ G }) => G.leader,
      next: ({ ctx }) => 1 - ctx.playOrderPos,
    },
  },
  moves: { play: onServer(play), draw: onServer(draw), pass: onServer(pass) },
  playerView: PlayerView.STRIP_SECRETS,
};

module.exports = { Dominoes, count, lay, legal };
