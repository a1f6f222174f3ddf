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


def test_sit_redirects_to_table(alice, bob, browser_of):
    table = make(alice, seats=3)
    answer = browser_of(bob).post(f"/tables/{table.code}/sit", {"seat": 2})
    assert (answer.status_code, answer.url) == (303, f"/tables/{table.code}/")
    assert names(table) == ["alice", "", "bob"]


def test_sit_without_seat_takes_first_free(alice, bob, browser_of):
    table = make(alice, seats=3)
    browser_of(bob).post(f"/tables/{table.code}/sit")
    assert names(table) == ["alice", "bob", ""]


def test_sit_stores_rating_but_none_for_guest(alice, bob, browser_of):
    table = make(alice, seats=3)
    services.sit(table, bob, 1)
    services.sit(table, guest(), 2)
    assert [s.rating for s in table.sittings.all()] == [1500.0, 1500.0, None]


def test_last_seat_starts_commitment_wait(alice, bob):
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


def test_sit_twice_is_refused(alice, bob, browser_of):
    table = make(alice, seats=3)
    refused(table, browser_of(alice), 1, 422, "seated")
    services.sit(table, bob, 1)
    refused(table, browser_of(bob), 2, 422, "seated")


def test_sit_on_taken_seat_is_refused(alice, bob, browser_of):
    refused(make(alice, seats=3), browser_of(bob), 0, 422, "taken")


def test_sit_on_computers_seat_is_refused(alice, bob, browser_of):
    refused(make(alice, seats=3, levels=["", "club"]), browser_of(bob), 1, 422, "taken")


def test_sit_at_full_table_is_refused(alice, bob, charlie, browser_of):
    table = make(alice)
    services.sit(table, bob)
    refused(table, browser_of(charlie), "", 422, "full")


@pytest.mark.parametrize(
    ("seat", "status"), [("2", 422), ("99", 422), ("-1", 400), ("one", 400), ("١", 400), ("1" * 5000, 400)]
)
def test_sit_on_missing_seat_is_refused(alice, bob, browser_of, seat, status):
    refused(make(alice), browser_of(bob), seat, status, "no_such_seat")


def test_sit_at_started_table_is_refused(alice, bob, charlie, browser_of):
    table = make(alice)
    services.sit(table, bob)
    full_since(table, 6)
    assert services.advance(table, timezone.now())
    told = browser_of(charlie).post(f"/tables/{table.code}/sit", {"seat": 1}, headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (422, "started")


TOO_LATE = "This match has started. You can watch it."


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_late_sitter_is_redirected_and_told_once(alice, bob, charlie, browser_of, headers):
    table = make(alice)
    services.sit(table, bob)
    full_since(table, 6)
    assert services.advance(table, timezone.now())
    late = browser_of(charlie)
    answer = late.post(f"/tables/{table.code}/sit", {"seat": 1}, headers=headers)
    if headers:
        assert f'hx-get="/tables/{table.code}/go"' in answer.content.decode()
        answer = late.get(f"/tables/{table.code}/go", headers=headers)
    page = late.get(answer.headers.get("HX-Redirect") or answer.url, follow=True)
    assert page.redirect_chain == [(f"/games/{table.code}/", 302)]
    assert page.content.decode().count(TOO_LATE) == 1


def test_player_is_not_told_to_watch(alice, bob, browser_of):
    table = make(alice)
    services.sit(table, bob)
    full_since(table, 6)
    assert services.advance(table, timezone.now())
    assert TOO_LATE not in browser_of(bob).get(f"/tables/{table.code}/", follow=True).content.decode()


def test_sit_at_closed_table_is_refused(alice, bob, browser_of):
    table = make(alice)
    services.leave(table, alice)
    refused(table, browser_of(bob), 1, 422, "closed")


def test_refused_sit_creates_no_guest(alice, browser_of):
    rated, closed = make(alice, rated=True), make(alice)
    services.leave(closed, alice)
    for table, status, reason in ((rated, 403, "guests"), (closed, 422, "closed")):
        refused(table, browser_of(), 1, status, reason)
    assert User.objects.count() == 1


def test_guest_at_rated_table_is_refused(alice, browser_of):
    table = make(alice, rated=True)
    refused(table, browser_of(guest()), 1, 403, "guests")
    page = browser_of(guest("plucky-mole-2")).get(f"/tables/{table.code}/").content.decode()
    assert "This table is rated. Sign up to play rated matches." in page
    assert "Sit here" not in page
    assert f"/accounts/signup/?next=/tables/{table.code}/" in page


def test_page_says_once_that_a_rated_table_takes_an_account(alice, browser_of):
    browser, table = browser_of(guest()), make(alice, rated=True)
    page = browser.post(f"/tables/{table.code}/sit", follow=True).content.decode()
    assert page.count("This table is rated. Sign up to play rated matches.") == 1


def test_banned_user_cannot_sit(alice, bob):
    table = make(alice)
    bob.banned_at = timezone.now()
    with pytest.raises(TableRefused, match="banned"):
        services.sit(table, bob)


def test_too_many_tables_is_refused(alice, bob, charlie, browser_of):
    for host in (alice, alice, charlie):
        services.sit(make(host, seats=3), bob)
    refused(make(charlie), browser_of(bob), 1, 429, "too_many_tables")


def test_anonymous_sit_creates_seated_guest(alice, browser_of):
    table = make(alice, private=True)
    browser = browser_of()
    assert "Sit here" in browser.get(f"/tables/{table.code}/").content.decode()
    answer = browser.post(f"/tables/{table.code}/sit", {"seat": 1})
    assert answer.url == f"/tables/{table.code}/"
    sitting = table.sittings.get(position=1)
    assert sitting.user.is_guest
    assert str(sitting.user_id) == browser.session["_auth_user_id"]


def test_unknown_code_is_404(alice, browser_of):
    assert browser_of(alice).post("/tables/nosuchcode/sit").status_code == 404
    assert browser_of(alice).get("/tables/nosuchcode/").status_code == 404
    assert browser_of(alice).get("/tables/nosuchcode/sit").status_code == 405


def test_htmx_sit_returns_table_fragment(alice, bob, browser_of):
    table = make(alice, seats=3)
    answer = browser_of(bob).post(f"/tables/{table.code}/sit", {"seat": 1}, headers=HTMX)
    assert answer.status_code == 200
    assert 'id="waiting"' in answer.content.decode()
    assert "data-shuffle" in answer.content.decode()
    refusal = browser_of(bob).post(f"/tables/{table.code}/sit", {"seat": 2}, headers=HTMX)
    assert refusal.status_code == 422
    assert "You are already sitting at this table." in refusal.content.decode()


def test_new_guest_gets_full_reload(alice, browser_of):
    table = make(alice, seats=3)
    answer = browser_of().post(f"/tables/{table.code}/sit", {"seat": 1}, headers=HTMX)
    assert answer.headers["HX-Redirect"] == f"/tables/{table.code}/"
