"""Following, blocking and muting people; finding them."""

import pytest

from accounts import conduct, relations
from accounts.models import Relation
from games.services import talk
from tests.games.playing import begin

pytestmark = pytest.mark.django_db


def post(browser, name, what, **fields):
    return browser.post(f"/players/{name}/{what}", fields)


def test_following_and_no_longer(alice, bob, browser_of):
    browser = browser_of(alice)
    assert post(browser, "bob", "follow", on="1").url == "/players/bob/"
    assert list(relations.followed_by(alice)) == [bob]
    assert "Following" in browser.get("/players/bob/").content.decode()
    assert "bob" in browser.get("/players/").content.decode()
    post(browser, "bob", "follow", on="0")
    assert not Relation.objects.exists()


def test_nobody_about_themselves_and_nobody_unnamed(alice, browser_of):
    post(browser_of(alice), "alice", "follow", on="1")
    post(browser_of(), "alice", "block", on="1")
    assert not Relation.objects.exists()


def test_a_block_ends_the_following_both_ways(alice, bob):
    relations.set_relation(alice, bob, "follow", True)
    relations.set_relation(bob, alice, "block", True)
    assert not relations.followed_by(alice).exists()
    assert relations.blocked_among(alice, [bob.pk]) == {bob.pk}


@pytest.mark.parametrize(("blocker", "blocked"), [("alice", "bob"), ("bob", "alice")])
def test_while_a_block_stands_neither_follows_the_other(alice, bob, browser_of, blocker, blocked):
    people = {"alice": alice, "bob": bob}
    relations.set_relation(people[blocker], people[blocked], "block", True)

    answer = browser_of(alice).post("/players/bob/follow", {"on": "1"}, follow=True)

    assert not relations.followed_by(alice).exists()
    assert "You cannot follow this player just now." in answer.content.decode()
    relations.set_relation(people[blocker], people[blocked], "block", False)
    post(browser_of(alice), "bob", "follow", on="1")
    assert list(relations.followed_by(alice)) == [bob]


def test_who_is_blocked_reads_what_anybody_reads_of_a_closed_account(alice, bob, charlie, browser_of):
    relations.set_relation(bob, alice, "block", True)
    conduct.ban(charlie, "spam")
    told = [
        [str(said) for said in post(browser_of(alice), name, "follow", on="1").wsgi_request._messages]
        for name in ("bob", "charlie")
    ]
    assert told[0] == told[1] != []


def test_whose_lines_one_does_not_see(alice, bob, charlie, browser_of):
    match = begin(alice, bob)
    talk.say(match=match, user=bob, seat=match.seats.get(user=bob), text="as you please")
    address = f"/games/{match.code}/"
    assert "as you please" in browser_of(alice).get(address).content.decode()
    post(browser_of(alice), "bob", "mute", on="1")
    assert "as you please" not in browser_of(alice).get(address).content.decode()
    assert "as you please" in browser_of(bob).get(address).content.decode()


def test_people_are_found_by_a_part_of_their_name(alice, bob, browser_of):
    page = browser_of().get("/players/?q=LIC").content.decode()
    assert "/players/alice/" in page
    assert "/players/bob/" not in page
    assert "No player has this name." in browser_of().get("/players/?q=zzz").content.decode()


def test_who_was_here_of_late_is_on_line(alice, bob, browser_of):
    assert "on line" not in browser_of().get("/players/alice/").content.decode()
    browser_of(alice).get("/")
    assert "on line" in browser_of().get("/players/alice/").content.decode()
