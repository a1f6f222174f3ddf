"""Who counts, with whom results are compared, and what scouts and people who lose on purpose gain."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.addresses import hash_network
from accounts.models import User
from events import services
from events.desk import DayDesk
from events.field import load_field
from events.models import Entry, Network
from events.services.entries import MIN_OFFICIAL_MATCHES
from games.models import Seat
from tests.events.playing import be_official, close, open_today, play_rounds, start, store_house
from tests.games.playing import begin

pytestmark = pytest.mark.django_db


def age(user, **period) -> None:
    User.objects.filter(pk=user.pk).update(date_joined=timezone.now() - timedelta(**period))
    user.refresh_from_db()


def finish_matches(user, number: int, **changes) -> None:
    for _ in range(number):
        seat = begin(user, "club", **changes).seats.get(position=0)
        Seat.objects.filter(pk=seat.pk).update(won=True)


def reason_of(user) -> str:
    return Entry.objects.get(user=user).reason


@pytest.mark.parametrize(
    ("account", "matches", "standing"),
    [
        ({"hours": 23}, 10, "new"),
        ({"hours": 25}, 0, "few"),
        ({"days": 8}, 9, "few"),
        ({"days": 6}, 10, "few"),
        ({"days": 8}, 10, "official"),
    ],
)
def test_age_and_matches_at_the_start_decide(alice, account, matches, standing):
    age(alice, **account)
    finish_matches(alice, matches)
    start(open_today(), alice)

    assert Entry.objects.get().standing == standing and MIN_OFFICIAL_MATCHES == 10


def test_matches_of_one_round_make_nobody_official(alice):
    age(alice, days=8)
    finish_matches(alice, 9)
    finish_matches(alice, 1, rounds=1)
    assert start(open_today(), alice).entry.standing == "few"


def test_guest_who_signs_up_keeps_the_day_but_no_place(alice):
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    alice.refresh_from_db()
    deals = open_today(rounds=1)
    play_rounds(start(deals, alice))
    User.objects.filter(pk=alice.pk).update(is_guest=False)

    assert Entry.objects.get(user=alice).reason == "guest"


def test_unfinished_result_does_not_count(alice, bob):
    deals = open_today()
    play_rounds(start(deals, alice), rounds=1)
    play_rounds(start(deals, bob))
    be_official(alice, bob)
    close(deals)

    assert (reason_of(alice), reason_of(bob)) == ("unfinished", "")
    assert [entry.user for entry in load_field(deals).official] == [bob]


def test_people_who_lose_on_purpose_do_not_move_a_score(alice, bob, django_user_model):
    deals = open_today(rounds=2)
    store_house(deals)
    for person, seed in ((alice, 1), (bob, 2)):
        play_rounds(start(deals, person), seed=seed)
    be_official(alice, bob)
    before = load_field(deals).build_result(Entry.objects.get(user=alice)).score

    people = [django_user_model.objects.create_user(f"loser{n}") for n in range(40)]
    for person in people:
        age(person, days=2)
        services.start(deals, person, timezone.now())
    losers = Entry.objects.filter(user__in=people)
    losers.update(margins=[-100, -100], finished_at=timezone.now())

    assert all(entry.counts for entry in losers)
    assert load_field(deals).build_result(Entry.objects.get(user=alice)).score == before


def test_later_entry_of_a_network_does_not_count(alice, bob, charlie, browser_of):
    deals = open_today(rounds=1)
    for person in (alice, bob, charlie):
        age(person, days=2)
    for person, address in ((alice, "203.0.113.7"), (bob, "203.0.113.7"), (charlie, "203.0.113.8")):
        match = start(deals, person)
        browser_of(person).post(
            f"{match.get_absolute_url()}move", {"move": "pass", "version": "0"}, REMOTE_ADDR=address
        )
        play_rounds(match)

    assert [reason_of(person) for person in (alice, bob, charlie)] == ["", "network", ""]
    assert Network.objects.count() == 3
    be_official(bob)
    assert Entry.objects.get(user=bob).is_official  # carriers put many behind one address


def test_network_that_comes_later_counts_against_the_later_entry(alice, bob):
    deals = open_today()
    first, second = start(deals, alice), start(deals, bob)
    play_rounds(first, rounds=1)
    play_rounds(second, rounds=1)

    services.record_network(second.code, bob, "here")
    services.record_network(first.code, alice, "here")

    assert [entry.shares_network for entry in Entry.objects.order_by("pk")] == [False, True]


def test_entry_counts_against_later_ones_once_it_has_finished_a_round(alice, bob, charlie):
    deals = open_today()
    people = (alice, bob, charlie)
    matches = [start(deals, person) for person in people]
    for match, person in zip(matches, people, strict=True):
        services.record_network(match.code, person, "here")

    def sharing() -> list[bool]:
        return [entry.shares_network for entry in Entry.objects.order_by("pk")]

    assert sharing() == [False, False, False]
    play_rounds(matches[1], rounds=1)
    assert sharing() == [False, False, True]
    play_rounds(matches[0], rounds=1)
    assert sharing() == [False, True, True]


def test_network_is_wide_and_loopback_counts_for_nothing(settings):
    assert hash_network("2001:db8:1:200::1") == hash_network("2001:db8:1:2ff::9") != ""
    assert hash_network("2001:db8:1:300::1") != hash_network("2001:db8:1:2ff::9")
    assert hash_network("127.0.0.1") == hash_network("") == ""


def test_networks_outlive_the_account_and_are_forgotten_with_time(alice, bob, django_user_model):
    from accounts import personal

    moderator = django_user_model.objects.create_superuser("root")
    age(bob, days=2)
    deals = open_today(rounds=1)
    scouted = play_rounds(start(deals, alice))
    services.record_network(scouted.code, alice, "here")
    personal.delete(alice)
    match = play_rounds(start(deals, bob), seed=2)
    services.record_network(match.code, bob, "here")

    assert reason_of(bob) == "network"
    close(deals)
    assert [len(group) for group in DayDesk(load_field(deals), moderator).sharing] == [2]
    assert services.delete_networks_before(timezone.now() - timedelta(days=1)) == 0
    assert services.delete_networks_before(timezone.now() + timedelta(days=1)) == 2
    assert not Network.objects.exists()


def test_place_is_the_same_in_headline_page_board_and_json(alice, bob, charlie, browser_of):
    deals = open_today(rounds=1)
    store_house(deals, margin=1_000)  # the house wins every comparison; places are among people
    matches = [play_rounds(start(deals, each), seed=n) for n, each in enumerate((alice, bob, charlie))]
    be_official(alice, bob)
    own = load_field(deals).build_result(Entry.objects.get(user=alice)).place
    browser = browser_of(alice)

    assert f"place {own} of 2 so far" in browser.get(matches[0].get_absolute_url()).text
    assert f"Place {own} of 2 so far" in browser.get("/daily/").text
    close(deals)
    page = browser.get(f"/daily/{deals.day}/").text
    assert f"Place {own} of 2</h1>" in page
    # The first row of the viewer is that of their margins, the second that of the board.
    row = page.split('<tr class="is-own">')[2].partition("</td>")[0]
    assert row.endswith(f">{own}")
    results = {each["name"]: each for each in browser.get(f"/daily/{deals.day}.json").json()["results"]}
    assert (results["alice"]["place"], results["alice"]["counts"]) == (own, True)
    assert (results["charlie"]["place"], results["charlie"]["counts"]) == (None, False)


def test_reason_is_told_to_the_person_alone(alice, bob, browser_of):
    deals = open_today(rounds=1)
    play_rounds(start(deals, alice))
    store_house(deals)
    close(deals)
    services.strike(Entry.objects.get(), "played with a friend's tiles", timezone.now())
    address = f"/daily/{deals.day}/"

    assert "struck by the moderators" in browser_of(alice).get(address).text
    for reader in (browser_of(bob), browser_of()):
        page = reader.get(address).text
        assert "/players/alice/" in page and "struck" not in page
    for reader in (browser_of(alice), browser_of(bob)):
        assert "friend" not in reader.get(address).text
        assert "struck" not in reader.get(f"/daily/{deals.day}.json").text


def test_struck_entry_leaves_the_field_and_comes_back(alice, bob, charlie):
    deals = open_today(rounds=1)
    for person, seed in ((alice, 1), (bob, 2), (charlie, 3)):
        play_rounds(start(deals, person), seed=seed)
    Entry.objects.filter(user=bob).update(margins=[500])
    be_official(alice, bob, charlie)
    close(deals)
    before = Entry.objects.get(user=alice).score

    services.strike(Entry.objects.get(user=bob), "foreseen", timezone.now())
    assert Entry.objects.get(user=alice).score > before
    assert len(load_field(deals).scores) == 2

    services.unstrike(Entry.objects.get(user=bob))
    assert Entry.objects.get(user=alice).score == before
