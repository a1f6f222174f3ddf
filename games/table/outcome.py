"""The result of a match on its page: the scores, the points by round, the ratings and the rematch."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.ratings import find_changes
from boneyard.engine.matches import Result
from boneyard.engine.perspective import View
from boneyard.engine.rounds import Entry
from core.numbers import display_rating, format_change
from games import wording
from games.calling_off import DEPARTURE_MOVES
from games.drawing.marks import mark
from games.drawing.tiles import keep_figures_together
from games.models import Match, Seat
from games.scores import points_ahead
from games.table.closing import count_whole_rounds, describe_close
from games.table.evening import Evening, find_evening
from games.table.first_match import FirstMatch, find_first_match
from games.table.next_match import NextMatch, find_next_match
from games.table.panels import SideScore, annulment_notice, build_side_scores, describe_round_points
from games.table.points_by_round import PointsByRound, count_points_by_round
from games.table.rating_reasons import (
    explain_change,
    explain_expectation,
    explain_length,
    explain_unrated,
)
from games.time import clocks, pace
from games.time.durations import describe_duration


class Rated(NamedTuple):
    """A seat's rating before and after, the difference, and why it is reduced or zero."""

    mark: SafeString
    name: str
    before: int
    after: int
    change: str
    reason: str


class Rematch(NamedTuple):
    """The rematch, as the viewer sees it.

    state   "" if nobody has asked; otherwise who has: "mine" or "theirs"; "declined" by another player; "agreed"; or
            "none" if there cannot be one. For spectators "agreed" or "none"
    said    who has asked or declined, in a sentence
    asked   the mark of each seat's side, and whether the seat has agreed
    until   how long those who asked wait, or None if unknown
    """

    state: str
    said: str
    asked: tuple[tuple[SafeString, bool], ...]
    until: datetime | None


_shared_result_functions: list[Callable[[Match], str]] = []


def register_shared_result(describe: Callable[[Match], str]) -> None:
    """Let `describe` give the headline of concealed matches, or "": their result is the comparison with the field."""
    _shared_result_functions.append(describe)


def find_shared_result(match: Match) -> str:
    """Return the headline of a concealed match, or ""."""
    if not match.concealed:
        return ""
    return next(filter(None, (describe(match) for describe in _shared_result_functions)), "")


class MatchPanel(NamedTuple):
    """The panel after a match.

    how       in a sentence, without the sum of the last round: the ledger shows it
    notes     for the viewer alone
    annulled  that the match does not count
    unrated   why no rating changes
    expected  what the ratings expected of the viewer
    length    how the length of the match scaled the changes
    won       whether the viewer has won
    """

    title: str
    about: str
    how: SafeString
    notes: str
    side_scores: tuple[SideScore, ...]
    rounds: PointsByRound | None
    ratings: tuple[Rated, ...]
    annulled: str
    unrated: str
    expected: str
    length: str
    rematch: Rematch
    next_match: NextMatch
    evening: Evening | None
    first_match: FirstMatch | None
    won: bool


def build_match_panel(
    match: Match, view: View, result: Result, seats: Sequence[Seat], now: datetime
) -> MatchPanel:
    """Return the panel of a match that ended with `result`."""
    names = [seat.display_name for seat in seats]
    own_names = wording.names_for_seat(names, view.seat)
    mine = seats[view.seat] if view.seat is not None else None
    how = " ".join(
        filter(
            None,
            [
                _describe_departure(match, view, own_names)
                or _describe_last_round(match, view, result, own_names),
                _describe_result_as_called(match, view, result, own_names),
            ],
        )
    )
    shared = find_shared_result(match)
    return MatchPanel(
        shared or describe_result(match, view, result, names),
        _about(match, view),
        keep_figures_together(how),
        _pace_warning(mine),
        (side_scores := build_side_scores(view, names, view.scores)),
        count_points_by_round(side_scores, [ended.scores for ended in view.ended]),
        () if match.annulled_at else tuple(_ratings(match, view, seats)),
        annulment_notice(match),
        explain_unrated(match, seats),
        explain_expectation(match, seats, mine),
        explain_length(match),
        build_rematch(match, view, seats, now),
        find_next_match(match, seats, mine),
        find_evening(match, mine),
        None if match.concealed else find_first_match(match, view, seats, mine),
        not shared and len(result.winners) == 1 and view.seat in view.sides[result.winners[0]],
    )


def build_rematch(match: Match, view: View, seats: Sequence[Seat], now: datetime) -> Rematch:
    people = [seat for seat in seats if seat.kind != Seat.Kind.COMPUTER]
    asked = tuple(
        (mark(view.terms.side_of[seat.position]), seat.computer or seat.rematch == Seat.Rematch.ASKED)
        for seat in seats
    )
    wanted = [seat for seat in people if seat.rematch == Seat.Rematch.ASKED]
    declined = [seat for seat in people if seat.rematch == Seat.Rematch.DECLINED]
    until = match.rematch_until if match.rematch_until and match.rematch_until > now else None

    mine = seats[view.seat] if view.seat is not None else None

    def build(state: str, said: str = "") -> Rematch:
        visible_state = state if mine or state == "agreed" else "none"
        return Rematch(visible_state, said, asked if wanted else (), until if wanted else None)

    if match.deals or match.night or any(seat.user is None or seat.user.deleted_at for seat in people):
        return build("none")
    if match.rematch_code and len(wanted) == len(people):
        return build("agreed", _("The next match begins.") if mine else "")
    if mine in wanted:
        names = ", ".join(seat.display_name for seat in people if seat not in wanted)
        return build("mine", _("You want a rematch. Not answered yet: %(names)s.") % {"names": names})
    if wanted:
        names = ", ".join(seat.display_name for seat in wanted)
        said = ngettext("%(names)s wants a rematch.", "%(names)s want a rematch.", len(wanted)) % {
            "names": names
        }
        return build("theirs", said)
    if mine in declined:
        return build("", _("You declined the rematch."))
    if declined:
        return build("declined", _("%(name)s declined the rematch.") % {"name": declined[0].display_name})
    return build("")


def _describe_last_round(match: Match, view: View, result: Result, names: Sequence[str]) -> str:
    """Return *mara went out.*, with the hands that a block compared, or *mara reached 61 with 4-0 (+2).*"""
    if not view.ended:
        return ""
    ended, speech = view.ended[-1], wording.speech_of(match.preset)
    if ended.end.how == "stopped" and result.how == "target":
        return f"{wording.reached_sentence(ended, view.terms, names, result.winners[0])}."
    how = wording.round_end(ended.end, names, view.rules, speech)
    return f"{how}. {describe_round_points(view, ended, names, speech)}".strip()


def _ratings(match: Match, view: View, seats: Sequence[Seat]) -> list[Rated]:
    if match.rating_order is None:
        return []
    changes = find_changes(match.code)
    return [
        Rated(
            mark(view.terms.side_of[seat.position]),
            seat.display_name,
            display_rating(seat.rating_before),
            display_rating(seat.rating_after),
            format_change(display_rating(seat.rating_after) - display_rating(seat.rating_before)),
            explain_change(changes.get(seat.user_id or 0)),
        )
        for seat in seats
        if seat.rating_before is not None and seat.rating_after is not None
    ]


def _pace_warning(mine: Seat | None) -> str:
    """Return a warning for a viewer who plays too slowly, or ""."""
    return (
        pace.slow_play_warning(mine.user)
        if mine is not None and mine.user is not None and mine.slow_turns
        else ""
    )


def describe_result(match: Match, view: View, result: Result, names: Sequence[str]) -> str:
    """Return the `headline`, or why a match of shared deals was cut short."""
    if match.deals and result.how == "time":
        return describe_close(count_whole_rounds(view), view.rules.rounds or 0)
    return headline(view, result, names)


def headline(view: View, result: Result, names: Sequence[str]) -> str:
    """Return the result for the viewer, like *You won by 24*."""
    sides = wording.side_names(view.sides, names)
    if result.how == "aborted":
        return _("The match was called off")
    if len(result.winners) != 1:
        others = [sides[side] for side in result.winners if view.seat not in view.sides[side]]
        if len(others) < len(result.winners):
            return _("Drawn: you share the best score with %(names)s") % {"names": ", ".join(others)}
        return _("Drawn: %(names)s share the best score") % {"names": ", ".join(others)}
    winner = result.winners[0]
    mine = view.seat in view.sides[winner]
    beaten = not mine and view.seat is not None and len(view.sides) == 2
    ahead = points_ahead(view.rules, result.scores, winner)
    if result.how in ("target", "rounds") and ahead > 0:
        if mine:
            return _("You won by %(n)d") % {"n": ahead}
        if beaten:
            return _("You lost by %(n)d") % {"n": ahead}
        return ngettext("%(names)s wins by %(n)d", "%(names)s win by %(n)d", len(view.sides[winner])) % {
            "names": sides[winner],
            "n": ahead,
        }
    if mine:
        return _("You won")
    if beaten:
        return _("You lost")
    return ngettext("%(names)s wins", "%(names)s win", len(view.sides[winner])) % {"names": sides[winner]}


def _describe_result_as_called(match: Match, view: View, result: Result, names: Sequence[str]) -> str:
    """Return what the players of this game call such a result, like *Six love!*, or who is the goat; "" for most."""
    if result.how != "target":
        return ""
    speech = wording.speech_of(match.preset)
    sides = list(zip(wording.side_names(view.sides, names), result.scores, strict=True))
    if view.rules.lowest_wins:
        most = max(result.scores)
        losers = [name for name, score in sides if score == most]
        if view.seat is not None and result.scores[view.terms.side_of[view.seat]] == most:
            return speech.you_are_the_goat
        return speech.goat % {"names": ", ".join(losers)} if speech.goat else ""
    to_nil = all(not score for side, (_name, score) in enumerate(sides) if side not in result.winners)
    return speech.to_nil if to_nil and len(result.winners) < len(sides) else ""


def _about(match: Match, view: View) -> str:
    """Return *All Fives. 8 rounds, 5 minutes.*; without the rounds if the name of the game says how many."""
    game = wording.game_title(match.preset, view.rules, view.seats, match.base_preset)
    lasted = describe_duration(match)
    if match.deals and len(view.ended) == view.rules.rounds:
        return f"{game}. {capfirst(lasted)}."
    rounds = ngettext("%(n)d round", "%(n)d rounds", len(view.ended)) % {"n": len(view.ended)}
    return f"{game}. {rounds}, {lasted}."


def _describe_departure(match: Match, view: View, names: Sequence[str]) -> str:
    """Return who left and how, if that ended the match."""
    last = _last_entry(view)
    if last is None or last.move.kind not in DEPARTURE_MOVES:
        return ""
    return f"{describe_expiry(match, view, last, names) or wording.move_sentence(last, names[last.seat])}."


def _last_entry(view: View) -> Entry | None:
    log = view.ended[-1].log if view.ended else ()
    return log[-1] if log else None


def find_expiry(match: Match, view: View, names: Sequence[str]) -> str:
    """Return the sentence of `describe_expiry` for the last move of the match, or ""."""
    last = _last_entry(view)
    own_names = wording.names_for_seat(names, view.seat)
    return "" if last is None else describe_expiry(match, view, last, own_names)


def describe_expiry(match: Match, seen: View, last: Entry, names: Sequence[str]) -> str:
    """Return why time ended the match, where the move alone would not say it: its first turn ran out, the day closed.

    `last` is the match's last move; otherwise the answer is "". In `names` the reader is "".
    """
    if match.deals and last.move.kind == "time":
        return describe_close(count_whole_rounds(seen), seen.rules.rounds or 0)
    if last.move.kind != "abort" or not clocks.has_first_turn_expired(match, seen):
        return ""
    name, seconds = names[last.seat], int(clocks.FIRST_TURN_DURATION.total_seconds())
    if match.days:
        text = (
            _("%(name)s’s time for the first turn ran out")
            if name
            else _("Your time for the first turn ran out")
        )
    elif name:
        text = _("%(name)s's %(seconds)d seconds for the first turn ran out")
    else:
        text = _("Your %(seconds)d seconds for the first turn ran out")
    return text % {"name": name, "seconds": seconds}
