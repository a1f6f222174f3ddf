"""Examples of the end of a round.

A block is set up by leading a tile whose suits nobody holds; the other tiles are the remaining hands.
"""

from tests.engine.examples.example import PAIRS, PLAIN, Deal, Example, one, preset

OUT = ("1-0", "6-6", "5-4", "4-3")
BY_ALL_HANDS = PAIRS | {"blocked_bonus": "table", "blocked_tie": "leader"}
ELEVEN_EIGHT_FIVE_TWENTY = ("6-6 5-5 1-0", "5-3", "4-1", "5-4 4-4 3-0")
CLOSER = BY_ALL_HANDS | {"blocked_winner": "closer"}
HAND = PAIRS | {"blocked_winner": "hand"}
NO_PIPS = PLAIN | {"out_bonus": "none"}
CAPICUA = NO_PIPS | {"extras": {"capicua": 25}}
BLANK = NO_PIPS | {"extras": {"capicua": 25, "capicua_blank": 10}}
DOUBLES = NO_PIPS | {"extras": {"capicua": 2, "capicua_blank": 2, "capicua_double": 3, "double": 1}}
ANY_DOUBLE = NO_PIPS | {"extras": {"double": 1, "chucha": 25}}
CHUCHA = NO_PIPS | {"extras": {"chucha": 25}}
FISH = ("6-6 5-5 4-0", "5-4 1-0", "2-1", "4-3 2-0")
SEVEN_THIRTEEN_NINE = ("6-6 5-2", "5-4 4-0", "5-3 1-0")


def block(*hands: str, **end: object) -> Deal:
    """Return a round that seat 0 blocks with the lead."""
    return Deal(hands, f"0 {hands[0].split()[0]}", {"end": {"how": "blocked"} | end})


def out(*hands: str, **end: object) -> Deal:
    """Return a round in which seat 0 goes out with the lead."""
    return Deal(hands, f"0 {hands[0]}", {"end": {"how": "out", "winner": 0} | end})


def bergen_block(*hands: str, **end: object) -> Deal:
    return Deal(hands, "0 6-6", {"end": {"how": "blocked"} | end}, boneyard="1-1 2-2")


def capicua(extras: dict | None, bonus: list[int], ends_then_tile: Deal) -> Deal:
    expected = {"end": {"how": "out", "winner": 0, "extras": extras, "bonus": bonus}}
    return Deal(ends_then_tile.hands, ends_then_tile.moves, expected, leader=1)


THREE_AND_FIVE = Deal(("4-3 5-3", "5-4 1-1"), "1 5-4, 0 4-3@R, 1 pass, 0 5-3@L", {})
FOUR_AND_FOUR = Deal(("4-1", "4-4 0-0"), "1 4-4, 0 4-1@L", {})
TWO_AND_TWO = Deal(("2-1 2-2", "1-0 2-0 5-5"), "1 1-0, 0 2-1@L, 1 2-0@R, 0 2-2@L", {})
TWO_AND_NOUGHT = Deal(("2-1 2-2", "1-0 5-5"), "1 1-0, 0 2-1@L, 1 pass, 0 2-2@L", {})
NOUGHTS = Deal(("0-0", "5-0 1-1"), "1 5-0, 0 0-0@R", {})
NOUGHT_AND_SIX = Deal(("5-0 6-0", "6-5 1-1"), "1 6-5, 0 5-0@R, 1 pass, 0 6-0@L", {})

EXAMPLES: list[Example] = [
    one("Bergen: a block is worth one", preset("bergen"), bergen_block("6-6 4-1", "5-4", bonus=[1, 0])),
    one(
        "Bergen: a tied block is worth nothing",
        preset("bergen"),
        bergen_block("6-6 4-3", "5-2", winner=None, bonus=[0, 0]),
    ),
    one("out: opponents less the partner", PAIRS, out(*OUT, bonus=[10, 0])),
    one("out: losers", PAIRS | {"out_bonus": "losers"}, out(*OUT, bonus=[19, 0])),
    one("out: table", PAIRS | {"out_bonus": "table"}, out(*OUT, bonus=[28, 0])),
    one(
        "out: own",
        PAIRS | {"out_bonus": "own", "blocked_bonus": "own", "lowest_wins": True},
        out(*OUT, bonus=[0, 19]),
    ),
    one(
        "alone, the lightest hand",
        PLAIN | {"blocked_winner": "hand"},
        block("6-6 5-5 2-0", "5-4 4-2", "5-3 4-4 1-1", "5-2 4-3 4-1 3-0", winner=0, bonus=[55, 0, 0, 0]),
    ),
    one(
        "closer: the lighter of the last to lay and the next",
        CLOSER,
        block(*ELEVEN_EIGHT_FIVE_TWENTY, winner=1, bonus=[0, 44], pips=[11, 8, 5, 20]),
    ),
    one(
        "hand: the lightest single hand",
        BY_ALL_HANDS | {"blocked_winner": "hand"},
        Deal(
            ELEVEN_EIGHT_FIVE_TWENTY,
            "0 6-6",
            {"end": {"winner": 2, "bonus": [44, 0]}, "next": {"leader": 2}},
        ),
    ),
    one(
        "side: the lightest pair",
        BY_ALL_HANDS,
        Deal(
            ELEVEN_EIGHT_FIVE_TWENTY,
            "0 6-6",
            {"end": {"winner": 2, "bonus": [44, 0]}, "next": {"leader": 2}},
        ),
    ),
    one(
        "closer, tied: the leader's side, seat 1 led",
        CLOSER,
        Deal(
            ("6-6 4-4", "6-5 4-3 1-0", "4-2 3-3 4-1 3-0", "2-1"),
            "1 6-5, 2 pass, 3 pass, 0 6-6@L",
            {"end": {"how": "blocked", "winner": 1, "bonus": [0, 39], "pips": [8, 8, 20, 3]}},
            leader=1,
        ),
    ),
    one(
        "closer, tied: the leader's side, seat 2 led",
        CLOSER,
        Deal(
            ("6-6 4-4", "4-3 1-0", "6-5 4-2 3-3 4-1 3-0", "2-1"),
            "2 6-5, 3 pass, 0 6-6@L",
            {"end": {"how": "blocked", "winner": 0, "bonus": [39, 0]}},
            leader=2,
        ),
    ),
    one(
        "closer, tied: the side of whoever laid the last tile",
        CLOSER | {"blocked_tie": "closer"},
        Deal(
            ("6-6 4-4", "6-5 4-3 1-0", "4-2 3-3 4-1 3-0", "2-1"),
            "1 6-5, 2 pass, 3 pass, 0 6-6@L",
            {"end": {"how": "blocked", "winner": 0, "bonus": [39, 0]}},
            leader=1,
        ),
    ),
    one(
        "hand: partners tie and win",
        HAND,
        block("6-6 4-0", "5-4", "3-1", "5-3 1-0", winner=0, pips=[4, 9, 4, 9]),
    ),
    one("hand: opponents tie", HAND, block("6-6 4-0", "3-1", "5-4", "5-3 1-0", winner=None)),
    one("capicúa", CAPICUA, capicua({"capicua": 25}, [25, 0], THREE_AND_FIVE)),
    one("no capicúa at two equal ends", CAPICUA, capicua(None, [0, 0], FOUR_AND_FOUR)),
    one("no capicúa with a double", CAPICUA, capicua(None, [0, 0], TWO_AND_TWO)),
    one("no capicúa with a blank", CAPICUA, capicua(None, [0, 0], NOUGHT_AND_SIX)),
    one("a double that both ends show", DOUBLES, capicua({"capicua_double": 3}, [3, 0], TWO_AND_TWO)),
    one("a double at one end", DOUBLES, capicua({"double": 1}, [1, 0], TWO_AND_NOUGHT)),
    one("any double, where none is dearer", ANY_DOUBLE, capicua({"double": 1}, [1, 0], TWO_AND_TWO)),
    one("0-0 is a double, too", ANY_DOUBLE, capicua({"double": 1, "chucha": 25}, [26, 0], NOUGHTS)),
    one("no extra for a plain tile at two equal ends", DOUBLES, capicua(None, [0, 0], FOUR_AND_FOUR)),
    one("the lead is at no end", DOUBLES, out("6-6", "5-4", bonus=[0, 0], extras=None)),
    one(
        "Brazil: three for both ends",
        preset("brazilian-pairs"),
        Deal(
            ("4-3 5-3", "5-4 1-1", "6-0", "2-0"),
            "1 5-4, 2 pass, 3 pass, 0 4-3@R, 1 pass, 2 pass, 3 pass, 0 5-3@L",
            {"end": {"how": "out", "winner": 0, "extras": {"capicua": 2}, "bonus": [3, 0]}},
            leader=1,
        ),
    ),
    one(
        "Brazil: four for a double at both",
        preset("brazilian-pairs"),
        Deal(
            ("2-1 2-2", "1-0 2-0 5-5", "6-4", "6-3"),
            "1 1-0, 2 pass, 3 pass, 0 2-1@L, 1 2-0@R, 2 pass, 3 pass, 0 2-2@L",
            {
                "end": {"how": "out", "extras": {"capicua_double": 3}, "bonus": [4, 0]},
                "next": {"leader": 2},
            },
            leader=1,
        ),
    ),
    one(
        "Brazil: a block is worth one, to the lighter pair",
        preset("brazilian-pairs"),
        block("6-6 4-1", "5-4", "2-1", "3-2", winner=2, bonus=[1, 0]),
    ),
    one("a blank has its own number", BLANK, capicua({"capicua_blank": 10}, [10, 0], NOUGHT_AND_SIX)),
    one(
        "out with 0-0",
        CHUCHA,
        Deal(
            ("0-0", "5-0 1-1"),
            "1 5-0, 0 0-0@R",
            {"end": {"how": "out", "extras": {"chucha": 25}, "bonus": [25, 0]}},
            leader=1,
        ),
    ),
    one("a block that 0-0 makes is none", CHUCHA, block("0-0 5-5", "6-5", extras=None, bonus=[11, 0])),
    one("Sea Kozel: 6-6 alone is 50", preset("sea-kozel"), out("1-0", "6-6", "5-5", "2-0", bonus=[0, 52])),
    one(
        "Sea Kozel: fewer than 25 are not written",
        preset("sea-kozel"),
        out("1-0", "6-6 4-0", "5-5", "3-2", bonus=[0, 0]),
    ),
    one(
        "Sea Kozel: fewer than 25 are written by whoever has begun",
        preset("sea-kozel"),
        out("1-0", "6-6 4-0", "5-5", "3-2", bonus=[0, 21]),
        (0, 30),
    ),
    one(
        "Gaple: who closed against the next, twice",
        preset("gaple"),
        block("6-6 4-1", "5-4", "2-0", "5-3 4-2", winner=0, bonus=[50, 0, 0, 0], pips=[5, 9, 2, 14]),
    ),
    one(
        "Gaple: who closed and the next are equal",
        preset("gaple"),
        block("6-6 5-4", "4-4 1-0", "2-0", "5-3", winner=None, bonus=[0, 0, 0, 0]),
    ),
    one("Kozel: the losers write their own", preset("kozel-pairs"), out(*OUT, bonus=[0, 19])),
    one("Kozel: 12 are too few to begin", preset("kozel"), out("1-0", "6-6", bonus=[0, 0])),
    one("Kozel: 13 are enough", preset("kozel"), out("2-0", "6-6 1-0", bonus=[0, 13])),
    one("Kozel: later anything counts", preset("kozel"), out("1-0", "3-2", bonus=[0, 5]), (0, 13)),
    one("Kozel: a fish", preset("kozel-pairs"), block(*FISH, winner=2, bonus=[0, 19])),
    Example(
        "Kozel: eggs are carried",
        preset("kozel-pairs"),
        (
            block("6-6 5-5", "5-4", "5-2", "5-3", winner=None, bonus=[0, 0], pips=[10, 9, 7, 8]),
            out("1-0", "6-6", "5-5", "4-3", bonus=[0, 53]),
            out("1-0", "3-2", "5-5", "1-1", bonus=[0, 7]),
        ),
    ),
    one(
        "Kozel, three alone: nine are too few to begin",
        preset("kozel"),
        block(*SEVEN_THIRTEEN_NINE, winner=0, bonus=[0, 13, 0]),
    ),
    one(
        "Kozel, three alone: each its own",
        preset("kozel"),
        block(*SEVEN_THIRTEEN_NINE, winner=0, bonus=[0, 13, 9]),
        (0, 0, 20),
    ),
    one("0-0 alone is 25", preset("kozel"), out("1-0", "0-0", pips=[0, 25], bonus=[0, 25])),
    one("0-0 in company is nothing", preset("kozel"), out("1-0", "0-0 2-1", pips=[0, 3])),
    one("Telefon: to 300", preset("gomuggins"), out("1-0", "6-6 6-5 6-4 5-3", bonus=[10, 0]), (290, 0)),
    one(
        "Telefon: a block is worth nothing",
        preset("gomuggins"),
        block(*SEVEN_THIRTEEN_NINE, winner=0, bonus=[0, 0, 0]),
    ),
    one(
        "Cuban: the opponents' hands",
        preset("cuban"),
        out("1-0", "9-9 9-8 6-0", "9-7 8-6", "7-5", bonus=[53, 0], pips=[0, 41, 30, 12]),
    ),
    one(
        "Cuban: the lighter pair",
        preset("cuban"),
        block("9-9 8-8 5-3", "8-7 2-1", "8-6 7-7 3-0", "8-5 7-5 4-1", winner=1, bonus=[0, 55]),
    ),
    one(
        "Cuban: after a tie lots are drawn",
        preset("cuban"),
        Deal(
            ("9-9 8-8 5-4", "8-6 7-7 6-6", "8-7 6-4", "5-5"),
            "0 9-9",
            {"end": {"how": "blocked", "winner": None, "bonus": [0, 0]}, "next": {"lots": True}},
        ),
    ),
    one(
        "international: a tied block moves the lead on",
        preset("pairs-international"),
        Deal(
            ("4-0", "2-0", "6-6 1-0", "3-0"),
            "2 6-6",
            {"end": {"winner": None, "bonus": [0, 0]}, "next": {"leader": 3, "named": None}},
            leader=2,
        ),
    ),
    one(
        "international: so does going out",
        preset("pairs-international"),
        Deal(
            ("6-1", "2-0", "6-6 5-5", "1-1"),
            "2 6-6, 3 pass, 0 6-1@L",
            {"end": {"how": "out", "winner": 0}, "next": {"leader": 3}},
            leader=2,
        ),
    ),
    one("Spanish: all hands", preset("pairs-spain"), block(*FISH, winner=2, bonus=[36, 0])),
    one("Venezuelan: the losers'", preset("venezuelan"), block(*FISH, winner=2, bonus=[19, 0])),
    one(
        "Jamaican: partners tie, and the lower seat poses",
        preset("jamaican-partner"),
        Deal(
            ("5-1", "3-2", "5-5 5-4 4-4 3-0", "6-6 4-1"),
            "3 6-6",
            {"end": {"winner": 1, "bonus": [0, 1], "pips": [6, 5, 30, 5]}, "next": {"leader": 1}},
            leader=3,
        ),
    ),
]
