"""Tests of the sentences for refusals, moves, results and rules."""

import ast
from pathlib import Path
from typing import get_args

import pytest
from django.utils import translation
from hypothesis import given, settings

from boneyard.engine import errors
from boneyard.engine.errors import InvalidRules
from boneyard.engine.moves import parse
from boneyard.engine.presets import PRESETS
from boneyard.engine.round_ends import RoundEnd
from boneyard.engine.rounds import Entry
from boneyard.engine.rules import Rules, check_conflicts
from boneyard.engine.state import MatchEnding
from games import services, wording
from games.forms import ArchiveForm
from games.wording import refusals
from games.wording.options import RULES_PARTS
from tests.engine.strategies import house_rules

ENGINE = Path(errors.__file__).parent
SERVICES = Path(services.__file__).parent
DETAILS = {
    "tile": "6-4",
    "end": "L",
    "count": 12,
    "text": "9-9@X",
    "value": "maybe",
    "move": "draw",
    "name": "mara",
    "seconds": 3,
    "seats": 3,
}


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


def rules_text(preset: str, seats: int, **changes) -> str:
    rules = PRESETS[preset].rules.replace(**changes) if changes else PRESETS[preset].rules
    return "\n".join(sentence.text for sentence in wording.describe_rules(rules, seats))


RAISED = {"Illegal": 0, "Malformed": 0, "InvalidRules": 1, "MoveRefused": 1}  # index of the code argument


def codes_raised() -> set[str]:
    """Return every refusal code in the source of the engine and the services."""
    found = set()
    for file in (*ENGINE.glob("*.py"), *SERVICES.glob("*.py")):
        for call in (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)):
            place = RAISED.get(getattr(call.func, "id", ""))
            if place is not None and len(call.args) > place:
                said = ast.walk(call.args[place])
                found |= {
                    node.value
                    for node in said
                    if isinstance(node, ast.Constant) and isinstance(node.value, str)
                }
    return found


def test_every_refusal_code_has_a_sentence():
    codes = codes_raised()
    assert {
        "not_held",
        "can_play",
        "not_a_move",
        "boneyard_reserved",
        "grace",
        "own_turn",
    } <= codes
    assert codes ^ set(refusals._CODES) == set()


@pytest.mark.parametrize("code", refusals._CODES)
def test_refusal_sentence_is_filled_in(code):
    sentence = wording.refusal_sentence("illegal", code, DETAILS)
    assert "%" not in sentence
    assert sentence.strip()


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ("draw", "You can play, so you cannot draw."),
        ("pass", "You can play, so you cannot pass."),
    ],
)
def test_refused_draw_and_pass(move, sentence):
    assert wording.refusal_sentence("illegal", "can_play", {"move": move}) == sentence


def test_reason_without_a_code_has_a_sentence():
    assert wording.refusal_sentence("stale") == "The match has moved on. Look again before you play."
    assert wording.refusal_sentence("malformed", "not_a_move", {"text": "x"}) == "This is not a move."


def test_invalid_rules_name_the_option():
    with pytest.raises(InvalidRules) as refused:
        PRESETS["draw"].rules.replace(claims="muggins")
    assert wording.invalid_rules_sentence(refused.value).startswith("Claiming points: ")


def test_invalid_rules_name_an_unknown_option():
    with pytest.raises(InvalidRules) as refused:
        Rules.from_dict({"trumps": True})
    assert wording.invalid_rules_sentence(refused.value) == "trumps: there is no such option."


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (Entry(0, parse("5-0@R"), None, 10, 10, 10), "tiago played 5-0 to the right, 10 points"),
        (Entry(0, parse("5-0@R"), None, 5, 1, 1), "tiago played 5-0 to the right, 1 point"),
        (Entry(0, parse("5-0@R"), None, 7, 0, 0), "tiago played 5-0 to the right"),
        (Entry(0, parse("6-4"), None, 10, 10, 10), "tiago led 6-4, 10 points"),
        (Entry(0, parse("6-4")), "tiago led 6-4"),
        (
            Entry(0, parse("4-4@L+6-3@R"), None, 15, 15, 15),
            "tiago played 4-4 to the left, 6-3 to the right, 15 points",
        ),
        (Entry(0, parse("draw")), "tiago drew a tile"),
        (Entry(0, parse("draw"), tile=7), "tiago drew 3-1"),
        (Entry(0, parse("pass")), "tiago passed"),
        (Entry(0, parse("muggins"), scored=15), "tiago called muggins, 15 points"),
        (Entry(0, parse("resign")), "tiago resigned"),
        (Entry(0, parse("time")), "tiago ran out of time"),
        (Entry(0, parse("left")), "tiago left the match"),
        (Entry(0, parse("takeover")), "A computer plays on for tiago"),
        (Entry(0, parse("abort")), "tiago called the match off"),
    ],
)
def test_move_sentences(entry, sentence):
    assert wording.move_sentence(entry, "tiago") == sentence


def test_points_are_hidden_while_they_may_be_called():
    entry = Entry(0, parse("5-0@R"), None, 10, 10, 10)
    assert wording.move_sentence(entry, "tiago", shown=False) == "tiago played 5-0 to the right"


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        (RoundEnd("out", 1, (12, 0), (0, 12)), "bob went out. bob scores 12."),
        (RoundEnd("out", 1, (0, 0), (0, 0)), "bob went out."),
        (RoundEnd("blocked", 0, (3, 9), (6, 0)), "Blocked: mara has the fewest pips. mara scores 6."),
        (RoundEnd("blocked", None, (9, 9), (0, 0)), "Blocked: nobody wins the round."),
        (RoundEnd("stopped", None, (9, 9), (0, 0)), "The round was broken off."),
    ],
)
def test_round_sentences(end, sentence):
    rules = PRESETS["draw"].rules
    assert wording.round_sentence(end, [[0], [1]], ["mara", "bob"], rules) == sentence


def test_round_sentence_in_pairs_names_both_winners():
    end = RoundEnd("out", 3, (5, 6, 7, 0), (0, 12))
    rules = PRESETS["block-doublet-pairs"].rules
    told = wording.round_sentence(end, [[0, 2], [1, 3]], ["a", "b", "c", "d"], rules)
    assert told == "d went out. b and d score 12."


@pytest.mark.parametrize(
    ("how", "winners", "words"),
    [
        ("target", ["mara"], "mara won"),
        ("resigned", ["mara", "bob"], "mara and bob won by resignation"),
        ("rounds", ["a", "b", "c"], "a, b and c had the best score after the last round"),
        ("aborted", [], "called off"),
    ],
)
def test_match_outcomes(how, winners, words):
    assert wording.outcome(how, winners) == words


@pytest.mark.parametrize("how", get_args(MatchEnding))
def test_every_match_ending_has_words_and_a_filter(how):
    assert wording.outcome(how, ["mara"])
    assert wording.ending_name(how)
    assert ArchiveForm({"how": how}).is_valid()


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_have_titles_and_ordered_rules(preset):
    assert wording.preset_title(preset) == PRESETS[preset].title
    for seats in PRESETS[preset].rules.players:
        sentences = wording.describe_rules(PRESETS[preset].rules, seats)
        parts = [sentence.part for sentence in sentences]
        assert parts == sorted(parts, key=list(RULES_PARTS).index)
        assert set(parts) == set(RULES_PARTS)
        assert len({sentence.text for sentence in sentences}) == len(sentences)


@settings(max_examples=60, deadline=None)
@given(house_rules())
def test_all_house_rules_can_be_described(rules):
    check_conflicts(rules)
    for seats in rules.players:
        for sentence in wording.describe_rules(rules, seats, PRESETS["all-fives"].rules):
            assert "%" not in sentence.text
        for preset in ("all-fives", "draw-free", "gomuggins"):
            base = PRESETS[preset].rules
            assert "%" not in wording.rules_sentence(rules, seats, preset)
            assert all("%" not in chip for chip in wording.house_rules(rules, base, seats))


# Words, preset, seats, changed options, and whether the words are expected.
@pytest.mark.parametrize(
    ("words", "preset", "seats", "changes", "there"),
    [
        ("partners", "muggins-61", 2, {}, False),
        ("partners", "muggins-61-pairs", 4, {}, True),
        ("plays alone", "all-fives", 4, {}, True),
        ("plays alone", "all-fives", 3, {}, False),
        ("never drawn", "gomuggins", 2, {}, True),
        ("never drawn", "gomuggins", 4, {}, False),
        ("never drawn", "all-fives", 2, {}, False),
        ("boneyard", "fives-and-threes-pairs", 4, {}, False),
        ("All tiles are dealt", "fives-and-threes-pairs", 4, {}, True),
        ("Nobody draws", "block", 2, {}, True),
        ("Nobody draws", "sebastopol", 4, {}, False),
        ("shuffled again", "gomuggins", 2, {}, True),
        ("shuffled again", "all-fives", 2, {}, False),
        ("shuffled again", "all-fives", 3, {"max_same_suit": 5}, False),
        ("the seats draw a tile each in turn", "gomuggins", 2, {}, True),
        ("the seats draw a tile each in turn", "gomuggins", 4, {}, False),
        ("If no hand has a double", "muggins-61", 2, {}, True),
        ("If no hand has a double", "fives-and-threes-pairs", 4, {}, False),
        ("score (5, 10", "muggins-scoring-lead", 2, {}, True),
        ("must be led", "muggins-61", 2, {}, True),
        ("in other rounds any tile", "muggins-61", 2, {"next_lead": "winner"}, True),
        ("spinner", "block", 2, {}, False),
        ("spinner", "all-fives", 2, {}, True),
        ("Plays score nothing.", "draw", 2, {}, True),
        ("Plays score nothing, but", "draw", 2, {"out_points": 3}, True),
        ("15 is worth 3 + 5 = 8", "fives-and-threes", 2, {}, True),
        ("Muggins!", "muggins-200", 2, {}, True),
        ("Muggins!", "all-fives", 2, {}, False),
        ("nobody may move for a moment", "muggins-200", 2, {}, False),
        ("nobody may move for a moment", "muggins-200", 3, {}, True),
        ("scored automatically", "all-fives", 2, {}, True),
        ("several tiles", "gomuggins", 2, {}, True),
        ("have passed one after the other", "block", 2, {"pass_": "free"}, True),
        ("have passed one after the other", "block", 2, {}, False),
        ("equally light", "fives-and-threes-league", 2, {}, False),
        ("equally light", "fives-and-threes-league", 2, {"next_lead_after_block": "winner"}, True),
        ("partner's hand", "muggins-200-pairs", 4, {}, True),
        ("nearest multiple of five", "muggins-200", 2, {}, True),
        ("divided by five and rounded up", "muggins-61", 2, {}, True),
        (
            "divided by five and rounded up",
            "muggins-61",
            2,
            {"out_bonus": "none", "blocked_bonus": "none"},
            False,
        ),
        ("300 at the most", "gomuggins", 3, {}, True),
        ("netted", "fives-and-threes-pairs", 4, {}, True),
        ("hit exactly", "muggins-exact-61", 2, {}, True),
        ("even within a round and before any bonus", "muggins-61", 2, {}, True),
        ("even within a round.", "fives-and-threes-league", 2, {}, True),
        ("with the round whose bonus", "block-doublet", 2, {"finish": "at_once"}, True),
        ("to more than 100, even within a round", "draw", 2, {"finish": "at_once"}, True),
        ("somebody has more than 100", "block", 2, {}, True),
        ("can be called, too", "muggins-200", 2, {}, True),
        ("lost", "muggins-200", 2, {"call_last": False}, True),
        ("may take the whole boneyard", "gomuggins", 2, {}, True),
        ("only if it leaves at least", "gomuggins", 2, {}, False),
        ("counts pip for pip", "muggins-200", 2, {}, True),
        ("taken from the pair's score", "muggins-200-pairs", 4, {}, True),
        ("put into the same measure", "muggins-exact-61-pairs", 4, {}, True),
        ("given nothing more", "muggins-exact-61", 2, {}, True),
        ("both partners of a pair", "fives-and-threes-league", 4, {}, True),
        ("The match has 8 rounds", "draw", 2, {"target": None, "rounds": 8}, True),
        ("lowest score wins", "draw", 2, {"lowest_wins": True}, True),
        ("If the best are equal", "muggins-61", 2, {}, False),
        ("If the best are equal, one more", "all-fives", 2, {}, True),
        ("If the best are equal, 3 more", "muggins-200", 3, {}, True),
        ("If several reach it together", "draw", 3, {"finish": "at_once", "blocked_bonus": "chain"}, True),
        ("the other pair wins", "muggins-200-pairs", 4, {}, True),
        ("The last one left wins", "all-fives", 3, {}, True),
        ("The last one left wins", "all-fives", 2, {}, False),
        ("more than 4 doubles is shuffled again", "cuban", 4, {}, True),
        ("of 2-2 and so on upwards", "kozel", 2, {}, True),
        ("all four sides as soon as it lies", "all-fives", 2, {"spinner": "first_open"}, True),
        ("Every double branches", "five-up", 2, {}, True),
        ("led with no double has two ends", "merry-go-round", 2, {}, True),
        ("led with no double has two ends", "sebastopol", 4, {}, False),
        ("pass at any moment", "draw-free", 2, {"pass_": "always"}, True),
        ("and nobody drew", "draw-free", 2, {"pass_": "always"}, True),
        ("lay two doubles", "kozel", 2, {}, True),
        ("lay two doubles", "draw", 2, {}, False),
        ("the two ends are compared", "bergen", 2, {}, True),
        ("open ends are added up", "bergen", 2, {}, False),
        ("the leader scores 25 at once", "dominican", 4, {}, True),
        ("whoever played last scores 25 at once", "dominican", 4, {}, True),
        ("the partner's too", "dominican", 4, {}, True),
        ("hands of the other pair.", "puerto-rico-200", 4, {}, True),
        ("Capicúa: going out", "dominican", 4, {}, True),
        ("Capicúa with a blank half", "puerto-rico-500", 4, {}, False),  # it is worth as much as any other
        (
            "Capicúa with a blank half brings 50",
            "puerto-rico-500",
            4,
            {"extras": {"capicua": 100, "capicua_blank": 50}},
            True,
        ),
        (
            "bring 100, 75, 50, 25 more, in this order; later ones bring nothing more",
            "puerto-rico-500",
            4,
            {},
            True,
        ),
        ("the next seat: the lighter", "dominican", 4, {}, True),
        ("lightest single hand", "venezuelan", 4, {}, True),
        ("the pair that led the round wins", "venezuelan", 4, {}, True),
        ("the pair that laid the last tile wins", "venezuelan", 4, {"blocked_tie": "closer"}, True),
        ("worth one more", "jamaican-partner", 4, {}, True),
        ("worth one point whatever the pips", "jamaican-partner", 4, {}, True),
        ("writes nothing", "kozel", 2, {}, True),
        ("until it is 13 or more", "kozel", 2, {}, True),
        ("0-0 alone counts 25", "kozel", 2, {}, True),
        ("the highest is the goat", "kozel", 2, {}, True),
        ("needs 10 at once to get in", "big-six", 2, {}, True),
        ("remembered", "big-six", 2, {"opening": {"points": 10, "kept": True}}, True),
    ],
)
def test_rule_sentence_appears_only_where_it_applies(words, preset, seats, changes, there):
    assert (words in rules_text(preset, seats, **changes)) is there


def test_changes_from_the_preset_are_marked():
    base = PRESETS["draw"].rules
    rules = base.replace(reserve={"2": 2, "3": 0, "4": 0}, target=50)
    marked = [s.text for s in wording.describe_rules(rules, 2, base) if s.changed]
    assert marked == [
        "The last 2 tiles of the boneyard are never drawn.",
        "When a round ends and somebody has more than 50, the best score wins.",
    ]
    assert not any(s.changed for s in wording.describe_rules(base, 2, base))


@pytest.mark.parametrize(
    ("preset", "seats", "changes", "sentence"),
    [
        ("all-fives", 2, {}, "All Fives, as written."),
        ("all-fives", 2, {"claims": "muggins"}, "All Fives, but points count only when claimed."),
        (
            "all-fives",
            2,
            {"claims": "muggins", "reserve": {"2": 2, "3": 0, "4": 0}},
            "All Fives, but the last 2 tiles are never drawn, and points count only when claimed.",
        ),
        (
            "draw",
            4,
            {"partners": True, "target": 150, "spinner": "first"},
            "Draw, but in pairs, the first double is the spinner, and to 150.",
        ),
        ("draw", 2, {"partners": True}, "Draw, as written."),
        ("draw", 3, {"reserve": {"2": 2, "3": 0, "4": 0}}, "Draw, as written."),
        ("draw", 2, {"first_lead": "tile", "lead_tile": "6-6"}, "Draw, but 6-6 leads first."),
    ],
)
def test_rules_sentence(preset, seats, changes, sentence):
    rules = PRESETS[preset].rules.replace(**changes)
    assert wording.rules_sentence(rules, seats, preset) == sentence


def test_house_rules_chips():
    base = PRESETS["all-fives"].rules
    rules = base.replace(
        claims="muggins",
        reserve={"2": 2, "3": 0, "4": 0},
        target=150,
        many_ends=True,
        bonus_ceiling=300,
        extra_rounds="players",
    )
    assert wording.house_rules(rules, base, 2) == [
        "2 kept back",
        "Several tiles in one turn: yes",
        "points are called",
        "Ceiling for bonuses: 300",
        "to 150",
        "Rounds after a tie: one for each seat",
    ]
    assert wording.house_rules(rules, base, 3)[0] != "2 kept back"
