// All Fives for two, as the site's preset "all-fives": a draw game in which open ends that add up to a multiple of
// five score at once, round after round until somebody has 100.
const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const TARGET = 100;
const HAND = 7;
const TILES = [0, 1, 2, 3, 4, 5, 6].flatMap((high) =>
  [...Array(high + 1).keys()].map((low) => `${high}${low}`),
);

const halves = (tile) => [...tile].map(Number);
const pips = (hand) => hand.reduce((sum, tile) => sum + halves(tile)[0] + halves(tile)[1], 0);
const count = (ends) => Object.values(ends).reduce((sum, end) => sum + end.worth, 0);

// The ends that a tile fits; [null] for the lead.
function places(G, tile) {
  if (!G.ends) return [null];
  return Object.keys(G.ends).filter((end) => tile.includes(G.ends[end].suit));
}

// What the seat on turn may do, as names of moves with their arguments. Needs no more than its own view.
function legal(G, playerID) {
  const { hand } = G.players[playerID];
  const plays = hand.flatMap((tile) => places(G, tile).map((end) => ["play", tile, end]));
  if (plays.length) return plays;
  return [[G.boneyard ? "draw" : "pass"]];
}

// `G.ends` has the suit that each end wants and what it adds to the count. The first double is the spinner: `line`
// marks its sides that lie in the line and are free. With both covered it counts no more, and two arms open.
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
  for (const player of Object.values(G.players)) player.hand = tiles.splice(0, HAND);
  Object.assign(G, { ends: null, spinner: false, laid: [], round: G.round + 1 });
  G.secret.boneyard = tiles;
  tell(G);
}

// How many tiles everybody has is no secret, which tiles is.
function tell(G) {
  G.boneyard = G.secret.boneyard.length;
  G.held = Object.values(G.players).map(({ hand }) => hand.length);
}

// The seat that wins a round that is over; undefined where it goes on, null where nobody wins it.
function winner(G) {
  const hands = Object.values(G.players).map(({ hand }) => hand);
  const out = hands.findIndex((hand) => !hand.length);
  if (out >= 0) return out;
  if (G.boneyard || hands.flat().some((tile) => places(G, tile).length)) return undefined;
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
  if (!hand.includes(tile) || !places(G, tile).includes(end)) return INVALID_MOVE;
  hand.splice(hand.indexOf(tile), 1);
  lay(G, tile, end);
  G.laid.push([tile, end, playerID]);
  tell(G);
  const points = count(G.ends);
  if (points % 5 === 0) G.scores[playerID] += points;
  const won = winner(G);
  if (won === undefined) events.endTurn();
  else endRound(G, won, { random, events });
}

const only = (G, playerID, move) => legal(G, playerID)[0][0] === move;

function draw({ G, playerID, random, events }) {
  if (!only(G, playerID, "draw")) return INVALID_MOVE;
  G.players[playerID].hand.push(G.secret.boneyard.shift());
  tell(G);
  const won = winner(G);
  if (won !== undefined) endRound(G, won, { random, events });
}

function pass({ G, playerID, events }) {
  if (!only(G, playerID, "pass")) return INVALID_MOVE;
  events.endTurn();
}

// A page cannot work out what comes of a move: the other hand and the boneyard are hidden from it.
const onServer = (move) => ({ move, client: false });

const Dominoes = {
  name: "dominoes",
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true, // a tile that was drawn is known
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
