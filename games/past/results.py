"""Build the rows of lists of finished matches: sides, scores and results."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.numbers import display_rating, format_change
from games.models import Match, Seat
from games.time.durations import short_duration
from games.wording import describe_match, game_title

MARKS: dict[str, str | Promise] = {
    "won": _("won"),
    "lost": _("lost"),
    "drawn": _("drawn"),
    "annulled": _("annulled"),
    "off": _("called off"),
}


class Side(NamedTuple):
    """The seats of one side; `won` is None if the match was called off."""

    seats: tuple[Seat, ...]
    score: int
    won: bool | None

    @property
    def names(self) -> str:
        return " & ".join(seat.display_name for seat in self.seats)


def sides_of(match: Match) -> tuple[Side, ...]:
    """Return the sides of an ended match with prefetched seats, in seat order."""
    seats = list(match.seats.all())
    number = len(match.scores) or len(seats)
    return tuple(
        Side(tuple(seats[side::number]), score, seats[side].won) for side, score in enumerate(match.scores)
    )


class MatchRow(NamedTuple):
    """A row in a list of finished matches, of one person or of everybody.

    mark      a key of MARKS; "" in a list of everybody's matches
    partners  the person's partners
    sides     the other sides; in a list of everybody's matches all sides, winners first
    score     by side, the person's first
    change    the person's signed rating change; "" if not rated
    """

    match: Match
    mark: str
    partners: tuple[Seat, ...]
    sides: tuple[Side, ...]
    score: tuple[int, ...]
    change: str

    @property
    def game(self) -> str:
        return game_title(
            self.match.preset, self.match.rules, len(self.match.seats.all()), self.match.base_preset
        )

    @property
    def differences(self) -> str:
        """Return how the rules differ from the game's: *As the source allows: double-nine*."""
        match = self.match
        return describe_match(match.preset, match.rules, len(match.seats.all()), match.base_preset).sentence

    @property
    def mark_in_words(self) -> str | Promise:
        return MARKS[self.mark]

    @property
    def length(self) -> str:
        return short_duration(self.match)

    @property
    def how(self) -> str:
        """Return how the match ended, and who won."""
        return self.match.outcome


def build_match_row(match: Match, person: User | None = None) -> MatchRow:
    """Build the row of an ended match with prefetched seats."""
    sides = sides_of(match)
    own = next((side for side in sides for seat in side.seats if person and seat.user_id == person.pk), None)
    if own is None or person is None:
        first = tuple(sorted(sides, key=lambda side: not side.won))
        mark = "annulled" if match.annulled_at else ""
        return MatchRow(match, mark, (), first, tuple(side.score for side in first), "")
    others = tuple(side for side in sides if side is not own)
    return MatchRow(
        match,
        "annulled" if match.annulled_at else _result_mark(own, others),
        tuple(seat for seat in own.seats if seat.user_id != person.pk),
        others,
        (own.score, *(side.score for side in others)),
        next((_format_rating_change(seat) for seat in own.seats if seat.user_id == person.pk), ""),
    )


def _result_mark(own: Side, others: tuple[Side, ...]) -> str:
    if own.won is None:
        return "off"
    if not own.won:
        return "lost"
    return "drawn" if any(side.won for side in others) else "won"


def _format_rating_change(seat: Seat) -> str:
    if seat.rating_before is None or seat.rating_after is None:
        return ""
    return format_change(display_rating(seat.rating_after) - display_rating(seat.rating_before))
