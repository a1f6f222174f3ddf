"""The newest moves as sentences for screen readers."""

import re

import pytest
from django.utils import translation

from boneyard.engine.moves import MUGGINS
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.round_ends import RoundEnd
from games import wording
from games.table.news import build_news
from games.table.turn_news import describe_misfit, describe_moves_since, describe_newest_moves
from tests.engine.positions import arrange, play_moves

ALL_FIVES = PRESETS["all-fives"].rules
OPEN = re.compile(r": open (.*), count (\d+)$")


def last_sentence(*moves):
    match = play_moves(arrange(ALL_FIVES, ["4-4 5-0 1-1", "4-2 2-1 2-0"], "0-0 3-3"), *moves)
    return build_news(perspective(match, 1), ["alice", "Vesna"])[-1].full_sentence


@pytest.mark.parametrize(
    ("moves", "ends", "count"),
    [
        (["4-4"], "double 4", "8"),
        (["4-4", "4-2@L"], "2 and double 4", "10"),
    ],
)
def test_open_double_is_named_if_ends_are_added_up(moves, ends, count):
    assert OPEN.search(last_sentence(*moves)).groups() == (ends, count)


@pytest.mark.parametrize("language", ["ru", "es", "pt"])
def test_ends_bring_no_second_colon(language):
    match = play_moves(arrange(PRESETS["block"].rules, ["4-4 5-0 1-1", "4-2 2-1 2-0"]), "4-4")
    with translation.override(language):
        told = build_news(perspective(match, 1), ["alice", "bob"])[-1].full_sentence
    assert told.count(":") == 1


def test_ends_without_count_are_named_by_suit():
    match = play_moves(arrange(PRESETS["block"].rules, ["4-4 5-0 1-1", "4-2 2-1 2-0"]), "4-4")
    assert build_news(perspective(match, 1), ["alice", "bob"])[-1].full_sentence.endswith(": open 4 and 4")


def test_ends_follow_the_last_draw_if_the_play_is_no_longer_news():
    boneyard = "0-0 1-0 1-1 3-0 3-1 3-3 5-1 5-3 6-0"
    match = play_moves(
        arrange(PRESETS["draw"].rules, ["4-4 5-0 6-6", "2-2 2-1 2-0"], boneyard), "4-4", *["draw"] * 7
    )
    told = build_news(perspective(match, 0), ["alice", "bob"])
    assert "4-4" not in " ".join(news.full_sentence for news in told)
    assert told[-1].full_sentence.endswith(" in a row. Ends 4 and 4")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Vesna played 4-2 to the left"), ("ru", "Vesna"), ("es", "Vesna"), ("pt", "Vesna")],
)
def test_sentence_begins_with_the_name_of_a_computer(language, sentence):
    match = play_moves(arrange(ALL_FIVES, ["4-4 5-0 1-1", "4-2 2-1 2-0"], "0-0 3-3"), "4-4", "4-2@L")
    with translation.override(language):
        names = ["alice", wording.persona_of("club", 0).name]
        told = [news.full_sentence for news in build_news(perspective(match, 0), names)]
    assert told[1].startswith(sentence)


def test_sentence_keeps_the_case_of_a_username():
    match = play_moves(arrange(ALL_FIVES, ["4-4 5-0 1-1", "4-2 2-1 2-0"], "0-0 3-3"), "4-4")
    assert build_news(perspective(match, 1), ["alice", "bob"])[0].full_sentence.startswith("alice led 4-4")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "alice and charlie score 10"),
        ("ru", "alice и charlie получают 10"),
        ("es", "alice y charlie suman 10"),
        ("pt", "alice e charlie marcam 10"),
    ],
)
def test_pair_scores_in_the_plural(language, sentence):
    end = RoundEnd("out", 0, (0, 5, 0, 5), (10, 0))
    names = ["alice", "bob", "charlie", "dora"]
    with translation.override(language):
        assert wording.bonuses(end.bonus, ((0, 2), (1, 3)), names, ALL_FIVES) == sentence


OUT_WITH_15 = ["6-3 6-5 1-1", "6-6"]


@pytest.mark.parametrize(
    ("language", "seat", "sentence"),
    [
        (
            "en",
            1,
            "You played 6-6 to the left, 15 points. You went out. You score 13. Score: alice 0, you 28.",
        ),
        (
            "en",
            0,
            "bob played 6-6 to the left, 15 points. bob went out. bob scores 13. Score: you 0, bob 28.",
        ),
        (
            "en",
            None,
            "bob played 6-6 to the left, 15 points. bob went out. bob scores 13. Score: alice 0, bob 28.",
        ),
        ("ru", 1, "Вы поставили 6-6 налево, 15 очков. Вы вышли. Вы получаете 13. Счёт: alice 0, вы 28."),
        ("ru", 0, "bob ставит 6-6 налево, 15 очков. bob выходит. bob получает 13. Счёт: вы 0, bob 28."),
        ("es", 1, "Jugaste 6-6 a la izquierda, 15 tantos. Dominaste. Sumas 13. Marcador: alice 0, tú 28."),
        ("es", 0, "bob jugó 6-6 a la izquierda, 15 tantos. Dominó bob. bob suma 13. Marcador: tú 0, bob 28."),
        (
            "pt",
            1,
            "Você jogou 6-6 para a esquerda, 15 pontos. Você bateu. Você marca 13. Placar: alice 0, você 28.",
        ),
        (
            "pt",
            0,
            "bob jogou 6-6 para a esquerda, 15 pontos. bob bateu. bob marca 13. Placar: você 0, bob 28.",
        ),
    ],
)
def test_round_end_addresses_the_viewer_as_you(language, seat, sentence):
    view = perspective(play_moves(arrange(ALL_FIVES, OUT_WITH_15, "0-0 4-4"), "6-3", "6-6@L"), seat)
    with translation.override(language):
        assert build_news(view, ["alice", "bob"], view.ended[-1])[-1].full_sentence == sentence


def test_round_end_of_a_pair_and_of_a_tie():
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


def claim_table_news(hands, *moves, seat=0):
    view = perspective(play_moves(arrange(CALLED, hands, "0-0 4-4"), *moves), seat)
    return [
        news.sentence for news in build_news(view, ["alice", "bob"], view.ended[-1] if view.ended else None)
    ]


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
def test_unclaimed_points_are_named_once_they_cannot_be_called(claim, seat, lapsed):
    before = claim_table_news(LED, "6-3", f"6-6@L{claim}", seat=seat)
    assert "15" not in " ".join(before)
    assert before[-1].endswith(", claimed 20, no points" if claim else "to the left")

    told = claim_table_news(LED, "6-3", f"6-6@L{claim}", "6-5@L", seat=seat)[-1]
    assert told == f"{lapsed}. {'You' if seat == 0 else 'alice'} played 6-5 to the left"


def test_claimed_or_called_points_are_not_reported_as_unclaimed():
    claimed = claim_table_news(LED, "6-3", "6-6@L=15", "6-5@L")
    assert claimed[1].endswith("15 points")
    called = play_moves(arrange(CALLED, LED, "0-0 4-4"), "6-3", "6-6@L").play(0, MUGGINS)
    called = play_moves(called, "6-5@L")
    for told in (claimed, [news.sentence for news in build_news(perspective(called, 0), ["alice", "bob"])]):
        assert "claim" not in " ".join(told)


def test_unclaimed_points_of_going_out_are_named_at_round_end():
    assert claim_table_news(OUT_WITH_15, "6-3", "6-6@L", "close")[-1] == (
        "Nobody called. bob did not claim 15 points. bob went out. bob scores 15. 13 plus 2 (rounding) equals 15."
        " Score: you 0, bob 15."
    )


@pytest.mark.parametrize(
    ("preset", "hands", "told"),
    [
        (
            "bones",
            ["4-4", "1-0"],
            "The end of the round brings no points: 1, rounded to 0. Score: you 0, bob 0.",
        ),
        (
            "all-fives",
            ["4-4", "0-0"],
            "brings no points: the tiles that are left have no pips. Score: you 0, bob 0.",
        ),
        ("all-fives", ["4-4", "1-0"], "You score 1."),
    ],
)
def test_round_that_brought_nothing_says_why(preset, hands, told):
    match = play_moves(arrange(PRESETS[preset].rules, hands), "4-4")
    last = build_news(perspective(match, 0), FOUR[: len(hands)], match.ended[-1] if match.ended else None)[-1]
    assert told in last.sentence, last.sentence


def test_block_after_a_draw_says_that_nobody_can_go_on():
    rules = PRESETS["draw"].rules
    match = play_moves(arrange(rules, ["4-4 5-0", "2-1 6-3"], "0-0 1-1 3-3"), "4-4", *["draw"] * 3)
    assert match.ended, match.round
    told = build_news(perspective(match, 0), ["alice", "bob"], match.ended[-1])[-1].sentence
    assert ". Nobody can go on. Blocked: you have the fewest pips." in told, told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "12 minus 2 equals 10. 3 is less than 4, minus 4"),
        ("ru", "12 минус 2 равно 10. 3 меньше 4, минус 4"),
        ("es", "12 menos 2 igual a 10. 3 menor que 4, menos 4"),
        ("pt", "12 menos 2 igual a 10. 3 menor que 4, menos 4"),
    ],
)
def test_signs_are_words_by_ear(language, told):
    with translation.override(language):
        assert wording.spell_signs("12 − 2 = 10. 3 < 4, −4") == told


def test_pause_after_the_last_tile_is_one_sentence():
    view = perspective(play_moves(arrange(CALLED, OUT_WITH_15, "0-0 4-4"), "6-3", "6-6@L"), 0)
    news = build_news(view, ["alice", "bob"])
    assert news[-1].full_sentence == "bob played 6-6 to the left: open double 6 and 3. Any calls?"
    assert "15" not in " ".join(each.full_sentence for each in news)


def test_draws_of_another_are_counted_and_own_ones_named():
    draw = PRESETS["draw"].rules
    match = play_moves(
        arrange(draw, ["4-4 5-0 1-1", "6-3 2-1 2-0"], "0-0 3-3 6-6 5-5 4-2"), "4-4", "draw", "draw", "draw"
    )
    other = [news.sentence for news in build_news(perspective(match, 0), ["alice", "bob"])]
    own = [news.sentence for news in build_news(perspective(match, 1), ["alice", "bob"])]
    assert other[-1] == "bob drew 3 tiles in a row"
    assert not any("drew a tile" in sentence for sentence in other)
    assert sum(sentence.startswith("You drew") for sentence in own) == 3


@pytest.mark.parametrize(
    ("seat", "gains"), [(0, "You and charlie score 25"), (1, "alice and charlie score 25")]
)
def test_points_for_passes_name_the_side_that_scores(seat, gains):
    hands = ["6-6 6-5 1-1", "5-4 4-4 3-3", "5-0 2-2 1-0", "4-3 4-2 4-1"]
    match = play_moves(arrange(PRESETS["dominican"].rules, hands), "6-6", "pass", "pass", "pass")
    told = build_news(perspective(match, seat), ["alice", "bob", "charlie", "dora"])
    assert told[-1].sentence == f"dora passed. Pase corrido! +25. {gains}"


PAIRS = ["6-6 6-5 1-1", "5-4 4-4 3-3", "5-0 2-2 1-0", "4-3 4-2 4-1"]
FOUR = ["alice", "bob", "charlie", "dora"]


@pytest.mark.parametrize(
    ("moves", "seat", "told"),
    [
        (
            ["6-6", "pass", "pass"],
            3,
            "alice led 6-6, bob passed, charlie passed. Your turn. Nothing fits: pass. Ends 6 and 6.",
        ),
        (
            ["6-6", "pass", "pass", "pass"],
            0,
            "bob passed, charlie passed, dora passed. Pase corrido! +25. You and charlie score 25."
            " Your turn. Ends 6 and 6.",
        ),
        (["6-6"], 1, ""),  # a single move is said as it is
        (["6-6", "pass"], 0, ""),  # not on turn
    ],
)
def test_call_to_the_turn_says_all_moves_since_the_own_one(moves, seat, told):
    match = play_moves(arrange(PRESETS["dominican"].rules, PAIRS), *moves)
    view = perspective(match, seat)
    assert describe_moves_since(view, FOUR) == told


def test_points_of_a_pass_keep_their_name_in_one_breath():
    hands = ["6-6 5-5", "1-1 2-2", "6-3 2-1", "6-0 5-3"]
    match = play_moves(arrange(PRESETS["dominican"].rules, hands), "6-6", "pass", "6-3@L")
    told = describe_moves_since(perspective(match, 3), FOUR)
    assert "charlie 6-3 left. Pase de salida! +25. alice and charlie score 25. Your turn." in told, told


def test_moves_in_one_breath_are_short_and_draws_are_counted():
    rules = PRESETS["draw"].rules
    hands = ["4-4 4-1 6-5", "4-2 2-1 6-3", "3-3 3-0 6-0"]
    match = play_moves(
        arrange(rules, hands, "6-6 4-3 5-5 0-0 1-1 1-0"), "4-4", "4-2@L", "draw", "draw", "4-3@R"
    )
    view = perspective(match, 0)
    told = describe_moves_since(view, ["alice", "bob", "charlie"])
    assert told.startswith("bob 4-2 left, charlie drew 2 tiles, played 4-3 right. Your turn.")


DRAWING = ["4-4 4-1 6-5", "2-1 6-3 6-6"]
DRAWN = "5-5 4-3 0-0 1-1 1-0"


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        (["4-4", "draw", "draw", "4-3@L"], "bob drew 2 tiles, played 4-3 left. Your turn. Ends 3 and 4."),
        (["4-4", "draw", "draw"], ""),  # not on turn
    ],
)
def test_with_two_seats_the_call_to_the_turn_says_the_draws_before(moves, told):
    match = play_moves(arrange(PRESETS["draw"].rules, DRAWING, DRAWN), *moves)
    assert describe_moves_since(perspective(match, 0), ["alice", "bob"]) == told


def test_with_two_seats_the_call_to_the_turn_says_a_call_and_what_nobody_called():
    rules = PRESETS["muggins-200"].rules
    match = play_moves(arrange(rules, ["5-5 4-1 6-5", "5-4 2-1 6-3"]), "5-5")
    called = play_moves(match.play(1, MUGGINS), "5-4@L")
    assert describe_moves_since(perspective(called, 0), ["alice", "bob"]).startswith(
        "bob called muggins, 10 points, played 5-4 left. Your turn. Ends 4 and double 5"
    )
    drawing = arrange(rules, ["5-5 4-1 6-5", "2-1 6-3 0-0"], "5-4 1-1 3-3 1-0")
    drawn = play_moves(drawing, "5-5", "draw", "5-4@L")
    assert describe_moves_since(perspective(drawn, 0), ["alice", "bob"]).startswith(
        "You did not claim 10 points. bob drew a tile, played 5-4 left. Your turn."
    )
    called_first = play_moves(play_moves(drawing, "5-5").play(1, MUGGINS), "draw", "5-4@L")
    assert describe_moves_since(perspective(called_first, 0), ["alice", "bob"]).startswith(
        "bob called muggins, 10 points, drew 1 tile, played 5-4 left. Your turn."
    )


@pytest.mark.parametrize(
    ("draws", "told"), [(1, "It does not fit"), (2, "It fits the left end and right end")]
)
def test_own_draw_says_whether_it_fits(draws, told):
    match = play_moves(
        arrange(PRESETS["draw"].rules, ["4-4 5-0 6-6", "2-2 2-1 2-0"], "0-0 4-3 1-1 3-3"), "4-4"
    )
    newest = build_news(perspective(play_moves(match, *["draw"] * draws), 1), ["alice", "bob"])[-1].sentence
    assert newest.startswith("You drew") and newest.endswith(told)


def test_page_that_opens_after_own_draws_says_them_all():
    match = play_moves(
        arrange(PRESETS["draw"].rules, ["4-4 5-0 6-6", "2-2 2-1 2-0"], "0-0 4-3 1-1 3-3"),
        "4-4",
        "draw",
        "draw",
    )
    view = perspective(match, 1)
    told = describe_newest_moves(view, build_news(view, ["alice", "bob"]), may_be_planned=False)
    assert re.match(r"You drew \d-\d\. You drew \d-\d\. It fits", told), told


def test_turn_without_a_tile_that_fits_says_so():
    match = play_moves(
        arrange(PRESETS["draw"].rules, ["4-4 5-0 6-6", "2-2 2-1 2-0"], "0-0 4-3 1-1 3-3"), "4-4"
    )
    assert describe_misfit(perspective(match, 1)) == "Nothing fits: draw"
    assert describe_misfit(perspective(play_moves(match, "draw", "draw"), 1)) == ""
    assert describe_misfit(perspective(match, 0)) == ""
