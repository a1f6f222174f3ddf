// A match played again from its record, move by move: what each move must have counted and scored, how each round
// ended, and who has won (docs/rules.md, "The turn", "The end of the match").

import { fitsAt, joined, lead, worth } from "./layout.js";
import { blockedWinner, bonusesOf, ofLastTile, ofRound, pointsGiven } from "./settlement.js";
import { Table } from "./table.js";
import { isDouble, least, refuse, sum } from "./tiles.js";

const LAST_ROUND = 1000;
const LEAVING = { resign: "resigned", time: "time", left: "left" };

export class Match extends Table {
  // Makes the move {kind, plays} and returns what the record must tell of it.
  move(seat, { kind, plays }, claim) {
    refuse(Number.isInteger(seat) && seat >= 0 && seat < this.seats.length, "seat");
    refuse(claim === null || Number.isInteger(claim), "claim");
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

  draw(seat) {
    refuse(this.mayDraw(seat), "draw");
    const tile = this.boneyard.shift();
    this.hands[seat].push(tile);
    this.log.push({ seat, kind: "draw" });
    if (!this.canDraw) this.endIfBlocked();
    return { tile };
  }

  pass(seat) {
    refuse(this.mayPass(seat), "pass");
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

  leave(seat, how) {
    this.gone.add(seat);
    const staying = this.staying();
    if (staying.length === 1) this.stop(how, staying);
    else {
      if (seat === this.turn) this.turn = this.seatAfter(seat);
      this.endIfBlocked();
    }
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

  endIfBlocked() {
    if (!this.isBlocked()) return;
    const closer = this.log.findLast((entry) => entry.kind === "play").seat;
    this.settle("blocked", blockedWinner(this, this.weights(), closer), []);
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
}
