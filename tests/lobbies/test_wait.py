"""Waiting at a table while one looks at other pages of the site."""

from datetime import timedelta

from django.utils import timezone

from games.models import Match
from live import open_sockets
from lobbies import services
from tests.html import collapse_whitespace
from tests.lobbies.tables import game, make, start_without_nonces, unseen


def still(browser, table, page: str = "http://testserver/rules/"):
    return browser.get(f"/tables/{table.code}/still", headers={"HX-Request": "true", "HX-Current-URL": page})


def test_any_page_keeps_the_seat(alice, browser_of):
    table = make(alice)
    browser = browser_of(alice)
    shown = collapse_whitespace(browser.get("/rules/").content.decode())
    assert "You are waiting at your table" in shown
    assert f'hx-get="/tables/{table.code}/still"' in shown
    unseen(table, alice, 50)
    assert still(browser, table).status_code == 204
    services.sweep(timezone.now() + timedelta(seconds=30))
    assert table.sittings.filter(user=alice).exists()


def test_waiting_page_redirects_unless_playing(alice, bob, browser_of):
    table = make(alice)
    browser = browser_of(alice)
    services.sit(table, bob)
    start_without_nonces(table, alice, bob)
    assert still(browser, table).headers["HX-Redirect"] == f"/tables/{table.code}/"
    for page in ("/games/0123456789/", "/accounts/signup/"):  # a form that is being filled in stays
        told = still(browser, table, f"http://testserver{page}").content.decode()
        assert "Your match has begun" in told
        assert f'href="/tables/{table.code}/"' in told


def test_merged_table_redirects(alice, bob, browser_of):
    table, other = make(alice), make(bob)
    table.status, table.moved_to = table.Status.CLOSED, other.code
    table.save()
    assert still(browser_of(alice), table).headers["HX-Redirect"] == f"/tables/{other.code}/"


def test_closed_table_removes_notice(alice, browser_of):
    table = make(alice)
    services.leave(table, alice)
    answer = collapse_whitespace(still(browser_of(alice), table).content.decode())
    assert answer.startswith('<div id="waits" hidden hx-swap-oob="true">')
    assert table.code not in answer


def test_computer_match_keeps_the_wait(alice, browser_of, settings):
    settings.LIMITS = False
    waiting = services.quick_play(alice, game())
    browser = browser_of(alice)
    assert "Meanwhile, play the computer" in browser.get(f"/tables/{waiting.code}/").content.decode()
    browser.post("/play/all-fives/", {"seats": "2", "clock": "none", "computer": "club"})
    table = alice.tables.exclude(pk=waiting.pk).get()
    assert Match.objects.get().code == table.code
    waiting.refresh_from_db()
    assert waiting.open
    assert waiting.sittings.filter(user=alice).exists()


def test_invite_link_comes_first(alice, browser_of):
    casual, rated = make(alice), make(alice, rated=True)
    shown = collapse_whitespace(browser_of(alice).get(f"/tables/{casual.code}/").content.decode())
    assert shown.index('id="invite-link"') < shown.index('id="waiting"') < shown.index('id="nonce"')
    assert "no account is needed" in shown
    assert "data-mine" in shown
    shown = collapse_whitespace(browser_of().get(f"/tables/{rated.code}/").content.decode())
    assert "it takes an account" in shown
    assert "no account is needed" not in shown
    assert "data-mine" not in shown


def shown_here(browser, table) -> str:
    page = f"http://testserver{table.get_absolute_url()}"
    fragment = collapse_whitespace(still(browser, table, page).content.decode())
    return fragment.partition('id="others-here"')[2].partition("</p>")[0]


def test_waiting_page_says_when_somebody_arrives(alice, bob, browser_of, settings):
    settings.REDIS_URL = ""  # one process
    table = make(alice, "block", 3, levels=["", "club", ""])
    browser = browser_of(alice)
    owners = [f"user {alice.pk}", f"user {bob.pk}", "address 192.0.2.7"]
    open_sockets.register(owners[0])
    try:
        assert "Nobody else is here just now." in shown_here(browser, table)
        open_sockets.register(owners[1])
        assert 'role="status"' in shown_here(browser, table)
        assert "1 other is here now." in shown_here(browser, table)
        open_sockets.register(owners[2])
        assert "2 others are here now." in shown_here(browser, table)
    finally:
        for owner in owners:
            open_sockets.unregister(owner)


def test_page_without_scripts_says_that_it_alone_keeps_the_seat(alice, browser_of):
    shown = collapse_whitespace(browser_of(alice).get(make(alice).get_absolute_url()).content.decode())
    without = shown.partition("only this page keeps your seat")[0].rpartition("<noscript>")[2]
    assert "Keep this page open" in without
    with_scripts = shown.partition("You keep your seat while any page")[0].rpartition("<p")[2]
    assert "with-scripts" in with_scripts  # hidden in browsers without


def test_private_table_does_not_count_visitors(alice, browser_of):
    table = make(alice, private=True)
    assert still(browser_of(alice), table, f"http://testserver{table.get_absolute_url()}").status_code == 204
    page = browser_of(alice).get(table.get_absolute_url()).content.decode()
    assert "here just now" not in page and "here now." not in page


def test_several_processes_cannot_count(alice, browser_of, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    page = browser_of(alice).get(make(alice).get_absolute_url()).content.decode()
    assert "here just now" not in page
