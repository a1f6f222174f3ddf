"""Sitting down."""

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Match
from lobbies import services
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused
from tests.lobbies.tables import full_since, guest, make, names

JSON = {"Accept": "application/json"}
HTMX = {"HX-Request": "true"}


def test_somebody_sits_down_and_is_led_back_to_the_table(alice, bob, browser_of):
    table = make(alice, seats=3)
    answer = browser_of(bob).post(f"/tables/{table.code}/sit", {"seat": 2})
    assert (answer.status_code, answer.url) == (303, f"/tables/{table.code}/")
    assert names(table) == ["alice", "", "bob"]


def test_without_a_seat_it_is_the_first_free_one(alice, bob, browser_of):
    table = make(alice, seats=3)
    browser_of(bob).post(f"/tables/{table.code}/sit")
    assert names(table) == ["alice", "bob", ""]


def test_the_rating_is_noted_and_a_guest_has_none(alice, bob, browser_of):
    table = make(alice, seats=3)
    services.sit(table, bob, 1)
    services.sit(table, guest(), 2)
    assert [s.rating for s in table.sittings.all()] == [1500.0, 1500.0, None]


def test_the_last_seat_begins_the_wait_for_nonces(alice, bob):
    table = make(alice, seats=2)
    assert table.full_at is None
    assert services.sit(table, bob).full_at is not None
    assert not Match.objects.exists()


def refused(table: Table, browser, seat, status: int, reason: str) -> None:
    before = list(Sitting.objects.values_list("table", "position", "user"))
    told = browser.post(f"/tables/{table.code}/sit", {"seat": seat}, headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (status, reason)
    page = browser.post(f"/tables/{table.code}/sit", {"seat": seat}, follow=True)
    assert told.json()["error"] in page.content.decode().replace("&#x27;", "'")
    assert list(Sitting.objects.values_list("table", "position", "user")) == before


def test_sitting_twice_is_refused(alice, bob, browser_of):
    table = make(alice, seats=3)
    refused(table, browser_of(alice), 1, 422, "seated")
    services.sit(table, bob, 1)
    refused(table, browser_of(bob), 2, 422, "seated")


def test_somebody_elses_seat_is_refused(alice, bob, browser_of):
    refused(make(alice, seats=3), browser_of(bob), 0, 422, "taken")


def test_a_computers_seat_is_refused(alice, bob, browser_of):
    refused(make(alice, seats=3, levels=["", "club"]), browser_of(bob), 1, 422, "taken")


def test_a_full_table_is_refused(alice, bob, charlie, browser_of):
    table = make(alice)
    services.sit(table, bob)
    refused(table, browser_of(charlie), "", 422, "full")


@pytest.mark.parametrize(
    ("seat", "status"), [("2", 422), ("99", 422), ("-1", 400), ("one", 400), ("١", 400), ("1" * 5000, 400)]
)
def test_a_seat_that_there_is_not_is_refused(alice, bob, browser_of, seat, status):
    refused(make(alice), browser_of(bob), seat, status, "no_such_seat")


def test_a_started_table_is_refused(alice, bob, charlie, browser_of):
    table = make(alice)
    services.sit(table, bob)
    full_since(table, 6)
    assert services.start_if_ready(table, timezone.now())
    told = browser_of(charlie).post(f"/tables/{table.code}/sit", {"seat": 1}, headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (422, "started")


TOO_LATE = "This match has started. You can watch it."


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_who_was_too_late_for_the_last_seat_is_led_to_the_match_and_told_once(
    alice, bob, charlie, browser_of, headers
):
    table = make(alice)
    services.sit(table, bob)
    full_since(table, 6)
    assert services.start_if_ready(table, timezone.now())
    late = browser_of(charlie)
    answer = late.post(f"/tables/{table.code}/sit", {"seat": 1}, headers=headers)
    if headers:
        assert f'hx-get="/tables/{table.code}/go"' in answer.content.decode()
        answer = late.get(f"/tables/{table.code}/go", headers=headers)
    page = late.get(answer.headers.get("HX-Redirect") or answer.url, follow=True)
    assert page.redirect_chain == [(f"/games/{table.code}/", 302)]
    assert page.content.decode().count(TOO_LATE) == 1


def test_who_plays_is_not_told_that_they_can_watch(alice, bob, browser_of):
    table = make(alice)
    services.sit(table, bob)
    full_since(table, 6)
    assert services.start_if_ready(table, timezone.now())
    assert TOO_LATE not in browser_of(bob).get(f"/tables/{table.code}/", follow=True).content.decode()


def test_a_closed_table_is_refused(alice, bob, browser_of):
    table = make(alice)
    services.leave(table, alice)
    refused(table, browser_of(bob), 1, 422, "closed")


def test_nobody_is_made_a_guest_by_what_is_refused(alice, browser_of):
    rated, closed = make(alice, rated=True), make(alice)
    services.leave(closed, alice)
    for table, status, reason in ((rated, 403, "guests"), (closed, 422, "closed")):
        refused(table, browser_of(), 1, status, reason)
    assert User.objects.count() == 1


def test_a_guest_is_refused_at_a_rated_table_and_told_why(alice, browser_of):
    table = make(alice, rated=True)
    refused(table, browser_of(guest()), 1, 403, "guests")
    page = browser_of(guest("plucky-mole-2")).get(f"/tables/{table.code}/").content.decode()
    assert "This table is rated. Sign up to play rated matches." in page
    assert "Sit here" not in page
    assert f"/accounts/signup/?next=/tables/{table.code}/" in page


def test_somebody_banned_is_refused(alice, bob):
    table = make(alice)
    bob.banned_at = timezone.now()
    with pytest.raises(TableRefused, match="banned"):
        services.sit(table, bob)


def test_sitting_at_too_many_tables_is_refused(alice, bob, charlie, browser_of):
    for host in (alice, alice, charlie):
        services.sit(make(host, seats=3), bob)
    refused(make(charlie), browser_of(bob), 1, 429, "too_many_tables")


def test_nobody_in_particular_becomes_a_guest_with_a_seat_by_one_press(alice, browser_of):
    table = make(alice, private=True)
    browser = browser_of()
    assert "Sit here" in browser.get(f"/tables/{table.code}/").content.decode()
    answer = browser.post(f"/tables/{table.code}/sit", {"seat": 1})
    assert answer.url == f"/tables/{table.code}/"
    sitting = table.sittings.get(position=1)
    assert sitting.user.is_guest
    assert str(sitting.user_id) == browser.session["_auth_user_id"]


def test_an_unknown_code_is_not_found(alice, browser_of):
    assert browser_of(alice).post("/tables/nosuchcode/sit").status_code == 404
    assert browser_of(alice).get("/tables/nosuchcode/").status_code == 404
    assert browser_of(alice).get("/tables/nosuchcode/sit").status_code == 405


def test_htmx_gets_the_seats_anew(alice, bob, browser_of):
    table = make(alice, seats=3)
    answer = browser_of(bob).post(f"/tables/{table.code}/sit", {"seat": 1}, headers=HTMX)
    assert answer.status_code == 200
    assert 'id="waiting"' in answer.content.decode()
    assert "data-needs-nonce" in answer.content.decode()
    refusal = browser_of(bob).post(f"/tables/{table.code}/sit", {"seat": 2}, headers=HTMX)
    assert refusal.status_code == 422
    assert "You are already sitting at this table." in refusal.content.decode()


def test_a_new_guests_page_is_loaded_anew_so_that_its_socket_is_theirs(alice, browser_of):
    table = make(alice, seats=3)
    answer = browser_of().post(f"/tables/{table.code}/sit", {"seat": 1}, headers=HTMX)
    assert answer.headers["HX-Redirect"] == f"/tables/{table.code}/"
