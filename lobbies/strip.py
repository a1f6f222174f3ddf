"""The strip of every page: the viewer's running matches, the tables where they wait, and matches that just ended."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from core.http import read_once
from games.models import Seat
from games.seats import find_latest_seats, find_running_seats
from games.services import connections
from games.table.strip import StripEntry, build_ended_entry, build_running_entry, is_own_turn
from live.strip import StripState
from lobbies.commitments import find_states
from lobbies.models import Sitting, Table
from lobbies.notices import find_notices
from lobbies.services import keep_seats, record_closed_page, record_socket

ENDED_DISPLAY_TIME = timedelta(seconds=30)
PAGES_WITH_CODE = frozenset({"match", "table"})
PAGES_OF_ENDED = frozenset({"analysis", "match-replay", "match-round", "match-verify"})


NightEntry = Callable[[Table, User], StripEntry]

_night_entry: NightEntry | None = None


def register_night_entry(build: NightEntry) -> None:
    """Register what the strip says of a table whose seats a night has drawn."""
    global _night_entry
    _night_entry = build


def find_entries(
    user: User, page_code: str, running: Sequence[Seat], waiting: Sequence[Sitting]
) -> list[StripEntry]:
    """Return the entries for a page, the most urgent first; not that of the match or table that the page is about.

    A match with a clock of days has one on the user's own turn only: nobody waits in front of it.
    """
    now = timezone.now()
    due = [seat for seat in running if seat.match.days is None or is_own_turn(seat)]
    entries = [build_running_entry(seat.match, seat.position, now) for seat in due]
    entries += [
        _build_waiting_entry(sitting.table, user) for sitting in waiting if sitting.table.days is None
    ]
    entries += _find_ended(user, now)
    return sorted((entry for entry in entries if entry.code != page_code), key=lambda entry: entry.rank)


def _find_ended(user: User, now: datetime) -> list[StripEntry]:
    """Return the entry of the user's last match, if it has just ended."""
    for seat in find_latest_seats(user):
        ended_at = seat.match.ended_at
        if ended_at is not None and ended_at > now - ENDED_DISPLAY_TIME and not seat.left:
            hides = (ended_at + ENDED_DISPLAY_TIME - now).total_seconds()
            return [build_ended_entry(seat.match, seat.position, hides)]
    return []


def _build_waiting_entry(table: Table, user: User) -> StripEntry:
    if table.night and _night_entry is not None:
        return _night_entry(table, user)
    taken = set(table.sittings.values_list("position", flat=True))
    return StripEntry(
        state="table",
        code=table.code,
        address=table.get_absolute_url(),
        who=_("Your table"),
        about=table.title,
        fact=_("%(taken)d of %(seats)d have sat down") % {"taken": len(taken), "seats": table.seats},
        button=_("Open"),
        seats=tuple(position in taken for position in range(table.seats)),
    )


class Strip(NamedTuple):
    """The strip of a page: the first entry, and the number of `more`.

    `code` is of the match or table that the page is about, or "". `shuffles` are those of the tables where the user
    waits (`lobbies.commitments`): every page adds the user's part. `turns` is the number of matches on the user's turn,
    but for the one that the page is about. `is_live` tells whether news may come: also of matches with a clock of days,
    which have no entry before the user's turn.
    """

    code: str
    entry: StripEntry | None = None
    more: int = 0
    shuffles: tuple[str, ...] = ()
    turns: int = 0
    is_live: bool = False

    @property
    def more_in_words(self) -> str:
        return ngettext("%(n)d more", "%(n)d more", self.more) % {"n": self.more}


def build_strip(
    user: User, page_code: str, running: Sequence[Seat], waiting: Sequence[Sitting] | None = None
) -> Strip:
    if waiting is None:
        waiting = Sitting.objects.waiting(user.pk)
    entries = find_entries(user, page_code, running, waiting)
    turns = sum(entry.state == "turn" for entry in entries)
    first, more = (entries[0], len(entries) - 1) if entries else (None, 0)
    shuffles = find_states(waiting, page_code) if waiting else ()
    return Strip(page_code, first, more, shuffles, turns, is_live=bool(first or running or waiting))


def get_page_code(request: HttpRequest) -> str:
    """Return the code of the match or table that the requested page is about, or ""."""
    place = request.resolver_match
    return place.kwargs["code"] if place is not None and place.url_name in PAGES_WITH_CODE else ""


def build_for_page(request: HttpRequest) -> Strip:
    """Return the strip of a page that is being rendered."""
    user = request.user
    if not user.is_authenticated:
        return Strip("")
    running = read_once(request, find_running_seats)
    code = get_page_code(request) or _get_ended_code(request, running)
    return build_strip(user, code, running, read_once(request, find_notices).sittings)


def _get_ended_code(request: HttpRequest, running: Sequence[Seat]) -> str:
    """Return the code of the ended match that the requested page looks back at, or "".

    A round of a running match is looked at beside its strip, which says whose turn it is and counts as presence.
    """
    place = request.resolver_match
    if place is None or place.url_name not in PAGES_OF_ENDED:
        return ""
    code: str = place.kwargs["code"]
    return "" if any(seat.match.code == code for seat in running) else code


def render(strip: Strip) -> str:
    """Render the strip as a fragment for open pages."""
    return render_to_string("lobbies/_strip.html", {"strip": strip, "swap": True})


def update(user: User, channel: str, page_code: str) -> StripState:
    """Record the presence that a page gives at its user's running matches, and render its strip."""
    running = find_running_seats(user)
    # Presence decides nothing in matches with a clock of days, of which one person may play many.
    elsewhere = [seat for seat in running if seat.match.code != page_code and seat.match.days is None]
    connections.record_elsewhere(channel=channel, seats=elsewhere)
    waiting = Sitting.objects.waiting(user.pk)
    record_socket(waiting)
    keep_seats(waiting)
    tables = [sitting.table.code for sitting in waiting]
    groups = {f"match.{seat.match.code}" for seat in elsewhere} | {f"table.{code}" for code in tables}
    groups.discard(f"table.{page_code}")
    strip = build_strip(user, page_code, running, waiting)
    return StripState(render(strip), frozenset(groups), strip.entry is not None)


def record_close(*, user: User | AnonymousUser, channel: str, clean: bool) -> None:
    """Record that a page closed; `clean` if its reader closed it."""
    connections.record_close(channel=channel, clean=clean)
    if clean and user.is_authenticated:
        record_closed_page(user)
