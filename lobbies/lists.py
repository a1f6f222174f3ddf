"""What the lobby lists: open tables, and where the viewer sits. Few queries, however busy the site is."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import User
from core.numbers import display_rating
from games.computer.players import LEVELS
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.models import Match, Seat
from games.wording import house_rules, level_name, preset_title
from lobbies import clocks
from lobbies.models import Sitting, Table

TABLES, OWN = 40, 6
OPEN = Table.Status.OPEN.value


class OpenTable(NamedTuple):
    """A line of *Open tables*. `seats`: by position, whether it is taken."""

    code: str
    address: str
    host: str
    rating: str
    game: str
    chips: tuple[str, ...]
    more_chips: int
    seats: tuple[bool, ...]
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
        .select_related("host")
        .prefetch_related("sittings")
    )
    return [_open_table(row) for row in rows[:TABLES]]


def _open_table(row: Table) -> OpenTable:
    sittings = list(row.sittings.all())
    own = next((sitting.rating for sitting in sittings if sitting.user_id == row.host_id), None)
    taken = {sitting.position for sitting in sittings}
    chips = house_chips(row)
    return OpenTable(
        code=row.code,
        address=row.get_absolute_url(),
        host=row.host.username,
        rating="" if own is None else str(display_rating(own)),
        game=preset_title(row.preset),
        chips=tuple(chips[:2]),
        more_chips=len(chips[2:]),
        seats=tuple(position in taken for position in range(row.seats)),
        taken=len(taken),
        in_pairs=row.in_pairs,
        clock=clocks.short_name(row.clock),
        rated=row.rated,
    )


def house_chips(row: Table) -> list[str]:
    """How a table differs from its preset, in a few words each."""
    base = PRESETS[row.preset].rules
    if not row.changed and row.rules["target"] == base.target:
        return []
    return house_rules(Rules.from_dict(row.rules), base, row.seats)


def mine(user: User) -> list[Own]:
    """Where this person is sitting now."""
    seats = Seat.objects.filter(user=user, left=False, taken_over=False, match__status=Match.Status.PLAYING)
    matches = Match.objects.filter(pk__in=seats.values("match")).prefetch_related("seats")
    own = []
    for match in matches.order_by("-started_at")[:OWN]:
        others = [seat.display_name for seat in match.seats.all() if seat.user_id != user.pk]
        own.append(Own(match.get_absolute_url(), ", ".join(others), True))
    own += challenges(user)
    return own + waits(user)


def waits(user: User) -> list[Own]:
    """The tables where this person waits."""
    return [waiting_at(sitting.table) for sitting in Sitting.objects.waiting(user.pk)]


def waiting_at(table: Table, started: bool = False) -> Own:
    return Own(table.get_absolute_url(), preset_title(table.preset), started, code=table.code)


def challenges(user: User) -> list[Own]:
    """The tables where a seat is kept for this person, who has not answered yet."""
    reserved = Table.objects.filter(kept_for=user, status=OPEN, full_at=None).select_related("host")
    return [
        Own(
            table.get_absolute_url(),
            f"{preset_title(table.preset)}, {clocks.short_name(table.clock)}",
            False,
            table.host.username,
            table.code,
        )
        for table in reserved
        if not table.sittings.filter(user=user).exists()  # hardly ever asked: most people have no challenge
    ]


def levels() -> list[tuple[str, str]]:
    """The computers and their names, the weakest first."""
    return [(level, level_name(level)) for level in LEVELS]
