"""What it takes to begin a match: few statements, none of them twice in one request."""

import pytest

from boneyard.engine.shuffle import commitment_to
from lobbies.models import Table
from tests import budgets
from tests.games.playing import begin
from tests.statements import captured_statements

JSON = {"Accept": "application/json"}

pytestmark = pytest.mark.django_db(transaction=True)


def statements(browser, path: str, **fields: str) -> list[str]:
    """Return the statements of a request."""
    with captured_statements() as sent:
        answer = browser.post(path, fields, headers=JSON) if fields else browser.get(path)
    assert answer.status_code == 200
    return sent


def test_statements_of_start(alice, bob, browser_of, settings):
    settings.LIMITS = False
    host, other = browser_of(alice), browser_of(bob)
    for browser in (host, other):
        browser.get("/")  # their last visit is noted
    made = statements(host, "/tables/new", preset="all-fives", seats="2", clock="none", private="on")
    path = f"/tables/{Table.objects.get().code}"
    steps = {
        "to make a table": made,
        "to commit": statements(host, f"{path}/commit", commitment=commitment_to("a1b2")),
        "to sit down": statements(other, f"{path}/sit", seat="1", commitment=commitment_to("c3")),
        "to give a nonce": statements(host, f"{path}/nonce", nonce="a1b2"),
        "to give the last one": statements(other, f"{path}/nonce", nonce="c3"),
    }
    budgets.check("the start of a match", {f"statements {step}": len(sql) for step, sql in steps.items()})
    for step, sql in steps.items():
        assert len(set(sql)) == len(sql), (step, sql)


def test_hand_seen_is_written_once(alice, bob, browser_of):
    match = begin(alice, bob)
    for browser, writes in ((browser_of(alice), 1), (browser_of(alice), 0)):
        browser.get("/")  # their last visit is noted
        noted = [sql for sql in statements(browser, f"/games/{match.code}/") if sql.startswith("UPDATE")]
        assert len(noted) == writes
    seat = match.seats.get(user=alice)
    assert seat.hand_seen_at == seat.page_at is not None
    assert match.seats.filter(user=bob, hand_seen_at=None, page_at=None).exists()
