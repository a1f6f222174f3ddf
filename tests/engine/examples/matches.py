"""Examples of awards within a round and of effects on the next round."""

from tests.engine.examples.example import PAIRS, PLAIN, Deal, Example, one, preset
from tests.engine.examples.rounds import block, out

PASSES = PAIRS | {"out_bonus": "losers", "extras": {"pass_lead": 25, "pass_round": 25}}
ALL_PASS = ("6-6 6-1 5-5", "4-1", "3-3", "2-2")
DOUBLES = PLAIN | {"two_doubles": True}
KEPT = preset("kozel", opening={"points": 13, "kept": True})

EXAMPLES: list[Example] = [
    one(
        "salida: the second passes, the third plays",
        PASSES,
        Deal(
            ("6-6 5-5", "5-4", "6-1 4-4", "6-2 1-1"),
            "0 6-6, 1 pass, 2 6-1@L",
            {"award": [[25, 0]], "scores": [25, 0]},
        ),
    ),
    one(
        "no salida when the third passes too and the fourth plays",
        PASSES,
        Deal(
            ("6-6 6-5", "5-4", "4-4", "6-2 1-1"),
            "0 6-6, 1 pass, 2 pass, 3 6-2@L",
            {"award": [], "scores": [0, 0]},
        ),
    ),
    one(
        "all three pass: a pase corrido only",
        PASSES,
        Deal(ALL_PASS, "0 6-6, 1 pass, 2 pass, 3 pass", {"award": [[25, 0]], "scores": [25, 0]}),
    ),
    one(
        "a pase corrido stays though the round is lost",
        PASSES,
        Deal(
            ALL_PASS,
            "0 6-6, 1 pass, 2 pass, 3 pass, 0 6-1@L, 1 4-1@L",
            {"award": [[25, 0]], "end": {"how": "out", "winner": 1, "bonus": [0, 16]}, "scores": [25, 16]},
        ),
    ),
    one(
        "Dominican: a pase corrido ends the match",
        preset("dominican"),
        Deal(
            ALL_PASS,
            "0 6-6, 1 pass, 2 pass, 3 pass",
            {
                "award": [[25, 0]],
                "end": {"how": "stopped", "winner": None, "bonus": [0, 0]},
                "result": {"how": "target", "winners": [0], "scores": [205, 0]},
            },
        ),
        (180, 0),
    ),
    Example(
        "500: the first four rounds are worth more",
        preset("puerto-rico-500"),
        (
            Deal(
                ("5-4 5-3", "6-6 1-1", "4-3 6-1", "6-2 2-1 6-0"),
                "0 5-4, 1 pass, 2 4-3@R, 3 pass, 0 5-3@L",
                {"end": {"how": "out", "bonus": [238, 0], "extras": {"capicua": 100, "rounds": 100}}},
            ),
            block("6-6 1-0", "5-5 4-4", "2-1", "5-4 4-3", bonus=[113, 0], extras={"rounds": 75}),
            out("1-0", "2-0", "3-0", "4-0", bonus=[59, 0], extras={"rounds": 50}),
            out("1-0", "2-0", "3-0", "4-0", bonus=[34, 0], extras={"rounds": 25}),
            out("1-0", "6-6 5-5", "3-0", "5-4 3-1", bonus=[38, 0], extras=None),
        ),
    ),
    Example(
        "500: rounds count from the first with a winner",
        preset("puerto-rico-500"),
        (
            block("6-6 1-0", "2-0", "4-0", "3-0", winner=None, bonus=[0, 0], extras=None),
            out("1-0", "6-6", "5-4", "6-3", bonus=[130, 0], extras={"rounds": 100}),
        ),
    ),
    Example(
        "Jamaican: a tied block is played for again",
        preset("jamaican-partner"),
        (
            block("6-6 3-0", "2-1", "5-5", "5-4", winner=None, bonus=[0, 0]),
            out("1-0", "6-6", "5-5", "4-4", bonus=[2, 0]),
        ),
    ),
    one(
        "Jamaican: the sixth win is the match",
        preset("jamaican-partner"),
        Deal(
            ("1-0", "6-6", "5-5", "4-4"),
            "0 1-0",
            {"end": {"bonus": [1, 0]}, "result": {"how": "target", "winners": [0], "scores": [6, 1]}},
        ),
        (5, 1),
    ),
    Example(
        "six love: the losers' win takes all scores away, and 6-6 leads again",
        preset("six-love-partner"),
        (
            out("1-0", "6-6", "5-5", "4-4", bonus=[1, 0]),
            Deal(
                ("6-6", "1-0", "5-5", "4-4"),
                "1 1-0",
                {"end": {"bonus": [0, 1], "reset": [3, 1]}, "scores": [0, 0], "next": {"named": "6-6"}},
                leader=1,
            ),
        ),
        (2, 0),
    ),
    one(
        "six love: six in succession win",
        preset("six-love-partner"),
        Deal(
            ("1-0", "6-6", "5-5", "4-4"),
            "0 1-0",
            {"end": {"reset": None}, "result": {"how": "target", "winners": [0], "scores": [6, 0]}},
        ),
        (5, 0),
    ),
    Example(
        "one all, play two",
        preset("six-love-partner", reset="one_all"),
        (
            Deal(
                ("6-6", "1-0", "5-5", "4-4"),
                "1 1-0",
                {"end": {"reset": None}, "scores": [1, 1], "next": {"named": "6-6"}},
                leader=1,
            ),
            Deal(
                ("6-6", "1-0", "5-5", "4-4"),
                "1 1-0",
                {"end": {"reset": [1, 0]}, "scores": [0, 2], "next": {"leader": 1, "named": None}},
                leader=1,
            ),
        ),
        (1, 0),
    ),
    Example(
        "six love, each alone: nobody is at love any more",
        preset("six-love-cutthroat"),
        (
            out("1-0", "6-6", "5-5", "4-4", bonus=[1, 0, 0, 0]),
            Deal(
                ("6-6", "5-5", "1-0", "4-4"),
                "2 1-0",
                {"end": {"reset": [5, 1, 1, 2]}, "scores": [0, 0, 0, 0], "next": {"named": "6-6"}},
                leader=2,
            ),
        ),
        (4, 1, 0, 2),
    ),
    Example(
        "what is too few to begin may be kept",
        KEPT,
        (out("1-0", "4-3", bonus=[0, 0]), out("1-0", "5-3", bonus=[0, 15])),
    ),
    one(
        "two doubles in one turn, beside the single plays",
        DOUBLES,
        Deal(
            ("4-3 4-4 1-1 4-1", "3-1 0-0"),
            "0 4-3, 1 3-1@R",
            {"legal": ["1-1@R", "4-1@L", "4-1@R", "4-4@L", "4-4@L+1-1@R"]},
        ),
    ),
    one(
        "two doubles need two different ends",
        DOUBLES,
        Deal(
            ("3-2 4-2 0-0", "4-3 4-4 1-1 4-1"),
            "0 3-2, 1 4-3@L, 0 4-2@R",
            {"legal": ["4-1@L", "4-1@R", "4-4@L", "4-4@R"]},
        ),
    ),
    one(
        "two doubles may be the last tiles, and are no chuchazo",
        DOUBLES | {"out_bonus": "none", "extras": {"chucha": 25}},
        Deal(
            ("4-3 4-4 0-0", "3-0 1-1"),
            "0 4-3, 1 3-0@R, 0 4-4@L+0-0@R",
            {"end": {"how": "out", "winner": 0, "extras": None, "bonus": [0, 0]}},
        ),
    ),
    one(
        "no two doubles for the lead",
        DOUBLES,
        Deal(("4-4 1-1", "4-1"), "", {"legal": ["1-1", "4-4"], "refused": ["0 4-4@L+1-1@R"]}),
    ),
    one(
        "ten to get in: five are lost",
        preset("big-six"),
        Deal(("4-1 0-0", "4-4 1-0"), "0 4-1", {"points": [5], "scored": [0]}, boneyard="6-6 6-5 6-4"),
    ),
    one(
        "ten to get in: fifteen are given, and five then",
        preset("big-six"),
        Deal(
            ("6-3 6-4 0-0", "6-6 3-1 1-1"),
            "1 6-6, 0 6-3@L, 1 3-1@L, 0 6-4@R",
            {"points": [0, 15, 0, 5], "scored": [0, 15, 0, 5], "scores": [20, 0]},
            leader=1,
            boneyard="5-5 5-4 5-3",
        ),
    ),
    one(
        "all pass by choice",
        PLAIN | {"draw": "free", "pass": "always"},
        Deal(
            ("6-5 6-1", "6-2", "6-3"),
            "0 6-5, 1 pass, 2 pass, 0 pass",
            {"end": {"how": "blocked", "winner": 0}},
            boneyard="0-0 1-0 1-1 2-0 2-1",
        ),
    ),
    one(
        "who draws and then passes begins the row anew",
        PLAIN | {"draw": "free", "pass": "always"},
        Deal(
            ("6-5 6-1", "6-2", "6-3"),
            "0 6-5, 1 pass, 2 pass, 0 draw, 0 pass, 1 pass",
            {"legal": ["6-3@L", "draw", "pass"]},
            boneyard="0-0 1-0 1-1 2-0 2-1",
        ),
    ),
    one(
        "what exact forbids lies open to nobody",
        preset("muggins-exact-61"),
        Deal(
            ("6-4 0-0", "4-4 1-0"),
            "0 6-4",
            {"points": [2], "scored": [0], "refused": ["1 muggins"]},
            boneyard="3-3 5-5",
        ),
        (60, 0),
    ),
    one(
        "nor may a side call what it could not be given",
        preset("muggins-exact-61"),
        Deal(
            ("6-4 0-0", "4-4 1-0"),
            "0 6-4",
            {"points": [2], "scored": [0], "refused": ["1 muggins"]},
            boneyard="3-3 5-5",
        ),
        (0, 60),
    ),
    one(
        "otherwise it may be called",
        preset("muggins-exact-61"),
        Deal(
            ("6-4 0-0", "4-4 1-0"),
            "0 6-4, 1 muggins",
            {"points": [2], "scored": [0], "scores": [0, 2]},
            boneyard="3-3 5-5",
        ),
    ),
]
