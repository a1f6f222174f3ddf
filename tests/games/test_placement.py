"""The provisional place of somebody who has played computers alone."""

import pytest

from games.models import Match, Seat
from games.past.placement import find_placement, get_strengths
from lobbies import services
from tests.html import collapse_whitespace
from tests.lobbies.tables import game

pytestmark = pytest.mark.django_db


def play_computer(person, level: str, *, won: bool) -> None:
    """Store a finished match of two against a computer."""
    services.quick_play(person, game("all-fives"), level)
    match = Match.objects.latest("pk")
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, ended_at=match.started_at, result_how="target"
    )
    Seat.objects.filter(match=match, user=person).update(won=won)
    Seat.objects.filter(match=match, user=None).update(won=not won)


def test_levels_become_stronger():
    strengths = list(get_strengths().values())
    assert strengths[0] == 0 and strengths == sorted(strengths)


@pytest.mark.parametrize(
    ("results", "place"),
    [
        ([True, False, True], "between casual and club"),
        ([True, True, True], "between club and strong"),
        ([False, False, False], "between beginner and casual"),
    ],
)
def test_third_match_gives_a_place(alice, browser_of, results, place):
    for won in results:
        assert find_placement(alice) is None
        play_computer(alice, "casual", won=won)
    found = find_placement(alice)
    assert (found.matches, found.won, found.place) == (3, sum(results), place)
    page = collapse_whitespace(browser_of(alice).get("/players/alice/").content.decode())
    assert f"your provisional place is {place}." in page


def test_others_do_not_see_the_place(alice, bob, browser_of):
    for won in (True, False, True):
        play_computer(alice, "casual", won=won)
    assert "provisional place" not in browser_of(bob).get("/players/alice/").content.decode()
    assert "Three matches against one computer" in browser_of(bob).get("/players/bob/").content.decode()
