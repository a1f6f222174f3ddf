"""Which values may not stand together (docs/rules.md, "What does not go together").

>>> from .presets import PRESETS
>>> rules = PRESETS["block"].rules
>>> [code for option, code, impossible in IMPOSSIBLE if impossible(rules)]
[]
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from . import tiles

if TYPE_CHECKING:
    from .rules import Rules

_Fault = tuple[str, str, Callable[["Rules"], bool]]


def _set_size(rules: "Rules") -> int:
    return tiles.SET_SIZES[rules.set]


def _boneyard(rules: "Rules", seats: int) -> int:
    return _set_size(rules) - seats * rules.hand_size.at(seats)


def _some(rules: "Rules", unfit: Callable[["Rules", int], bool]) -> bool:
    return any(unfit(rules, seats) for seats in rules.players)


def _nobody_can_score(rules: "Rules", seats: int) -> bool:
    least = min(_awards(rules, seats), default=None)
    return least is None or (rules.exact and least > rules.target)


def _awards(rules: "Rules", seats: int) -> Iterator[int]:
    """The least that each way of scoring gives at once; nothing for one that never comes."""
    # Whoever is dealt one tile is out with the lead: nobody passes, no round is blocked, no tile joins two ends.
    out_at_once = rules.hand_size.at(seats) == 1
    if rules.count != "none":
        yield {"fives": 5, "matching": 2}.get(rules.count, 1)
    if rules.out_points:
        yield rules.out_points
    if rules.out_bonus != "none" or (rules.blocked_bonus != "none" and not out_at_once):
        yield 5 if rules.bonus_unit == "nearest_five" else 1
    yield from (number for number in rules.extras.rounds if number)
    for name, number in rules.extras._asdict().items():
        never = name != "chucha" and (out_at_once or (name == "pass_lead" and seats == 2))
        if name != "rounds" and number and not never:
            yield number


def _cross_is_led_otherwise(rules: "Rules") -> bool:
    """Whether `spinner: cross` stands beside a round that is not led by a double looked for."""
    every_round = rules.next_lead == rules.next_lead_after_block == "first" and rules.lead_with == "named"
    plain = rules.lead_tile is not None and not tiles.DOUBLE[rules.lead_tile]
    return rules.spinner == "cross" and (not every_round or rules.first_lead == "lot" or plain)


def _many_doubles(rules: "Rules", seats: int) -> bool:
    """Whether an average hand has more doubles than are allowed: such a deal might never come."""
    most = rules.max_doubles
    return most is not None and 2 * rules.hand_size.at(seats) > most * (rules.set + 2)


def _charges(rules: "Rules") -> bool:
    return "own" in (rules.out_bonus, rules.blocked_bonus)


_TABLE: tuple[_Fault, ...] = (
    ("hand_size", "too_many_tiles", lambda r: _some(r, lambda r, n: _boneyard(r, n) < 0)),
    ("reserve", "larger_than_boneyard", lambda r: _some(r, lambda r, n: r.reserve.at(n) > _boneyard(r, n))),
    ("max_doubles", "average_hand_has_more", lambda r: _some(r, _many_doubles)),
    (
        "max_same_suit",
        "hands_too_large",
        lambda r: r.max_same_suit is not None and _some(r, lambda r, n: r.hand_size.at(n) > 9),
    ),
    ("lead_tile", "needs_first_lead_tile", lambda r: r.lead_tile is not None and r.first_lead != "tile"),
    ("lead_tile", "missing_lead_tile", lambda r: r.lead_tile is None and r.first_lead == "tile"),
    ("lead_tile", "not_in_the_set", lambda r: r.lead_tile is not None and r.lead_tile >= _set_size(r)),
    ("lone_pips", "not_in_the_set", lambda r: any(tile >= _set_size(r) for tile, _ in r.lone_pips)),
    ("lead_with", "named_by_lot", lambda r: r.lead_with == "named" and r.first_lead == "lot"),
    ("spinner", "cross_needs_a_named_double", _cross_is_led_otherwise),
)

_PLAY: tuple[_Fault, ...] = (
    ("count", "matching_needs_two_ends", lambda r: r.count == "matching" and r.spinner != "none"),
    ("claims", "needs_a_count", lambda r: r.claims == "muggins" and r.count == "none"),
    ("many_ends", "needs_a_count", lambda r: r.many_ends and r.count == "none"),
    ("many_ends", "not_with_fives_threes", lambda r: r.many_ends and r.count == "fives_threes"),
    ("many_ends", "not_with_matching", lambda r: r.many_ends and r.count == "matching"),
    ("many_ends", "not_with_every", lambda r: r.many_ends and r.spinner == "every"),
    ("lead_with", "needs_a_count", lambda r: r.lead_with == "scoring" and r.count == "none"),
    ("lead_with", "not_with_fives_threes", lambda r: r.lead_with == "scoring" and r.count == "fives_threes"),
    ("lead_with", "not_with_matching", lambda r: r.lead_with == "scoring" and r.count == "matching"),
    ("two_doubles", "needs_two_ends", lambda r: r.two_doubles and r.spinner != "none"),
    ("two_doubles", "not_with_a_count", lambda r: r.two_doubles and r.count != "none"),
    (
        "extras",
        "capicua_needs_two_ends",
        lambda r: r.spinner != "none" and bool(r.extras.capicua or r.extras.capicua_blank),
    ),
    (
        "extras",
        "passes_need_no_choice",
        lambda r: (
            (r.draw != "none" or r.pass_ != "stuck") and bool(r.extras.pass_lead or r.extras.pass_round)
        ),
    ),
)

_BONUSES: tuple[_Fault, ...] = (
    ("blocked_bonus", "own_needs_both", lambda r: r.blocked_bonus == "own" and r.out_bonus != "own"),
    (
        "out_bonus",
        "own_or_none",
        lambda r: r.out_bonus == "own" and r.blocked_bonus not in ("own", "none"),
    ),
    ("out_bonus", "own_needs_lowest_wins", lambda r: _charges(r) and not r.lowest_wins),
    ("out_bonus", "own_not_with_a_count", lambda r: _charges(r) and r.count != "none"),
    ("out_bonus", "own_not_with_extras", lambda r: _charges(r) and any(r.extras)),
    ("out_bonus", "own_not_with_out_points", lambda r: _charges(r) and r.out_points > 0),
    ("out_bonus", "own_not_with_bonus_unit", lambda r: _charges(r) and r.bonus_unit != "pips"),
    ("bonus_unit", "one_not_with_chain", lambda r: r.bonus_unit == "one" and r.blocked_bonus == "chain"),
    (
        "blocked_winner",
        "not_with_lightest_tile",
        lambda r: r.blocked_tie == "lightest_tile" and r.blocked_winner != "side",
    ),
    (
        "blocked_tie",
        "nothing_to_carry",
        lambda r: r.blocked_tie == "carry" and r.blocked_bonus in ("chain", "none"),
    ),
    ("opening", "above_the_target", lambda r: r.opening is not None and r.opening.points > r.target),
    ("opening", "not_with_team_difference", lambda r: r.opening is not None and r.team_difference),
    ("opening", "not_with_bonus_unit_one", lambda r: r.opening is not None and r.bonus_unit == "one"),
    ("opening", "not_with_matching", lambda r: r.opening is not None and r.count == "matching"),
    (
        "opening",
        "kept_not_called",
        lambda r: r.opening is not None and r.opening.kept and r.claims == "muggins",
    ),
)

_FINISH: tuple[_Fault, ...] = (
    ("exact", "not_with_round_end", lambda r: r.exact and r.finish == "round_end"),
    ("exact", "not_with_bonus_ceiling", lambda r: r.exact and r.bonus_ceiling is not None),
    ("lowest_wins", "not_with_exact", lambda r: r.lowest_wins and r.exact),
    ("lowest_wins", "not_at_once", lambda r: r.lowest_wins and r.finish == "at_once"),
    ("team_difference", "not_at_once", lambda r: r.team_difference and r.finish == "at_once"),
    ("team_difference", "needs_partners", lambda r: r.team_difference and not r.partners),
    ("team_difference", "needs_four_players", lambda r: r.team_difference and r.players != (4,)),
    ("count", "nobody_can_score", lambda r: _some(r, _nobody_can_score)),
)

# The option at fault, what is wrong with it, and whether it is: the first that is so is told.
IMPOSSIBLE: tuple[_Fault, ...] = (*_TABLE, *_PLAY, *_BONUSES, *_FINISH)
