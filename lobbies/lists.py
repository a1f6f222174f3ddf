"""Find the rows of the lobby's lists: open tables, and the viewer's own matches, tables and challenges."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, prefetch_related_objects
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.drawing import name_tile
from accounts.models import User
from boneyard.computer.players import LEVELS
from boneyard.engine.perspective import perspective
from core.numbers import display_rating
from core.prepared import PreparedQuery
from games import repository
from games.drawing.line import draw_cropped
from games.models import Seat
from games.table.strip import StripEntry, build_running_entry
from games.table.visible_value import get_visible_value
from games.time.day_clocks import DAY_SECONDS
from games.wording import describe_differences, level_name, read_rules
from lobbies import clocks
from lobbies.models import Sitting, Table

MAX_OPEN_TABLES = 100
MAX_OWN_MATCHES = 30  # all that somebody plays with a clock of days
OPEN = Table.Status.OPEN.value

_open = PreparedQuery(  # for every lobby
    lambda status, rematch_of: (
        Table.objects.filter(status=status)
        .filter(private=False, rematch_of=rematch_of, full_at=None)
        .select_related("host")
        .order_by("created_at")[:MAX_OPEN_TABLES]
    )
)
_challenges = PreparedQuery(
    lambda kept_for, _one, player, days, status: (  # Django's EXISTS selects a parameter, 1
        filter_challenges(kept_for, player, days, status).select_related("host")
    )
)


def filter_challenges(kept_for: int, player: int, days: int, status: str) -> QuerySet[Table]:
    """Return the tables of this status that reserve a seat for a person, or offer a rematch with a clock of days."""
    rematch = Exists(Seat.objects.filter(user=player, match__code=OuterRef("rematch_of")))
    tables = Table.objects.filter(Q(kept_for=kept_for) | Q(rematch, clock_seconds__gte=days))
    return tables.filter(full_at=None, status=status)


class OpenTable(NamedTuple):
    """An open table in the list. `seats`: whether each is taken, by position; `people` are those who wait there."""

    code: str
    address: str
    host: str
    avatar: str
    rating: str
    game: str
    people: str
    differences: str
    seats: tuple[bool, ...]
    taken: int
    in_pairs: bool
    clock: str
    rated: bool
    is_own: bool = False

    @property
    def tile(self) -> SafeString:
        return name_tile(self.host, self.avatar)

    @property
    def seats_in_words(self) -> str:
        return _("%(taken)s of %(seats)s seats taken") % {"taken": self.taken, "seats": len(self.seats)}

    @property
    def seat_classes(self) -> list[str]:
        """Return the CSS classes of each seat. The second pair begins at the third seat, after a gap."""
        return [
            " ".join(
                filter(None, ["filled" if taken else "", "pair" if self.in_pairs and position == 2 else ""])
            )
            for position, taken in enumerate(self.seats)
        ]


class OwnPlace(NamedTuple):
    """A match that the viewer plays, a table where they wait, or a challenge to them.

    `about` names the opponents of a match, the game of a table, or the game and clock of a challenge.
    """

    address: str
    about: str
    playing: bool
    challenger: str = ""
    code: str = ""
    entry: StripEntry | None = None  # of a match that the viewer plays
    board: SafeString | str = ""  # the line of play of the first match
    rematch_of: str = ""  # of a challenge: the code of the match before

    @property
    def decline_address(self) -> str:
        """Return the address that declines a challenge or an offer of a rematch."""
        if self.rematch_of:
            return reverse("table-rematch", args=[self.rematch_of])
        return reverse("table-decline", args=[self.code])


def load_open_tables() -> list[Table]:
    """Return the public tables with a free seat and their sittings, the longest waiting first."""
    rows = _open.rows(OPEN, "")
    prefetch_related_objects(rows, "sittings__user")
    return rows


def build_open_table(row: Table, viewer: int | None = None) -> OpenTable:
    sittings = list(row.sittings.all())
    own = next((sitting.rating for sitting in sittings if sitting.user_id == row.host_id), None)
    taken = {sitting.position for sitting in sittings}
    people = [sitting.user.public_name for sitting in sittings if sitting.user is not None]
    rules = read_rules(row.preset, row.rules)
    return OpenTable(
        code=row.code,
        address=row.get_absolute_url(),
        host=row.host.public_name,
        avatar=row.host.avatar,
        rating="" if own is None else str(display_rating(own)),
        game=row.title,
        people=", ".join(people),
        differences=describe_differences(row.preset, rules, row.seats).sentence,
        seats=tuple(position in taken for position in range(row.seats)),
        taken=len(taken),
        in_pairs=rules.in_pairs(row.seats),
        clock=clocks.short_name(row.clock),
        rated=row.rated,
        is_own=viewer is not None and any(sitting.user_id == viewer for sitting in sittings),
    )


def list_own_places(
    running: Sequence[Seat], challenges: Sequence[OwnPlace], waiting: Sequence[Sitting]
) -> list[OwnPlace]:
    """Return the matches that a person plays, the challenges to them and the tables where they wait.

    Matches on their own turn come first, those with the least time before the others.
    """
    now = timezone.now()
    newest = running[:MAX_OWN_MATCHES]
    entries = [build_running_entry(seat.match, seat.position, now) for seat in newest]
    entries.sort(key=lambda entry: entry.rank)
    own = [OwnPlace(entry.address, entry.who, True, entry=entry) for entry in entries]
    if own:
        first = next(seat for seat in newest if seat.match.code == entries[0].code)
        own[0] = own[0]._replace(board=_draw_board(first))
    return [*own, *challenges, *list_waiting_places(waiting, by_days=True)]


def _draw_board(seat: Seat) -> SafeString:
    value = get_visible_value(seat.match, repository.get_value(seat.match), seat.position)
    view = perspective(value, seat.position)
    return mark_safe(draw_cropped(view).art("mini"))  # noqa: S308  of numbers and tiles


def list_waiting_places(waiting: Sequence[Sitting], *, by_days: bool = False) -> list[OwnPlace]:
    """Return the tables where a person waits; with `by_days` those with a clock of days, too."""
    tables = [sitting.table for sitting in waiting]
    return [waiting_place(table) for table in tables if by_days or table.days is None]


def waiting_place(table: Table, started: bool = False) -> OwnPlace:
    return OwnPlace(table.get_absolute_url(), table.title, started, code=table.code)


def find_asking_tables(user: User) -> list[Table]:
    """Return the tables that reserve a seat for a person who has not answered yet, with their hosts.

    Also those of rematches with a clock of days: their people may not be at the page of the match any more.
    """
    asking = _challenges.rows(user.pk, 1, user.pk, DAY_SECONDS, OPEN)  # few people have a challenge
    return [table for table in asking if not table.sittings.filter(user=user).exists()]


def find_challenges(user: User) -> list[OwnPlace]:
    """Return the tables of `find_asking_tables` as places."""
    return [
        OwnPlace(
            table.get_absolute_url(),
            f"{table.title}, {clocks.short_name(table.clock)}",
            False,
            table.host.public_name,
            table.code,
            rematch_of=table.rematch_of,
        )
        for table in find_asking_tables(user)
    ]


def drop_offered(challenges: Sequence[OwnPlace], page_code: str) -> list[OwnPlace]:
    """Return the challenges without the rematch of the match that the page is about, whose result offers it."""
    return [own for own in challenges if not page_code or own.rematch_of != page_code]


def list_levels() -> list[tuple[str, str]]:
    """Return the levels of the computers with their names, the weakest first."""
    return [(level, level_name(level)) for level in LEVELS]
