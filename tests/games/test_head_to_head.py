"""Results of one user against another on the profile."""

import pytest

from accounts.models import User
from games.models import Match
from games.services import rerating
from tests.games.playing import begin, play, play_and_resign, play_to_the_end
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db


def test_head_to_head_skips_annulled_matches(alice, bob, browser_of):
    matches = [play_and_resign(begin(alice, bob, seed=str(number))) for number in range(3)]
    rerating.annul(matches[2])
    won = sum(match.seats.get(user=alice).won for match in matches[:2])

    between = browser_of(alice).get("/players/bob/").context["head_to_head"]

    assert (between.wins, between.losses, between.drawn) == (won, 2 - won, 0)


def test_head_to_head_excludes_partners(alice, bob, charlie, browser_of):
    play_to_the_end(begin(alice, charlie, bob, "beginner", preset="fives-and-threes-pairs"))

    with_partner = browser_of(alice).get("/players/bob/").context["head_to_head"]
    with_opponent = browser_of(alice).get("/players/charlie/").context["head_to_head"]

    assert (with_partner.wins, with_partner.losses, with_partner.drawn) == (0, 0, 0)
    assert with_opponent.wins + with_opponent.losses == 1


def create_results(one: User, other: User, *won: tuple[bool, bool]) -> list[Match]:
    """Create finished matches of two users; `won` sets the winners of each."""
    matches = []
    for number, (first, second) in enumerate(won):
        match = play_and_resign(begin(one, other, seed=f"between {number}"), moves=2)
        match.seats.filter(user=one).update(won=first)
        match.seats.filter(user=other).update(won=second)
        matches.append(match)
    return matches


WON, LOST, DRAWN = (True, False), (False, True), (True, True)


def test_head_to_head_shows_totals_and_last_ten(alice, bob, browser_of):
    create_results(alice, bob, DRAWN, DRAWN, *[WON] * 7, LOST, LOST, DRAWN)

    seen = browser_of(alice).get("/players/bob/")
    theirs = browser_of(bob).get("/players/alice/").context["head_to_head"]

    mine = seen.context["head_to_head"]
    assert (mine.wins, mine.losses, mine.drawn) == (7, 2, 3)
    assert mine.latest == ("drawn", "lost", "lost", *["won"] * 7)
    assert theirs.latest == ("drawn", "won", "won", *["lost"] * 7)
    page = collapse_whitespace(seen.content.decode())
    marks = page.partition('<ol class="latest"')[2].partition("</ol>")[0]
    assert marks.count("<li>") == 10
    assert (
        marks.index('aria-label="drawn"') < marks.index('aria-label="lost"') < marks.index('aria-label="won"')
    )


def test_profile_counts_matches_as_partners(alice, bob, charlie, browser_of):
    play_to_the_end(begin(alice, charlie, bob, "beginner", preset="fives-and-threes-pairs"))

    assert "1 match as partners." in collapse_whitespace(
        browser_of(alice).get("/players/bob/").content.decode()
    )
    assert "as partners" not in browser_of(alice).get("/players/charlie/").content.decode()


def test_players_at_table_of_three_are_not_partners(alice, bob, charlie, browser_of):
    match = play_and_resign(begin(alice, bob, charlie, preset="draw"), moves=2)
    while match.playing:
        match = play(match, "resign")

    across = browser_of(alice).get("/players/charlie/").context["head_to_head"]

    assert (across.wins + across.losses + across.drawn, across.together) == (1, 0)
