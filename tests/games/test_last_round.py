"""What the page of a finished match says about its last round."""

import re
from types import SimpleNamespace

import pytest
from django.utils import translation

from boneyard.engine.moves import parse
from boneyard.engine.presets import PRESETS
from boneyard.engine.rounds import Entry
from boneyard.engine.terms import terms
from games import repository
from games.wording import reached_sentence
from tests.games.playing import begin, play_to_the_end

NAMES = ["mara", "bob", "eva", "tiago"]
CALL = Entry(1, parse("muggins"), scored=10)


def reached(preset: str, seats: int, entry: Entry, winner: int, names=NAMES) -> str:
    ended = SimpleNamespace(log=(entry,), scores=(61, 61))
    with translation.override("en"):
        return reached_sentence(ended, terms(PRESETS[preset].rules, seats), names[:seats], winner)


@pytest.mark.parametrize(
    ("preset", "seats", "entry", "winner", "sentence"),
    [
        ("five-up", 2, Entry(0, parse("4-0@L"), scored=2), 0, "mara reached 61 with 4-0 (+2)"),
        (
            "five-up-pairs",
            4,
            Entry(2, parse("4-0@L"), scored=2),
            0,
            "eva brought the pair to 61 with 4-0 (+2)",
        ),
        ("muggins-200", 2, CALL, 1, "bob reached 61 by calling muggins (+10)"),
        ("muggins-200-pairs", 4, CALL, 1, "bob brought the pair to 61 by calling muggins (+10)"),
        (
            "dominican",
            4,
            Entry(3, parse("pass"), award=(25, 0)),
            0,
            "Pase corrido! +25. 61 reached: mara & eva",
        ),
    ],
)
def test_play_that_won_the_match_is_named(preset, seats, entry, winner, sentence):
    assert reached(preset, seats, entry, winner) == sentence


def test_play_of_the_reader_that_won_is_theirs():
    play = Entry(0, parse("4-0@L"), scored=2)
    assert reached("five-up", 2, play, 0, ["", "bob"]) == "You reached 61 with 4-0 (+2)"
    partner = reached("five-up-pairs", 4, play, 0, ["", "bob", "eva", "tiago"])
    assert partner == "You brought your side to 61 with 4-0 (+2)"
    call = reached("muggins-200", 2, CALL, 1, ["mara", ""])
    assert call == "You reached 61 by calling muggins (+10)"


@pytest.mark.django_db
def test_match_won_within_a_round_is_not_broken_off(alice, bob, browser_of):
    for number in range(20):
        match = play_to_the_end(
            begin(alice, bob, preset="all-fives", seed=f"within {number}", target=15, finish="at_once")
        )
        if repository.get_value(match).ended[-1].end.how == "stopped":
            break
    winner = repository.get_value(match).result.winners[0]
    how = read_how(browser_of((alice, bob)[winner]), match)
    assert re.match(r"You reached \d+ with \d-\d \(\+\d+\)\.", how), how
    how = read_how(browser_of((bob, alice)[winner]), match)
    assert re.match(rf"{('alice', 'bob')[winner]} reached \d+ with \d-\d \(\+\d+\)\.", how), how


def read_how(browser, match) -> str:
    page = browser.get(match.get_absolute_url()).content.decode()
    (text,) = re.findall(r'<p class="how">(.*?)</p>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", text).split())
