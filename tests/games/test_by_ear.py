"""What the page of a match says by ear when it opens."""

import re

import pytest

from tests.games.playing import begin, on_turn, play

pytestmark = pytest.mark.django_db


def test_first_hand_is_said_though_the_other_has_led(alice, bob, browser_of):
    match = play(begin(alice, bob))
    waiting = on_turn(match).user
    page = browser_of(waiting).get(match.get_absolute_url()).content.decode()
    said = re.search(r'<p id="status"[^>]*>([^<]*)</p>', page)[1]
    assert re.search(r"Your hand: \d-\d.* led \d-\d.*Your turn\.", said), said
    answered = play(match)
    again = browser_of(waiting).get(answered.get_absolute_url()).content.decode()
    assert "Your hand" not in re.search(r'<p id="status"[^>]*>([^<]*)</p>', again)[1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [({}, "alice 0, bob 0, of 100"), ({"target": None, "rounds": 8}, "alice 0, bob 0; 8 rounds")],
)
def test_scores_are_in_the_accessibility_tree_once(alice, bob, browser_of, changes, said):
    page = browser_of(alice).get(begin(alice, bob, **changes).get_absolute_url()).content.decode()
    race, _, words = page.partition('id="race"')[2].partition('<p id="scores" class="visually-hidden">')
    assert '<div class="race" aria-hidden="true">' in race
    assert words.partition("<")[0] == said
    assert "role=" not in race
