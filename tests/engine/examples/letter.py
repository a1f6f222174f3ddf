"""Examples of the options by which presets follow their sources to the letter: targets, bonuses and scores."""

from tests.engine.examples.example import PAIRS, PLAIN, Deal, Example, one, preset
from tests.engine.examples.rounds import block, out

EXCEED = PLAIN | {"goal": "exceed", "target": 100}
FIVES = PLAIN | {"count": "fives"}
CHAIN = PLAIN | {"blocked_bonus": "chain", "bonus_unit": "nearest_five"}
NEAREST = PLAIN | {"bonus_unit": "nearest_five", "blocked_bonus": "total"}
CARRIED = PLAIN | {"blocked_unit": "fifths_nearest", "blocked_tie": "carry", "blocked_bonus": "total"}
PARTNER = PAIRS | {"bonus_unit": "nearest_five"}
FIFTHS = PAIRS | {"bonus_unit": "fifths_nearest", "partner_pips": "score_unit"}
OUT = ("1-0", "5-3", "4-2", "6-6")  # opponents 8 and 12, partner 6
EXACT = preset("muggins-exact-61", call_last=False)
AWARD = EXACT | {"past_target": "award"}
PAST = ("6-4 6-2 2-2", "4-3 3-3 5-1")
BEFORE_LAST = "0 6-4 =2, 1 4-3@R"


def won(winner: int, *scores: int) -> dict:
    return {"how": "target", "winners": [winner], "scores": [*scores]}


def taken(
    says: str, rules: dict, before: tuple[int, int], hands: tuple[str, ...], **expected: object
) -> Example:
    """Return an example of a round in which seat 0 goes out with the lead; `end` gives bonus and taken."""
    return one(says, rules, Deal(hands, f"0 {hands[0]}", expected), before)


GOAL = [
    one(
        "exceed: exactly the target ends nothing",
        EXCEED,
        Deal(("1-0", "5-5"), "0 1-0", {"result": None}),
        (90, 60),
    ),
    one(
        "exceed: a point more does",
        EXCEED,
        Deal(("1-0", "6-5"), "0 1-0", {"result": won(0, 101, 60)}),
        (90, 60),
    ),
    one(
        "exceed: a tie above takes one more round",
        EXCEED,
        Deal(("1-0", "6-5"), "0 1-0", {"result": None}),
        (90, 101),
    ),
    one(
        "exceed, lowest wins: exactly the target",
        EXCEED | {"lowest_wins": True},
        Deal(("1-0", "5-0", "3-2"), "0 1-0", {"result": None, "scores": [100, 40, 60]}),
        (90, 40, 60),
    ),
    one(
        "exceed, lowest wins: a point more",
        EXCEED | {"lowest_wins": True},
        Deal(("1-0", "5-0", "3-2"), "0 1-0", {"result": won(1, 101, 40, 60)}),
        (91, 40, 60),
    ),
    one(
        "exceed, at once: a play to the target",
        FIVES | {"goal": "exceed", "target": 100, "finish": "at_once"},
        Deal(("4-1 5-5", "4-4 5-0"), "0 4-1", {"result": None, "scores": [100, 0]}),
        (95, 0),
    ),
    one(
        "exceed, at once: a play past it",
        FIVES | {"goal": "exceed", "target": 100, "finish": "at_once"},
        Deal(("6-4 5-5", "4-4 5-0"), "0 6-4", {"result": won(0, 105, 0)}),
        (95, 0),
    ),
]
BLOCKED_UNIT = [
    one(
        "chain, a block in pips",
        CHAIN | {"blocked_unit": "pips"},
        block("6-6 2-0", "4-0", "5-1", bonus=[6, 2, 0]),
    ),
    one("chain, a block in fives", CHAIN, block("6-6 2-0", "4-0", "5-1", bonus=[5, 0, 0])),
    one("a block in pips", NEAREST | {"blocked_unit": "pips"}, block("6-6 5-4", "5-5 3-0", bonus=[13, 0])),
    one("a block in fives", NEAREST, block("6-6 5-4", "5-5 3-0", bonus=[15, 0])),
    one("going out stays in fives", NEAREST | {"blocked_unit": "pips"}, out("1-0", "4-3", bonus=[5, 0])),
    Example(
        "what was carried is paid in the unit of going out",
        CARRIED,
        (block("6-6 5-5 5-1", "5-4 4-3", winner=None, bonus=[0, 0]), out("1-0", "6-6 6-4", bonus=[54, 0])),
    ),
    Example(
        "what was carried is paid in the unit of a block",
        CARRIED,
        (block("6-6 5-5 5-1", "5-4 4-3", winner=None), block("6-6 5-4", "5-5 4-4 3-1", bonus=[11, 0])),
    ),
]
PARTNER_PIPS = [
    taken(
        "partner from the bonus", PARTNER, (50, 0), OUT, end={"bonus": [15, 0], "taken": None}, scores=[65, 0]
    ),
    taken(
        "partner from the score",
        PARTNER | {"partner_pips": "score"},
        (50, 0),
        OUT,
        end={"bonus": [20, 0], "taken": [6, 0]},
        scores=[64, 0],
    ),
    taken("the bonus is 0 at the least", PARTNER, (5, 0), ("3-0", "2-0", "6-6", "1-0"), scores=[5, 0]),
    taken(
        "the score may fall below 0",
        PARTNER | {"partner_pips": "score"},
        (5, 0),
        ("3-0", "2-0", "6-6", "1-0"),
        end={"bonus": [5, 0], "taken": [12, 0]},
        scores=[-2, 0],
    ),
    taken("partner in fifths", FIFTHS, (20, 0), OUT, end={"bonus": [4, 0], "taken": [1, 0]}, scores=[23, 0]),
    taken(
        "nothing to take in fifths",
        FIFTHS,
        (20, 0),
        ("1-0", "5-3", "2-0", "6-6"),
        end={"bonus": [4, 0], "taken": None},
        scores=[24, 0],
    ),
    taken(
        "taken though the bonus was refused",
        FIFTHS | {"exact": True, "finish": "at_once", "target": 61},
        (59, 0),
        ("1-0", "5-3", "4-4 4-0", "6-6"),
        end={"bonus": [0, 0], "taken": [2, 0]},
        scores=[57, 0],
    ),
    taken(
        "taken before the finish is looked at, exact",
        FIFTHS | {"exact": True, "finish": "at_once", "target": 61},
        (57, 0),
        ("1-0", "5-3", "4-4 4-0", "6-6"),
        end={"bonus": [4, 0], "taken": [2, 0]},
        result=None,
        scores=[59, 0],
    ),
    taken(
        "taken before the finish is looked at, at once",
        PARTNER | {"partner_pips": "score", "finish": "at_once", "target": 200},
        (190, 0),
        ("1-0", "5-3", "5-5 4-0", "6-6"),
        end={"bonus": [20, 0], "taken": [14, 0]},
        result=None,
        scores=[196, 0],
    ),
    taken(
        "a ceiling cuts the bonus only",
        PARTNER | {"partner_pips": "score", "bonus_ceiling": 300, "target": 300},
        (290, 0),
        ("2-0", "6-6 6-5 1-0", "4-4 4-0", "5-5 5-2"),
        end={"bonus": [10, 0], "taken": [12, 0]},
        scores=[288, 0],
    ),
    one(
        "a block takes nothing beside its bonus",
        PARTNER | {"partner_pips": "score", "blocked_bonus": "chain", "bonus_unit": "pips"},
        block("6-6 1-0", "5-5 2-0", "2-0", "5-1", bonus=[15, 0], taken=None),
    ),
]
PAST_TARGET = [
    one(
        "past the target, round",
        EXACT,
        Deal(PAST, f"{BEFORE_LAST}, 0 6-2@L =1", {"scores": [60, 10]}),
        (60, 10),
    ),
    one(
        "past the target, award",
        AWARD,
        Deal(PAST, f"{BEFORE_LAST}, 0 6-2@L =1", {"result": won(0, 61, 10)}),
        (60, 10),
    ),
    one(
        "what was not claimed was not refused",
        EXACT,
        Deal(PAST, "0 6-4, 1 4-3@R, 0 6-2@L =1", {"result": won(0, 61, 10)}),
        (60, 10),
    ),
    one(
        "a refused side leaves nothing open",
        EXACT,
        Deal(PAST, f"{BEFORE_LAST}, 0 6-2@L", {"refused": ["1 muggins"]}),
        (60, 10),
    ),
    one(
        "a refused side may call nothing",
        EXACT,
        Deal((PAST[0], "6-1 3-3 5-1"), "0 6-4 =2, 1 6-1@L", {"refused": ["0 muggins"]}),
        (60, 10),
    ),
    one(
        "without that it calls",
        AWARD,
        Deal((PAST[0], "6-1 3-3 5-1"), "0 6-4 =2, 1 6-1@L, 0 muggins", {"result": won(0, 61, 10)}),
        (60, 10),
    ),
    one(
        "a refused side is given no bonus",
        EXACT,
        Deal(("6-4 6-2", "4-3 3-0"), f"{BEFORE_LAST}, 0 6-2@L", {"end": {"bonus": [0, 0]}, "result": None}),
        (60, 10),
    ),
    one(
        "without that it is given the bonus",
        AWARD,
        Deal(("6-4 6-2", "4-3 3-0"), f"{BEFORE_LAST}, 0 6-2@L", {"result": won(0, 61, 10)}),
        (60, 10),
    ),
    Example(
        "in the next round the side is as before",
        EXACT,
        (
            Deal(("6-4", "5-5 6-3"), "0 6-4 =2", {"scores": [60, 10], "end": {"bonus": [0, 0]}}),
            Deal(("4-1 3-3", "5-5 2-2"), "0 4-1 =1", {"result": won(0, 61, 10)}),
        ),
        (60, 10),
    ),
    one(
        "a refused award of passes ends the awards too",
        EXACT | {"draw": "none", "extras": {"pass_round": 9}},
        Deal(
            ("6-6 6-3 6-5", "5-4"),
            "0 6-6, 1 pass, 0 6-3@L =3, 1 pass, 0 6-5@R",
            {"award": [[0, 0], [0, 0]], "scores": [58, 0], "end": {"bonus": [0, 0]}},
        ),
        (58, 0),
    ),
]
EXAMPLES: list[Example] = [*GOAL, *BLOCKED_UNIT, *PARTNER_PIPS, *PAST_TARGET]
