"""Changes to presets: rules that are accepted, refused, or keep the name of the preset."""

from tests.engine.examples.example import preset
from tests.engine.reference.options import DEFAULTS

DOMINICAN = preset("dominican")
KOZEL = preset("kozel")
BERGEN = preset("bergen")
FIVE_UP = preset("five-up")
ALL_FIVES = preset("all-fives")
DRAW = preset("draw")
BIG_SIX = preset("big-six")
JAMAICAN = preset("jamaican-partner")
SIX_LOVE = preset("six-love-partner")
THREE_ALONE = preset("six-love-cutthroat", players=[3])
MERRY = preset("merry-go-round")
HANDS_OF_ONE = {"hand_size": {"2": 1, "3": 1, "4": 1}}
EXACT_THREE = {"exact": True, "finish": "at_once", "target": 3, "bonus_unit": "nearest_five"}
# Nothing but an extra can score.
PASSES_ONLY = DRAW | {"draw": "none", "out_bonus": "none", "blocked_bonus": "none"}
PAIRS = preset("muggins-200-pairs")
EXACT = preset("muggins-exact-61")
CALLED = preset("muggins-200")
GOMUGGINS = preset("gomuggins")
SEVEN_EACH = {"2": 7, "3": 7, "4": 7}
NO_TARGET = {"target": None, "rounds": 8, "goal": "reach"}

CHAIN_IN_PIPS = {"blocked_unit": "pips", "blocked_tie": "nobody"}
ACCEPTED: list[tuple[str, dict, dict]] = [
    ("defaults may be written", DRAW, DEFAULTS),
    ("extras of nothing", DRAW | {"spinner": "first"}, {"extras": {"capicua": 0, "rounds": [0, 0]}}),
    ("ten rounds", DRAW, {"extras": {"rounds": [1] * 10}}),
    ("chucha and block with any line", ALL_FIVES, {"extras": {"chucha": 5, "block": 5}}),
    ("own with no bonus after a block", KOZEL, {"blocked_bonus": "none", "blocked_tie": "nobody"}),
    ("the opening may be the target", BIG_SIX, {"opening": {"points": 150, "kept": False}}),
    ("two doubles at the least", DRAW, {"max_doubles": 2, "players": [2], "hand_size": DRAW["hand_size"]}),
    ("as many doubles as an average hand has", preset("cuban"), {"max_doubles": 2}),
    ("matching may be called", BERGEN, {"claims": "muggins"}),
    ("a cross by tile", MERRY, {"first_lead": "tile", "lead_tile": "3-3"}),
    ("a cross by the lowest double", MERRY, {"first_lead": "lowest_double"}),
    ("a cross from 1-1 on", MERRY, {"first_lead": "double_from_1"}),
    ("chucha with hands of one", PASSES_ONLY | HANDS_OF_ONE, {"extras": {"chucha": 5}}),
    ("rounds with hands of one", PASSES_ONLY | HANDS_OF_ONE, {"extras": {"rounds": [0, 5]}}),
    ("a salida with three seats", PASSES_ONLY, {"players": [3, 4], "extras": {"pass_lead": 5}}),
    ("a block in a unit of its own", CALLED, {"blocked_unit": "fifths_up"}),
    ("a block in the unit of going out", CALLED, {"blocked_unit": "nearest_five"}),
    ("rounds worth one, a chain of blocks in pips", JAMAICAN, {"blocked_bonus": "chain"} | CHAIN_IN_PIPS),
    ("a block that scores double", DRAW, {"blocked_double": True}),
    ("a fixed number of rounds", DRAW, {"rounds": 999}),
    ("no target", DRAW, NO_TARGET),
    ("both partners out, for two and three seats too", DRAW, {"partners": True, "partners_out": "both"}),
    ("matching makes two", BERGEN | EXACT_THREE | {"bonus_unit": "pips"}, {"target": 2}),
]
REFUSED: list[tuple[str, dict, dict]] = [
    ("exceed what must be hit exactly", EXACT, {"goal": "exceed"}),
    ("draws for a lead by lot", DRAW, {"lead_draws": "all"}),
    ("a block of nothing has no unit", GOMUGGINS, {"blocked_unit": "pips"}),
    ("a block of own pips has no unit", KOZEL, {"blocked_unit": "pips"}),
    ("a chain worth one", CALLED, {"blocked_unit": "one"}),
    ("a block of nothing doubled", GOMUGGINS, {"blocked_double": True}),
    ("a chain doubled", DRAW, {"blocked_double": True, "blocked_bonus": "chain"}),
    ("a carry in pips and in one", JAMAICAN, {"blocked_unit": "pips"}),
    ("a carry in one and in pips", JAMAICAN, {"bonus_unit": "pips", "blocked_unit": "one"}),
    ("opening with a block worth one", BIG_SIX, {"blocked_unit": "one"}),
    ("partner_pips without partners", CALLED, {"partner_pips": "score"}),
    ("partner_pips of a bonus for all hands", PAIRS, {"out_bonus": "losers"}),
    ("partner_pips with team_difference", PAIRS, {"team_difference": True}),
    ("partner_pips with opening", PAIRS, {"opening": {"points": 10, "kept": False}}),
    ("partner_pips of rounds worth one", PAIRS, {"bonus_unit": "one"}),
    ("partner_pips with both out", PAIRS, {"partners_out": "both"}),
    ("past_target without exact", CALLED, {"past_target": "round"}),
    ("call_last without claims", CALLED, {"claims": "automatic"}),
    ("both out without partners", CALLED, {"partners_out": "both"}),
    ("no target and no rounds", DRAW, {"target": None}),
    ("no target, exact", EXACT, NO_TARGET),
    ("no target, a ceiling", GOMUGGINS, NO_TARGET),
    ("no target, opening", KOZEL, NO_TARGET),
    ("no target, at once", preset("bones"), NO_TARGET),
    ("a thousand rounds", DRAW, {"rounds": 1000}),
    ("no round", DRAW, {"rounds": 0}),
    ("extras: unknown name", DRAW, {"extras": {"chiva": 5}}),
    ("extras: negative", DRAW, {"extras": {"block": -5}}),
    ("extras: more than ten rounds", DRAW, {"extras": {"rounds": [1] * 11}}),
    ("extras: capicua with a spinner", DOMINICAN, {"spinner": "first"}),
    (
        "extras: capicua_blank with a spinner",
        DRAW,
        {"spinner": "first_open", "extras": {"capicua_blank": 5}},
    ),
    ("extras: capicua_double with a spinner", DRAW, {"spinner": "first", "extras": {"capicua_double": 5}}),
    ("extras: pass_lead with draws", DRAW, {"extras": {"pass_lead": 5}}),
    ("extras: pass_round with draws", DRAW, {"extras": {"pass_round": 5}}),
    ("extras: pass_round with passes by choice", DOMINICAN, {"pass": "free"}),
    ("own only after a block", KOZEL, {"out_bonus": "losers"}),
    ("own only for going out", KOZEL, {"blocked_bonus": "total"}),
    ("own without lowest_wins", KOZEL, {"lowest_wins": False}),
    ("own with a count", KOZEL, {"count": "fives", "two_doubles": False}),
    ("own with extras", KOZEL, {"extras": {"chucha": 5}}),
    ("own with out_points", KOZEL, {"out_points": 1}),
    ("own in fives", KOZEL, {"bonus_unit": "nearest_five"}),
    ("one with a chain", JAMAICAN, {"blocked_bonus": "chain", "blocked_tie": "nobody"}),
    ("lightest_tile of a hand", DOMINICAN, {"blocked_tie": "lightest_tile"}),
    ("carry with a chain", DRAW, {"blocked_tie": "carry", "blocked_bonus": "chain"}),
    ("carry of nothing", DRAW, {"blocked_tie": "carry", "blocked_bonus": "none"}),
    ("opening below 1", BIG_SIX, {"opening": {"points": 0, "kept": False}}),
    ("opening above the target", BIG_SIX, {"opening": {"points": 151, "kept": False}}),
    ("opening with team_difference", preset("kozel-pairs"), {"team_difference": True}),
    ("opening with rounds worth one", JAMAICAN, {"opening": {"points": 2, "kept": False}}),
    ("opening with matching", BERGEN, {"opening": {"points": 2, "kept": False}, "bonus_unit": "pips"}),
    ("opening kept and called", BIG_SIX, {"opening": {"points": 10, "kept": True}, "claims": "muggins"}),
    ("a tile asleep that could be drawn", DRAW, {"asleep": "0-0"}),
    ("a tile asleep without a reserve", THREE_ALONE, {"reserve": {"2": 0, "3": 0, "4": 0}}),
    ("a tile asleep that is to lead", THREE_ALONE, {"asleep": "6-6"}),
    ("a tile asleep beside the set", THREE_ALONE, {"asleep": "7-7"}),
    ("a tile asleep, drawn for the lead", THREE_ALONE, {"lead_draws": "all"}),
    ("a reset in the middle of a round", JAMAICAN, {"reset": "all_scored", "finish": "at_once"}),
    ("a reset where the lowest wins", SIX_LOVE, {"lowest_wins": True}),
    (
        "a reset with points to open",
        SIX_LOVE,
        {"bonus_unit": "pips", "opening": {"points": 2, "kept": False}},
    ),
    ("a reset of differences", SIX_LOVE, {"team_difference": True}),
    (
        "a reset with the partner's pips",
        SIX_LOVE,
        {"bonus_unit": "pips", "out_bonus": "opponents", "partner_pips": "score"},
    ),
    ("max_doubles below 2", KOZEL, {"max_doubles": 1}),
    (
        "max_doubles below an average hand",
        preset("cuban"),
        {"max_doubles": 2, "hand_size": {"2": 12, "3": 12, "4": 12}},
    ),
    ("lone_pips: not in the set", KOZEL, {"lone_pips": {"7-7": 25}}),
    ("lone_pips: below 1", KOZEL, {"lone_pips": {"0-0": 0}}),
    ("two_doubles with a spinner", KOZEL, {"spinner": "first"}),
    ("two_doubles with a count", DRAW, {"two_doubles": True, "count": "fives"}),
    ("matching with a spinner", BERGEN, {"spinner": "first"}),
    ("matching with many_ends", BERGEN, {"many_ends": True}),
    ("matching with a scoring lead", BERGEN, {"lead_with": "scoring", "bonus_unit": "pips"}),
    ("every with many_ends", FIVE_UP, {"many_ends": True}),
    ("a cross that any tile leads", MERRY, {"lead_with": "any"}),
    ("a cross that the winner leads", MERRY, {"next_lead": "winner"}),
    ("a cross that rotates after a block", MERRY, {"next_lead_after_block": "rotate"}),
    ("a cross by a plain tile", MERRY, {"first_lead": "tile", "lead_tile": "3-2"}),
    ("nobody scores: hands of one", DRAW | HANDS_OF_ONE, {"out_bonus": "none"}),
    ("nobody scores: exact below the least", ALL_FIVES, EXACT_THREE),
    ("nobody scores: hands of one, extras for more", PASSES_ONLY | HANDS_OF_ONE, {"extras": {"block": 5}}),
    ("nobody scores: a salida with two seats", PASSES_ONLY, {"players": [2], "extras": {"pass_lead": 5}}),
    ("nobody scores: matching makes two", BERGEN | EXACT_THREE, {"target": 1}),
]

# preset, changes, whether a record of such a match names the preset
NAMED = [
    ("all-fives", {}, True),
    ("all-fives", {"target": 150}, True),
    ("all-fives", {"target": 160}, True),
    ("all-fives", {"target": 77, "spinner": "first_open"}, True),
    ("all-fives", {"target": 20}, True),
    ("all-fives", {"target": 500}, True),
    ("all-fives", {"target": 19}, False),
    ("all-fives", {"target": 501}, False),
    ("all-fives", {"spinner": "every"}, False),
    ("all-fives", {"rounds": 8}, False),
    ("all-fives", NO_TARGET, False),
    ("muggins-200", {"hand_size": SEVEN_EACH, "set": 9, "target": 137}, True),
    ("muggins-200", {"first_lead": "highest_double", "lead_with": "named"}, True),
    ("muggins-200", {"first_lead": "highest_double"}, False),
    ("muggins-200", {"next_lead": "first"}, False),
    ("muggins-200", {"next_lead": "first", "next_lead_after_block": "first"}, True),
    ("muggins-200", {"lowest_wins": True}, False),
    ("draw-free", {"first_lead": "highest_double"}, True),
    ("block", {"goal": "reach", "target": 150}, True),
    ("muggins-200", {"blocked_unit": None, "call_last": False}, True),
    ("muggins-200", {"blocked_unit": None, "call_last": False, "target": 100}, True),
    ("muggins-200", {"blocked_unit": None, "call_last": False, "set": 9}, False),
    ("muggins-200", {"blocked_unit": None}, False),
    ("muggins-200", {"call_last": False}, False),
    ("kozel", {"target": 125}, False),
    ("puerto-rico-200", {"target": 100}, True),
    ("puerto-rico-200", {"target": 101}, False),
    ("all-fives", {"target": 150, "spinner": "none"}, False),
    ("gomuggins", {"blocked_bonus": "difference", "lead_draws": "reserve"}, True),
    ("gomuggins", {"lead_draws": "reserve"}, True),
    ("gomuggins", {"blocked_bonus": "difference"}, False),
    ("gomuggins", {"blocked_bonus": "total"}, False),
    ("muggins-61", {"players": [2, 3, 4], "partners": True}, True),
    ("muggins-61", {"players": [2, 3, 4]}, False),
]
