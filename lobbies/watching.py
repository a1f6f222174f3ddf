"""Matches to watch, from the perspective of a spectator."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cachetools import LRUCache, cached
from django.db.models import Avg, Exists, F, OuterRef, Q, QuerySet, prefetch_related_objects
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boneyard.engine.matches import Match as Value
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS
from core.prepared import PreparedQuery
from games import repository
from games.drawing.line import Drawing, draw_cropped
from games.drawing.marks import mark
from games.models import Match, Seat
from games.past.replay import History
from games.seats import seats_with_users
from games.table.plates import Plate, Plates
from games.table.public_view import PublicView, build_public_view, get_public_view
from games.time.presence import Presence, filter_active
from games.wording import game_title, goal_beside, preset_title, side_names, speech_of
from lobbies import clocks
from lobbies.showcase import load_shipped_match

MAX_LOBBY_LINES = 3
MAX_WATCH_CARDS = 36
# Of the replay that is featured if nobody plays; the pause is after its last move.
REPLAY_SECONDS_PER_MOVE = 2
REPLAY_PAUSE_MOVES = 5
MAX_CACHED_HISTORIES = 4

_playing = PreparedQuery(  # for every lobby
    lambda status: Match.objects.filter(status=status, private=False, concealed=False)[:1]
)
_last_ended = PreparedQuery(  # for every lobby of a stranger
    lambda status, version: (
        Match.objects.filter(status=status, private=False, annulled_at=None)
        .filter(concealed=False, version__gt=version)
        .order_by("-ended_at")[:1]
    )
)


class MatchFilter(NamedTuple):
    """A filter of matches: one `preset` or "" for all; with `people` only those without computers."""

    preset: str = ""
    people: bool = False


def parse_filter(data: Mapping[str, str]) -> MatchFilter:
    """Return the filter in a query string; an unknown preset counts as all."""
    preset = data.get("preset", "")
    return MatchFilter(preset if preset in PRESETS else "", data.get("people") == "on")


class Side(NamedTuple):
    mark: SafeString
    names: str
    score: int


class MatchLine(NamedTuple):
    """A match in one line."""

    code: str
    address: str
    game: str
    round: int
    sides: tuple[Side, ...]

    @property
    def names(self) -> str:
        return ", ".join(side.names for side in self.sides)


class MatchCard(NamedTuple):
    """A match as a small board with a line for each side."""

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
    """The match that a page features.

    computers  which of its players are computers, "" if none
    replayed   why it is replayed, move by move; "" while it is played
    """

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
    goal: str
    round: int
    clock: str
    rated: bool
    title: str
    computers: str
    replayed: str


def filter_playing(match_filter: MatchFilter = MatchFilter()) -> QuerySet[Match]:  # noqa: B008  a tuple of constants
    """Return the public matches that are being played, the best first.

    People come before computers, then higher ratings, then the older match: a new one does not replace the featured
    one.
    """
    computers = Seat.objects.filter(Q(kind=Seat.Kind.COMPUTER) | Q(taken_over=True), match=OuterRef("pk"))
    public = Match.objects.filter(status=Match.Status.PLAYING, private=False, concealed=False)
    rows = filter_active(public, timezone.now())
    rows = rows.annotate(with_computers=Exists(computers), strength=Avg("seats__rating_before"))
    if match_filter.preset:
        rows = rows.filter(preset=match_filter.preset)
    if match_filter.people:
        rows = rows.filter(with_computers=False)
    return rows.order_by("with_computers", F("strength").desc(nulls_last=True), "started_at")


class Found(NamedTuple):
    """The best matches with their seats; `people`: the keys of who plays, for each match that there is."""

    rows: list[Match]
    people: tuple[frozenset[int], ...]

    def count_for(self, reader: int | None) -> int:
        """Return how many matches there are that the reader does not play."""
        return sum(reader not in players for players in self.people)


def find_matches(limit: int, match_filter: MatchFilter = MatchFilter()) -> Found:  # noqa: B008
    """Return up to `limit` of the best matches with their seats, and who plays all that there are."""
    # Most of the time nobody plays, and compiling the query takes twenty times as long as this one.
    if not _playing.rows(Match.Status.PLAYING):
        return Found([], ())
    rows = filter_playing(match_filter)
    matches = list(rows.prefetch_related(seats_with_users())[:limit])
    if len(matches) < limit:
        return Found(matches, tuple(players_of(row) for row in matches))
    seats = Seat.objects.filter(match__in=rows.order_by().values("pk")).values_list("match", "user")
    people: dict[int, set[int]] = defaultdict(set)
    for match, person in seats:
        people[match].update(() if person is None else (person,))
    return Found(matches, tuple(map(frozenset, people.values())))


def players_of(row: Match) -> frozenset[int]:
    """Return the keys of the people who play a match with prefetched seats."""
    return frozenset(seat.user_id for seat in row.seats.all() if seat.user_id is not None)


def build_line(row: Match) -> MatchLine:
    """Return the line of a match with prefetched seats."""
    view = perspective(repository.get_value(row), None)
    game = game_title(row.preset, row.rules, view.seats, row.base_preset)
    return MatchLine(row.code, row.get_absolute_url(), game, view.round, _sides(view, list(row.seats.all())))


def build_card(row: Match) -> MatchCard:
    """Return the card of a match with prefetched seats."""
    view = perspective(repository.get_value(row), None)
    return MatchCard(
        code=row.code,
        address=row.get_absolute_url(),
        game=game_title(row.preset, row.rules, view.seats, row.base_preset),
        board=draw_cropped(view),
        laid=len(view.laid),
        sides=_sides(view, list(row.seats.all())),
    )


def find_featured(rows: Sequence[Match], still: bool) -> Featured:
    """Return the first of these matches; without any, the public match that ended last, or the shipped one.

    A match that has ended is replayed, or shows its last line of play if the page is to stand `still`.
    """
    if rows:
        row, seats = rows[0], list(rows[0].seats.all())
        value = repository.get_value(row)
        names = [seat.display_name for seat in seats]
        return _build_featured(row, seats, value, get_public_view(row.code, value, names, row.preset))
    if ended := _last_ended.rows(Match.Status.FINISHED, 0):
        prefetch_related_objects(ended, seats_with_users())
        last = ended[0]
        replay = _build_replay(last, list(last.seats.all()), _history(last), still)
        return replay._replace(
            address=f"{last.get_absolute_url()}replay/", replayed=_("the last match, replayed")
        )
    shipped = load_shipped_match()
    return _build_replay(shipped.row, shipped.seats, shipped.history, still)._replace(
        address=reverse("rules-preset", args=[shipped.preset]),
        title=_("How %(game)s is played") % {"game": preset_title(shipped.preset)},
        computers="",
        replayed=_("a match between computers, replayed"),
    )


def _build_replay(row: Match, seats: Sequence[Seat], history: History, still: bool) -> Featured:
    step = int(timezone.now().timestamp()) // REPLAY_SECONDS_PER_MOVE
    move = row.version if still else min(row.version, step % (row.version + REPLAY_PAUSE_MOVES) + 1)
    value, names = history.value_to_display(move), [seat.display_name for seat in seats]
    featured = _build_featured(row, seats, value, build_public_view(value, names, speech_of(row.preset)))
    plates = tuple(plate._replace(seconds=None, deadline=None) for plate in featured.plates)
    return featured._replace(plates=plates)


# Cache: key the code; bound MAX_CACHED_HISTORIES; invalidated by nothing, as the match has ended.
@cached(LRUCache(MAX_CACHED_HISTORIES), key=lambda row: row.code)
def _history(row: Match) -> History:
    return History.load(row)


def _build_featured(row: Match, seats: Sequence[Seat], value: Value, public: PublicView) -> Featured:
    view = perspective(value, None)
    sides = _sides(view, seats)
    everybody = Presence(frozenset(range(len(seats))), 0, {}, None)
    plates = Plates(row, view, seats, public.last_lines, everybody, timezone.now(), steady=True)
    game = game_title(row.preset, row.rules, view.seats, row.base_preset)
    return Featured(
        code=row.code,
        address=row.get_absolute_url(),
        game=game,
        board=draw_cropped(view),
        words=public.line_words.inner_html,
        count=public.count,
        sum=public.sum,
        scoring=public.scoring,
        plates=tuple(
            plate._replace(player=plate.player._replace(url="", completion=None), net="")
            for plate in plates.build()
        ),
        sides=sides,
        goal="" if view.rules.target is None else goal_beside(game, view.rules),
        round=view.round,
        clock=clocks.short_name(row.clock),
        rated=row.rated,
        title=_("Watch %(names)s") % {"names": ", ".join(side.names for side in sides)},
        computers=_list_computers(seats),
        replayed="",
    )


def _list_computers(seats: Sequence[Seat]) -> str:
    names = [seat.display_name for seat in seats if seat.computer]
    if not names:
        return ""
    return ngettext("computer: %(names)s", "computers: %(names)s", len(names)) % {"names": ", ".join(names)}


def _sides(view: View, seats: Sequence[Seat]) -> tuple[Side, ...]:
    names = side_names(view.sides, [seat.display_name for seat in seats])
    return tuple(
        Side(mark(side), name, score)
        for side, (name, score) in enumerate(zip(names, view.scores, strict=True))
    )
