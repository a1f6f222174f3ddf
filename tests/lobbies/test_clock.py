"""Public tables have a clock; untimed ones are private or against computers, and never rated."""

import pytest

from lobbies import services
from lobbies.models import Table
from tests.lobbies.tables import start_without_nonces

pytestmark = pytest.mark.django_db
JSON = {"accept": "application/json"}


@pytest.mark.parametrize("address", ["/tables/new", "/play/all-fives/"])
def test_public_table_without_clock_is_refused(alice, browser_of, address):
    answer = browser_of(alice).post(
        address, {"preset": "all-fives", "seats": "2", "clock": "none"}, headers=JSON
    )
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("Clock: ")
    assert not Table.objects.exists()


def test_some_computers_still_need_clock(alice, browser_of):
    sent = {"preset": "all-fives", "seats": "3", "clock": "none", "computers": ",club,"}
    assert browser_of(alice).post("/tables/new", sent, headers=JSON).status_code == 422


@pytest.mark.parametrize("alone", [{"private": "on"}, {"computers": ",club"}])
def test_clockless_table_is_casual(alice, browser_of, alone):
    sent = {"preset": "all-fives", "seats": "2", "clock": "none", "rated": "on"} | alone
    browser_of(alice).post("/tables/new", sent)
    table = Table.objects.get()
    assert (table.clock, table.rated) == (None, False)


def test_quick_play_against_computers_needs_no_clock(alice, browser_of):
    browser_of(alice).post("/play/all-fives/", {"seats": "2", "clock": "none", "computer": "club"})
    assert Table.objects.get().clock is None


def test_missing_clock_is_the_default(alice, browser_of):
    browser_of(alice).post("/play/all-fives/", {"seats": "2"})
    assert Table.objects.get().clock == (300, 5)


@pytest.mark.parametrize(
    ("clock", "words"),
    [("300+5", "5 min + 5 s"), ("90+5", "1:30 min + 5 s"), ("3600+0", "60 min + 0 s")],
)
def test_table_and_match_name_clock_alike(alice, bob, browser_of, clock, words):
    browser_of(alice).post("/tables/new", {"preset": "all-fives", "seats": "2", "clock": clock})
    table = Table.objects.get()
    assert words in browser_of(alice).get(f"/tables/{table.code}/").content.decode()

    services.sit(table, bob)
    start_without_nonces(table, alice, bob)
    assert words in browser_of(alice).get(f"/games/{table.code}/").content.decode()
