"""Examples of the options by which presets follow their sources to the letter: calls, pairs, rounds, presets."""

from tests.engine.examples.example import PAIRS, PLAIN, Deal, Example, one, preset

CALLED = preset("muggins-200")
LAST = ("6-4 6-5", "4-0 2-2 6-1")
LAST_PLAYS = "0 6-4 =10, 1 4-0@R, 0 6-5@L"
BLOCK = preset("muggins-200", spinner="none")
BLOCK_HANDS = ("6-5 4-3", "6-0 2-2 1-1")
THREE = ("6-4 6-5", "4-0 2-2 6-1", "0-0 3-3")
THREE_PLAYS = "0 6-4 =10, 1 4-0@R, 2 0-0@R, 0 6-5@L"
LEAGUE = PAIRS | {"count": "fives_threes", "out_points": 1, "out_bonus": "none", "blocked_bonus": "none"}
BOTH = LEAGUE | {"partners_out": "both"}
LEAGUE_HANDS = ("6-3", "6-4 5-5", "4-2 2-1", "3-1 4-4")
LEAGUE_PLAYS = "0 6-3, 1 6-4@L, 2 4-2@L, 3 3-1@R"


def won(winner: int, *scores: int) -> dict:
    return {"how": "target", "winners": [winner], "scores": [*scores]}


CALL_LAST = [
    one(
        "the last tile is called",
        CALLED,
        Deal(LAST, f"{LAST_PLAYS}, 1 muggins", {"scores": [20, 5], "end": {"how": "out", "bonus": [10, 0]}}),
    ),
    one(
        "in the pause nobody is on turn",
        CALLED,
        Deal(
            LAST,
            LAST_PLAYS,
            {
                "legal": [],
                "scores": [10, 0],
                "refused": ["1 2-2", "1 pass", "1 close", "0 muggins", "0 6-1@L"],
            },
        ),
    ),
    one(
        "nobody calls",
        CALLED,
        Deal(LAST, f"{LAST_PLAYS}, 0 close", {"scores": [20, 0], "end": {"how": "out"}}),
    ),
    one(
        "claimed",
        CALLED,
        Deal(LAST, f"{LAST_PLAYS} =5", {"refused": ["1 muggins", "1 close"], "legal": []}),
    ),
    one("claimed and closed", CALLED, Deal(LAST, f"{LAST_PLAYS} =5, 0 close", {"scores": [25, 0]})),
    one(
        "not to be called: out at once",
        CALLED | {"call_last": False},
        Deal(LAST, LAST_PLAYS, {"scores": [20, 0], "end": {"how": "out"}}),
    ),
    one(
        "the claim ends the match: no pause",
        CALLED | {"finish": "at_once"},
        Deal(
            LAST, f"{LAST_PLAYS} =5", {"result": won(0, 200, 190), "end": {"how": "stopped", "bonus": [0, 0]}}
        ),
        (185, 190),
    ),
    one(
        "the call ends the match: no bonus",
        CALLED | {"finish": "at_once"},
        Deal(
            LAST,
            f"{LAST_PLAYS}, 1 muggins",
            {"result": won(1, 190, 200), "end": {"how": "stopped", "bonus": [0, 0]}},
        ),
        (180, 195),
    ),
    one(
        "closed, and the bonus ends the match",
        CALLED | {"finish": "at_once", "bonus_unit": "fifths_nearest"},
        Deal(
            LAST,
            f"{LAST_PLAYS}, 0 close",
            {"result": won(0, 201, 195), "end": {"how": "out", "bonus": [2, 0]}},
        ),
        (189, 195),
    ),
    one(
        "called, then the bonus decides",
        CALLED,
        Deal(LAST, f"{LAST_PLAYS}, 1 muggins", {"result": won(0, 202, 200)}),
        (182, 195),
    ),
    one(
        "a block is called",
        BLOCK,
        Deal(BLOCK_HANDS, "0 6-5, 1 6-0@L, 0 muggins", {"scores": [5, 1], "end": {"how": "blocked"}}),
    ),
    one("a block is claimed", BLOCK, Deal(BLOCK_HANDS, "0 6-5, 1 6-0@L =5, 1 close", {"scores": [0, 6]})),
    one("a block, neither", BLOCK, Deal(BLOCK_HANDS, "0 6-5, 1 6-0@L, 1 close", {"scores": [0, 1]})),
    one(
        "a draw that blocks ends at once",
        BLOCK,
        Deal(
            BLOCK_HANDS,
            "0 6-5, 1 6-0@L, 0 draw",
            {"scores": [0, 9], "end": {"how": "blocked"}},
            boneyard="4-4",
        ),
    ),
    one(
        "in the pause the other resigns",
        CALLED,
        Deal(
            LAST,
            f"{LAST_PLAYS}, 1 resign",
            {
                "end": {"how": "stopped", "bonus": [0, 0]},
                "result": {"how": "resigned", "winners": [0], "scores": [10, 0]},
            },
        ),
    ),
    one(
        "in the pause another leaves, its hand counts",
        CALLED,
        Deal(THREE, f"{THREE_PLAYS}, 1 left, 0 close", {"end": {"winner": 0, "bonus": [15, 0, 0]}}),
    ),
    one(
        "in the pause whoever went out leaves",
        CALLED,
        Deal(
            THREE,
            f"{THREE_PLAYS}, 0 left, 1 close",
            {"end": {"how": "out", "winner": None, "bonus": [0, 0, 0]}, "next": {"lots": True}},
        ),
    ),
    one(
        "what it left open can still be called",
        CALLED,
        Deal(
            THREE,
            f"{THREE_PLAYS}, 0 left, 2 muggins",
            {"scores": [10, 0, 5], "end": {"how": "out", "winner": None, "bonus": [0, 0, 0]}},
        ),
    ),
]
PARTNERS_OUT = [
    one(
        "a seat that is out is passed over",
        BOTH,
        Deal(LEAGUE_HANDS, LEAGUE_PLAYS, {"points": [3, 0, 1, 1], "legal": ["pass"], "refused": ["0 pass"]}),
    ),
    one(
        "one partner out is enough",
        LEAGUE,
        Deal(LEAGUE_HANDS, "0 6-3", {"points": [4], "end": {"how": "out", "winner": 0}}),
    ),
    one(
        "the second partner goes out",
        BOTH | {"next_lead": "winner"},
        Deal(
            LEAGUE_HANDS,
            f"{LEAGUE_PLAYS}, 1 pass, 2 2-1@L",
            {"points": [3, 0, 1, 1, 1], "end": {"how": "out", "winner": 2}, "next": {"leader": 2}},
        ),
    ),
    one(
        "blocked though a seat is out",
        BOTH,
        Deal(
            ("6-3", "6-4", "5-5 1-0", "2-2 5-0"),
            "0 6-3, 1 6-4@L",
            {"points": [3, 0], "end": {"how": "blocked"}},
        ),
    ),
    one(
        "exact: the first partner's last tile earns its count alone",
        BOTH | {"exact": True, "finish": "at_once", "target": 61},
        Deal(("5-0", "6-4", "5-5 1-0", "2-2 6-6"), "0 5-0", {"result": won(0, 61, 0)}),
        (60, 0),
    ),
    one(
        "exact: with one both points are refused",
        LEAGUE | {"exact": True, "finish": "at_once", "target": 61},
        Deal(("5-0", "6-4", "5-5 1-0", "2-2 6-6"), "0 5-0", {"result": None, "scores": [60, 0]}),
        (60, 0),
    ),
    one(
        "an empty hand is the lightest",
        PAIRS | {"partners_out": "both", "blocked_bonus": "difference"},
        Deal(
            ("6-6", "5-5", "4-1", "5-4 3-0"),
            "0 6-6",
            {
                "end": {"how": "blocked", "winner": 0, "pips": [0, 10, 5, 12], "bonus": [17, 0]},
                "next": {"leader": 0},
            },
        ),
    ),
    one(
        "a seat that is out may call",
        PAIRS | {"partners_out": "both", "count": "fives", "claims": "muggins"},
        Deal(("6-4", "6-1 5-5", "4-1 4-4", "1-1 5-1"), "0 6-4, 1 6-1@L, 0 muggins", {"scores": [5, 0]}),
    ),
    one(
        "pass_round asks for the passes of those with tiles",
        PAIRS | {"partners_out": "both", "extras": {"pass_round": 25}},
        Deal(
            ("6-0", "0-0 5-5 5-3", "6-2 1-1", "5-0 4-4 1-0"),
            "0 6-0, 1 0-0@R, 2 6-2@L, 3 5-0@R, 1 5-5@R, 2 pass, 3 pass",
            {"award": [[0, 25]], "legal": ["5-3@R"]},
        ),
    ),
]
ROUNDS = [
    one(
        "a fixed number of rounds, no target",
        PLAIN | {"rounds": 1, "target": None},
        Deal(("1-0", "5-5"), "0 1-0", {"result": {"how": "rounds", "winners": [0], "scores": [10, 4]}}),
        (0, 4),
    ),
    one(
        "equal scores share it",
        PLAIN | {"rounds": 1, "target": None},
        Deal(("1-0", "5-5"), "0 1-0", {"result": {"how": "rounds", "winners": [0, 1], "scores": [10, 10]}}),
        (0, 10),
    ),
    one(
        "the lowest of the last round wins",
        PLAIN | {"rounds": 1, "target": None, "lowest_wins": True},
        Deal(("1-0", "5-5"), "0 1-0", {"result": {"how": "rounds", "winners": [1], "scores": [10, 4]}}),
        (0, 4),
    ),
    one(
        "the target comes first",
        PLAIN | {"rounds": 1, "target": 10},
        Deal(("1-0", "5-5"), "0 1-0", {"result": won(0, 10, 4)}),
        (0, 4),
    ),
    one(
        "no extra rounds beyond the last",
        PLAIN | {"rounds": 1, "target": 10},
        Deal(("1-0", "5-5"), "0 1-0", {"result": {"how": "rounds", "winners": [0, 1], "scores": [10, 10]}}),
        (0, 10),
    ),
    Example(
        "two rounds",
        PLAIN | {"rounds": 2, "target": None},
        (
            Deal(("1-0", "5-5"), "0 1-0", {"result": None}),
            Deal(("1-0", "5-5"), "0 1-0", {"result": {"how": "rounds", "winners": [0], "scores": [20, 0]}}),
        ),
    ),
]
PRESETS = [
    one(
        "Dominican: out with 0-0 at two blanks",
        preset("dominican"),
        Deal(
            ("0-0", "5-4 1-1", "5-0 3-3", "4-0 6-6"),
            "1 5-4, 2 5-0@L, 3 4-0@R, 0 0-0@L",
            {"end": {"how": "out", "extras": {"chucha": 25}}},
            leader=1,
        ),
    ),
]
EXAMPLES: list[Example] = [*CALL_LAST, *PARTNERS_OUT, *ROUNDS, *PRESETS]
