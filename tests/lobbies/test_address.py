"""People who share an address may play, but not for rating points."""

from datetime import timedelta
from ipaddress import ip_network

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from accounts.addresses import hash_address, hash_seat_address, normalize_address
from accounts.models import Rating, User
from games import services as game_services
from games.models import Match, SeatAddress
from games.services import addresses
from games.services.addresses import record_address
from games.time.day_clocks import DAY_SECONDS
from lobbies import services
from lobbies.models import Table
from operators.models import SharedNetwork
from tests.games.playing import begin, legal, on_turn, play, play_and_resign
from tests.lobbies.tables import make, start_without_nonces

pytestmark = pytest.mark.django_db
HOME, OFFICE, PHONE = "203.0.113.7", "203.0.113.8", "198.51.100.9"
BEFORE = "come from the same address: this match will be casual."
AFTER = "Two of you play from one address: the match is casual from now on."


def started(alice, bob, browser_of, *addresses):
    """Start the match of both, each with a page from an address; return it and bob's page before the start."""
    table = make(alice, rated=True)
    pages = [browser_of(person) for person in (alice, bob)]
    pages[1].post(f"/tables/{table.code}/sit", {"seat": "1"})
    for page, address in zip(pages, addresses, strict=True):
        content = page.get(f"/tables/{table.code}/", REMOTE_ADDR=address).content.decode()
    for page, address in zip(pages, addresses, strict=True):
        page.post(f"/tables/{table.code}/commit", {"commitment": ""}, REMOTE_ADDR=address)
    return Match.objects.get(code=table.code), content


def test_shared_address_plays_casual(alice, bob, browser_of):
    match, content = started(alice, bob, browser_of, HOME, HOME)
    assert BEFORE in content
    assert not match.rated


@pytest.mark.parametrize("addresses", [(HOME, OFFICE), ("127.0.0.1", "127.0.0.1"), ("::1", "::1")])
def test_different_or_loopback_addresses_stay_rated(alice, bob, browser_of, addresses):
    match, content = started(alice, bob, browser_of, *addresses)
    assert BEFORE not in content
    assert match.rated


def test_address_is_stored_hashed(alice, bob, browser_of):
    match, _content = started(alice, bob, browser_of, HOME, OFFICE)
    stored = set(SeatAddress.objects.filter(code=match.code).values_list("address", flat=True))
    assert len(stored) == 2
    assert HOME not in stored


def test_one_request_from_elsewhere_changes_nothing(alice, bob, browser_of):
    table = make(alice, rated=True)
    browser_of(bob).post(f"/tables/{table.code}/sit", {"seat": "1"}, REMOTE_ADDR=HOME)
    browser_of(alice).get(f"/tables/{table.code}/", REMOTE_ADDR=HOME)
    for person, address in ((alice, OFFICE), (bob, PHONE)):
        browser_of(person).get(f"/tables/{table.code}/", REMOTE_ADDR=address)
        browser_of(person).post(f"/tables/{table.code}/commit", {"commitment": ""}, REMOTE_ADDR=address)
    assert not Match.objects.get(code=table.code).rated


@pytest.mark.parametrize(
    "request_of",
    ["/games/{}/", "/games/{}/state.json", "/games/{}/sync", "/games/{}/analysis.json", "/tables/{}/"],
)
def test_address_shared_after_the_start_makes_casual(alice, bob, browser_of, request_of):
    match, _content = started(alice, bob, browser_of, HOME, OFFICE)
    browser_of(bob).get(request_of.format(match.code), REMOTE_ADDR=HOME)
    match.refresh_from_db()
    assert (match.rated, match.casual_since is not None) == (False, True)
    assert AFTER in browser_of(alice).get(f"/games/{match.code}/").content.decode()


def test_move_from_a_shared_address_makes_casual(alice, bob, browser_of):
    match, _content = started(alice, bob, browser_of, HOME, OFFICE)
    mover = on_turn(match).user
    other = {alice: OFFICE, bob: HOME}[mover]
    browser_of(mover).post(
        f"/games/{match.code}/move", {"move": legal(match)[0], "version": 0}, REMOTE_ADDR=other
    )
    match.refresh_from_db()
    assert not match.rated
    match = play(play(match), "resign")
    page = browser_of(alice).get(f"/games/{match.code}/").content.decode()
    assert "Two of you played from one address: no rating changes." in page


@pytest.mark.parametrize("has_seen", [True, False])
def test_sharing_after_the_hand_was_seen_counts_as_calling_off(alice, bob, browser_of, has_seen):
    for seed in ("earlier", "another"):
        play_and_resign(begin(alice, bob, rated=True, seed=seed))
    match, _content = started(alice, bob, browser_of, HOME, OFFICE)
    if has_seen:
        browser_of(bob).get(f"/games/{match.code}/", REMOTE_ADDR=OFFICE)
    browser_of(bob).get(f"/games/{match.code}/", REMOTE_ADDR=HOME)
    match.refresh_from_db()
    assert not match.rated
    called_off = [Rating.objects.get(user=person, pool="muggins").called_off for person in (alice, bob)]
    assert called_off == [[], [2] if has_seen else []]


def casual_by(match):
    match.refresh_from_db()
    return None if match.casual_by is None else match.seats.get(position=match.casual_by).user


@time_machine.travel("2026-11-26T12:00:00Z")  # counted by UTC day
def test_friend_who_has_not_looked_has_the_same_limit(alice, bob, browser_of):
    """Alice looks at her hand; bob, who has not looked at his, comes to her address."""
    play_and_resign(begin(alice, bob, rated=True, seed="earlier"))
    rated = []
    for _ in range(3):
        match, _content = started(alice, bob, browser_of, HOME, OFFICE)
        browser_of(alice).get(f"/games/{match.code}/", REMOTE_ADDR=HOME)
        browser_of(bob).get(f"/games/{match.code}/rounds/1/", REMOTE_ADDR=HOME)
        match.refresh_from_db()
        rated.append(match.rated)
        if match.rated:
            browser_of(alice).get(f"/games/{match.code}/", REMOTE_ADDR=PHONE)
            assert Match.objects.get(pk=match.pk).rated, "a new address of the other changes nothing"
        else:
            assert casual_by(match) == bob
            call_off(match, bob)
    assert rated == [False, False, True]
    assert Rating.objects.get(user=bob).called_off == [], "bob had seen nothing"


def test_only_who_came_to_the_others_address_has_called_off(alice, bob, browser_of):
    match, _content = started(alice, bob, browser_of, HOME, OFFICE)
    browser_of(alice).get(f"/games/{match.code}/", REMOTE_ADDR=HOME)
    browser_of(bob).get(f"/games/{match.code}/", REMOTE_ADDR=OFFICE)
    browser_of(bob).get(f"/games/{match.code}/", REMOTE_ADDR=PHONE)
    browser_of(alice).get(f"/games/{match.code}/", REMOTE_ADDR=PHONE)
    assert casual_by(match) == alice


@time_machine.travel("2026-11-26T12:00:00Z")
def test_sharing_that_left_a_match_rated_is_not_charged_to_the_other_later(alice, bob, browser_of):
    for _ in range(3):
        match, _content = started(alice, bob, browser_of, HOME, OFFICE)
        browser_of(bob).get(f"/games/{match.code}/", REMOTE_ADDR=OFFICE)
        browser_of(bob).get(f"/games/{match.code}/", REMOTE_ADDR=HOME)
        if casual_by(match):
            call_off(match, bob)
    assert match.rated
    browser_of(alice).get(f"/games/{match.code}/", REMOTE_ADDR=PHONE)
    addresses.clear_cache()  # as in another process
    browser_of(alice).get(f"/games/{match.code}/", REMOTE_ADDR=HOME)
    assert casual_by(match) is None
    assert match.rated


def test_look_at_the_plans_is_a_look_at_the_hand(alice, bob, browser_of):
    match = begin(alice, bob, preset="block", rated=True, clock=(DAY_SECONDS, 0))
    waiting = match.seats.exclude(pk=on_turn(match).pk).get().user
    other = on_turn(match).user
    browser_of(other).get(f"/games/{match.code}/state.json", REMOTE_ADDR=HOME)
    browser_of(waiting).get(f"/games/{match.code}/plan/", REMOTE_ADDR=OFFICE)
    browser_of(waiting).get(f"/games/{match.code}/rounds/1/", REMOTE_ADDR=HOME)
    assert casual_by(match) == waiting


def call_off(match, person):
    seat = match.seats.get(user=person)
    game_services.play(match=match, seat=seat, move="abort", seen_version=match.version)


@pytest.mark.parametrize("calls_off", [True, False])
@time_machine.travel("2026-11-26T12:00:00Z")  # counted by UTC day
def test_third_shared_hand_of_a_day_stays_rated(alice, bob, browser_of, calls_off):
    for n in range(3):
        match, _content = started(alice, bob, browser_of, HOME, OFFICE)
        browser_of(bob).get(f"/games/{match.code}/", REMOTE_ADDR=OFFICE)
        if n == 0 and calls_off:
            call_off(match, bob)
            continue
        browser_of(bob).get(f"/games/{match.code}/", REMOTE_ADDR=HOME)
        match.refresh_from_db()
        assert match.rated == (n == 2)
        if n < 2:
            call_off(match, bob)


def test_address_after_everybodys_first_turn_does_not_count(alice, bob, browser_of):
    match, _content = started(alice, bob, browser_of, HOME, OFFICE)
    while match.moves.exclude(text="draw").values("seat").distinct().count() < 2:
        match = play(match)
    browser_of(bob).get(f"/games/{match.code}/", REMOTE_ADDR=HOME)
    match.refresh_from_db()
    assert match.rated
    assert SeatAddress.objects.filter(code=match.code).count() == 2


def test_spectators_address_does_not_count(alice, bob, charlie, browser_of):
    match, _content = started(alice, bob, browser_of, HOME, OFFICE)
    browser_of(charlie).get(f"/games/{match.code}/", REMOTE_ADDR=HOME)
    match.refresh_from_db()
    assert match.rated


@pytest.mark.parametrize(
    ("one", "other", "is_shared"),
    [
        ("::ffff:203.0.113.7", HOME, True),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2:bbbb::2", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("203.0.113.7:4321", HOME, True),
        ("[2001:db8:1:2::1]:4321", "[2001:db8:1:2::2]", True),
    ],
)
def test_how_addresses_are_compared(one, other, is_shared):
    assert (normalize_address(one) == normalize_address(other)) == is_shared
    assert (hash_seat_address(one) == hash_seat_address(other)) == is_shared


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "", "unix:"])
def test_loopback_and_unknown_addresses_never_count(address):
    assert hash_seat_address(address) == ""


def test_networks_of_clubs_are_not_shared(alice, bob, browser_of, settings):
    settings.SHARED_NETWORKS = [ip_network("203.0.113.0/24")]
    match, content = started(alice, bob, browser_of, HOME, HOME)
    assert match.rated and BEFORE not in content


def test_operator_ticks_the_network_of_a_club(alice, bob, browser_of, django_capture_on_commit_callbacks):
    boss = browser_of(User.objects.create_superuser("the-boss"))
    boss.post("/admin/operators/sharednetwork/add/", {"name": "Club", "network": "203.0.113.0/33"})
    assert not SharedNetwork.objects.exists()
    boss.post("/admin/operators/sharednetwork/add/", {"name": "Club", "network": "203.0.113.0/24"})
    assert hash_seat_address(HOME) != ""
    row = {"form-TOTAL_FORMS": "1", "form-INITIAL_FORMS": "1", "form-0-is_listed": "on", "_save": "Save"}
    row["form-0-id"] = str(SharedNetwork.objects.get().pk)
    with django_capture_on_commit_callbacks(execute=True):
        boss.post("/admin/operators/sharednetwork/", row)
    assert hash_seat_address(HOME) == ""
    match, content = started(alice, bob, browser_of, HOME, HOME)
    assert match.rated and BEFORE not in content
    with django_capture_on_commit_callbacks(execute=True):
        SharedNetwork.objects.get().delete()
    assert hash_seat_address(HOME) != ""


def test_forwarded_address_counts_behind_a_proxy(alice, browser_of, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    table = make(alice, rated=True)
    browser_of(alice).get(f"/tables/{table.code}/", HTTP_X_FORWARDED_FOR=f"{OFFICE}, {HOME}")
    assert SeatAddress.objects.get().address == hash_address(HOME)


@pytest.mark.parametrize("way", ["sit", "quick", "challenge"])
def test_address_is_stored_without_table_page(alice, bob, browser_of, way):
    ways = {"sit": "/tables/new", "quick": "/play/all-fives/", "challenge": "/players/bob/challenge"}
    fields = {"preset": "all-fives", "seats": "2", "clock": "300+5", "rated": "on"}
    browser_of(alice).post(ways[way], fields, REMOTE_ADDR=HOME)
    table = Table.objects.get()
    join = ways[way] if way == "quick" else f"/tables/{table.code}/sit"
    browser_of(bob).post(join, {"seats": "2", "clock": "300+5"}, REMOTE_ADDR=HOME)

    assert {sitting.user for sitting in table.sittings.all()} == {alice, bob}
    assert table.rated and table.shared_address


def test_rematch_checks_addresses(alice, bob, browser_of):
    match = play(play(begin(alice, bob, rated=True, clock=(300, 5))), "resign")
    for person in (alice, bob):
        browser_of(person).post(f"/tables/{match.code}/rematch", REMOTE_ADDR=HOME)

    assert Table.objects.get().shared_address


@pytest.mark.parametrize("barred", [True, False])
def test_person_barred_while_waiting_plays_casual(alice, bob, barred):
    table = make(alice, rated=True)
    services.sit(table, bob)
    if barred:
        User.objects.filter(pk=alice.pk).update(unrated_until=timezone.now() + timedelta(days=1))
    start_without_nonces(table, alice, bob)
    assert Match.objects.get(code=table.code).rated is not barred


def test_recorded_addresses_do_not_evict_rate_limits(alice):
    """A full cache drops counters, and a limit begins again."""
    cache.set("counter", 5)
    for number in range(1000):
        record_address(code=f"code{number}", user=alice, address=f"{number}", is_waiting=lambda: True)
    assert SeatAddress.objects.count() >= 1000
    assert cache.get("counter") == 5
