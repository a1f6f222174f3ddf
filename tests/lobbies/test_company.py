"""Followed people who are here, in the account menu of every page."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import ONLINE_PERIOD, User
from accounts.relations import set_relation
from games.models import Match
from live import open_sockets
from lobbies.company import find_company
from lobbies.models import Table
from tests.games.playing import begin
from tests.html import read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def friend(alice, bob) -> User:
    """Return Bob, whom Alice follows and who has just been seen."""
    set_relation(alice, bob, "follow", True)
    bob.seen_at = timezone.now()
    bob.save()
    return bob


def names(user: User) -> list[str]:
    return [person.name for person in find_company(user).people]


def test_followed_people_here_are_on_every_page(alice, friend, charlie, browser_of):
    charlie.seen_at = timezone.now()
    charlie.save()
    for address in ("/", "/learn/", "/rules/", "/leaderboard/"):
        shown = read_page(browser_of(alice), address).partition('id="company"')[2]
        assert 'href="/players/bob/"' in shown and 'action="/players/bob/challenge"' in shown
        assert "charlie" not in shown.partition("</div>")[0]
    assert 'class="here-count digits"' in read_page(browser_of(alice), "/learn/")
    assert 'class="here-count digits"' not in read_page(browser_of(friend), "/learn/")
    assert 'id="company"' not in read_page(browser_of(), "/learn/")


def test_one_press_challenges(alice, friend, browser_of):
    game = find_company(alice).game
    form = {"preset": game.preset, "seats": game.seats, "clock": game.clock}
    browser_of(alice).post("/players/bob/challenge", form)
    assert Table.objects.get(kept_for=friend).preset == "all-fives"


def test_somebody_who_plays_can_be_watched(alice, friend, charlie, browser_of):
    match = begin(friend, charlie)
    shown = read_page(browser_of(alice), "/learn/").partition('id="company"')[2]
    assert f'href="/games/{match.code}/" aria-label="Watch bob"' in shown
    assert "/players/bob/challenge" not in shown
    for hidden in ({"private": True, "concealed": False}, {"private": False, "concealed": True}):
        Match.objects.filter(pk=match.pk).update(**hidden)
        assert find_company(alice).people[0].match == ""


def test_people_who_left_are_not_here(alice, friend):
    assert names(alice) == ["bob"]
    User.objects.filter(pk=friend.pk).update(seen_at=timezone.now() - ONLINE_PERIOD - timedelta(seconds=1))
    assert names(alice) == []
    open_sockets.register(f"user {friend.pk}")
    assert names(alice) == ["bob"]
    open_sockets.unregister(f"user {friend.pk}")
    assert names(alice) == []


def test_block_ends_it(alice, friend):
    set_relation(friend, alice, "block", True)
    assert names(alice) == []


def test_presence_can_be_hidden(alice, friend, charlie, browser_of):
    browser = browser_of(friend)
    assert 'name="shows_presence"' in read_page(browser, "/preferences/")
    assert 'name="shows_presence"' not in read_page(browser_of(), "/preferences/")
    begin(friend, charlie)
    assert "on line" in read_page(browser_of(alice), "/players/bob/")
    User.objects.filter(pk=friend.pk).update(shows_presence=False)
    assert names(alice) == []
    hidden = read_page(browser_of(alice), "/players/bob/")
    assert "on line" not in hidden and "charlie" not in hidden.partition("<h2")[0]


def test_menu_that_opens_gets_the_list_of_now(alice, friend, browser_of):
    browser = browser_of(alice)
    assert "bob" in read_page(browser, "/company/")
    assert read_page(browser_of(), "/company/").count("<li>") == 0
