"""Who plays matches to the end is paired with those who do, first; at a seat it is said how many they finish."""

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from accounts.models import Rating
from games import services as services_of_games
from lobbies import services
from lobbies.pairing import find_mergeable
from tests.games.playing import begin
from tests.lobbies.tables import game, names

pytestmark = pytest.mark.django_db


def finishing(person, completed: int, value: float = 1500.0) -> None:
    """Give the person thirty rated matches with this many finished."""
    Rating.objects.create(
        user=person, pool="muggins", value=value, matches=30, completed=(1 << completed) - 1
    )


def letting_time_run(person, times: int) -> None:
    """Give the person matches in which they played slowly."""
    match = begin(person, get_user_model().objects.create_user(f"other of {person}"), clock=(300, 5))
    services_of_games.play(match=match, seat=match.seats.get(user=person), move="resign", seen_version=0)
    match.seats.filter(user=person).update(slow_turns=times)


@pytest.mark.parametrize(("own", "opponent"), [(30, "bob"), (3, "charlie")])
def test_pairing_prefers_similar_completion(alice, bob, charlie, own, opponent):
    finishing(alice, own)
    finishing(bob, 30, 1540)
    finishing(charlie, 3, 1460)
    for person in (bob, charlie):
        services.make_table(person, game(rated=True))
    assert names(services.quick_play(alice, game(rated=True))) == [opponent, "alice"]


@pytest.mark.parametrize(("own", "opponent"), [(0, "bob"), (3, "charlie")])
def test_pairing_prefers_similar_pace(alice, bob, charlie, own, opponent):
    letting_time_run(alice, own)
    letting_time_run(charlie, 3)
    for person in (bob, charlie):
        services.make_table(person, game(clock=(300, 5)))
    assert names(services.quick_play(alice, game(clock=(300, 5)))) == [opponent, "alice"]


def test_merging_prefers_similar_completion(alice, bob, charlie):
    letting_time_run(alice, 3)
    letting_time_run(charlie, 3)
    waiting = [services.make_table(who, game(clock=(300, 5)), quick=True) for who in (alice, bob, charlie)]
    assert next(find_mergeable(timezone.now())) == (waiting[0], waiting[2])


@pytest.mark.usefixtures("full_crowd")
def test_dissimilar_players_are_paired_eventually(alice, bob):
    finishing(alice, 30)
    finishing(bob, 3)
    services.make_table(bob, game(rated=True))
    assert names(services.quick_play(alice, game(rated=True))) == ["bob", "alice"]


def test_plate_shows_completion(alice, bob, browser_of):
    finishing(alice, 24)
    match = begin(alice, bob, rated=True)
    page = browser_of(bob).get(f"/games/{match.code}/").content.decode()
    assert page.count(">80% finished<") == 1


def test_completion_is_not_shown_before_ten_matches(alice, bob, browser_of):
    Rating.objects.create(user=alice, pool="muggins", value=1500, matches=9, completed=0)
    match = begin(alice, bob, rated=True)
    table = services.make_table(alice, game(rated=True))
    for path in (
        f"/games/{match.code}/",
        f"/tables/{table.code}/",
        "/players/alice/",
        "/leaderboard/muggins/",
    ):
        page = browser_of(bob).get(path).content.decode()
        assert "% finished" not in page and "finished 0%" not in page


def test_table_shows_completion(alice, bob, browser_of):
    finishing(alice, 24)
    table = services.make_table(alice, game(rated=True))
    assert ">80% finished<" in " ".join(
        browser_of(bob).get(f"/tables/{table.code}/").content.decode().split()
    )
