"""What the end of somebody's first match against computers offers."""

from typing import get_args

import pytest

from accounts.models import User
from boneyard.computer.players import choose_move
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from games import repository
from games.models import Match
from games.table.first_match import FirstMatch, Mistake, MistakeKind, find_mistake
from study.templatetags.study import lesson_after
from tests.games.playing import begin, end_calls, play
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db
OFFERED = "first-steps"


def play_to_end(match: Match) -> Match:
    """Play for everybody; the first seat makes its first legal move without a claim."""
    while match.playing:
        value = repository.get_value(match)
        if (turn := value.turn) is None:
            end_calls(match)
            continue
        view = perspective(value, turn)
        move, claim = (view.legal[0], None) if turn == 0 else choose_move(view, "casual", match.version)
        match = play(match, str(move), claim)
    return match


def page_of(browser, match: Match) -> str:
    return collapse_whitespace(browser.get(match.get_absolute_url()).content.decode())


@pytest.fixture
def visitor(db) -> User:
    return User.objects.create(username="guest-1", is_guest=True)


def test_first_match_offers_three_things(visitor, browser_of):
    match = play_to_end(begin(visitor, "club"))
    page = page_of(browser_of(visitor), match)
    assert OFFERED in page
    for address in (
        f"/accounts/signup/?next={match.get_absolute_url()}",
        "/learn/counting/1/",
        "/learn/puzzles/",
    ):
        assert f'href="{address}"' in page.partition(OFFERED)[2]
    assert "by-round" in page.partition(OFFERED)[0]  # the result is whole before the offers
    mistake = find_mistake(match, 0)
    assert mistake.kind == "points" and mistake.points > 0
    assert f"with {mistake.tile} you would have scored {mistake.points} more" in page


def test_account_is_not_asked_to_sign_up(alice, browser_of):
    offer = page_of(browser_of(alice), play_to_end(begin(alice, "club"))).partition(OFFERED)[2]
    assert "/learn/puzzles/" in offer and "Sign up, and" not in offer


def test_second_match_offers_nothing(alice, browser_of):
    play_to_end(begin(alice, "club"))
    assert OFFERED not in page_of(browser_of(alice), play_to_end(begin(alice, "club", seed="second")))


def test_match_against_people_offers_nothing(alice, bob, browser_of):
    assert OFFERED not in page_of(browser_of(alice), play_to_end(begin(alice, bob)))


def test_spectator_is_offered_nothing(alice, bob, browser_of):
    assert OFFERED not in page_of(browser_of(bob), play_to_end(begin(alice, "club")))


@pytest.mark.parametrize(
    ("preset", "kind", "slug"),
    [("muggins-200", "unclaimed", "calling"), ("block", "blocked", "blocking")],
)
def test_lesson_fits_the_mistake(alice, browser_of, preset, kind, slug):
    match = play_to_end(begin(alice, "club", preset=preset))
    assert find_mistake(match, 0).kind == kind
    assert f"/learn/{slug}/1/" in page_of(browser_of(alice), match)


def test_lesson_without_a_mistake_is_that_of_the_rules(alice):
    assert lesson_after(FirstMatch("/games/x", False, PRESETS["draw"].rules, None)).slug == "line"


@pytest.mark.parametrize("kind", get_args(MistakeKind))
def test_every_mistake_has_a_sentence_and_a_lesson(kind):
    mistake = Mistake(kind, 2, "5-4", 10)
    assert "ound 2" in mistake.sentence
    assert lesson_after(FirstMatch("/games/x", False, PRESETS["draw"].rules, mistake)).title
