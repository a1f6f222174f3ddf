"""Tests of the vocabulary of presets, and of the sentences about bonuses."""

import re
from types import SimpleNamespace

import pytest
from django.utils import translation

from boneyard.engine.moves import PASS, parse
from boneyard.engine.presets import PRESETS
from boneyard.engine.round_ends import RoundEnd
from boneyard.engine.rounds import Entry
from boneyard.engine.settlement import awarded_sum, round_sums
from boneyard.engine.terms import Terms, terms
from games import repository
from games.models import Match
from games.table.panels import describe_round_points
from games.table.plates import corner_of
from games.wording import (
    GainTerm,
    explain_gain,
    format_sum,
    move_sentence,
    no_bonus_reason,
    round_sentence,
    speech_of,
)
from tests.games.playing import begin, play_to_the_end

SIDES, NAMES = [[0, 2], [1, 3]], ["a", "b", "c", "d"]


def with_sums(end: RoundEnd, terms: Terms, carried: int = 0) -> RoundEnd:
    """Return the end with the sums that the engine makes of it."""
    if end.winner is None:
        return end._replace(sums=((),) * len(terms.sides))
    extras = [points for _name, points in end.extras]
    sums = round_sums(terms, end.how == "blocked", end.winner, end.pips, frozenset(), carried, extras)
    awarded = [awarded_sum(steps, 0, bonus) for steps, bonus in zip(sums, end.bonus, strict=True)]
    return end._replace(sums=tuple(awarded))


def sum_of(end: RoundEnd, terms: Terms) -> str:
    """Return the sum of the first side that earned something, or would have."""
    side = next(side for side, steps in enumerate(end.sums) if steps)
    return format_sum(explain_gain(SimpleNamespace(end=end, log=()), terms, side))


def round_end_sentence(preset: str, end: RoundEnd, language: str = "en") -> str:
    with translation.override(language):
        return round_sentence(end, SIDES, NAMES, PRESETS[preset].rules, speech_of(preset))


@pytest.mark.parametrize(
    ("preset", "seats", "end", "text"),
    [
        (
            "muggins-61-pairs",
            4,
            RoundEnd("out", 0, (0, 15, 4, 25), (8, 0)),
            "8",
        ),
        (
            "muggins-200-pairs",
            4,
            RoundEnd("out", 0, (0, 15, 4, 23), (40, 0)),
            "15 + 23 + 2 = 40",
        ),
        ("muggins-61", 2, RoundEnd("out", 0, (0, 36), (8, 0)), "8"),
        ("muggins-61", 2, RoundEnd("out", 0, (0, 35), (7, 0)), "7"),
        ("five-up-pairs", 4, RoundEnd("out", 0, (0, 3, 11, 3), (0, 0)), "3 + 3 − 11 + 5 = 0"),
        ("five-up-pairs", 4, RoundEnd("out", 0, (0, 0, 11, 0), (0, 0)), "−11 + 11 = 0"),
        (
            "five-up-pairs",
            4,
            RoundEnd("out", 0, (0, 7, 0, 5), (2, 0)),
            "2",
        ),
        ("draw", 2, RoundEnd("out", 0, (0, 36), (36, 0)), "36"),
        ("draw", 3, RoundEnd("out", 0, (0, 36, 4), (40, 0, 0)), "36 + 4 = 40"),
        ("dominican", 4, RoundEnd("out", 0, (0, 12, 9, 7), (28, 0)), "9 + 12 + 7 = 28"),
        ("puerto-rico-200", 4, RoundEnd("blocked", 0, (3, 12, 9, 7), (19, 0)), "12 + 7 = 19"),
        ("jamaican-partner", 4, RoundEnd("out", 0, (0, 12, 9, 7), (1, 0)), "1"),
        ("kozel-pairs", 4, RoundEnd("out", 0, (0, 12, 9, 7), (0, 19)), "12 + 7 = 19"),
        ("kozel", 2, RoundEnd("out", 0, (0, 12), (0, 12)), "12"),
        ("kozel", 3, RoundEnd("out", 0, (0, 12, 9), (0, 12, 9)), "12"),
        (
            "dominican",
            4,
            RoundEnd("out", 0, (0, 6, 4, 8), (43, 0), (("capicua", 25),)),
            "4 + 6 + 8 + 25 = 43",
        ),
        ("draw", 2, RoundEnd("out", 0, (0, 36), (61, 0), (("chucha", 25),)), "36 + 25 = 61"),
    ],
)
def test_bonus_sum_and_rounding(preset, seats, end, text):
    with translation.override("en"):
        agreed = terms(PRESETS[preset].rules, seats)
        assert sum_of(with_sums(end, agreed), agreed) == text


def test_sum_has_what_an_earlier_block_carried():
    agreed = terms(PRESETS["kozel-pairs"].rules, 4)
    end = with_sums(RoundEnd("out", 0, (0, 12, 9, 7), (0, 59)), agreed, carried=40)
    assert sum_of(end, agreed) == "12 + 7 + 40 = 59"


def test_sum_of_a_block_that_scores_double():
    agreed = terms(PRESETS["draw"].rules.replace(blocked_double=True), 3)
    end = with_sums(RoundEnd("blocked", 0, (4, 9, 15), (48, 0, 0)), agreed)
    assert sum_of(end, agreed) == "9 + 15 + 24 = 48"


@pytest.mark.parametrize(
    ("bonus", "text"),
    [(15, "6 + 9 = 15"), (12, "6 + 9 − 3 = 12"), (0, "6 + 9 − 15 = 0")],
)
def test_sum_ends_with_what_a_ceiling_or_an_exact_target_leaves(bonus, text):
    agreed = terms(PRESETS["gomuggins"].rules, 3)
    with translation.override("en"):
        assert sum_of(with_sums(RoundEnd("out", 0, (0, 6, 9), (bonus, 0, 0)), agreed), agreed) == text


@pytest.mark.parametrize(
    ("preset", "end", "sentence"),
    [
        (
            "fives-and-threes-league",
            RoundEnd("out", 0, (0, 9), (0, 0)),
            "In this game the tiles left bring no points.",
        ),
        ("gomuggins", RoundEnd("blocked", 0, (3, 9), (0, 0)), "A block brings no points."),
        (
            "muggins-200",
            RoundEnd("out", 0, (0, 2), (0, 0)),
            "The end of the round brings no points: 2, rounded to 0.",
        ),
        (
            "all-fives",
            RoundEnd("out", 0, (0, 0), (0, 0)),
            "The end of the round brings no points: the tiles that are left have no pips.",
        ),
        (
            "merry-go-round",
            RoundEnd("out", 0, (0, 30), (0, 0)),
            "The end of the round brings no points: they would pass the target.",
        ),
        (
            "muggins-exact-61",
            RoundEnd("out", 0, (0, 30), (0, 0)),
            "The end of the round brings no points: they would pass the target, or others of this round would have.",
        ),
        (
            "big-six",
            RoundEnd("out", 0, (0, 5), (0, 0)),
            "The end of the round brings no points: 10 are needed to open.",
        ),
        (
            "block",
            RoundEnd("blocked", None, (5, 5), (0, 0)),
            "The end of the round brings no points: nobody won the block.",
        ),
    ],
)
def test_reason_for_no_bonus(preset, end, sentence):
    with translation.override("en"):
        agreed = terms(PRESETS[preset].rules, 2)
        assert no_bonus_reason(with_sums(end, agreed), agreed) == sentence


@pytest.mark.parametrize(
    ("preset", "end", "sentence"),
    [
        ("kozel", RoundEnd("out", 0, (0, 5), (0, 0)), "Nothing is written: 13 are needed to open."),
        (
            "five-up",
            RoundEnd("blocked", 0, (0, 2), (0, 0)),
            "The end of the round brings no points: 2, rounded to 0.",
        ),
    ],
)
def test_reason_speaks_of_penalties_where_the_lowest_wins(preset, end, sentence):
    with translation.override("en"):
        agreed = terms(PRESETS[preset].rules, 2)
        assert no_bonus_reason(with_sums(end, agreed), agreed) == sentence


def test_reason_says_that_the_partner_holds_more():
    end = RoundEnd("out", 0, (0, 2, 67, 8), (0, 0))
    with translation.override("en"):
        agreed = terms(PRESETS["five-up-pairs"].rules, 4)
        reason = no_bonus_reason(with_sums(end, agreed), agreed)
    assert reason == "The end of the round brings no points: 2 + 8 − 67 < 0."


def test_extra_points_are_announced():
    end = RoundEnd("out", 1, (3, 0, 9, 7), (0, 44), (("capicua", 25),))
    assert round_end_sentence("dominican", end) == "b went out. Capicúa! +25. b and d score 44."
    assert round_end_sentence("dominican", end, "es") == "Se pegó b. ¡Capicúa! +25. b y d suman 44."


@pytest.mark.parametrize(
    ("preset", "language", "word"),
    [
        ("dominican", "es", "Tranque"),
        ("venezuelan", "es", "Tranca"),
        ("pairs-spain", "es", "Cierre"),
        ("draw", "es", "Cierre"),
        ("dominican", "ru", "Рыба"),
        ("draw", "pt", "Fechou"),
        ("kozel-pairs", "ru", "Рыба, яйца"),
        ("jamaican-partner", "en", "Blocked, a tie: the next win is worth one more"),
    ],
)
def test_block_has_its_regional_name(preset, language, word):
    assert round_end_sentence(preset, RoundEnd("blocked", None, (5, 5, 5, 5), (0, 0)), language).startswith(
        word
    )


@pytest.mark.parametrize(
    ("preset", "pips", "sentence"),
    [
        ("pairs-spain", (3, 9, 9, 9), "Blocked: a and c have fewer pips"),
        ("venezuelan", (3, 9, 30, 9), "Blocked: a has the fewest pips"),
        ("venezuelan", (9, 9, 30, 12), "Blocked, a tie: a and c led, and win it"),
        ("block", (7, 7), "Blocked, a tie: a holds the lightest tile"),
        ("dominican", (8, 11, 20, 3), "Blocked: a wins it"),  # compared with b alone
    ],
)
def test_sentence_names_what_won_the_block(preset, pips, sentence):
    assert round_end_sentence(preset, RoundEnd("blocked", 0, pips, (9, 0))).startswith(sentence)


@pytest.mark.parametrize(
    ("names", "pips", "sentence"),
    [
        (NAMES, (17, 14, 0, 9), "Blocked: d wins it. d closed it: 9 against 17 for a, next in turn. "),
        (
            ["a", "b", "c", ""],
            (17, 14, 0, 9),
            "Blocked: you win it. You closed it: 9 against 17 for a, next in",
        ),
        (
            ["", "b", "c", "d"],
            (17, 14, 0, 9),
            "Blocked: d wins it. d closed it: 9 against 17 for you, next in",
        ),
        (
            ["a", "", "c", "d"],
            (9, 14, 0, 9),
            "Blocked, a tie: your side led, and wins it. d closed it: 9 against 9",
        ),
    ],
)
def test_block_names_the_two_hands_compared(names, pips, sentence):
    end = RoundEnd("blocked", 3, pips, (0, 40), compared=(3, 0))
    assert round_sentence(end, SIDES, names, PRESETS["dominican"].rules).startswith(sentence)


def test_round_sheet_names_the_two_hands_compared():
    end = RoundEnd("blocked", 3, (17, 14, 0, 9), (0, 40), compared=(3, 0))
    rules = PRESETS["dominican"].rules
    view = SimpleNamespace(terms=terms(rules, 4), rules=rules, sides=SIDES)
    ended = SimpleNamespace(end=end, log=(SimpleNamespace(move=PASS),))
    sentence = describe_round_points(view, ended, NAMES, speech_of("dominican"))
    assert sentence == "d closed it: 9 against 17 for a, next in turn."


def explain(preset, end, *entries, seats=4, side=0):
    agreed = terms(PRESETS[preset].rules, seats)
    ended = SimpleNamespace(end=with_sums(end, agreed), log=entries)
    with translation.override("en"):
        gain = explain_gain(ended, agreed, side)
        return [(term.points, term.label if term.seat is None else NAMES[term.seat]) for term in gain]


def test_terms_of_a_gain_are_of_hands_and_of_passes():
    end = RoundEnd("out", 0, (0, 18, 8, 6), (32, 0))
    salida, corrido = Entry(2, parse("6-1@L"), award=(25, 0)), Entry(3, parse("pass"), award=(0, 25))
    hands = [(8, "c"), (18, "b"), (6, "d")]
    assert explain("dominican", end, salida) == [*hands, (25, "Pase de salida")]
    assert explain("dominican", end, corrido, side=1) == [(25, "Pase corrido")]
    assert explain("dominican", end) == hands


def test_terms_of_a_gain_are_of_plays_and_of_what_is_taken_back():
    entries = [Entry(0, parse("5-5"), points=10, scored=10), Entry(1, parse("5-0@L"), points=10, scored=10)]
    end = RoundEnd("out", 0, (0, 24), (24, 0))
    assert explain("all-fives", end, *entries, seats=2) == [(24, "b"), (10, "plays")]
    assert explain("all-fives", end, *entries, seats=2, side=1) == [(10, "plays")]
    paid = RoundEnd("out", 0, (0, 15, 4, 23), (40, 0), (), (4, 0))
    assert explain("muggins-200-pairs", paid) == [
        (15, "b"),
        (23, "d"),
        (2, "rounding"),
        (-4, "partner’s tiles"),
    ]


def test_divided_pips_are_one_term():
    end = RoundEnd("out", 0, (0, 15, 4, 25), (8, 0))
    assert explain("muggins-61-pairs", end) == [(8, "(15 + 25 − 4) ÷ 5, rounded")]


def test_both_pairs_lose_the_smaller_gain():
    end = RoundEnd("stopped", None, (5, 5, 5, 5), (0, 0), netted=3)
    plays = [Entry(0, parse("5-5"), points=2, scored=8), Entry(1, parse("5-0@L"), points=3, scored=3)]
    assert explain("fives-and-threes-pairs", end, *plays) == [(8, "plays"), (-3, "the smaller gain")]
    assert explain("fives-and-threes-pairs", end, *plays, side=1) == [(3, "plays"), (-3, "the smaller gain")]
    said = round_end_sentence("fives-and-threes-pairs", end)
    assert said.endswith("The smaller gain, 3, is taken off both sides.")


def test_scores_that_go_back_to_0_are_told():
    end = RoundEnd("out", 1, (4, 0, 5, 3), (0, 1), reset=(3, 1))
    assert explain("six-love-partner", end) == [(-3, "back to 0")]
    assert explain("six-love-partner", end, side=1) == [(1, "round"), (-1, "back to 0")]
    assert round_end_sentence("six-love-partner", end).endswith("All scores go back to 0.")
    rules = PRESETS["six-love-partner"].rules.replace(reset="one_all")
    partly = end._replace(reset=(1, 0))
    assert round_sentence(partly, SIDES, NAMES, rules).endswith("The others go back to 0.")


def test_extra_points_that_a_ceiling_took_are_not_announced():
    agreed = terms(PRESETS["gomuggins"].rules.replace(extras={"block": 7}, blocked_bonus="total"), 2)
    full = with_sums(RoundEnd("blocked", 0, (3, 9), (16, 0), (("block", 7),)), agreed)
    cut = with_sums(RoundEnd("blocked", 0, (3, 9), (4, 0), (("block", 7),)), agreed)
    assert round_end_sentence("gomuggins", full).startswith("Blocked: a has the fewest pips. Block! +7.")
    assert "Block!." in round_end_sentence("gomuggins", cut)


@pytest.mark.parametrize(
    ("scored", "sentence"),
    [(1, "1 point for the last tile."), (0, "In this game the tiles left bring no points.")],
)
def test_last_tile_brings_points_instead_of_a_bonus(scored, sentence):
    rules = PRESETS["fives-and-threes"].rules
    ended = SimpleNamespace(
        end=RoundEnd("out", 0, (0, 9), (0, 0)),
        log=[Entry(0, parse("5-2"), count=7, points=1, scored=scored)],
    )
    view = SimpleNamespace(terms=terms(rules, 2), rules=rules, sides=[[0], [1]])
    with translation.override("en"):
        assert describe_round_points(view, ended, NAMES[:2], speech_of(None)) == sentence
        assert explain_gain(ended, view.terms, 0) == ((GainTerm(1, "last tile"),) if scored else ())


def test_points_for_passes_are_announced():
    with translation.override("es"):
        passed = Entry(3, parse("pass"), award=(25, 0))
        assert move_sentence(passed, "d") == "d pasó. ¡Pase corrido! +25"
        played = Entry(2, parse("6-1@L"), award=(25, 0))
        assert move_sentence(played, "c").endswith("¡Pase de salida! +25")


def test_two_doubles_at_once_have_a_word():
    both = Entry(0, parse("4-4@L+1-1@R"))
    with translation.override("ru"):
        assert "отдуплиться" in move_sentence(both, "mara")
        assert "отдуплиться" in move_sentence(both, "")
    with translation.override("en"):
        assert move_sentence(both, "mara") == "mara played both doubles, 4-4 to the left, 1-1 to the right"


@pytest.mark.parametrize(
    ("preset", "corners"),
    [("all-fives", [0, 1, 2, 3]), ("dominican", [0, 3, 2, 1]), (None, [0, 1, 2, 3])],
)
def test_corner_of_the_next_seat_by_preset(preset, corners):
    assert [corner_of(preset, seat, 0, 4) for seat in range(4)] == corners


@pytest.mark.django_db
def test_capicua_that_ends_a_match_is_a_term_of_its_sum(alice, bob, browser_of):
    match = _won_by_a_capicua(alice, bob)
    shown = browser_of(alice).get(match.get_absolute_url()).content.decode()
    (ledger,) = re.findall(r'<section id="round-end".*?</section>', shown, re.DOTALL)
    (sheet,) = re.findall(r'<section id="over".*?</section>', shown, re.DOTALL)
    assert re.search(r"<b>25</b>\s*<small>.*?<span>Capicúa</span>", ledger)
    assert "Capicúa" not in sheet


def _won_by_a_capicua(*people) -> Match:
    rules = {"hand_size": {"2": 2, "3": 2, "4": 2}, "target": 10, "extras": {"capicua": 25}}
    for number in range(200):
        match = play_to_the_end(begin(*people, preset="block", seed=f"capicúa {number}", **rules))
        if repository.get_value(match).ended[-1].end.extras:
            return match
    raise AssertionError("no such match")
