"""Challenging somebody by name; and those who have blocked each other meet nowhere."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import relations
from lobbies import lists, pairing, services
from lobbies.models import Table
from lobbies.notices import find_own_places
from lobbies.refusals import TableRefused
from tests.lobbies.tables import game, make, names, waited

pytestmark = pytest.mark.django_db
JSON = {"accept": "application/json"}


def challenge(browser, name="bob", **fields):
    return browser.post(
        f"/players/{name}/challenge", {"preset": "all-fives", "seats": "2", "rated": "on"} | fields
    )


def test_challenge_creates_private_table_with_reserved_seat(alice, bob, charlie, browser_of):
    answer = challenge(browser_of(alice))
    table = Table.objects.get()
    assert answer.url == f"/tables/{table.code}/"
    assert (table.private, table.rated, table.kept_for) == (True, True, bob)
    assert "kept for bob" in browser_of(alice).get(answer.url).content.decode()
    with pytest.raises(TableRefused) as refused:
        services.sit(table, charlie)
    assert refused.value.reason == "reserved_for_another"
    services.sit(table, bob)
    assert names(table) == ["alice", "bob"]


def test_challenge_invites_nobody_else(alice, bob, charlie, browser_of):
    address = challenge(browser_of(alice)).url
    assert "Invite somebody" not in browser_of(alice).get(address).content.decode()
    assert "alice invites you" in browser_of(bob).get(address).content.decode()
    for other in (browser_of(charlie), browser_of()):
        page = other.get(address).content.decode()
        assert "The free seats are kept for others." in page
        assert "Sit here" not in page and "Sign up to play rated matches" not in page


def test_challenge_for_three_invites_the_third(alice, bob, browser_of):
    address = challenge(browser_of(alice), seats="3").url
    assert "Invite somebody" in browser_of(alice).get(address).content.decode()


def test_challenged_player_sees_it_in_lobby_and_declines(alice, bob, browser_of):
    challenge(browser_of(alice))
    table = Table.objects.get()
    assert [own.challenger for own in find_own_places(bob)] == ["alice"]
    assert "alice challenges you" in browser_of(bob).get("/").content.decode()
    assert "Decline" in browser_of(bob).get(f"/tables/{table.code}/").content.decode()
    browser_of(bob).post(f"/tables/{table.code}/decline")
    table.refresh_from_db()
    assert table.status == Table.Status.CLOSED
    assert find_own_places(bob) == []


def test_only_challenged_player_may_decline(alice, bob, charlie, browser_of):
    challenge(browser_of(alice))
    table = Table.objects.get()
    assert browser_of(charlie).post(f"/tables/{table.code}/decline", headers=JSON).status_code == 403


def test_challenge_expires_after_five_minutes(alice, bob, browser_of):
    challenge(browser_of(alice))
    table = Table.objects.get()
    waited(table, 301)
    services.sweep(timezone.now() + timedelta(seconds=1))
    table.refresh_from_db()
    assert table.status == Table.Status.CLOSED


@pytest.mark.parametrize("name", ["alice", "bob"])
def test_challenge_to_self_or_blocker_is_refused(alice, bob, browser_of, name):
    relations.set_relation(bob, alice, "block", True)
    answer = browser_of(alice).post(f"/players/{name}/challenge", {"preset": "all-fives"}, headers=JSON)
    assert answer.status_code in (403, 422)
    assert not Table.objects.exists()


def test_refusal_does_not_reveal_block(alice, bob, charlie, browser_of):
    relations.set_relation(bob, alice, "block", True)
    charlie.banned_at = timezone.now()
    charlie.save()
    told = {
        browser_of(alice).post(f"/players/{name}/challenge", {"preset": "all-fives"}, headers=JSON).content
        for name in ("bob", "charlie")
    }
    assert len(told) == 1 and b"takes no challenges just now" in told.pop()


def test_blocked_players_are_never_seated_together(alice, bob):
    relations.set_relation(bob, alice, "block", True)
    table = services.quick_play(alice, game())
    assert pairing.find_fitting(bob, game(), timezone.now()) == []
    other = services.quick_play(bob, game())
    assert other != table
    assert list(pairing.find_mergeable(timezone.now())) == []
    with pytest.raises(TableRefused) as refused:
        services.sit(make(alice), bob)
    assert refused.value.reason == "not_together"


def test_blocked_player_cannot_join_challenge_table(alice, bob, charlie, browser_of):
    relations.set_relation(bob, alice, "block", True)
    challenge(browser_of(charlie), seats="3", preset="draw")
    table = Table.objects.get()
    with pytest.raises(TableRefused, match="not_together"):
        services.sit(table, alice, 2)
    assert names(services.sit(table, bob)) == ["charlie", "bob", ""]


def test_challenge_is_on_every_page_until_answered(alice, bob, browser_of):
    challenge(browser_of(alice))
    browser = browser_of(bob)
    for page in ("/rules/", "/archive/", "/players/alice/", "/preferences/"):
        shown = browser.get(page).content.decode()
        assert "alice challenges you" in shown and "Decline" in shown, page
    assert browser.get("/").content.decode().count("alice challenges you") == 1, "once where it stood before"
    browser.post(f"/tables/{Table.objects.get().code}/decline")
    assert "challenges you" not in browser.get("/rules/").content.decode()


def test_challenger_sees_decline(alice, bob, browser_of):
    own = browser_of(alice)
    where = challenge(own).url
    services.decline(Table.objects.get(), bob)
    assert "bob has declined" in own.get(where).content.decode()


def test_challenge_page_asks_what_to_play(alice, bob, browser_of):
    shown = browser_of(alice).get("/players/bob/challenge?preset=draw").content.decode()
    for name in ("preset", "seats", "clock", "rated"):
        assert f'name="{name}"' in shown
    assert '<option value="draw" selected>' in " ".join(shown.split())
    assert browser_of(alice).get("/players/nobody/challenge").status_code == 404
    refused = challenge(browser_of(alice), preset="kozel-pairs", seats="2")
    assert refused.status_code == 422 and b"challenge-form" in refused.content


def test_guest_challenge_is_casual(bob, browser_of):
    visitor = browser_of()
    assert "disabled" in visitor.get("/players/bob/challenge").content.decode()
    challenge(visitor)
    assert not Table.objects.get().rated


def test_later_challenge_replaces_the_earlier(alice, bob, browser_of):
    challenge(browser_of(alice))
    challenge(browser_of(alice), preset="draw")
    open_table = Table.objects.get(status=Table.Status.OPEN)
    assert open_table.preset == "draw"
    assert [own.code for own in lists.find_challenges(bob)] == [open_table.code]


def test_challenge_back_leads_to_the_same_table(alice, bob, browser_of):
    challenge(browser_of(alice))
    table = Table.objects.get()
    assert challenge(browser_of(bob), name="alice").url == f"/tables/{table.code}/"
    assert Table.objects.count() == 1


def test_page_of_a_challenge_says_for_whom_it_waits_and_has_one_decline(alice, bob, browser_of):
    table = services.challenge(alice, bob, game())
    address = f"/tables/{table.code}/"
    assert "Waiting for bob…" in browser_of(alice).get(address).content.decode()
    page = browser_of(bob).get(address).content.decode()
    shown = re.sub(r'<div hidden class="message challenge">.*?</div>', "", page, flags=re.DOTALL)
    assert shown.count(">Decline<") == 1
