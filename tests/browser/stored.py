"""Matches written straight into the server's database, at a position that a test asks for.

The position is searched in the engine, without a server; only the match that has it is stored, through the services of
the server. The same SEED and test give the same position.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import connection, connections
from django.http import QueryDict
from playwright.sync_api import BrowserContext, Page
from pytest_django.plugin import DjangoDbBlocker

from accounts.models import User
from games import services
from games.engine import records
from games.engine.matches import Match as Value
from games.engine.matches import begin
from games.engine.moves import Move
from games.engine.perspective import perspective
from games.engine.rules import Rules
from games.engine.tiles import NAMES
from games.models import Match
from lobbies.forms import TableForm
from lobbies.game import Game
from tests.games import playing
from tests.seeds import current_test, derive_key

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


def store_match(
    condition: Callable[[State], object], *pages: Page, preset: str, leave_out: int = 0, **fields: str
) -> tuple[str, list[str]]:
    """Store a match of these pages' users in which `condition(state)` holds for the seat on turn.

    Return its code, and the last `leave_out` moves, which are not stored. `fields` are those of /tables/new.
    """
    cookies = [_session_key(page.context) for page in pages]
    asked = {"preset": preset, "seats": str(len(pages)), "clock": "1800+20"} | fields
    file = database_files[pages[0].context]
    return _thread.submit(_store_in, file, cookies, asked, condition, leave_out, current_test()).result()


def find_position(
    condition: Callable[[State], object], rules: Rules, seats: int, entropy: str, name: str
) -> Position:
    """Return a position that a match comes to by first legal moves; `name` and SEED decide which deals are tried.

    Raise `AssertionError` if none of MAX_DEALS comes to it.
    """
    for number in range(MAX_DEALS):
        secret = derive_key(f"{name} deal {number}")
        try:
            moves = _play_until(condition, begin(rules, seats, secret, entropy))
        except DealUnsuitable:
            continue
        if moves is not None:
            return Position(secret, moves)
    raise AssertionError(f"it came to that in none of {MAX_DEALS} deals")


def _play_until(condition: Callable[[State], object], match: Value) -> list[Move] | None:
    """Play first legal moves until the condition holds. Return them; None if the match ends before."""
    moves: list[Move] = []
    while match.result is None:
        if match.turn is None:
            match = match.after_calls()
            continue
        if condition(describe(match, match.turn)):
            return moves
        move = match.legal(match.turn)[0]
        match = match.play(match.turn, move)
        moves.append(move)
    return None


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
    condition: Callable[[State], object],
    leave_out: int,
    name: str,
) -> tuple[str, list[str]]:
    with blocker[0].unblock(), closing(connection):
        connections["default"].settings_dict["NAME"] = str(file)
        users = [UserSession.objects.get(session_key=cookie).user for cookie in cookies]
        form = TableForm(_query(fields), users[0])
        assert form.is_valid(), form.errors
        entropy = "." * (len(users) - 1)
        position = find_position(condition, form.game.rules, len(users), entropy, name)
        stored = max(0, len(position.moves) - leave_out)
        code = _store(form.game, users, position.secret, entropy, position.moves[:stored])
        return code, [str(move) for move in position.moves[stored:]]


def _query(fields: dict[str, str]) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update(fields)
    return query


def _store(game: Game, users: Sequence[User], secret: bytes, entropy: str, moves: Sequence[Move]) -> str:
    code = derive_key(f"{secret.hex()} {Match.objects.count()}").hex()[:10]
    services.seal(code, secret)
    match = services.start(
        code=code,
        preset=None if game.changed else game.preset,
        base_preset=game.preset if game.changed else "",
        rules=game.rules,
        rated=game.rated,
        seats=[playing.sitting(user) for user in users],
        entropy=entropy,
        commitments=[None] * len(users),
        clock=game.clock,
    )
    for move in moves:
        match = playing.play(match, str(move))
    return code
