// What stands at the table while a match is played again: hands, layout, scores, who has left, and what follows of it.

import { fits, scoresAsLead } from "./layout.js";
import { given, handPips, keptBack } from "./settlement.js";
import { least, sum } from "./tiles.js";

export class Table {
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

  leadable(seat) {
    const hand = this.hands[seat];
    if (this.round.named !== null && seat === this.round.leader) return [this.round.named];
    const scoring =
      this.rules.lead_with === "scoring" ? hand.filter((tile) => scoresAsLead(this.rules, tile)) : [];
    return scoring.length ? scoring : hand;
  }

  canPlay(seat) {
    return this.hands[seat].some((tile) => fits(this.layout, tile));
  }

  mayDraw(seat) {
    return this.layout !== null && this.canDraw && (this.rules.draw === "free" || !this.canPlay(seat));
  }

  mayPass(seat) {
    if (this.layout === null) return false;
    if (this.rules.pass === "always") return true;
    return !this.canDraw && (this.rules.pass === "free" || !this.canPlay(seat));
  }

  callable() {
    const last = [...this.log]
      .reverse()
      .find((entry) => ["play", "draw", "pass", "muggins"].includes(entry.kind));
    return last?.kind === "play" ? last : null;
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

  weights() {
    return this.hands.map((hand) => handPips(this.rules, hand));
  }

  roundsWon() {
    return this.ended.filter((round) => round.end.winner !== null).length;
  }

  // What tied blocks have kept for the next winner.
  carried() {
    const last = this.ended.findLastIndex((round) => round.end.winner !== null);
    return sum(this.ended.slice(last + 1).map((round) => keptBack(this.rules, round.end.pips)));
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
