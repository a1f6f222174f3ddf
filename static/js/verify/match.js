// Replays a match move by move: counts, scores, the end of each round, the winner (docs/rules.md, "The turn",
// "The end of the match").

import { fitsAt, joinTile, lead, scoreOf } from "./layout.js";
import {
  blockedWinner,
  lastTileExtras,
  lostByReset,
  pipsTaken,
  roundBonuses,
  roundExtras,
} from "./settlement.js";
import { State } from "./state.js";
import { ensure, isDouble, min, sum } from "./tiles.js";

const MAX_ROUNDS = 1000;
const RESULT_BY_LEAVING = { resign: "resigned", time: "time", left: "left" };

export class Match extends State {
  // Apply the move {kind, plays}. Return the values that its record must have.
  move(seat, { kind, plays }, claim) {
    ensure(Number.isInteger(seat) && seat >= 0 && seat < this.seats.length, "seat");
    ensure(claim === null || Number.isInteger(claim), "claim");
    ensure(!claim || (this.called && kind === "play" && claim > 0), "claim");
    ensure(!this.gone.has(seat), "gone");
    if (["play", "draw", "pass"].includes(kind)) {
      ensure(seat === this.turn, "turn");
      return this[kind](seat, plays, claim);
    }
    if (kind === "muggins") return this.call(seat);
    if (kind === "close") return this.endCalls(seat);
    this.log.push({ seat, kind });
    if (kind === "abort" || kind === "void") {
      if (kind === "abort") ensure(!this.played.has(seat), "abort");
      else ensure(seat === (this.turn ?? this.nextSeat(this.closing.seat)), "turn");
      this.stop("aborted", []);
    } else if (kind !== "takeover") this.leave(seat, RESULT_BY_LEAVING[kind]);
    return {};
  }

  play(seat, plays, claim) {
    const before = this.layout;
    const layout = this.layoutAfter(seat, plays);
    const result = { count: layout.count };
    const award = this.awardLeadPass(seat);
    if (award) result.award = award;
    const earlier = award ? this.scoresBeforeAward : [...this.scores];
    this.layout = layout;
    this.hands[seat] = this.hands[seat].filter((tile) => !plays.some(([played]) => played === tile));
    const out = this.isOut(seat);
    result.points = scoreOf(this.rules, layout) + (out ? this.rules.out_points : 0);
    const counts = result.points && (!this.called || claim === result.points);
    result.scored = counts ? this.give(this.sideOf(seat), result.points) : 0;
    if (this.called) result.claim = claim || null;
    this.log.push({ seat, kind: "play", points: result.points, claim: claim || null });
    this.played.add(seat);
    this.turn = out ? null : this.nextTurn(seat);
    if (this.isWonAtOnce(earlier)) this.stop("target", this.leadingSides());
    else if (out) this.endByPlay("out", seat, lastTileExtras(this.rules.extras, plays, before));
    else if (this.isBlocked()) this.endByPlay("blocked", seat, []);
    return result;
  }

  // End the round with a play; with `call_last` it can be called first, and nobody is on turn.
  endByPlay(how, seat, extras) {
    this.closing = { how, seat, extras };
    this.turn = null;
    if (!this.rules.call_last) this.settleClosing();
  }

  settleClosing() {
    const { how, seat, extras } = this.closing;
    this.closing = null;
    if (how === "blocked") this.endBlocked();
    else if (this.gone.has(seat)) this.settle(how, null, []);
    else this.settle(how, seat, extras);
  }

  endCalls(seat) {
    ensure(this.closing !== null, "close");
    const closer = this.closing.seat;
    ensure(seat === (this.gone.has(closer) ? this.nextSeat(closer) : closer), "close");
    this.log.push({ seat, kind: "close" });
    this.settleClosing();
    return {};
  }

  // Return the layout after these plays. Throw a Fault unless all are legal.
  layoutAfter(seat, plays) {
    for (const [tile] of plays) ensure(this.hands[seat].includes(tile), "not_held", { tile });
    if (this.layout === null) {
      const [[tile, end]] = plays;
      ensure(plays.length === 1 && end === null, "lead");
      ensure(this.legalLeads(seat).includes(tile), "lead");
      return lead(this.rules, tile);
    }
    if (plays.length > 1) {
      ensure(this.rules.many_ends || this.rules.two_doubles, "one_tile");
      for (const [tile, end] of plays)
        ensure(end !== null && fitsAt(this.layout, tile, end), "no_fit", { tile, end });
      ensure(!this.rules.two_doubles || plays.every(([tile]) => isDouble(tile)), "one_tile");
    }
    const after = plays.reduce((layout, [tile, end]) => joinTile(layout, tile, end), this.layout);
    ensure(plays.length === 1 || !this.rules.many_ends || scoreOf(this.rules, after), "one_tile");
    return after;
  }

  draw(seat) {
    ensure(this.mayDraw(seat), "draw");
    const tile = this.boneyard.shift();
    this.hands[seat].push(tile);
    this.log.push({ seat, kind: "draw" });
    if (!this.canDraw) this.endIfBlocked();
    return { tile };
  }

  pass(seat) {
    ensure(this.mayPass(seat), "pass");
    const earlier = [...this.scores];
    this.log.push({ seat, kind: "pass" });
    this.turn = this.nextTurn(seat);
    const { pass_lead: forLead, pass_round: forRound } = this.rules.extras;
    if (forLead || forRound) {
      const winner = this.seatPassedByAll();
      if (!forRound || winner === null) return {};
      const award = this.award(winner, forRound);
      if (this.isWonAtOnce(earlier)) this.stop("target", this.leadingSides());
      return { award };
    }
    if (this.rules.pass !== "stuck") this.endIfBlocked();
    return {};
  }

  call(seat) {
    const play = this.lastCallablePlay();
    ensure(this.called && play && play.points && play.claim !== play.points, "call");
    const side = this.sideOf(seat);
    ensure(side !== this.sideOf(play.seat), "call");
    ensure(
      [this.sideOf(play.seat), side].every((each) => this.canScore(each, play.points)),
      "call",
    );
    const earlier = [...this.scores];
    const scored = this.give(side, play.points);
    this.log.push({ seat, kind: "muggins" });
    if (this.isWonAtOnce(earlier)) this.stop("target", this.leadingSides());
    else if (this.closing !== null) this.settleClosing();
    return { scored };
  }

  leave(seat, how) {
    this.gone.add(seat);
    const sides = this.remainingSides();
    if (sides.length === 1) this.stop(how, sides);
    else {
      if (seat === this.turn) this.turn = this.nextSeat(seat);
      if (this.closing === null) this.endIfBlocked();
    }
  }

  // Award the leader's side for one pass on the lead, when the next seat plays. Return the award by side, or null.
  awardLeadPass(seat) {
    const points = this.rules.extras.pass_lead;
    const plays = this.log.filter((entry) => entry.kind === "play");
    const passes = this.log.filter((entry) => entry.kind === "pass");
    if (!points || plays.length !== 1 || passes.length !== 1) return null;
    const leader = plays[0].seat;
    if (this.gone.has(leader) || leader === seat || this.seats.length - this.gone.size < 3) return null;
    this.scoresBeforeAward = [...this.scores];
    return this.award(leader, points);
  }

  endIfBlocked() {
    if (this.isBlocked()) this.endBlocked();
  }

  endBlocked() {
    const closer = this.log.findLast((entry) => entry.kind === "play").seat;
    this.settle("blocked", blockedWinner(this, this.handWeights(), closer), []);
  }

  settle(how, winner, playExtras) {
    const weights = this.handWeights();
    const bonus = this.sides.map(() => 0);
    let extras = [];
    if (winner !== null) {
      extras = [...playExtras, ...roundExtras(this.rules.extras, this.countRoundsWon(), how === "blocked")];
      const extraPoints = sum(extras.map(([, points]) => points));
      const bonuses = roundBonuses(
        this,
        how === "blocked",
        winner,
        weights,
        this.carriedPoints(),
        extraPoints,
      );
      bonuses.forEach((points, side) => {
        if (points) bonus[side] = this.give(side, points, this.rules.bonus_ceiling);
      });
    }
    const end = { how, winner, pips: weights, bonus };
    const taken = winner === null || how !== "out" ? 0 : pipsTaken(this, winner, weights);
    if (taken) {
      const own = this.sideOf(winner);
      end.taken = this.sides.map((_, side) => (side === own ? taken : 0));
      this.scores[own] -= taken;
    }
    this.close(end, extras);
    this.finishOrContinue();
  }

  close(end, extras) {
    if (extras.length) end.extras = Object.fromEntries(extras);
    if (this.rules.team_difference) {
      const lowestGain = min(this.scores.map((score, side) => score - this.scoresAtStart[side]));
      this.scores = this.scores.map((score) => score - lowestGain);
    }
    const lost = end.how === "stopped" ? null : lostByReset(this);
    if (lost) {
      end.reset = lost;
      this.scores = this.scores.map((score, side) => score - lost[side]);
    }
    this.roundResult = {
      number: this.round.number,
      leader: this.round.leader,
      end,
      scores: [...this.scores],
    };
    this.roundResults.push(this.roundResult);
  }

  stop(how, winners) {
    const bonus = this.sides.map(() => 0);
    this.close({ how: "stopped", winner: null, pips: this.handWeights(), bonus }, []);
    this.finish(how, winners);
  }

  finish(how, winners) {
    this.result = { how, winners, scores: [...this.scores] };
  }

  finishOrContinue() {
    let extraRounds = Math.max(0, this.extraRounds - 1);
    if (!extraRounds && this.isTargetReached()) {
      const leaders = this.leadingSides();
      if (leaders.length === 1) {
        this.finish("target", leaders);
        return;
      }
      extraRounds =
        this.rules.extra_rounds === "players" && this.rules.finish === "round_end" ? this.seats.length : 1;
    }
    this.extraRounds = extraRounds;
    if (this.round.number === (this.rules.rounds ?? MAX_ROUNDS)) this.finish("rounds", this.leadingSides());
  }
}
