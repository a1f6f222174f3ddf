"""Matches to watch, each as anybody may see it: what is drawn is the public perspective, and nothing else."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from cachetools import LRUCache, cached
from django.db.models import Avg, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import repository
from games.drawing.line import Drawing, draw_cropped, draw_shapes
from games.drawing.marks import mark
from games.engine.matches import Match as Value
from games.engine.perspective import View, perspective
from games.engine.presets import PRESETS
from games.models import Match, Seat
from games.past.replay import History
from games.presence import Presence, filter_active
from games.table.plates import Plate, Plates
from games.table.public_view import Common, common, made
from games.wording import game_title, side_names, speech_of
from lobbies import clocks

CARDS = 6  # in the lobby
MOST = 36  # on the page of all
STEP = 2  # seconds a move in the replay that is shown where nobody plays
REST = 5  # steps for which its last position stays


class Wanted(NamedTuple):
    """Which matches: of one preset, or of all (""); all, or those without computers."""

    preset: str = ""
    people: bool = False


def wanted_in(data: Mapping[str, str]) -> Wanted:
    """What an address asks for; an unknown game is every game."""
    preset = data.get("preset", "")
    return Wanted(preset if preset in PRESETS else "", data.get("people") == "on")


class Side(NamedTuple):
    mark: SafeString
    names: str
    score: int


class Watched(NamedTuple):
    """A match as a small board with a line a side."""

    code: str
    address: str
    game: str
    board: Drawing
    laid: int
    sides: tuple[Side, ...]

    @property
    def board_in_words(self) -> str:
        text = ngettext("%(game)s, %(n)s tile laid", "%(game)s, %(n)s tiles laid", self.laid)
        return text % {"game": self.game, "n": self.laid}


class Featured(NamedTuple):
    """The match that is shown large. `replayed`: it has ended, and is shown move by move."""

    code: str
    address: str
    game: str
    board: Drawing | None
    words: str
    count: int | None  # type: ignore[assignment]
    sum: str
    scoring: bool
    plates: tuple[Plate, ...]
    sides: tuple[Side, ...]
    target: int
    round: int
    clock: str
    rated: bool
    replayed: bool

    @property
    def title(self) -> str:
        return _("Watch %(names)s") % {"names": ", ".join(side.names for side in self.sides)}


def playing(wanted: Wanted = Wanted()) -> QuerySet[Match]:  # noqa: B008  a tuple of constants
    """The public matches that somebody plays, the best first: people before computers, then by their ratings. Of equal
    ones the older, so that what is shown large is not exchanged at each start."""
    computers = Seat.objects.filter(Q(kind=Seat.Kind.COMPUTER) | Q(taken_over=True), match=OuterRef("pk"))
    rows = filter_active(Match.objects.filter(status=Match.Status.PLAYING, private=False), timezone.now())
    rows = rows.annotate(with_computers=Exists(computers), strength=Avg("seats__rating_before"))
    if wanted.preset:
        rows = rows.filter(preset=wanted.preset)
    if wanted.people:
        rows = rows.filter(with_computers=False)
    return rows.order_by("with_computers", F("strength").desc(nulls_last=True), "started_at")


def some(most: int, wanted: Wanted = Wanted()) -> tuple[list[Match], int]:  # noqa: B008
    """The best matches with their seats, and how many there are."""
    rows = playing(wanted)
    found = list(rows.prefetch_related("seats__user")[:most])
    return found, len(found) if len(found) < most else rows.count()


def watched(row: Match) -> Watched:
    """A card of a match whose seats are at hand."""
    view = perspective(repository.get_value(row), None)
    return Watched(
        code=row.code,
        address=row.get_absolute_url(),
        game=game_title(row.preset, row.rules, view.seats),
        board=draw_cropped(view),
        laid=len(view.laid),
        sides=_sides(view, list(row.seats.all())),
    )


def featured(rows: Sequence[Match]) -> Featured | None:
    """The first of the matches that are played; where there is none the last one that ended, and None without one."""
    if rows:
        row = rows[0]
        value = repository.get_value(row)
        names = [seat.display_name for seat in row.seats.all()]
        return _large(row, value, common(row.code, value, names, row.preset))
    ended = Match.objects.filter(status=Match.Status.FINISHED, private=False, annulled_at=None, version__gt=0)
    last = ended.prefetch_related("seats__user").order_by("-ended_at").first()
    return None if last is None else _replayed(last, timezone.now())


def _replayed(row: Match, now: datetime) -> Featured:
    value = _history(row).shown(min(row.version, int(now.timestamp()) // STEP % (row.version + REST) + 1))
    names = [seat.display_name for seat in row.seats.all()]
    large = _large(row, value, made(value, names, speech_of(row.preset)))
    plates = tuple(plate._replace(seconds=None, deadline=None) for plate in large.plates)
    return large._replace(address=f"{row.get_absolute_url()}replay/", plates=plates, replayed=True)


@cached(LRUCache(4), key=lambda row: row.code)
def _history(row: Match) -> History:
    return History(row)


def _large(row: Match, value: Value, shown: Common) -> Featured:
    view = perspective(value, None)
    seats = list(row.seats.all())
    everybody = Presence(frozenset(range(len(seats))), 0, {}, None)
    plates = Plates(row, view, seats, shown.latest, everybody, timezone.now(), steady=True)
    return Featured(
        code=row.code,
        address=row.get_absolute_url(),
        game=game_title(row.preset, row.rules, view.seats),
        board=draw_shapes(view)[0],
        words=shown.words.inner,
        count=shown.count,
        sum=shown.sum,
        scoring=shown.scoring,
        plates=tuple(plate._replace(url="", net="", completion=None) for plate in plates.all),
        sides=_sides(view, seats),
        target=view.rules.target,
        round=view.round,
        clock=clocks.short_name(row.clock),
        rated=row.rated,
        replayed=False,
    )


def _sides(view: View, seats: Sequence[Seat]) -> tuple[Side, ...]:
    names = side_names(view.sides, [seat.display_name for seat in seats])
    return tuple(
        Side(mark(side), name, score)
        for side, (name, score) in enumerate(zip(names, view.scores, strict=True))
    )
