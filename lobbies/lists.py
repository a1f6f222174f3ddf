"""What the lobby lists: open tables, matches to watch. Few queries, however busy the site is."""

from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

from cachetools import LRUCache, cached
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.figures import shown
from accounts.models import User
from games import values
from games.computer.players import LEVELS
from games.drawing.line import miniature
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.models import Match, Seat
from games.presence import somebody_plays
from games.scores import leading_sides
from games.wording import game_title, house_rules, level_name, preset_title, side_names
from lobbies import clocks
from lobbies.models import Sitting, Table

TABLES, WATCHED, DRAWN = 40, 6, 64


class OpenTable(NamedTuple):
    """A line of *Open tables*. `seats`: by position, whether it is taken."""

    code: str
    address: str
    host: str
    rating: str
    game: str
    chips: Sequence[str]
    more_chips: int
    seats: Sequence[bool]
    taken: int
    in_pairs: bool
    clock: str
    rated: bool

    @property
    def seats_in_words(self) -> str:
        return _("%(taken)s of %(seats)s seats taken") % {"taken": self.taken, "seats": len(self.seats)}

    @property
    def seat_classes(self) -> list[str]:
        """By position; the second pair begins at the third seat and stands apart."""
        return [
            " ".join(
                filter(None, ["filled" if taken else "", "pair" if self.in_pairs and position == 2 else ""])
            )
            for position, taken in enumerate(self.seats)
        ]


class Watched(NamedTuple):
    """A match being played. With two sides both are named, with more the one in the lead and how many others."""

    code: str
    address: str
    names: Sequence[str]
    scores: Sequence[int]
    others: int
    game: str
    board: SafeString
    laid: int

    @property
    def board_in_words(self) -> str:
        text = ngettext("%(game)s, %(n)s tile laid", "%(game)s, %(n)s tiles laid", self.laid)
        return text % {"game": self.game, "n": self.laid}


class Drawn(NamedTuple):
    """The line on the table, how many tiles lie there, the sides by their seats, their scores, a side in the lead."""

    board: SafeString
    laid: int
    sides: Sequence[Sequence[int]]
    scores: Sequence[int]
    leading: int


class Own(NamedTuple):
    """Where the viewer is sitting: a match to go on with and against whom, or a table to wait at and its game; or
    who has challenged the viewer, and to what."""

    address: str
    about: str
    playing: bool
    challenger: str = ""
    code: str = ""


def open_tables() -> list[OpenTable]:
    """The public tables with a free seat, the latest first."""
    rows = (
        Table.objects.filter(status=Table.Status.OPEN, private=False, rematch_of="", full_at=None)
        .select_related("maker")
        .prefetch_related("sittings")
    )
    return [_open_table(row) for row in rows[:TABLES]]


def _open_table(row: Table) -> OpenTable:
    sittings = list(row.sittings.all())
    own = next((sitting.rating for sitting in sittings if sitting.user_id == row.maker_id), None)
    taken = {sitting.position for sitting in sittings}
    chips = house_chips(row)
    return OpenTable(
        code=row.code,
        address=row.get_absolute_url(),
        host=row.maker.username,
        rating="" if own is None else str(shown(own)),
        game=preset_title(row.preset),
        chips=chips[:2],
        more_chips=len(chips[2:]),
        seats=[position in taken for position in range(row.seats)],
        taken=len(taken),
        in_pairs=row.in_pairs,
        clock=clocks.short(row.clock),
        rated=row.rated,
    )


def house_chips(row: Table) -> list[str]:
    """How a table differs from its preset, in a few words each."""
    base = PRESETS[row.preset].rules
    if not row.changed and row.rules["target"] == base.target:
        return []
    return house_rules(Rules.from_dict(row.rules), base, row.seats)


def being_played() -> tuple[list[Watched], int]:
    """Some public matches that somebody plays, the latest first, and how many there are."""
    rows = somebody_plays(Match.objects.filter(status=Match.Status.PLAYING, private=False), timezone.now())
    some = [_watched(row) for row in rows.prefetch_related("seats").order_by("-started_at")[:WATCHED]]
    return some, len(some) if len(some) < WATCHED else rows.count()


def _watched(row: Match) -> Watched:
    drawn = _drawn(row)
    sides = side_names(drawn.sides, [seat.shown_name for seat in row.seats.all()])
    named = range(2) if len(sides) == 2 else [drawn.leading]
    return Watched(
        code=row.code,
        address=row.get_absolute_url(),
        names=[sides[side] for side in named],
        scores=[drawn.scores[side] for side in named],
        others=len(sides) - len(named),
        game=game_title(row.preset, row.rules, len(row.seats.all())),
        board=drawn.board,
        laid=drawn.laid,
    )


@cached(LRUCache(DRAWN), key=lambda row: (row.code, row.version), lock=Lock())
def _drawn(row: Match) -> Drawn:
    """A match as anybody may see it; drawn once a version."""
    view = perspective(values.value_of(row), None)
    leading = leading_sides(view.rules, view.scores)[0]
    return Drawn(miniature(view), len(view.laid), view.sides, view.scores, leading)


def mine(user: User) -> list[Own]:
    """Where this person is sitting now."""
    seats = Seat.objects.filter(user=user, left=False, taken_over=False, match__status=Match.Status.PLAYING)
    matches = Match.objects.filter(pk__in=seats.values("match")).prefetch_related("seats")
    sittings = Sitting.objects.filter(user=user, table__status=Table.Status.OPEN)
    own = []
    for match in matches.order_by("-started_at")[:WATCHED]:
        others = [seat.shown_name for seat in match.seats.all() if seat.user_id != user.pk]
        own.append(Own(match.get_absolute_url(), ", ".join(others), True))
    own += challenges(user)
    for sitting in sittings.select_related("table"):
        own.append(Own(sitting.table.get_absolute_url(), preset_title(sitting.table.preset), False))
    return own


def challenges(user: User) -> list[Own]:
    """The tables where a seat is kept for this person, who has not answered yet."""
    asked = Table.objects.filter(kept_for=user, status=Table.Status.OPEN, full_at=None)
    return [
        Own(
            table.get_absolute_url(),
            f"{preset_title(table.preset)}, {clocks.short(table.clock)}",
            False,
            table.maker.username,
            table.code,
        )
        for table in asked.exclude(sittings__user=user).select_related("maker")
    ]


def shared() -> dict[str, Any]:
    """What everybody sees alike: open tables, and matches to watch."""
    watched, playing = being_played()
    return {"tables": open_tables(), "watched": watched, "playing": playing}


def live(user: Any) -> dict[str, Any]:
    """Everything that changes while the lobby is open."""
    return shared() | ({"mine": mine(user)} if user.is_authenticated else {})


def levels() -> list[tuple[str, str]]:
    """The computers and their names, the weakest first."""
    return [(level, level_name(level)) for level in LEVELS]
