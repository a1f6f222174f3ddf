// The state of a replayed match: hands, layout, scores, seats that left, and what is legal.

import { fits, scoresAsLead } from "./layout.js";
import { awardablePoints, computeAward, handPips, passesTarget, pointsCarried } from "./settlement.js";
import { min, sum } from "./tiles.js";

export class State {
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
    this.needsBothOut = rules.partners_out === "both" && this.sides.length < count;
    this.scores = this.sides.map(() => 0);
    this.keptPoints = this.sides.map(() => 0);
    this.gone = new Set();
    this.roundResults = []; // {number, leader, end, scores}
    this.extraRounds = 0;
    this.result = null;
    this.played = new Set(); // seats that have played a tile
  }

  sideOf(seat) {
    return seat % this.sides.length;
  }

  nextSeat(seat) {
    let next = seat;
    do next = (next + 1) % this.seats.length;
    while (this.gone.has(next));
    return next;
  }

  // Return the seats that turns pass over: those that left, or without tiles under `partners_out: both`.
  isSkipped(seat) {
    return this.gone.has(seat) || (this.needsBothOut && !this.hands[seat].length);
  }

  nextTurn(seat) {
    let next = this.nextSeat(seat);
    while (this.isSkipped(next)) next = this.nextSeat(next);
    return next;
  }

  // Return whether this seat, or under `partners_out: both` its pair, has laid its last tile.
  isOut(seat) {
    const seats = this.needsBothOut ? this.sides[this.sideOf(seat)] : [seat];
    return seats.every((each) => !this.hands[each].length);
  }

  countTurns() {
    return [...this.seats.keys()].filter((seat) => !this.isSkipped(seat)).length;
  }

  remainingSides() {
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
    this.barred = new Set(); // sides that are given nothing more in this round
    this.closing = null; // {how, seat, extras} while the play that ends the round can be called
    this.roundResult = null;
    this.scoresAtStart = [...this.scores];
  }

  get canDraw() {
    return this.rules.draw !== "none" && this.boneyard.length > this.reserve;
  }

  legalLeads(seat) {
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

  lastCallablePlay() {
    const last = [...this.log]
      .reverse()
      .find((entry) => ["play", "draw", "pass", "muggins"].includes(entry.kind));
    return last?.kind === "play" ? last : null;
  }

  canScore(side, points) {
    return !this.barred.has(side) && awardablePoints(this.rules, this.scores[side], points) > 0;
  }

  give(side, points, ceiling = null) {
    if (this.barred.has(side)) return 0;
    const isPast = passesTarget(this.rules, this.scores[side], this.keptPoints[side] + points);
    if (this.rules.past_target === "round" && isPast) this.barred.add(side);
    const [granted, kept] = computeAward(
      this.rules,
      this.scores[side],
      this.keptPoints[side],
      points,
      ceiling,
    );
    this.scores[side] += granted;
    this.keptPoints[side] = kept;
    return granted;
  }

  award(seat, points) {
    const side = this.sideOf(seat);
    const granted = this.give(side, points);
    return this.sides.map((_, each) => (each === side ? granted : 0));
  }

  // Return the seat of the last play if it is on turn again and all other seats have passed since, or null.
  seatPassedByAll() {
    const at = this.log.findLastIndex((entry) => entry.kind === "play");
    if (at < 0) return null;
    const seat = this.log[at].seat;
    const passed = this.log.slice(at).filter((entry) => entry.kind === "pass");
    const others = [...this.seats.keys()].filter((each) => each !== seat && !this.isSkipped(each));
    const allPassed = others.every((each) => passed.some((entry) => entry.seat === each));
    return allPassed && seat === this.turn ? seat : null;
  }

  countConsecutivePasses() {
    const at = this.log.findLastIndex((entry) => ["play", "draw"].includes(entry.kind));
    const passed = this.log.slice(at + 1).filter((entry) => entry.kind === "pass");
    return new Set(passed.map((entry) => entry.seat).filter((seat) => !this.gone.has(seat))).size;
  }

  isBlocked() {
    if (this.layout === null) return false;
    const allPassed = this.countConsecutivePasses() >= this.countTurns();
    if (this.canDraw) return this.rules.pass === "always" && allPassed;
    const anyCanPlay = this.hands.some((_, seat) => !this.gone.has(seat) && this.canPlay(seat));
    return !anyCanPlay || (this.rules.pass !== "stuck" && allPassed);
  }

  handWeights() {
    return this.hands.map((hand) => handPips(this.rules, hand));
  }

  countRoundsWon() {
    return this.roundResults.filter((round) => round.end.winner !== null).length;
  }

  // Return the points that tied blocks carry to the next winner.
  carriedPoints() {
    const last = this.roundResults.findLastIndex((round) => round.end.winner !== null);
    const tied = this.roundResults.slice(last + 1).filter((round) => round.end.how === "blocked");
    return sum(tied.map((round) => pointsCarried(this.rules, round.end.pips)));
  }

  isTargetReached() {
    return this.remainingSides().some((side) => this.reachesGoal(this.scores[side]));
  }

  reachesGoal(score) {
    const { target, goal } = this.rules;
    return target !== null && (goal === "exceed" ? score > target : score >= target);
  }

  isWonAtOnce(earlier) {
    if (this.rules.finish !== "at_once") return false;
    const reached = this.scores.some((now, side) => now > earlier[side] && this.reachesGoal(now));
    return reached && this.leadingSides().length === 1;
  }

  leadingSides() {
    const sides = this.remainingSides();
    const scores = sides.map((side) => this.scores[side]);
    const best = this.rules.lowest_wins ? min(scores) : Math.max(...scores);
    return sides.filter((side) => this.scores[side] === best);
  }
}
