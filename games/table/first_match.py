"""Choose what to offer at the end of a person's first match, against computers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from cachetools import LRUCache, cached
from django.utils.translation import gettext as _

from boneyard.engine import moves as notation
from boneyard.engine.matches import Match as Value
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View, perspective
from boneyard.engine.rules import Rules
from boneyard.engine.tiles import NAMES
from games import repository
from games.models import Match, Seat

MAX_CACHED_MISTAKES = 64
_SPINNER_ENDS = frozenset({"U", "D"})

MistakeKind = Literal["unclaimed", "points", "end", "spinner", "blocked"]


class Mistake(NamedTuple):
    """A mistake that shows without an analysis.

    tile    the tile that would have scored more, or that was laid without a claim; "" for a blocked round
    points  the points that were missed
    """

    kind: MistakeKind
    round: int
    tile: str = ""
    points: int = 0

    @property
    def sentence(self) -> str:
        values = {"round": self.round, "tile": self.tile, "points": self.points}
        return _SENTENCES[self.kind]() % values


_SENTENCES = {
    "unclaimed": lambda: _("Round %(round)d: %(tile)s was worth %(points)d, and you did not claim them."),
    "points": lambda: _("Round %(round)d: with %(tile)s you would have scored %(points)d more."),
    "end": lambda: _("Round %(round)d: with %(tile)s at another end you would have scored %(points)d more."),
    "spinner": lambda: _(
        "Round %(round)d: with %(tile)s on an arm of the spinner you would have scored %(points)d more."
    ),
    "blocked": lambda: _("Round %(round)d was blocked while your hand was the heavier one."),
}


class FirstMatch(NamedTuple):
    """The offers after a first match. `rules` choose the lesson if no `mistake` does.

    address    of the match, to which somebody who signs up returns
    """

    address: str
    is_guest: bool
    rules: Rules
    mistake: Mistake | None


def find_first_match(match: Match, view: View, seats: Sequence[Seat], mine: Seat | None) -> FirstMatch | None:
    """Return what to offer `mine`, or None unless this was the person's first match, against computers."""
    if mine is None or mine.user is None or not match.version:
        return None
    if any(seat.kind != Seat.Kind.COMPUTER for seat in seats if seat is not mine):
        return None
    others = Seat.objects.filter(user=mine.user).exclude(match=match)
    if others.exclude(match__status=Match.Status.PLAYING).exists():
        return None
    return FirstMatch(
        match.get_absolute_url(), mine.user.is_guest, view.rules, find_mistake(match, mine.position)
    )


# Cache: key match, version and seat; bound MAX_CACHED_MISTAKES; invalidated by nothing, as the match has ended.
@cached(LRUCache(MAX_CACHED_MISTAKES), key=lambda match, seat: (match.code, match.version, seat))
def find_mistake(match: Match, seat: int) -> Mistake | None:
    """Return the costliest mistake of the kind that cost a seat most in an ended match, or None."""
    value = repository.initial_value(match)
    mistakes: list[Mistake] = []
    for row in match.moves.order_by("number"):
        move = notation.parse(row.text)
        if row.seat == seat and move.kind == "play":
            mistakes += _missed_points(perspective(value, seat), move, row.claim)
        value = value.play(row.seat, move, row.claim)
    lost = Counter[MistakeKind]()
    for each in mistakes:
        lost[each.kind] += each.points
    return max(mistakes, key=lambda each: (lost[each.kind], each.points), default=None) or next(
        _lost_blocks(value, seat), None
    )


def _missed_points(view: View, made: Move, claim: int | None) -> Iterator[Mistake]:
    """Yield the points that a play missed, because they were not claimed or another play scored more."""
    if view.rules.count == "none" or view.rules.lowest_wins:
        return
    gained, tile = view.points(made), NAMES[made.plays[0][0]]
    if view.terms.must_claim and gained and claim != gained:
        yield Mistake("unclaimed", view.round, tile, gained)
    plays = [move for move in view.legal if move.kind == "play" and len(move.plays) == 1]
    best = max(plays, key=view.points, default=made)
    if (missed := view.points(best) - gained) > 0:
        ((tile_number, end),) = best.plays
        on_spinner = view.rules.spinner.startswith("first") and end in _SPINNER_ENDS
        kind: MistakeKind = "end" if NAMES[tile_number] == tile else "points"
        kind = "spinner" if on_spinner else kind
        yield Mistake(kind, view.round, NAMES[tile_number], missed)


def _lost_blocks(value: Value, seat: int) -> Iterator[Mistake]:
    """Yield the blocked rounds that another side won with a lighter hand, for points."""
    side_of = value.terms.side_of
    for ended in value.ended:
        end = ended.end
        if end.how != "blocked" or end.winner is None or not any(end.bonus):
            continue
        if side_of[end.winner] != side_of[seat] and end.pips[seat] > end.pips[end.winner]:
            yield Mistake("blocked", ended.number)
