"""The end of a round: its bonuses, and the end of the match or the next deal.

>>> from .matches import begin
>>> from .moves import RESIGN
>>> from .presets import PRESETS
>>> match = begin(PRESETS["block"].rules, 2, bytes(range(32)), "a1b2.")
>>> leading_sides(match), is_target_reached(match)
((0, 1), False)
>>> match.play(0, RESIGN).result
Result(how='resigned', winners=(1,), scores=(0, 0))
"""

from operator import add, sub
from typing import TypeVar

from . import rounds
from .dealing import deal
from .extras import EarnedExtras, last_tile_extras, round_extras
from .round_ends import EndedRound, RoundEnd
from .rounds import RoundEnding
from .settlement import (
    FinalPosition,
    Sum,
    awarded_sum,
    blocked_winner,
    closer_and_next,
    lost_by_reset,
    pips_taken,
    result_of,
    round_sums,
    split_award,
)
from .state import MatchEnding, Result, State

# Build a named tuple from a tuple: twice as fast as its constructor (bench/engine.py).
_new = tuple.__new__

_Match = TypeVar("_Match", bound=State)


def end_if_blocked(match: _Match) -> _Match:
    """Return the match after its blocked round, or unchanged if the round is not blocked."""
    return _finish_blocked(match) if match.round.is_blocked() else match


def _finish_blocked(match: _Match) -> _Match:
    terms, round_ = match.terms, match.round
    pips = round_.pips
    final = FinalPosition(round_.hands, round_.gone, round_.leader, round_.closer)
    is_comparison = terms.rules.blocked_winner == "closer" and terms.seats > 2
    compared = tuple(closer_and_next(terms, final)) if is_comparison else ()
    return _settle(match, "blocked", blocked_winner(terms, final, pips), pips, compared=compared)


def finish_out(match: _Match, seat: int, earned: EarnedExtras) -> _Match:
    """Return the match after this seat laid its last tile and earned these extras with it.

    A seat that has left meanwhile has won nothing.
    """
    winner = None if seat in match.gone else seat
    return _settle(match, "out", winner, match.round.pips, earned)


def await_calls(match: _Match) -> _Match:
    """Return the match after a play that ends its round and can still be called (`call_last`): nobody is on turn."""
    return match._replace(turn=None)


def finish_called(match: _Match) -> _Match:
    """Return the match after the round that waited for calls, settled with its scores and seats as they are now."""
    round_ = match.round
    play = next(entry for entry in reversed(round_.log) if entry.move.kind == "play")
    if not round_.is_out(play.seat):
        return _finish_blocked(match)
    extras = match.terms.rules.extras
    earned = last_tile_extras(extras, play.move, round_.layout_before(play)) if match.terms.has_extras else ()
    return finish_out(match, play.seat, earned)


def stop_match(match: _Match, how: MatchEnding, winners: tuple[int, ...]) -> _Match:
    """Return the match ended within the round."""
    nothing = (0,) * len(match.scores)
    stopped = RoundEnd("stopped", None, match.round.pips, nothing)
    return _end_match(_close_round(match, stopped, match.kept), how, winners)


def won_at_once(match: State, before: tuple[int, ...]) -> bool:
    """Return whether the points added since the scores `before` end the match.

    A side that received points must have reached the target, and one side alone must be best.
    """
    if not match.terms.at_once:
        return False
    target = match.terms.winning_score
    reached = any(now > then and now >= target for now, then in zip(match.scores, before, strict=True))
    return reached and len(leading_sides(match)) == 1


def leading_sides(match: State) -> tuple[int, ...]:
    """Return the sides with the best score among those without a seat that is gone."""
    scores, staying = match.scores, match.terms.staying(match.gone)
    wanted = (min if match.terms.rules.lowest_wins else max)([scores[side] for side in staying])
    return tuple([side for side in staying if scores[side] == wanted])


def is_target_reached(match: State) -> bool:
    """Return whether a side without a seat that is gone has reached the target."""
    scores, target = match.scores, match.terms.winning_score
    return max(scores) >= target and any(scores[side] >= target for side in match.terms.staying(match.gone))


def replace_at(numbers: tuple[int, ...], side: int, number: int) -> tuple[int, ...]:
    """Return these numbers with `number` in the place of `side`."""
    return numbers[:side] + (number,) + numbers[side + 1 :]


def _settle(
    match: _Match,
    how: RoundEnding,
    winner: int | None,
    pips: tuple[int, ...],
    earned: EarnedExtras = (),
    compared: tuple[int, ...] = (),
) -> _Match:
    """End the round, add its bonuses, and end the match or deal the next round."""
    terms, rules, kept = match.terms, match.terms.rules, match.kept
    sums: list[Sum] = [()] * len(match.scores)
    taken: tuple[int, ...] = ()
    if winner is not None:
        if terms.has_extras:
            earned += round_extras(rules.extras, match.rounds_with_winner, how == "blocked")
        carried = match.carried if rules.blocked_tie == "carry" else 0
        extras = [points for _name, points in earned]
        sums = round_sums(terms, how == "blocked", winner, pips, match.gone, carried, extras)
    for side, steps in enumerate(sums):
        if not result_of(steps):
            continue
        awarded, kept_before = 0, kept[side] if kept else 0
        if side not in match.round.barred:
            awarded, kept_points = split_award(
                rules, match.scores[side], kept_before, result_of(steps), rules.bonus_ceiling
            )
            kept = replace_at(kept, side, kept_points) if kept else kept
        sums[side] = awarded_sum(steps, kept_before, awarded)
    bonuses = tuple(map(result_of, sums))
    if winner is not None and terms.partner_pays and how == "out":
        side = terms.side_of[winner]
        if pips_of_partner := pips_taken(terms, winner, pips):
            taken = replace_at((0,) * len(sums), side, pips_of_partner)
    end = RoundEnd(
        how, winner, pips, bonuses, earned if winner is not None else (), taken, compared, tuple(sums)
    )
    return _finish_or_deal(_close_round(match, end, kept))


def _scores_before(match: State) -> tuple[int, ...]:
    """Return the scores before the round in play."""
    return match.ended[-1].scores if match.ended else (0,) * len(match.scores)


def _close_round(match: _Match, end: RoundEnd, kept: tuple[int, ...]) -> _Match:
    """Return the match with its round added to `ended`."""
    terms, keys, entropy, round_, turn, scores, ended, extra, result, move_count, _ = match
    scores = tuple(map(add, scores, end.bonus))
    if end.taken:
        scores = tuple(map(sub, scores, end.taken))
    if terms.rules.team_difference:
        end = end._replace(netted=min(map(sub, scores, _scores_before(match))))
        scores = tuple([score - end.netted for score in scores])
    if terms.rules.reset != "none" and end.how != "stopped":
        lost = lost_by_reset(terms, round_.gone, _scores_before(match), scores)
        if lost:
            end = end._replace(reset=lost)
            scores = tuple(map(sub, scores, lost))
    ended = (*ended, EndedRound(round_, end, scores))
    return _new(
        type(match), (terms, keys, entropy, round_, turn, scores, ended, extra, result, move_count, kept)
    )


def _finish_or_deal(match: _Match) -> _Match:
    terms, keys, entropy, round_, _, scores, ended, extra, result, move_count, kept = match
    extra = max(0, extra - 1)
    if not extra and is_target_reached(match):
        winners = leading_sides(match)
        if len(winners) == 1:
            return _end_match(match, "target", winners)
        extra = _extra_rounds(match)
    if round_.number == terms.max_rounds:
        return _end_match(match, "rounds", leading_sides(match))
    dealt = deal(terms, keys, entropy, round_.gone, ended[-1])
    begun = rounds.begin(terms, dealt, round_.gone)
    return _new(
        type(match),
        (terms, keys, entropy, begun, begun.turn, scores, ended, extra, result, move_count, kept),
    )


def _extra_rounds(match: State) -> int:
    by_seats = match.rules.extra_rounds == "players" and match.rules.finish == "round_end"
    return match.seats if by_seats else 1


def _end_match(match: _Match, how: MatchEnding, winners: tuple[int, ...]) -> _Match:
    return match._replace(turn=None, result=Result(how, winners, match.scores))
