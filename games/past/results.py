"""A finished match by its sides, for lists: who sat together, with what score, and who won."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.models import User
from core.numbers import display_rating, format_change
from games.models import Match, Seat
from games.wording import game_title

MARKS: dict[str, str | Promise] = {
    "won": _("won"),
    "lost": _("lost"),
    "drawn": _("drawn"),
    "annulled": _("annulled"),
    "off": _("called off"),
}


class Side(NamedTuple):
    """Those who scored together; `won` is None where nobody did or the match was called off."""

    seats: tuple[Seat, ...]
    score: int
    won: bool | None

    @property
    def names(self) -> str:
        return " & ".join(seat.display_name for seat in self.seats)


def sides_of(match: Match) -> tuple[Side, ...]:
    """The sides of an ended match whose seats are at hand, by seat."""
    seats = list(match.seats.all())
    number = len(match.scores) or len(seats)
    return tuple(
        Side(tuple(seats[side::number]), score, seats[side].won) for side, score in enumerate(match.scores)
    )


class MatchRow(NamedTuple):
    """A line of a list of ended matches: of a person's, with how it went for them, or of everybody's.

    mark      of MARKS; "" in a list of everybody's
    partners  who sat with the person
    sides     the others; in a list of everybody's all, those who won first
    score     the person's side first
    change    of the person's rating, signed; "" where it was not rated
    """

    match: Match
    mark: str
    partners: tuple[Seat, ...]
    sides: tuple[Side, ...]
    score: tuple[int, ...]
    change: str

    @property
    def game(self) -> str:
        return game_title(self.match.preset, self.match.rules, len(self.match.seats.all()))

    @property
    def mark_in_words(self) -> str | Promise:
        return MARKS[self.mark]

    @property
    def length(self) -> str:
        minutes = max(1, round((self.match.end - self.match.started_at).total_seconds() / 60))
        return ngettext("%(n)s min", "%(n)s min", minutes) % {"n": minutes}

    @property
    def how(self) -> str:
        """How it ended, and who won."""
        return self.match.outcome


def build_match_row(match: Match, person: User | None = None) -> MatchRow:
    """The line of an ended match whose seats are at hand."""
    sides = sides_of(match)
    own = next((side for side in sides for seat in side.seats if person and seat.user_id == person.pk), None)
    if own is None or person is None:
        first = tuple(sorted(sides, key=lambda side: not side.won))
        mark = "annulled" if match.annulled_at else ""
        return MatchRow(match, mark, (), first, tuple(side.score for side in first), "")
    others = tuple(side for side in sides if side is not own)
    return MatchRow(
        match,
        "annulled" if match.annulled_at else _mark(own, others),
        tuple(seat for seat in own.seats if seat.user_id != person.pk),
        others,
        (own.score, *(side.score for side in others)),
        next((_change(seat) for seat in own.seats if seat.user_id == person.pk), ""),
    )


def _mark(own: Side, others: tuple[Side, ...]) -> str:
    if own.won is None:
        return "off"
    if not own.won:
        return "lost"
    return "drawn" if any(side.won for side in others) else "won"


def _change(seat: Seat) -> str:
    if seat.rating_before is None or seat.rating_after is None:
        return ""
    return format_change(display_rating(seat.rating_after) - display_rating(seat.rating_before))
