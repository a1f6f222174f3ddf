"""The page on ratings: its worked examples are what the formula gives."""

import pytest

from accounts.elo import Player, changes, weight

pytestmark = pytest.mark.django_db


def gain(scale=1.0, factor=1.0):
    """Return what 1600 gains from 1500, K 20, in whole points."""
    sides = [[Player(1600, 20, weight=factor)], [Player(1500, 20)]]
    return round(changes(sides, [1, 2], scale)[0][0][1])


def test_examples_of_the_page_are_true(client):
    page = " ".join(client.get("/rules/elo/").content.decode().split())
    assert gain() == 7 and gain(2.5**0.5) == 9 and gain(factor=weight(40, 5)) == 2
    assert round(2.5**0.5, 2) == 1.58
    for example in (
        "If 1600 beats 1500, the change is 9 instead of 7.",
        "The winner gets a quarter of 7, which is 2; the newcomer loses 14.",
        "You get 2, and instead of 14 your opponent loses 4.",
        "One leaves and loses 10; of the two who play on, the winner gets 10 and the loser loses 10.",
        "from then on the match is casual.",
        "the third costs you rating like a resignation.",
        "18 of 20 are finished, 90%.",
    ):
        assert example in page
