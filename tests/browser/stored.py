"""Matches written straight into the server's database, at a position that a test asks for.

The position is searched in the engine, without a server; only the match that has it is stored, through the services of
the server. The same SEED and test give the same position.
"""

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import connection, connections, transaction
from django.http import QueryDict
from django.test import override_settings
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from boneyard.engine import records
from boneyard.engine.matches import Match as Value
from boneyard.engine.matches import begin
from boneyard.engine.moves import Move
from boneyard.engine.perspective import perspective
from boneyard.engine.rules import Rules
from boneyard.engine.tiles import NAMES
from games import repository, services
from games.models import Match, Seat
from games.services import SeatAssignment
from lobbies.forms import TableForm
from lobbies.game import Game
from tests.games import playing
from tests.seeds import SEED, current_test, derive_key

State = dict[str, Any]
MAX_DEALS = 5000

# The database of the site that a browser context is logged in to.
database_files: WeakKeyDictionary[BrowserContext, Path] = WeakKeyDictionary()
blocker: list[DjangoDbBlocker] = []  # pytest-django's, which refuses queries outside of it
# Playwright's event loop runs in the main thread, where Django refuses queries.
_thread = ThreadPoolExecutor(1, thread_name_prefix="stored")


class Position(NamedTuple):
    """A deal and the moves that lead to a position."""

    secret: bytes
    moves: list[Move]


class DealUnsuitable(Exception):
    """Raised by a condition of a test that this deal can no longer meet."""


class Wanted(NamedTuple):
    """A position that is searched: `condition(state)` holds for the seat on turn or, `ended`, at the match's end.

    others     at the seats after those of the pages, without a page: names of guests, who count as here, or levels of
               computers, who would go on playing unless it is the turn of a page
    away       guests of `others` have been away for so many seconds
    leave_out  how many of the last moves are not stored
    seed       decides with the test's name which deals are tried; a budget compares one position under every SEED
    """

    condition: Callable[[State], object]
    others: Sequence[str] = ()
    away: float = 0
    ended: bool = False
    leave_out: int = 0
    seed: str = SEED


def store_match(wanted: Wanted, *pages: Page, preset: str, **fields: str) -> tuple[str, list[str]]:
    """Store a match of these pages' users at a position. Return its code, and the moves that are left out.

    `fields` are those of /tables/new.
    """
    cookies = [_session_key(page.context) for page in pages]
    asked = {"preset": preset, "seats": str(len(pages) + len(wanted.others)), "clock": "1800+20"} | fields
    file = database_files[pages[0].context]
    return _thread.submit(_store_in, file, cookies, asked, wanted, current_test()).result()


def change_rows(page: Page, change: Callable[[], object]) -> None:
    """Call `change` with the database of the page's site as Django's."""
    _thread.submit(_change_in, database_files[page.context], change).result()


def _change_in(file: Path, change: Callable[[], object]) -> None:
    with _connect(file):
        change()


@contextmanager
def _connect(file: Path) -> Iterator[None]:
    """Make a server's database Django's for a while."""
    with blocker[0].unblock(), closing(connection):
        connections["default"].settings_dict["NAME"] = str(file)
        repository.clear_caches()  # their keys are those of another server's rows, too
        yield


def find_position(wanted: Wanted, rules: Rules, seats: int, entropy: str, name: str) -> Position:
    """Return a position that a match comes to by first legal moves; `name` and the seed decide which deals are tried.

    Raise `AssertionError` if none of MAX_DEALS comes to it.
    """
    for number in range(MAX_DEALS):
        secret = derive_key(f"{name} deal {number}", wanted.seed)
        try:
            moves = _play_until(wanted, begin(rules, seats, secret, entropy))
        except DealUnsuitable:
            continue
        if moves is not None:
            return Position(secret, moves)
    raise AssertionError(f"it came to that in none of {MAX_DEALS} deals")


def _play_until(wanted: Wanted, match: Value) -> list[Move] | None:
    """Play first legal moves until the condition holds. Return them; None if the match comes to its end without."""
    moves: list[Move] = []
    while match.result is None:
        if match.turn is None:
            match = match.after_calls()
            continue
        if not wanted.ended and wanted.condition(describe(match, match.turn)):
            return moves
        move = match.legal(match.turn)[0]
        match = match.play(match.turn, move)
        moves.append(move)
    return moves if wanted.ended and wanted.condition(describe(match, 0)) else None


def describe(match: Value, seat: int) -> State:
    """Return what state.json tells the seat of the game itself: without names, clocks and the like."""
    view = perspective(match, seat)
    last = view.ended[-1] if view.ended else None
    return {
        "version": view.move_count,
        "status": "playing" if view.result is None else "finished",
        "rules": view.rules.as_dict(),
        "target": view.rules.target,
        "you": seat,
        "turn": view.turn,
        "round": view.round,
        "layout": [{"tile": NAMES[t.tile], "end": t.end, "seat": t.seat} for t in view.laid],
        "ends": dict(view.ends),
        "count": view.count,
        "hand": [NAMES[tile] for tile in view.hand],
        "legal": [str(move) for move in view.legal],
        "seats": [{"tiles": tiles} for tiles in view.tiles],
        "boneyard": view.boneyard,
        "scores": list(view.scores),
        "last_round": None if last is None else {"end": records.round_end_data(last)["end"]},
    }


def _session_key(context: BrowserContext) -> str:
    return next(each["value"] for each in context.cookies() if each["name"] == settings.SESSION_COOKIE_NAME)


def _store_in(
    file: Path,
    cookies: Sequence[str],
    fields: dict[str, str],
    wanted: Wanted,
    name: str,
) -> tuple[str, list[str]]:
    with _connect(file):
        users = [_get_user(cookie) for cookie in cookies]
        form = TableForm(_query(fields), users[0])
        assert form.is_valid(), form.errors
        seats = [*map(playing.sitting, users), *_seat_others(wanted.others)]
        entropy = "." * (len(seats) - 1)
        position = find_position(wanted, form.game.rules, len(seats), entropy, name)
        stored = max(0, len(position.moves) - wanted.leave_out)
        # The server must not play for computers meanwhile. Else no long lock: it would pass for an outage.
        has_computers = any(seat.kind == Seat.Kind.COMPUTER for seat in seats)
        with transaction.atomic() if has_computers else nullcontext(), override_settings(CALL_PAUSE_MS=0):
            code = _store(form.game, seats, position.secret, entropy, position.moves[:stored])
            _set_presence(code, len(users), wanted.away)
        return code, [str(move) for move in position.moves[stored:]]


def _get_user(session_key: str) -> User:
    """Return the user of a session. Its data is signed with the site's key, which is not this process's."""
    data = Session.objects.get(pk=session_key).session_data.partition(":")[0]
    decoded = signing.b64_decode(data.lstrip(".").encode())
    decoded = zlib.decompress(decoded) if data.startswith(".") else decoded
    return User.objects.get(pk=json.loads(decoded)[SESSION_KEY])


def _seat_others(others: Sequence[str]) -> list[SeatAssignment]:
    """Return the seats of people and computers without a page."""
    return [
        SeatAssignment(f"{other} {number}", Seat.Kind.COMPUTER, level=other, figure=number)
        if other in records.LEVELS
        else playing.sitting(User.objects.get_or_create(username=other, is_guest=True)[0])
        for number, other in enumerate(others)
    ]


def _set_presence(code: str, opened: int, away: float) -> None:
    """Let those without a page count as here for an hour, or as away for some seconds."""
    now = timezone.now()
    if away:
        since = now - timedelta(seconds=away)
        Match.objects.filter(code=code).update(started_at=since, turn_began_at=since)
    else:
        others = Seat.objects.filter(match__code=code, position__gte=opened, user__isnull=False)
        others.update(page_at=now + timedelta(hours=1))


def _query(fields: dict[str, str]) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update(fields)
    return query


def _store(
    game: Game, seats: Sequence[SeatAssignment], secret: bytes, entropy: str, moves: Sequence[Move]
) -> str:
    code = derive_key(f"{secret.hex()} {Match.objects.count()}").hex()[:10]
    services.seal(code, secret)
    match = services.start(
        code=code,
        preset=None if game.changed else game.preset,
        base_preset=game.preset if game.changed else "",
        rules=game.rules,
        rated=game.rated,
        seats=seats,
        entropy=entropy,
        commitments=[None] * len(seats),
        clock=game.clock,
    )
    for move in moves:
        match = playing.play(match, str(move))
    return code
