"""The latest moves in sentences, as a screen reader hears them."""

import re

import pytest
from django.utils import translation

from games import wording
from games.engine.moves import MUGGINS
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from games.engine.round_ends import RoundEnd
from games.table.news import build_news
from tests.engine.positions import arrange, play_moves

ALL_FIVES = PRESETS["all-fives"].rules
OPEN = re.compile(r": open (.*), count (\d+)$")


def heard(*moves):
    match = play_moves(arrange(ALL_FIVES, ["4-4 5-0 1-1", "4-2 2-1 2-0"], "0-0 3-3"), *moves)
    return build_news(perspective(match, 1), ["alice", "Vesna"])[-1].full_sentence


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
    match = play_moves(arrange(PRESETS["block"].rules, ["4-4 5-0 1-1", "4-2 2-1 2-0"]), "4-4")
    assert build_news(perspective(match, 1), ["alice", "bob"])[-1].full_sentence.endswith(": open 4 and 4")


def test_who_missed_a_play_before_many_draws_hears_the_ends_with_the_last_draw():
    boneyard = "0-0 1-0 1-1 3-0 3-1 3-3 5-1 5-3 6-0"
    match = play_moves(
        arrange(PRESETS["draw"].rules, ["4-4 5-0 6-6", "2-2 2-1 2-0"], boneyard), "4-4", *["draw"] * 7
    )
    told = build_news(perspective(match, 0), ["alice", "bob"])
    assert "4-4" not in " ".join(news.full_sentence for news in told)
    assert told[-1].full_sentence.endswith(": open 4 and 4")


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Vesna played 4-2 to the left"), ("ru", "Vesna"), ("es", "Vesna")]
)
def test_a_sentence_begins_with_a_computers_name_as_it_is(language, sentence):
    match = play_moves(arrange(ALL_FIVES, ["4-4 5-0 1-1", "4-2 2-1 2-0"], "0-0 3-3"), "4-4", "4-2@L")
    with translation.override(language):
        names = ["alice", wording.persona_of("club", 0).name]
        told = [news.full_sentence for news in build_news(perspective(match, 0), names)]
    assert told[1].startswith(sentence)


def test_a_sentence_begins_with_a_persons_name_as_they_write_it():
    match = play_moves(arrange(ALL_FIVES, ["4-4 5-0 1-1", "4-2 2-1 2-0"], "0-0 3-3"), "4-4")
    assert build_news(perspective(match, 1), ["alice", "bob"])[0].full_sentence.startswith("alice led 4-4")


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


OUT_WITH_15 = ["6-3 6-5 1-1", "6-6"]


@pytest.mark.parametrize(
    ("language", "seat", "sentence"),
    [
        ("en", 1, "You played 6-6 to the left, 15 points. You went out. You score 13."),
        ("en", 0, "bob played 6-6 to the left, 15 points. bob went out. bob scores 13."),
        ("en", None, "bob played 6-6 to the left, 15 points. bob went out. bob scores 13."),
        ("ru", 1, "Вы поставили 6-6 налево, 15 очков. Раунд заканчиваете вы. Вы получаете 13."),
        ("ru", 0, "bob ставит 6-6 налево, 15 очков. Раунд заканчивает bob. bob получает 13."),
        ("es", 1, "Jugaste 6-6 a la izquierda, 15 tantos. Dominaste. Sumas 13."),
        ("es", 0, "bob jugó 6-6 a la izquierda, 15 tantos. Dominó bob. bob suma 13."),
    ],
)
def test_who_ended_a_round_is_told_so_as_they_are_told_their_moves(language, seat, sentence):
    view = perspective(play_moves(arrange(ALL_FIVES, OUT_WITH_15, "0-0 4-4"), "6-3", "6-6@L"), seat)
    with translation.override(language):
        assert build_news(view, ["alice", "bob"], view.ended[-1])[-1].full_sentence == sentence


def test_a_pair_is_told_of_together_and_of_a_tie_in_a_block():
    names, sides = wording.names_for_seat(["alice", "bob", "charlie", "dora"], 2), ((0, 2), (1, 3))
    end = RoundEnd("out", 0, (0, 5, 0, 5), (10, 0))
    assert wording.round_sentence(end, sides, names, ALL_FIVES) == "alice went out. You and alice score 10."
    tie = PRESETS["draw"].rules.replace(blocked_tie="lightest_tile")
    end = RoundEnd("blocked", 0, (5, 5), (5, 0))
    assert wording.round_sentence(end, ((0,), (1,)), ["", "bob"], tie) == (
        "Blocked, a tie: you hold the lightest tile. You score 5."
    )


CALLED = PRESETS["muggins-200"].rules
LED = ["6-3 6-5 1-1", "6-6 2-1 2-0"]  # 6-3 is led, 6-6 makes 15


def heard_at_a_called_table(hands, *moves, seat=0):
    view = perspective(play_moves(arrange(CALLED, hands, "0-0 4-4"), *moves), seat)
    return [news.sentence for news in build_news(view, ["alice", "bob"], view.ended[-1] if view.ended else None)]


@pytest.mark.parametrize(
    ("claim", "seat", "lapsed"),
    [
        ("", 0, "bob did not claim 15 points"),
        ("", 1, "You did not claim 15 points"),
        ("", None, "bob did not claim 15 points"),
        ("=20", 0, "bob claimed 20, not 15"),
        ("=20", 1, "You claimed 20, not 15"),
    ],
)
def test_points_that_nobody_claimed_are_told_once_nobody_can_call_them(claim, seat, lapsed):
    before = heard_at_a_called_table(LED, "6-3", f"6-6@L{claim}", seat=seat)
    assert "15" not in " ".join(before)
    assert before[-1].endswith(", claimed 20" if claim else "to the left")

    told = heard_at_a_called_table(LED, "6-3", f"6-6@L{claim}", "6-5@L", seat=seat)[-1]
    assert told == f"{lapsed}. {'You' if seat == 0 else 'alice'} played 6-5 to the left"


def test_what_was_claimed_or_called_or_worth_nothing_is_not_told_so():
    claimed = heard_at_a_called_table(LED, "6-3", "6-6@L=15", "6-5@L")
    assert claimed[1].endswith("15 points")
    called = play_moves(arrange(CALLED, LED, "0-0 4-4"), "6-3", "6-6@L").play(0, MUGGINS)
    called = play_moves(called, "6-5@L")
    for told in (claimed, [news.sentence for news in build_news(perspective(called, 0), ["alice", "bob"])]):
        assert "claim" not in " ".join(told)


def test_points_that_were_not_claimed_when_going_out_are_told_with_the_end_of_the_round():
    assert heard_at_a_called_table(OUT_WITH_15, "6-3", "6-6@L")[-1] == (
        "bob played 6-6 to the left. bob did not claim 15 points. bob went out. bob scores 15."
    )
