"""Tests of the reference implementation by worked examples."""

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.engine.reference import objections, points, settlement
from tests.engine.reference.defaults import complete
from tests.engine.reference.layout import Layout
from tests.engine.reference.shuffle import chain, shuffled
from tests.engine.reference.tiles import parse_tile, tile_texts
from tests.engine.reference.turn import legal_moves, several

PRESETS = Path(__file__).resolve().parents[2] / "boneyard" / "engine" / "presets.json"


def counts_of(spinner: str, plays: str) -> tuple[list[int], Layout]:
    """Return the counts after each play and the layout; plays are written like `6-4 4-0@4 5-1@X`."""
    layout, counts = Layout(spinner), []
    for play in plays.split():
        text, _, at = play.partition("@")
        if not at:
            layout.lead(parse_tile(text))
        else:
            layout.lay(parse_tile(text), _end_at(layout, at))
        counts.append(layout.count())
    return counts, layout


def _end_at(layout: Layout, at: str) -> str:
    ends = layout.open_ends()
    if at != "X":
        return [end for end, suit in ends.items() if suit == int(at)][0]
    return [end for end in "UD" if layout.ends[end][0] in layout.branched][0]


COUNTS = [
    ("first", "6-6 6-3@6 6-4@6 5-3@3 6-0@X 6-1@X", [12, 15, 7, 9, 9, 10], [0, 1, 4, 5]),
    ("first", "5-5 5-0@5 5-3@5 5-2@X 5-1@X", [10, 10, 3, 5, 6], None),
    ("first", "6-4 4-4@4 4-3@4 4-1@X", [10, 14, 9, 10], None),
    ("none", "5-5 5-0@5 0-0@0 6-5@5 4-0@0", [10, 10, 10, 6, 10], None),
    ("first", "6-4 4-4@4 6-6@6 6-2@6", [10, 14, 20, 10], [2, 4]),
    (
        "first",
        "3-3 6-3@3 5-3@3 6-6@6 5-5@5 4-3@X 4-4@4 3-1@X 5-1@1",
        [6, 12, 11, 17, 22, 26, 30, 31, 35],
        None,
    ),
    ("first", "0-0 5-0@0 4-0@0 1-0@X", [0, 5, 9, 10], None),
    ("first", "4-2 4-3@4", [6, 5], None),
    ("first", "4-2 4-4@4", [6, 10], None),
    ("first", "6-4 4-0@4", [10, 6], None),
    ("first", "6-4 6-1@6", [10, 5], None),
    ("first", "5-3 5-5@5 3-3@3 3-2@3", [8, 13, 16, 12], [2, 5]),
    ("first_enclosed", "5-3 5-5@5 3-3@3 3-2@3", [8, 13, 16, 12], [2, 3, 3, 5]),
    ("none", "4-1 1-1@1 3-1@1 5-4@4", [5, 6, 7, 8], None),
    ("first", "1-1 6-1@1 2-1@1 1-0@X 6-5@6 3-1@X 5-5@5 2-2@2", [2, 8, 8, 8, 7, 10, 15, 17], None),
    ("first", "6-6 6-3@6 3-3@3 6-2@6 4-3@3 6-4@X 6-5@X", [12, 15, 18, 8, 6, 10, 15], None),
    ("first", "9-9 9-7@9 9-8@9 9-0@X 9-5@X", [18, 25, 15, 15, 20], None),
    ("first", "5-5 5-0@5 0-0@0 6-5@5 5-2@X", [10, 10, 10, 6, 8], None),
]


@pytest.mark.parametrize(("spinner", "plays", "counts", "ends"), COUNTS)
def test_count(spinner, plays, counts, ends):
    reached, layout = counts_of(spinner, plays)
    assert reached == counts
    if ends is not None:
        assert sorted(layout.open_ends().values()) == ends


def test_lone_lead_counts_once():
    for spinner in ("none", "first", "first_enclosed", "cross"):
        leads = ["5-5", "6-4", "5-0", "4-1", "3-2", "6-6", "6-5", "0-0"]
        assert [counts_of(spinner, lead)[0] for lead in leads] == [[10], [10], [5], [5], [5], [12], [11], [0]]


def test_fives_and_threes():
    rules = {"count": "fives_threes"}
    counts = [0, 3, 5, 6, 9, 10, 12, 15, 18, 20]
    assert [points.counted(count, rules) for count in counts] == [0, 1, 1, 2, 3, 2, 4, 8, 6, 4]


def test_arms_open_when_spinner_is_enclosed():
    _, layout = counts_of("first", "6-4 4-4@4")
    assert layout.open_ends() == {"L": 6, "R": 4}


def test_bonus_unit():
    assert [settlement.in_unit(n, "nearest_five") for n in (1, 2, 3, 7, 8, 12, 13, 14, 18, 23, 41)] == [
        *(0, 0, 5, 5, 10, 10, 15, 15, 20, 25, 40)
    ]
    assert (settlement.in_unit(41, "fifths_nearest"), settlement.in_unit(41, "fifths_up")) == (8, 9)


def hands(*texts: str) -> list:
    return [[parse_tile(tile) for tile in text.split()] for text in texts]


def table(rules: dict, held: list, sides: list[list[int]]) -> settlement.Table:
    return settlement.Table(complete(rules), held, sides, list(range(len(held))), leader=0, closer=0)


ALONE = [[0], [1], [2]]
BLOCKS = [
    # hands, blocked_tie, blocked_bonus -> winner, bonuses in pips
    (["6-1 2-0", "5-4"], "lightest_tile", "total", 0, [9, 0]),
    (["6-0", "5-1"], "lightest_tile", "total", None, None),
    (["6-1 2-0", "5-4"], "nobody", "total", None, None),
    (["3-0 4-2", "5-4", "6-6 5-3"], "lightest_tile", "difference", 0, [20, 0, 0]),
    (["5-0", "6-3", "6-6 2-0"], "nobody", "difference", 0, [18, 0, 0]),
    (["5-0", "6-3", "6-6 2-0"], "nobody", "chain", 0, [13, 5, 0]),
    (["5-0", "6-3", "6-6 2-0"], "nobody", "total", 0, [23, 0, 0]),
    (["2-0", "6-1", "6-6"], "nobody", "chain", 0, [15, 5, 0]),
    (["5-0", "4-1", "6-6"], "nobody", "chain", None, None),
]


@pytest.mark.parametrize(("texts", "tie", "bonus", "winner", "bonuses"), BLOCKS)
def test_block_winner_and_bonuses(texts, tie, bonus, winner, bonuses):
    rules = {"blocked_tie": tie, "blocked_bonus": bonus}
    left = table(rules, hands(*texts), ALONE[: len(texts)])
    assert settlement.block_winner(left) == winner
    if winner is not None:
        assert settlement.blocked_pips(winner, left) == bonuses


def test_pips_of_a_pair_are_added():
    held = hands("", "6-2", "5-1", "6-6")
    rules = {"out_bonus": "opponents", "blocked_tie": "nobody", "blocked_bonus": "difference"}
    assert settlement.out_pips(0, table(rules, held, [[0, 2], [1, 3]])) == [14, 0]
    held = hands("6-1", "6-4", "4-2", "6-6")
    assert settlement.blocked_pips(0, table(rules, held, [[0, 2], [1, 3]])) == [9, 0]


@pytest.mark.parametrize(
    ("plays", "hand", "together"),
    [
        ("6-4", "4-4 6-6", {"6-6@L+4-4@R"}),
        ("6-4", "4-3 6-2", {"6-2@L+4-3@R"}),
        ("3-1", "1-1 3-3", set()),
        ("5-5 5-1@5 5-4@5", "1-1 4-4", {"1-1@L+4-4@R"}),
        ("5-5 5-1@5 5-4@5", "2-1 6-4", set()),
    ],
)
def test_plays_to_many_ends(plays, hand, together):
    _, layout = counts_of("first", plays)
    assert set(several([parse_tile(tile) for tile in hand.split()], layout)) == together


def test_plays_to_three_ends():
    _, layout = counts_of("first", "6-6 6-1@6 6-5@6 6-4@X")
    held = [parse_tile(tile) for tile in ("1-1", "5-5", "4-4")]
    assert {"1-1@L+5-5@R+4-4@U", "1-1@L+4-4@U"} <= set(several(held, layout))


def test_cross_requires_all_four_sides_first():
    _, layout = counts_of("cross", "6-6 6-1@6 6-4@6")
    assert layout.open_ends() == {"U": 6, "D": 6}
    layout.lay(parse_tile("6-0"), "U")
    assert layout.open_ends() == {"D": 6}
    layout.lay(parse_tile("6-2"), "D")
    assert layout.open_ends() == {"L": 1, "R": 4, "U": 0, "D": 2}


def test_reserve_is_not_drawn():
    dealt: Any = SimpleNamespace(hands=[[], []], boneyard=hands("6-6 5-5")[0], must_lead=None)

    rules = {"draw": "until_playable", "reserve": {"2": 2}, "many_ends": False, "pass": "stuck"}
    rules = complete(rules)
    _, layout = counts_of("none", "4-3")
    assert legal_moves(hands("6-5")[0], layout, dealt, rules) == ["pass"]
    assert legal_moves(hands("6-4")[0], layout, dealt, rules) == ["6-4@L"]
    assert legal_moves(hands("6-4")[0], layout, dealt, rules | {"reserve": {"2": 1}}) == ["6-4@L"]
    assert "draw" in legal_moves(
        hands("6-4")[0], layout, dealt, rules | {"draw": "free", "reserve": {"2": 1}}
    )


def test_shuffle_vector():
    keys = chain(bytes(range(32)))
    assert keys[0].hex() == "45cd0d40a72c806c4b78bbeca7a52d9fa6f25751fea57cf1564e7b70b9519db4"
    assert tile_texts(shuffled(6, keys[1], "lots", 1, 0, "a1b2."))[:2] == ["6-1", "5-4"]
    deal = (
        "3-3 6-3 4-1 5-3 4-4 1-1 4-2 5-0 5-2 6-6 6-4 4-0 2-2 6-1 "
        "0-0 2-1 5-5 4-3 5-1 1-0 6-5 3-0 3-2 6-0 2-0 6-2 3-1 5-4"
    )
    assert tile_texts(shuffled(6, keys[1], "deal", 1, 0, "a1b2.")) == deal.split()
    second = tile_texts(shuffled(6, keys[2], "deal", 2, 0, "a1b2."))[:10]
    assert second == "5-4 5-3 4-3 6-6 6-4 5-1 4-1 1-1 3-0 5-5".split()
    nines = " ".join(tile_texts(shuffled(9, keys[1], "deal", 1, 0, "a1b2.")))
    assert hashlib.sha256(nines.encode()).hexdigest() == (
        "9671a8b138b96511b67141b3ecb42bf11fb153445592634d938359d32849b318"
    )


def test_presets_are_accepted():
    for preset in json.loads(PRESETS.read_text()):
        assert objections(preset["rules"]) == [], preset["id"]
