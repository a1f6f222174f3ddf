"""What it takes to begin a match: few statements, none of them twice in one request."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine.shuffle import commitment_to
from lobbies.models import Table
from tests.games.playing import begin

JSON = {"Accept": "application/json"}
BRACKETS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def statements():
    """Return the statements of a request without transaction control."""

    def sent(browser, path: str, **fields: str) -> list[str]:
        with CaptureQueriesContext(connection) as caught:
            answer = browser.post(path, fields, headers=JSON) if fields else browser.get(path)
        assert answer.status_code == 200
        sql = (query["sql"] for query in caught.captured_queries)
        return [statement for statement in sql if not statement.startswith(BRACKETS)]

    return sent


def test_start_query_count(alice, bob, browser_of, settings, statements):
    settings.LIMITS = False
    host, other = browser_of(alice), browser_of(bob)
    for browser in (host, other):
        browser.get("/")  # their last visit is noted
    made = statements(host, "/tables/new", preset="all-fives", seats="2", clock="none", private="on")
    path = f"/tables/{Table.objects.get().code}"
    committed = statements(host, f"{path}/commit", commitment=commitment_to("a1b2"))
    sat = statements(other, f"{path}/sit", seat="1", commitment=commitment_to("c3"))
    waited = statements(host, f"{path}/nonce", nonce="a1b2")
    begun = statements(other, f"{path}/nonce", nonce="c3")
    counts = [len(sql) for sql in (made, committed, sat, waited, begun)]
    assert counts == [9, 8, 13, 8, 16]
    for sql in (made, committed, sat, waited, begun):
        assert len(set(sql)) == len(sql), sql


def test_hand_seen_is_written_once(alice, bob, browser_of, statements):
    match = begin(alice, bob)
    for browser, writes in ((browser_of(alice), 1), (browser_of(alice), 0)):
        browser.get("/")  # their last visit is noted
        noted = [sql for sql in statements(browser, f"/games/{match.code}/") if sql.startswith("UPDATE")]
        assert len(noted) == writes
    seat = match.seats.get(user=alice)
    assert seat.hand_seen_at == seat.page_at is not None
    assert match.seats.filter(user=bob, hand_seen_at=None, page_at=None).exists()
