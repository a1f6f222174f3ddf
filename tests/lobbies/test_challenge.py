"""Challenging somebody by name; and those who have blocked each other meet nowhere."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import relations
from accounts.challengers import Challengers
from accounts.models import User
from games.time.day_clocks import DAY_SECONDS
from lobbies import lists, pairing, services
from lobbies.models import Table
from lobbies.notices import find_own_places
from lobbies.refusals import TableRefused
from lobbies.services.challenges import CHALLENGE_TTL
from tests.games.playing import begin, play_and_resign
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


def test_refused_number_of_seats_is_said_beside_them(alice, bob, browser_of):
    page = challenge(browser_of(alice), preset="dominican").content.decode()
    assert re.search(
        r'<select name="seats"\s+autofocus aria-invalid="true"\s+aria-describedby="form-seats_e', page
    )
    error = page.partition('id="form-seats_error"')[2].partition("</span>")[0]
    assert "this game is played with 4" in error
    assert page.count("this game is played with 4") == 1


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
    assert 'value="draw" checked>' in " ".join(shown.split())
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
    shown = re.sub(r'<div hidden\s+class="message challenge">.*?</div>', "", page, flags=re.DOTALL)
    assert shown.count(">Decline<") == 1


@pytest.mark.parametrize(
    ("choice", "follows", "is_taken"),
    [
        (Challengers.ALL, False, True),
        (Challengers.FOLLOWED, False, False),
        (Challengers.FOLLOWED, True, True),
        (Challengers.NOBODY, True, False),
    ],
)
def test_person_chooses_who_may_challenge(alice, bob, browser_of, choice, follows, is_taken):
    browser_of(bob).post("/preferences/", PREFERENCES | {"challengers": choice})
    relations.set_relation(bob, alice, "follow", follows)
    assert ("challenge-form" in browser_of(alice).get("/players/bob/").content.decode()) == is_taken
    answer = browser_of(alice).post("/players/bob/challenge", {"preset": "all-fives"}, headers=JSON)
    assert answer.status_code == (200 if is_taken else 403)
    assert Table.objects.exists() == is_taken


def test_who_takes_no_challenges_may_challenge(alice, bob):
    User.objects.filter(pk=bob.pk).update(challengers=Challengers.NOBODY)
    bob.refresh_from_db()
    table = services.challenge(bob, alice, game())
    assert services.challenge(alice, bob, game()) == table, "the answer leads to the same table"


def test_other_form_of_preferences_keeps_who_may_challenge(bob, browser_of):
    User.objects.filter(pk=bob.pk).update(challengers=Challengers.NOBODY)
    browser_of(bob).post("/preferences/", PREFERENCES)
    bob.refresh_from_db()
    assert bob.challengers == Challengers.NOBODY


def people(number):
    return [User.objects.create_user(f"person-{n}") for n in range(number)]


def test_ten_strangers_an_hour(alice, bob):
    for other in people(10):
        services.challenge(alice, other, game())
        services.leave(Table.objects.latest("pk"), alice)
    with pytest.raises(TableRefused, match="too_many_strangers"):
        services.challenge(alice, bob, game())
    relations.set_relation(bob, alice, "follow", True)
    services.challenge(alice, bob, game())
    (another,) = User.objects.filter(username="person-3")
    Table.objects.update(created_at=timezone.now() - timedelta(hours=1))
    services.challenge(alice, another, game())


def test_repeated_challenges_to_one_stranger_count(alice, bob):
    for _ in range(10):
        services.challenge(alice, bob, game())
    with pytest.raises(TableRefused, match="too_many_strangers"):
        services.challenge(alice, bob, game())
    assert len(lists.find_challenges(bob)) == 1


def test_person_has_one_open_challenge_by_a_stranger(alice, bob, charlie):
    first, second = people(2)
    table = services.challenge(first, bob, game())
    with pytest.raises(TableRefused, match="challenged_already"):
        services.challenge(second, bob, game())
    play_and_resign(begin(alice, bob))
    relations.set_relation(bob, charlie, "follow", True)
    for known in (alice, charlie):
        services.challenge(known, bob, game())
    services.decline(table, bob)
    services.challenge(second, bob, game())
    assert len(lists.find_challenges(bob)) == 3


def test_challenge_by_days_keeps_other_strangers_out_for_five_minutes(bob):
    first, second = people(2)
    services.challenge(first, bob, game(clock=(DAY_SECONDS, 0)))
    with pytest.raises(TableRefused, match="challenged_already"):
        services.challenge(second, bob, game())
    Table.objects.update(created_at=timezone.now() - CHALLENGE_TTL)
    services.challenge(second, bob, game())
    assert len(lists.find_challenges(bob)) == 2


def test_who_declines_three_strangers_is_left_alone_for_an_hour(alice, bob):
    *strangers, another = people(4)
    play_and_resign(begin(alice, bob))
    for person in (alice, *strangers):
        services.decline(services.challenge(person, bob, game()), bob)
    with pytest.raises(TableRefused, match="strangers_declined"):
        services.challenge(another, bob, game())
    services.challenge(alice, bob, game())
    Table.objects.update(declined_at=timezone.now() - timedelta(hours=1))
    services.challenge(another, bob, game())


PREFERENCES = {
    "theme": "system",
    "tiles": "ivory",
    "pips": "ink",
    "volume": "70",
    "language": "",
}
