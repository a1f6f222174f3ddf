"""The latest moves in sentences, as a screen reader hears them."""

import re

import pytest
from django.utils import translation

from games import wording
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from games.engine.round_ends import RoundEnd
from games.table.news import news_of
from tests.engine.arranging import after, arrange

ALL_FIVES = PRESETS["all-fives"].rules
OPEN = re.compile(r": open (.*), count (\d+)$")


def heard(*moves):
    match = after(arrange(ALL_FIVES, ["4-4 5-0 1-1", "4-2 2-1 2-0"], "0-0 3-3"), *moves)
    return news_of(perspective(match, 1), ["alice", "Vesna"])[-1].told


@pytest.mark.parametrize(
    ("moves", "ends", "count"),
    [
        (["4-4"], "double 4", "8"),
        (["4-4", "4-2@L"], "2 and double 4", "10"),
    ],
)
def test_an_open_double_is_called_a_double_for_it_counts_with_both_halves(moves, ends, count):
    assert OPEN.search(heard(*moves)).groups() == (ends, count)


def test_where_no_ends_are_added_up_they_are_named_by_their_suits_alone():
    match = after(arrange(PRESETS["block"].rules, ["4-4 5-0 1-1", "4-2 2-1 2-0"]), "4-4")
    assert news_of(perspective(match, 1), ["alice", "bob"])[-1].told.endswith(": open 4 and 4")


def test_who_missed_a_play_before_many_draws_hears_the_ends_with_the_last_draw():
    boneyard = "0-0 1-0 1-1 3-0 3-1 3-3 5-1 5-3 6-0"
    match = after(
        arrange(PRESETS["draw"].rules, ["4-4 5-0 6-6", "2-2 2-1 2-0"], boneyard), "4-4", *["draw"] * 7
    )
    told = news_of(perspective(match, 0), ["alice", "bob"])
    assert "4-4" not in " ".join(news.told for news in told)
    assert told[-1].told.endswith(": open 4 and 4")


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Vesna played 4-2 to the left"), ("ru", "Vesna"), ("es", "Vesna")]
)
def test_a_sentence_begins_with_a_computers_name_as_it_is(language, sentence):
    match = after(arrange(ALL_FIVES, ["4-4 5-0 1-1", "4-2 2-1 2-0"], "0-0 3-3"), "4-4", "4-2@L")
    with translation.override(language):
        names = ["alice", wording.figure_of("club", 0).name]
        told = [news.told for news in news_of(perspective(match, 0), names)]
    assert told[1].startswith(sentence)


def test_a_sentence_begins_with_a_persons_name_as_they_write_it():
    match = after(arrange(ALL_FIVES, ["4-4 5-0 1-1", "4-2 2-1 2-0"], "0-0 3-3"), "4-4")
    assert news_of(perspective(match, 1), ["alice", "bob"])[0].told.startswith("alice led 4-4")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "alice and charlie score 10"),
        ("ru", "alice и charlie получают 10"),
        ("es", "alice y charlie suman 10"),
    ],
)
def test_a_pair_scores_in_the_plural(language, sentence):
    end = RoundEnd("out", 0, (0, 5, 0, 5), (10, 0))
    names = ["alice", "bob", "charlie", "dora"]
    with translation.override(language):
        assert wording.bonuses(end, ((0, 2), (1, 3)), names, ALL_FIVES) == sentence
