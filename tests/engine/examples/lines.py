"""Examples of ends and counts: two seats play in turn with tiles in the boneyard."""

from tests.engine.examples.example import PLAIN, Deal, Example, one

ALL = [f"{high}-{low}" for high in range(7) for low in range(high + 1)]
COUNTED = PLAIN | {"draw": "until_playable", "count": "fives", "target": 1000}
CROSS = COUNTED | {
    "first_lead": "highest_double",
    "lead_with": "named",
    "next_lead": "first",
    "next_lead_after_block": "first",
    "spinner": "cross",
}


def line(says: str, rules: dict, plays: str, **expected: object) -> Example:
    laid = plays.split(", ")
    spare = [tile for tile in ALL if tile not in {play.split("@")[0] for play in laid}]
    hands = [" ".join(play.split("@")[0] for play in laid[seat::2]) + f" {spare[seat]}" for seat in (0, 1)]
    moves = ", ".join(f"{number % 2} {play}" for number, play in enumerate(laid))
    return one(says, rules, Deal(tuple(hands), moves, expected, boneyard=" ".join(spare[2:])))


EVERY_PLAYS = "6-6, 6-3@L, 6-4@R, 3-3@L, 3-1@L, 6-5@U, 5-5@U, 5-0@U, 3-2@U2, 5-1@U3"
EXAMPLES = [
    line(
        "all four sides of the first double are open at once, and its arms count nothing while empty",
        COUNTED | {"spinner": "first_open"},
        "5-5, 5-1@U, 5-0@L, 5-3@R",
        count=[10, 11, 11, 4],
    ),
    line(
        "at an end the first double opens its outer side and both free sides",
        COUNTED | {"spinner": "first_open"},
        "6-4, 4-4@R, 4-1@U, 4-3@R",
        count=[10, 14, 15, 10],
        ends={"L": 6, "R": 3, "U": 1, "D": 4},
    ),
    one(
        "after the lead of a double there are four places",
        COUNTED | {"spinner": "first_open"},
        Deal(
            ("5-5 0-0", "5-1 2-2"),
            "0 5-5",
            {"legal": ["5-1@D", "5-1@L", "5-1@R", "5-1@U"]},
            boneyard="6-6 6-4",
        ),
    ),
    line(
        "every double branches once it is enclosed",
        COUNTED | {"spinner": "every"},
        EVERY_PLAYS,
        count=[12, 15, 7, 10, 5, 10, 15, 5, 7, 8],
        ends={"L": 1, "R": 4, "U": 0, "D": 6, "U2": 2, "D2": 3, "U3": 1, "D3": 5},
    ),
    line(
        "sides are named in the order in which they open",
        COUNTED | {"spinner": "every"},
        "5-5, 5-0@L, 0-0@L, 4-0@L, 5-1@R, 6-0@U",
        count=[10, 10, 10, 14, 5, 11],
        ends={"L": 4, "R": 1, "U": 6, "D": 0, "U2": 5, "D2": 5},
    ),
    line(
        "the same by fifths",
        COUNTED | {"spinner": "every", "count": "fives_by_one"},
        EVERY_PLAYS,
        points=[0, 3, 0, 2, 1, 2, 3, 1, 0, 0],
    ),
    line(
        "a cross counts as a spinner does",
        CROSS | {"count": "fives_by_one"},
        "5-5, 5-0@L, 5-1@R, 5-4@U, 5-2@D, 4-3@U",
        count=[10, 10, 1, 5, 7, 6],
        points=[2, 2, 0, 1, 0, 0],
    ),
    line(
        "once a tile lies on each of the four sides any end may be played to",
        CROSS,
        "6-6, 6-3@L, 6-4@R, 6-1@U, 6-0@D, 4-2@R",
        count=[12, 15, 7, 8, 8, 6],
        ends={"L": 3, "R": 2, "U": 1, "D": 0},
    ),
    one(
        "before that only the sides of the cross may",
        CROSS,
        Deal(
            ("6-6 6-4 5-5", "6-3 6-1 4-3"),
            "0 6-6, 1 6-3@L, 0 6-4@R",
            {"legal": ["6-1@D", "6-1@U"], "ends": {"U": 6, "D": 6}, "refused": ["1 4-3@L", "1 4-3@R"]},
            boneyard="0-0",
        ),
    ),
    one(
        "after any other lead the round has two ends",
        CROSS,
        Deal(
            ("6-4 1-1", "4-4 4-3 0-0"),
            "0 6-4, 1 4-4@R",
            {"ends": {"L": 6, "R": 4}},
            boneyard="2-2",
        ),
    ),
    line(
        "two ends that match",
        COUNTED | {"count": "matching"},
        "6-6, 6-2@L, 6-4@R, 4-2@R, 2-2@L",
        points=[2, 0, 0, 2, 3],
        count=[12, 14, 6, 4, 6],
    ),
]
