"""Who plays matches to the end is paired with those who do, first; at a seat it is said how many they finish."""

import pytest

from accounts.models import Rating
from lobbies import services
from tests.games.playing import begin
from tests.lobbies.tables import game, names

pytestmark = pytest.mark.django_db


def finishing(person, completed: int, value: float = 1500.0) -> None:
    """The person has played thirty rated matches, this many of them to the end."""
    Rating.objects.create(
        user=person, pool="muggins", value=value, matches=30, completed=(1 << completed) - 1
    )


@pytest.mark.parametrize(("own", "opponent"), [(30, "bob"), (3, "charlie")])
def test_quick_play_takes_those_who_finish_alike_before_the_nearest(alice, bob, charlie, own, opponent):
    finishing(alice, own)
    finishing(bob, 30, 1540)
    finishing(charlie, 3, 1460)
    for person in (bob, charlie):
        services.make_table(person, game(rated=True))
    assert names(services.quick_play(alice, game(rated=True))) == [opponent, "alice"]


def test_nobody_waits_for_ever_because_of_it(alice, bob):
    finishing(alice, 30)
    finishing(bob, 3)
    services.make_table(bob, game(rated=True))
    assert names(services.quick_play(alice, game(rated=True))) == ["bob", "alice"]


def test_a_seat_in_a_match_says_it(alice, bob, browser_of):
    finishing(alice, 24)
    match = begin(alice, bob, rated=True)
    page = browser_of(bob).get(f"/games/{match.code}/").content.decode()
    assert page.count('aria-label="finishes 80 of 100"') == 1


def test_the_table_says_it_beside_the_name(alice, bob, browser_of):
    finishing(alice, 24)
    table = services.make_table(alice, game(rated=True))
    assert "finishes 80 of 100" in " ".join(
        browser_of(bob).get(f"/tables/{table.code}/").content.decode().split()
    )
