"""The lobby's page."""

import re

import pytest
from django.utils import timezone

from accounts.models import User
from games import repository
from games.models import Match
from lobbies import services
from tests import budgets
from tests.games.playing import begin, play
from tests.html import collapse_whitespace
from tests.lobbies.tables import game, make
from tests.statements import captured_statements


def page(browser, address: str = "/") -> str:
    return collapse_whitespace(browser.get(address).content.decode())


def test_open_tables_are_listed_with_details(alice, bob, browser_of):
    table = make(alice, "draw", 3, clock=(180, 3), rated=True)
    services.sit(table, bob)
    make(alice, "all-fives", clock=(300, 5), claims="muggins", target=150, many_ends=True)
    shown = page(browser_of())
    assert "2 of 3 seats taken" in shown
    assert "3 + 3, rated" in shown
    assert "5 + 5, casual" in shown
    assert f'href="/tables/{table.code}/"' in shown
    assert f'formaction="/tables/{table.code}/sit"' in shown
    assert 'aria-label="Join alice, Draw"' in shown and "alice, bob 1500" in shown
    assert "points are called" in shown


def test_computers_are_not_counted_as_waiting(alice, browser_of):
    make(alice, "dominican", 4, levels=["", "club", "club", ""])
    shown = page(browser_of())
    assert "3 of 4 seats taken" in shown
    assert re.search(r'value="dominican".*?<small>1 waiting', page(browser_of(), "/?preset=dominican"))


def test_private_and_closed_tables_are_not_listed(alice, bob, charlie, browser_of, settings):
    settings.LIMITS = False
    private, full, closed = make(alice, private=True), make(alice), make(alice)
    services.sit(full, bob)
    services.leave(closed, alice)
    started = make(charlie, levels=["", "club"])
    services.commit(started, charlie, "")
    shown = page(browser_of())
    assert "No open tables. Create one, or play the computer." in shown
    for table in (private, full, closed):
        assert table.code not in shown


def test_running_matches_are_listed(alice, bob, charlie, browser_of):
    match = begin(alice, bob, rated=True)
    play(match)
    three = begin(alice, bob, charlie, preset="draw", seed="three")
    private = begin(alice, bob, seed="private")
    Match.objects.filter(pk=private.pk).update(private=True)
    shown = page(browser_of())
    assert f'href="/games/{match.code}/"' in shown
    assert f'href="/games/{three.code}/"' in shown
    assert private.code not in shown


def test_three_sides_are_listed_with_scores(alice, bob, charlie, browser_of):
    match = begin(alice, bob, charlie, preset="kozel", seed="goat")
    while not any(repository.get_value(match).scores):
        match = play(match)

    shown = page(browser_of())

    for name, score in zip(("alice", "bob", "charlie"), repository.get_value(match).scores, strict=True):
        assert f'{name}<span class="digits">{score}</span>' in shown


def test_pairs_are_named(db, browser_of):
    people = [User.objects.create_user(name) for name in ("anna", "boris", "clara", "dmitri")]
    begin(*people, preset="muggins-200-pairs", seed="pairs")
    assert "anna &amp; clara" in page(browser_of())


def test_line_of_a_match_shows_no_tile(alice, bob, browser_of):
    play(begin(alice, bob))
    assert "data-tile=" not in page(browser_of())


def test_own_match_shows_only_the_line(alice, bob, browser_of):
    play(begin(alice, bob))
    laid = Match.objects.get().moves.get().text
    assert re.findall(r'data-tile="([^"]*)"', page(browser_of(bob))) == [laid]


def test_own_match_and_table_are_linked(alice, bob, browser_of):
    match = begin(alice, bob)
    table = make(alice, private=True)
    shown = page(browser_of(alice))
    assert "Go on with your match" in shown
    assert "Back to your table" in shown
    assert f'href="/tables/{table.code}/"' in shown
    other = page(browser_of(bob))
    assert f'href="/games/{match.code}/"' in other
    assert "Back to your table" not in other


def test_join_is_one_form(alice, bob, browser_of):
    casual, rated = make(alice), make(alice, rated=True)
    visitor, player = browser_of(), browser_of(bob)
    assert visitor.post(f"/tables/{casual.code}/sit").headers["Location"] == f"/tables/{casual.code}/"
    assert casual.sittings.count() == 2
    page_of_rated = visitor.post(f"/tables/{rated.code}/sit", follow=True).content.decode()
    assert "Sign up to play rated matches" in page_of_rated
    assert player.post(f"/tables/{rated.code}/sit").headers["Location"] == f"/tables/{rated.code}/"
    own = browser_of(alice).post(f"/tables/{rated.code}/sit", follow=True).content.decode()
    assert "You are already sitting" not in own


def test_own_table_is_yours(alice, bob, browser_of):
    table = make(alice)
    assert "Yours" in page(browser_of(alice)) and "Join alice" not in page(browser_of(alice))
    assert "Yours" not in page(browser_of(bob)) and f'formaction="/tables/{table.code}/sit"' in page(
        browser_of(bob)
    )


def test_guest_sees_sign_up_benefit(alice, browser_of):
    assert "Play as guest" in page(browser_of())
    assert "Play as guest" not in page(browser_of(alice))
    browser = browser_of()
    browser.post("/accounts/guest/")
    assert "Sign up to play rated, and keep your matches" in page(browser)


@pytest.mark.parametrize("busy", [1, 6])
def test_statements_do_not_grow_with_lists(db, browser_of, settings, busy):
    settings.LIMITS = False
    for number in range(busy):
        people = [User.objects.create_user(f"player{number}{seat}") for seat in range(4)]
        table = make(people[0], "draw", 4)
        services.sit(table, people[1])
        play(begin(people[2], people[3], seed=str(number)))
    browser = browser_of()
    page(browser)
    with captured_statements() as statements:
        page(browser)
    # Open tables and their sittings; club nights; whether any match is played; matches, their seats and users. With a
    # full list, how many there are is counted.
    full = len(statements) + (busy == 1)
    budgets.check("a visitor's lobby with full lists", {"statements": full})


def test_every_game_is_offered(browser_of, db):
    shown = page(browser_of())
    assert shown.count('value="fives-and-threes-league"') == 2, "a chip, and in the list of all games"
    assert 'action="/play/all-fives/"' in shown


def test_cards_name_the_game_and_its_seats(browser_of, db):
    two, four = (page(browser_of(), f"/?preset={preset}") for preset in ("draw", "sebastopol"))
    assert ">A friend</h2>" in two and "Draw without a clock." in two and "Draw, 2 players" in two
    assert ">Friends</h2>" in four and four.count("Sebastopol (pairs), 4 players") == 2


def test_absent_host_is_not_listed(alice, browser_of):
    services.quick_play(alice, game("draw"))
    alice.tables.first().sittings.update(seen_at=timezone.now() - services.rows.AWAY_AFTER * 2)
    services.sweep(timezone.now())
    assert "No open tables." in page(browser_of())


def test_all_games_look_like_a_button(alice, browser_of):
    assert re.search(r'<summary class="button"> ?All games ?<svg', page(browser_of(alice)))


def test_one_button_is_the_main_one(alice, bob, browser_of):
    begin(alice, bob)
    make(bob)
    for browser in (browser_of(), browser_of(bob)):
        shown = re.sub(r'<section id="felt".*?</section>', "", page(browser))
        assert shown.count("button-main") == 1
    assert page(browser_of(alice), "/?preset=draw").count("button-main") == 2, (
        "their match, and the chosen game"
    )
