"""What people add to the shuffle, and the start of the match (docs/record.md, "Commit, then reveal")."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from boneyard.engine.shuffle import commitment_to
from boneyard.engine.verification import verify
from games import repository
from games.models import Match, SealedSecret, Seat
from games.services import leave
from lobbies import services, strip
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused
from tests.lobbies.tables import add_nonces, full_since, game, make, names, start_without_nonces

JSON = {"Accept": "application/json"}
NONCES = ("a1b2nonce", "c3nonce")
COMMITMENTS = tuple(commitment_to(nonce) for nonce in NONCES)


def commit(browser, table: Table, commitment: str):
    return browser.post(f"/tables/{table.code}/commit", {"commitment": commitment}, headers=JSON)


def give(browser, table: Table, nonce: str):
    return browser.post(f"/tables/{table.code}/nonce", {"nonce": nonce}, headers=JSON)


def read_state(page: str) -> dict:
    return json.loads(unescape(re.search(r'data-shuffle="([^"]+)"', page)[1]))


def committed(alice, bob, preset="all-fives", **fields) -> Table:
    """Return a full table whose commitments are fixed."""
    table = make(alice, preset, **fields)
    services.commit(table, alice, COMMITMENTS[0])
    return services.sit(table, bob, commitment=COMMITMENTS[1])


def since_fixed(table: Table, seconds: float, *, with_socket: bool) -> None:
    """Set the time since when the table is full and its commitments are fixed, with or without open pages."""
    at = timezone.now() - timedelta(seconds=seconds)
    Table.objects.filter(pk=table.pk).update(full_at=at, committed_at=at)
    table.sittings.update(socket_at=at if with_socket else None, seen_at=at - timedelta(seconds=30))


def test_match_starts_when_all_nonces_are_in(alice, bob, browser_of):
    table = make(alice, clock=(300, 5))
    one, two = browser_of(alice), browser_of(bob)
    assert commit(one, table, COMMITMENTS[0]).json()["commitments"] is None
    fields = {"seat": 1, "commitment": COMMITMENTS[1]}
    sat = two.post(f"/tables/{table.code}/sit", fields, headers=JSON).json()
    assert sat["commitments"] == list(COMMITMENTS)
    assert give(one, table, NONCES[0]).json()["status"] == "open"
    assert give(two, table, NONCES[1]).json()["status"] == "started"
    match = Match.objects.get()
    assert (match.code, match.seal) == (table.code, table.seal)
    assert (match.entropy, match.commitments) == (".".join(NONCES), list(COMMITMENTS))
    assert (match.preset, match.rated, match.private) == ("all-fives", False, False)
    assert (match.clock_seconds, match.clock_increment) == (300, 5)
    assert list(match.seats.values_list("position", "name", "kind")) == [
        (0, "alice", "player"),
        (1, "bob", "player"),
    ]


def test_record_has_commitments(alice, bob):
    table = committed(alice, bob)
    add_nonces_only(table, alice, bob)
    match = Match.objects.get()
    leave(match=match, user=alice)
    match.refresh_from_db()
    record = repository.build_record(match)
    assert record["commitments"] == list(COMMITMENTS)
    verify(record)


def add_nonces_only(table: Table, *people: User) -> None:
    for person, nonce in zip(people, NONCES, strict=True):
        services.give_nonce(table, person, nonce)


def test_computers_add_nothing(alice):
    table = make(alice, seats=4, levels=["", "club", "strong", "beginner"])
    add_nonces(table, {alice: "a1b2"})
    match = Match.objects.get()
    assert match.entropy == "a1b2..."
    assert match.commitments == [commitment_to("a1b2"), None, None, None]
    assert list(match.seats.values_list("kind", "level"))[1:] == [
        ("computer", "club"),
        ("computer", "strong"),
        ("computer", "beginner"),
    ]


@pytest.mark.parametrize(("has_socket", "limit"), [(False, 5), (True, 20)])
def test_commitments_are_awaited_as_long_as_stated(alice, bob, has_socket, limit):
    table = services.sit(make(alice), bob)
    services.commit(table, bob, COMMITMENTS[1])
    if has_socket:
        services.record_socket(Sitting.objects.filter(table=table).select_related("table"))
    services.advance(table, table.full_at + timedelta(seconds=limit - 0.1))
    table.refresh_from_db()
    assert table.committed_at is None
    services.advance(table, table.full_at + timedelta(seconds=limit))
    services.give_nonce(table, bob, NONCES[1])
    match = Match.objects.get()
    assert (match.entropy, match.commitments) == (f".{NONCES[1]}", [None, COMMITMENTS[1]])


def test_socket_before_the_last_seat_does_not_count(alice, bob):
    table = make(alice)
    table.sittings.update(socket_at=timezone.now())
    services.sit(table, bob)
    assert services.advance(table, timezone.now() + timedelta(seconds=5.1))


@pytest.mark.parametrize(("is_closed", "limit"), [(False, 20), (True, 5)])
def test_page_whose_socket_has_not_opened_yet_counts(alice, bob, is_closed, limit):
    """On a slow line the last seat may be taken before the socket opens."""
    table = services.quick_play(alice, game(), commitment=COMMITMENTS[0])
    if is_closed:
        strip.record_close(user=alice, channel="none", clean=True)
        Sitting.objects.update(seen_at=F("seen_at") - timedelta(seconds=8))
    services.quick_play(bob, game(), commitment=COMMITMENTS[1])
    services.give_nonce(table, bob, NONCES[1])
    table.refresh_from_db()
    services.advance(table, table.full_at + timedelta(seconds=limit - 0.5))
    assert names(table) == ["alice", "bob"]
    services.advance(table, table.full_at + timedelta(seconds=limit))
    assert names(table) == ["", "bob"]


def test_every_page_with_a_socket_counts(alice, bob):
    table = services.sit(make(alice), bob)
    strip.update(alice, "channel", "")
    assert table.sittings.get(user=alice).socket_at is not None
    assert table.sittings.get(user=bob).socket_at is None


def test_sweep_starts_table_without_commitments(alice, bob):
    table = make(alice)
    services.sit(table, bob)
    services.sweep(timezone.now())
    assert not Match.objects.exists()
    full_since(table, 5)
    services.sweep(timezone.now())
    services.sweep(timezone.now())
    assert Match.objects.get().entropy == "."


def test_loading_table_starts_due_match(alice, bob, browser_of):
    table = make(alice)
    services.sit(table, bob)
    assert browser_of(alice).get(f"/tables/{table.code}/").status_code == 200
    full_since(table, 5)
    assert browser_of(alice).get(f"/tables/{table.code}/").url == f"/games/{table.code}/"


def test_started_table_redirects_to_match(alice, bob, browser_of):
    table = make(alice)
    services.sit(table, bob)
    start_without_nonces(table, alice, bob)
    for who in (alice, None):
        assert browser_of(who).get(f"/tables/{table.code}/").url == f"/games/{table.code}/"


def test_house_rules_reach_the_match(alice):
    table = make(alice, levels=["", "club"], claims="muggins", target=60)
    start_without_nonces(table, alice)
    match = Match.objects.get()
    assert (match.preset, match.rated, match.rules["claims"], match.rules["target"]) == (
        None,
        False,
        "muggins",
        60,
    )
    assert repository.get_value(match).rules.claims == "muggins"


def test_guest_seat_has_guest_kind(alice, browser_of):
    table = make(alice)
    browser = browser_of()
    browser.post(f"/tables/{table.code}/sit", {"seat": 1})
    for each in (browser_of(alice), browser):
        commit(each, table, "")
    assert Seat.objects.get(position=1).kind == "guest"


@pytest.mark.parametrize(
    "commitment", ["A" * 64, "a" * 63, "a" * 65, "g" * 64, "a" * 64 + "\n", "\0", "null"]
)
def test_malformed_commitment_is_refused(alice, bob, browser_of, commitment):
    table = make(alice)
    told = commit(browser_of(alice), table, commitment)
    assert (told.status_code, told.json()["reason"]) == (400, "malformed_commitment")
    sat = browser_of(bob).post(f"/tables/{table.code}/sit", {"commitment": commitment}, headers=JSON)
    assert sat.status_code == 400
    assert table.sittings.get().commitment is None


@pytest.mark.parametrize("nonce", ["A", "a.b", "a b", "ab\n", "z" * 65, "é", "١", "a-b", "<b>", "\0"])
def test_malformed_nonce_is_refused(alice, browser_of, nonce):
    table = make(alice)
    told = give(browser_of(alice), table, nonce)
    assert (told.status_code, told.json()["reason"]) == (400, "malformed")
    assert table.sittings.get().nonce is None


def test_later_commitment_replaces_earlier_one(alice, bob, browser_of):
    table = make(alice)
    commit(browser_of(alice), table, COMMITMENTS[1])
    commit(browser_of(alice), table, COMMITMENTS[0])
    services.sit(table, bob, commitment=COMMITMENTS[1])
    assert read_state(browser_of(alice).get(f"/tables/{table.code}/").content.decode())[
        "commitments"
    ] == list(COMMITMENTS)
    told = commit(browser_of(alice), table, COMMITMENTS[1])
    assert (told.status_code, told.json()["reason"]) == (409, "commitments_fixed")


def test_nonce_against_its_commitment_is_refused(alice, bob, browser_of):
    table = committed(alice, bob)
    told = give(browser_of(alice), table, NONCES[1])
    assert (told.status_code, told.json()["reason"]) == (409, "other_nonce")
    assert table.sittings.filter(nonce=None).count() == 2


def test_nonce_before_all_have_committed_is_refused(alice, bob, browser_of):
    table = make(alice)
    services.commit(table, alice, COMMITMENTS[0])
    services.sit(table, bob)
    told = give(browser_of(alice), table, NONCES[0])
    assert (told.status_code, told.json()["reason"]) == (409, "commitments_missing")


def test_nonce_without_commitment_adds_nothing(alice, bob, browser_of):
    table = services.sit(make(alice), bob, commitment=COMMITMENTS[1])
    told = give(browser_of(alice), table, NONCES[0])
    assert (told.status_code, told.json()["reason"]) == (409, "not_committed")
    services.give_nonce(table, bob, NONCES[1])
    assert Match.objects.get().entropy == f".{NONCES[1]}"


def test_second_nonce_is_refused(alice, bob, browser_of):
    table = committed(alice, bob)
    give(browser_of(alice), table, NONCES[0])
    told = give(browser_of(alice), table, NONCES[0])
    assert (told.status_code, told.json()["reason"]) == (422, "nonce_given")


def test_shuffle_of_another_seat_is_refused(alice, bob, charlie, browser_of):
    table = services.sit(make(alice, seats=3), bob)
    for who in (charlie, None):
        for told in (commit(browser_of(who), table, COMMITMENTS[0]), give(browser_of(who), table, "forged")):
            assert (told.status_code, told.json()["reason"]) == (403, "not_seated")
    fields = {"commitment": COMMITMENTS[1], "seat": 0, "user": alice.pk}
    browser_of(bob).post(f"/tables/{table.code}/commit", fields)
    assert list(table.sittings.values_list("commitment", flat=True)) == [None, COMMITMENTS[1]]


def test_nonce_after_start_is_refused(alice, browser_of):
    table = make(alice, levels=["", "club"])
    add_nonces(table, {alice: "a"})
    told = give(browser_of(alice), table, "b")
    assert (told.status_code, told.json()["reason"]) == (422, "started")


def test_nonces_are_shown_to_nobody_before_the_start(alice, bob, charlie, browser_of):
    table = committed(alice, bob)
    services.give_nonce(table, alice, NONCES[0])
    admin = User.objects.create_superuser("root")
    for who in (alice, bob, charlie, None, admin):
        browser = browser_of(who)
        for address in (f"/tables/{table.code}/", f"/tables/{table.code}/still", "/", "/strip/"):
            assert NONCES[0] not in browser.get(address).content.decode()
    shown = browser_of(admin).get(f"/admin/lobbies/table/{table.pk}/change/").content.decode()
    assert NONCES[0] not in shown and COMMITMENTS[0] not in shown


def test_commitments_are_shown_to_all_once_fixed(alice, bob, charlie, browser_of):
    table = make(alice)
    services.commit(table, alice, COMMITMENTS[0])
    assert COMMITMENTS[0] not in browser_of(charlie).get(f"/tables/{table.code}/").content.decode()
    services.sit(table, bob)
    services.commit(table, bob, "")
    page = browser_of(charlie).get(f"/tables/{table.code}/").content.decode()
    assert COMMITMENTS[0] in page and "adds nothing" in page


def test_other_pages_have_the_state(alice, bob, browser_of):
    table = committed(alice, bob)
    state = read_state(browser_of(alice).get("/rules/").content.decode())
    assert state == {
        "table": table.code,
        "seal": table.seal,
        "status": "open",
        "seat": 0,
        "commitment": COMMITMENTS[0],
        "commitments": list(COMMITMENTS),
        "revealed": False,
    }
    polled = browser_of(bob).get(f"/tables/{table.code}/still", headers={"HX-Request": "true"})
    assert read_state(polled.content.decode())["seat"] == 1


@pytest.mark.parametrize(("with_socket", "limit"), [(False, 5), (True, 20)])
def test_unrevealed_seat_is_freed_and_counted(alice, bob, with_socket, limit):
    table = services.quick_play(alice, game(), commitment=COMMITMENTS[0])
    services.quick_play(bob, game(), commitment=COMMITMENTS[1])
    services.give_nonce(table, alice, NONCES[0])
    since_fixed(table, limit - 0.5, with_socket=with_socket)
    services.sweep(timezone.now())
    assert names(table) == ["alice", "bob"]
    since_fixed(table, limit, with_socket=with_socket)
    services.sweep(timezone.now())
    again = Table.objects.get(pk=table.pk)
    assert (names(again), again.open, again.full_at, again.committed_at) == (["alice", ""], True, None, None)
    assert again.seal != table.seal
    assert again.sittings.get().commitment is again.sittings.get().nonce is None
    for person, count in ((alice, 0), (bob, 1)):
        person.refresh_from_db()
        assert person.unrevealed == count


def test_match_after_a_new_seal_is_dealt_under_it(alice, bob, charlie, browser_of):
    table = services.quick_play(alice, game(), commitment=COMMITMENTS[0])
    services.quick_play(bob, game(), commitment=COMMITMENTS[1])
    since_fixed(table, 5, with_socket=False)
    Sitting.objects.filter(user=alice).update(nonce=NONCES[0])
    services.sweep(timezone.now())
    services.sit(table, charlie)
    add_nonces(table, {alice: "again", charlie: "c"})
    match = Match.objects.get()
    latest = SealedSecret.objects.filter(code=table.code).order_by("pk").last()
    assert match.seal == latest.seal != table.seal
    page = browser_of().get("/fairness/").content.decode()
    assert page.count("not begun") == page.count("being played") == 1


def test_leaving_after_the_commitments_is_counted(alice, bob, charlie, browser_of):
    table = make(alice, seats=3)
    services.sit(table, bob, commitment=COMMITMENTS[1])
    services.commit(table, alice, COMMITMENTS[0])
    services.sit(table, charlie, commitment=commitment_to("c"))
    services.give_nonce(table, alice, NONCES[0])
    services.leave(table, bob)
    bob.refresh_from_db()
    table.refresh_from_db()
    assert bob.unrevealed == 1
    assert (table.reseals, table.sittings.filter(commitment=None, nonce=None).count()) == (1, 2)


def test_leaving_before_the_commitments_keeps_the_seal(alice, bob):
    table = make(alice, seats=3)
    services.sit(table, bob, commitment=COMMITMENTS[1])
    services.leave(table, bob)
    bob.refresh_from_db()
    table.refresh_from_db()
    assert (bob.unrevealed, table.reseals) == (0, 0)


@pytest.mark.parametrize("kind", ["private", "challenge"])
def test_invitation_closes_if_not_revealed(alice, bob, kind):
    if kind == "challenge":
        table = services.challenge(alice, bob, game(), commitment=COMMITMENTS[0])
        services.sit(table, bob, commitment=COMMITMENTS[1])
    else:
        table = committed(alice, bob, private=True)
    services.give_nonce(table, alice, NONCES[0])
    since_fixed(table, 5, with_socket=False)
    services.sweep(timezone.now())
    table.refresh_from_db()
    assert (table.status, Match.objects.count()) == (Table.Status.CLOSED, 0)


def test_refused_start_is_stored_despite_the_refusal(alice, bob):
    table = services.sit(make(alice), bob)
    for person in (alice, bob):
        with pytest.raises(TableRefused):
            services.give_nonce(table, person, "a")
    assert Match.objects.get().commitments == [None, None]


def test_start_ends_other_quick_play_waits(alice, bob):
    waiting = services.quick_play(alice, game("draw", 2))
    table = make(bob)
    services.sit(table, alice)
    start_without_nonces(table, alice, bob)
    waiting.refresh_from_db()
    assert waiting.status == Table.Status.CLOSED
