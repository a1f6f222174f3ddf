// A match played again from its record, move by move: what each move must have counted and scored, how each round
// ended, and who has won (docs/rules.md, "The turn", "The end of the match").

import { fits, fitsAt, joined, lead, scoresAsLead, worth } from "./layout.js";
import {
  blockedWinner,
  bonusesOf,
  given,
  handPips,
  keptBack,
  ofLastTile,
  ofRound,
  pointsGiven,
} from "./settlement.js";
import { isDouble, least, refuse, sum } from "./tiles.js";

const LAST_ROUND = 1000;
const LEAVING = { resign: "resigned", time: "time", left: "left" };

export class Match {
  constructor(rules, seats, entropy) {
    this.rules = rules;
    this.entropy = entropy;
    this.seats = seats;
    const count = seats.length;
    this.sides =
      rules.partners && count === 4
        ? [
            [0, 2],
            [1, 3],
          ]
        : seats.map((_, seat) => [seat]);
    this.reserve = rules.reserve[count];
    this.called = rules.claims === "muggins";
    this.scores = this.sides.map(() => 0);
    this.kept = this.sides.map(() => 0);
    this.gone = new Set();
    this.ended = []; // {number, leader, end, scores}
    this.extra = 0;
    this.result = null;
    this.played = new Set(); // seats that have laid a tile
  }

  sideOf(seat) {
    return seat % this.sides.length;
  }

  seatAfter(seat) {
    let next = seat;
    do next = (next + 1) % this.seats.length;
    while (this.gone.has(next));
    return next;
  }

  staying() {
    return [...this.sides.keys()].filter((side) => !this.sides[side].some((seat) => this.gone.has(seat)));
  }

  begin(round) {
    this.round = round;
    this.hands = round.hands.map((hand) => [...hand]);
    for (const [seat, tile] of round.lead_draws) this.hands[seat].push(tile);
    this.boneyard = round.boneyard.slice(round.lead_draws.length);
    this.layout = null;
    this.turn = round.leader;
    this.log = []; // {seat, kind, …} of this round
    this.over = null;
    this.before = [...this.scores];
  }

  get canDraw() {
    return this.rules.draw !== "none" && this.boneyard.length > this.reserve;
  }

  // Makes the move {kind, plays} and returns what the record must tell of it.
  move(seat, { kind, plays }, claim) {
    refuse(Number.isInteger(seat) && seat >= 0 && seat < this.seats.length, "seat");
    refuse(!claim || (this.called && kind === "play" && claim > 0), "claim");
    refuse(!this.gone.has(seat), "gone");
    if (["play", "draw", "pass"].includes(kind)) {
      refuse(seat === this.turn, "turn");
      return this[kind](seat, plays, claim);
    }
    if (kind === "muggins") return this.call(seat);
    this.log.push({ seat, kind });
    if (kind === "abort") {
      refuse(!this.played.has(seat), "abort");
      this.stop("aborted", []);
    } else if (kind !== "takeover") this.leave(seat, LEAVING[kind]);
    return {};
  }

  play(seat, plays, claim) {
    const before = this.layout;
    const layout = this.laid(seat, plays);
    const told = { count: layout.count };
    const award = this.awardForLead(seat);
    if (award) told.award = award;
    const earlier = award ? this.scoresBefore : [...this.scores];
    this.layout = layout;
    this.hands[seat] = this.hands[seat].filter((tile) => !plays.some(([laid]) => laid === tile));
    const out = !this.hands[seat].length;
    told.points = worth(this.rules, layout) + (out ? this.rules.out_points : 0);
    const counts = told.points && (!this.called || claim === told.points);
    told.scored = counts ? this.give(this.sideOf(seat), told.points) : 0;
    if (this.called) told.claim = claim || null;
    this.log.push({ seat, kind: "play", points: told.points, claim: claim || null });
    this.played.add(seat);
    this.turn = this.seatAfter(seat);
    if (this.wonAtOnce(earlier)) this.stop("target", this.best());
    else if (out) this.settle("out", seat, ofLastTile(this.rules.extras, plays, before));
    else if (!this.canDraw) this.endIfBlocked();
    return told;
  }

  // The layout after these plays, each of which must be legal.
  laid(seat, plays) {
    for (const [tile] of plays) refuse(this.hands[seat].includes(tile), "not_held", { tile });
    if (this.layout === null) {
      const [[tile, end]] = plays;
      refuse(plays.length === 1 && end === null, "lead");
      refuse(this.leadable(seat).includes(tile), "lead");
      return lead(this.rules, tile);
    }
    if (plays.length > 1) {
      refuse(this.rules.many_ends || this.rules.two_doubles, "one_tile");
      for (const [tile, end] of plays)
        refuse(end !== null && fitsAt(this.layout, tile, end), "no_fit", { tile, end });
      refuse(!this.rules.two_doubles || plays.every(([tile]) => isDouble(tile)), "one_tile");
    }
    const after = plays.reduce((layout, [tile, end]) => joined(layout, tile, end), this.layout);
    refuse(plays.length === 1 || !this.rules.many_ends || worth(this.rules, after), "one_tile");
    return after;
  }

  leadable(seat) {
    const hand = this.hands[seat];
    if (this.round.named !== null && seat === this.round.leader) return [this.round.named];
    const scoring =
      this.rules.lead_with === "scoring" ? hand.filter((tile) => scoresAsLead(this.rules, tile)) : [];
    return scoring.length ? scoring : hand;
  }

  draw(seat) {
    refuse(this.layout !== null && this.canDraw, "draw");
    refuse(this.rules.draw === "free" || !this.canPlay(seat), "draw");
    const tile = this.boneyard.shift();
    this.hands[seat].push(tile);
    this.log.push({ seat, kind: "draw" });
    if (!this.canDraw) this.endIfBlocked();
    return { tile };
  }

  pass(seat) {
    refuse(this.layout !== null, "pass");
    if (this.rules.pass !== "always") {
      refuse(!this.canDraw, "pass");
      refuse(this.rules.pass === "free" || !this.canPlay(seat), "pass");
    }
    const earlier = [...this.scores];
    this.log.push({ seat, kind: "pass" });
    this.turn = this.seatAfter(seat);
    const { pass_lead: forLead, pass_round: forRound } = this.rules.extras;
    if (forLead || forRound) {
      const winner = this.passedByAll();
      if (!forRound || winner === null) return {};
      const award = this.award(winner, forRound);
      if (this.wonAtOnce(earlier)) this.stop("target", this.best());
      return { award };
    }
    if (this.rules.pass !== "stuck") this.endIfBlocked();
    return {};
  }

  canPlay(seat) {
    return this.hands[seat].some((tile) => fits(this.layout, tile));
  }

  call(seat) {
    const play = this.callable();
    refuse(this.called && play && play.points && play.claim !== play.points, "call");
    const mine = this.sideOf(seat);
    refuse(mine !== this.sideOf(play.seat), "call");
    const could = (side) => pointsGiven(this.rules, this.scores[side], play.points) > 0;
    refuse(could(this.sideOf(play.seat)) && could(mine), "call");
    const earlier = [...this.scores];
    const scored = this.give(mine, play.points);
    this.log.push({ seat, kind: "muggins" });
    if (this.wonAtOnce(earlier)) this.stop("target", this.best());
    return { scored };
  }

  callable() {
    const last = [...this.log]
      .reverse()
      .find((entry) => ["play", "draw", "pass", "muggins"].includes(entry.kind));
    return last?.kind === "play" ? last : null;
  }

  leave(seat, how) {
    this.gone.add(seat);
    const staying = this.staying();
    if (staying.length === 1) this.stop(how, staying);
    else {
      if (seat === this.turn) this.turn = this.seatAfter(seat);
      this.endIfBlocked();
    }
  }

  give(side, points, ceiling = null) {
    const [got, kept] = given(this.rules, this.scores[side], this.kept[side], points, ceiling);
    this.scores[side] += got;
    this.kept[side] = kept;
    return got;
  }

  award(seat, points) {
    const side = this.sideOf(seat);
    const got = this.give(side, points);
    return this.sides.map((_, each) => (each === side ? got : 0));
  }

  // What the leader's side is given when this seat plays after one pass on the lead.
  awardForLead(seat) {
    const points = this.rules.extras.pass_lead;
    const plays = this.log.filter((entry) => entry.kind === "play");
    const passes = this.log.filter((entry) => entry.kind === "pass");
    if (!points || plays.length !== 1 || passes.length !== 1) return null;
    const leader = plays[0].seat;
    if (this.gone.has(leader) || leader === seat || this.seats.length - this.gone.size < 3) return null;
    this.scoresBefore = [...this.scores];
    return this.award(leader, points);
  }

  // The seat that laid the last tile, if it is on turn again and every other seat has passed since.
  passedByAll() {
    const at = this.log.findLastIndex((entry) => entry.kind === "play");
    if (at < 0) return null;
    const seat = this.log[at].seat;
    const passed = this.log.slice(at).filter((entry) => entry.kind === "pass");
    const others = [...this.seats.keys()].filter((each) => each !== seat && !this.gone.has(each));
    const all = others.every((each) => passed.some((entry) => entry.seat === each));
    return all && seat === this.turn ? seat : null;
  }

  passesInSuccession() {
    const at = this.log.findLastIndex((entry) => ["play", "draw"].includes(entry.kind));
    const passed = this.log.slice(at + 1).filter((entry) => entry.kind === "pass");
    return new Set(passed.map((entry) => entry.seat).filter((seat) => !this.gone.has(seat))).size;
  }

  isBlocked() {
    if (this.layout === null) return false;
    const everybody = this.passesInSuccession() >= this.seats.length - this.gone.size;
    if (this.canDraw) return this.rules.pass === "always" && everybody;
    const somebody = this.hands.some((_, seat) => !this.gone.has(seat) && this.canPlay(seat));
    return !somebody || (this.rules.pass !== "stuck" && everybody);
  }

  endIfBlocked() {
    if (!this.isBlocked()) return;
    const closer = this.log.findLast((entry) => entry.kind === "play").seat;
    this.settle("blocked", blockedWinner(this, this.weights(), closer), []);
  }

  weights() {
    return this.hands.map((hand) => handPips(this.rules, hand));
  }

  settle(how, winner, earned) {
    const weights = this.weights();
    const bonus = this.sides.map(() => 0);
    let extras = [];
    if (winner !== null) {
      extras = [...earned, ...ofRound(this.rules.extras, this.roundsWon(), how === "blocked")];
      const beside = sum(extras.map(([, points]) => points));
      const wanted = bonusesOf(this, how === "blocked", winner, weights, this.carried(), beside);
      wanted.forEach((points, side) => {
        if (points) bonus[side] = this.give(side, points, this.rules.bonus_ceiling);
      });
    }
    this.close({ how, winner, pips: weights, bonus }, extras);
    this.finishOrGoOn();
  }

  roundsWon() {
    return this.ended.filter((round) => round.end.winner !== null).length;
  }

  // What tied blocks have kept for the next winner.
  carried() {
    const last = this.ended.findLastIndex((round) => round.end.winner !== null);
    return sum(this.ended.slice(last + 1).map((round) => keptBack(this.rules, round.end.pips)));
  }

  close(end, extras) {
    if (extras.length) end.extras = Object.fromEntries(extras);
    if (this.rules.team_difference) {
      const netted = least(this.scores.map((score, side) => score - this.before[side]));
      this.scores = this.scores.map((score) => score - netted);
    }
    this.over = { number: this.round.number, leader: this.round.leader, end, scores: [...this.scores] };
    this.ended.push(this.over);
  }

  stop(how, winners) {
    const bonus = this.sides.map(() => 0);
    this.close({ how: "stopped", winner: null, pips: this.weights(), bonus }, []);
    this.finish(how, winners);
  }

  finish(how, winners) {
    this.result = { how, winners, scores: [...this.scores] };
  }

  finishOrGoOn() {
    let extra = Math.max(0, this.extra - 1);
    if (!extra && this.reached()) {
      const best = this.best();
      if (best.length === 1) {
        this.finish("target", best);
        return;
      }
      extra =
        this.rules.extra_rounds === "players" && this.rules.finish === "round_end" ? this.seats.length : 1;
    }
    this.extra = extra;
    if (this.round.number === LAST_ROUND) this.finish("rounds", this.best());
  }

  reached() {
    return this.staying().some((side) => this.scores[side] >= this.rules.target);
  }

  wonAtOnce(earlier) {
    if (this.rules.finish !== "at_once") return false;
    const reached = this.scores.some((now, side) => now > earlier[side] && now >= this.rules.target);
    return reached && this.best().length === 1;
  }

  best() {
    const staying = this.staying();
    const scores = staying.map((side) => this.scores[side]);
    const best = this.rules.lowest_wins ? least(scores) : Math.max(...scores);
    return staying.filter((side) => this.scores[side] === best);
  }
}
