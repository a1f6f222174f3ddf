"""Moves and pages during a database outage."""

import sqlite3
from contextlib import closing, contextmanager

import pytest
from django.db import OperationalError, connection
from django.test import Client

from games.move_requests import MoveRequest
from tests.games.playing import begin, legal, on_turn
from tests.games.test_socket_moves import in_thread, page_of, player_on_turn, send

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="writers wait for each other in SQLite"),
]
SENTENCE = "This could not be stored just now. Try again in a moment."


@contextmanager
def locked():
    """Lock the database from another connection, with a short timeout in this one."""
    connection.cursor().execute("PRAGMA busy_timeout = 50")
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def post_move(person, match, **headers):
    client = Client(raise_request_exception=False)
    client.force_login(person)
    move = {"move": legal(match)[0], "version": match.version}
    with locked():
        return client.post(f"/games/{match.code}/move", move, **headers)


def test_move_in_locked_database_is_refused(alice, bob):
    match = begin(alice, bob)
    answer = post_move(on_turn(match).user, match, HTTP_ACCEPT="application/json")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json() == {"error": SENTENCE, "reason": "unavailable"}
    match.refresh_from_db()
    assert match.version == 0 and not match.moves.exists()


def test_form_in_locked_database_gets_a_page(alice, bob):
    match = begin(alice, bob)
    answer = post_move(on_turn(match).user, match)
    assert answer.status_code == 503
    assert SENTENCE in answer.content.decode() and "<h1>Not just now</h1>" in answer.content.decode()


def test_page_without_database_explains(alice, bob, monkeypatch):
    def raise_away(*arguments, **named):
        cause = sqlite3.OperationalError("unable to open database file")
        cause.sqlite_errorname = "SQLITE_CANTOPEN"
        raise OperationalError("unable to open database file") from cause

    monkeypatch.setattr("games.views.match._get_current_snapshot", raise_away)
    answer = Client(raise_request_exception=False).get(f"/games/{begin(alice, bob).code}/")
    assert answer.status_code == 503
    assert "This page cannot be shown just now." in answer.content.decode()


async def test_socket_move_in_locked_database_is_refused(alice, bob, monkeypatch):
    match = await in_thread(begin)(alice, bob)
    mover = await player_on_turn(match, alice, bob)

    def raise_locked(self, **named):
        cause = sqlite3.OperationalError("database is locked")
        cause.sqlite_errorname = "SQLITE_BUSY"
        raise OperationalError("database is locked") from cause

    monkeypatch.setattr(MoveRequest, "play", raise_locked)
    async with await page_of(match, mover) as page:
        await send(page, move="draw", version=0)
        assert SENTENCE in await page.receive_containing('id="refusal"')
