"""The options of docs/rules.md: their values, their defaults, and which values do not go together.

>>> from .presets import PRESETS
>>> rules = PRESETS["block"].rules
>>> [code for option, code, applies in CONFLICTS if applies(rules)]
[]
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from . import tiles
from .option_kinds import Between, BySeats, Extras, LonePips, Opening, OptionalTile, Players

MAX_ROUNDS = 1000

HighestSuit = Literal[6, 9, 12]
FirstLead = Literal["lot", "highest_double", "lowest_double", "double_from_1", "tile"]
LeadWith = Literal["any", "named", "scoring"]
NextLead = Literal["winner", "first", "rotate"]
SpinnerRule = Literal["none", "first", "first_enclosed", "first_open", "cross", "every"]
DrawRule = Literal["none", "until_playable", "free"]
PassRule = Literal["stuck", "free", "always"]
CountRule = Literal["none", "fives", "fives_by_one", "fives_threes", "matching"]
ClaimRule = Literal["automatic", "muggins"]
OutBonus = Literal["opponents", "none", "losers", "table", "own"]
BlockedBonus = Literal["total", "difference", "chain", "none", "table", "own"]
BlockedWinner = Literal["side", "hand", "closer"]
BlockedTie = Literal["lightest_tile", "nobody", "leader", "closer", "carry"]
BonusUnit = Literal["pips", "nearest_five", "fifths_nearest", "fifths_up", "one"]
PartnerPips = Literal["bonus", "score", "score_unit"]
PartnersOut = Literal["one", "both"]
LeadDraws = Literal["reserve", "all"]
Goal = Literal["reach", "exceed"]
PastTarget = Literal["award", "round"]
Finish = Literal["at_once", "round_end"]
ExtraRounds = Literal["one", "players"]
Reset = Literal["none", "all_scored", "one_all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionValues:
    """One value of every option, not checked for conflicts between them (`Rules`).

    The fields are the only list of the options; `OPTIONS` is read from their names, types, defaults and order. Rules
    and records may omit an option that has a default.
    """

    set: HighestSuit
    players: Players
    partners: bool
    hand_size: Annotated[BySeats, Between(1)]
    max_same_suit: Annotated[int | None, Between(3)]
    max_doubles: Annotated[int | None, Between(2)] = None
    asleep: OptionalTile = None
    first_lead: FirstLead
    lead_tile: OptionalTile
    lead_draws: LeadDraws = "reserve"
    lead_with: LeadWith
    next_lead: NextLead
    next_lead_after_block: NextLead
    spinner: SpinnerRule
    draw: DrawRule
    reserve: BySeats
    pass_: PassRule
    many_ends: bool
    two_doubles: bool = False
    count: CountRule
    claims: ClaimRule
    call_last: bool = False
    partners_out: PartnersOut = "one"
    out_bonus: OutBonus
    partner_pips: PartnerPips = "bonus"
    out_points: int
    blocked_bonus: BlockedBonus
    blocked_winner: BlockedWinner = "side"
    blocked_tie: BlockedTie
    bonus_unit: BonusUnit
    blocked_unit: BonusUnit | None = None
    blocked_double: bool = False
    bonus_ceiling: Annotated[int | None, Between(1)]
    extras: Extras = Extras()
    opening: Opening | None = None
    lone_pips: LonePips = ()
    team_difference: bool
    target: Annotated[int | None, Between(1)]
    goal: Goal = "reach"
    exact: bool
    past_target: PastTarget = "award"
    finish: Finish
    lowest_wins: bool
    extra_rounds: ExtraRounds
    reset: Reset = "none"
    rounds: Annotated[int | None, Between(1, MAX_ROUNDS - 1)] = None

    def __hash__(self) -> int:
        # Rules are keys of many caches; few differ and share all of these.
        return hash((self.set, self.players, self.count, self.draw, self.target))

    @property
    def unit_of_block(self) -> BonusUnit:
        """Return the unit of what a block gives."""
        return self.blocked_unit or self.bonus_unit

    def in_pairs(self, seats: int) -> bool:
        """Return whether opposite seats are partners at a table of this many seats."""
        return self.partners and seats == 4


# The option at fault, the code of the conflict, and whether some values are in that conflict.
_Conflict = tuple[str, str, Callable[[OptionValues], bool]]


def _set_size(rules: OptionValues) -> int:
    return tiles.SET_SIZES[rules.set]


def _boneyard(rules: OptionValues, seats: int) -> int:
    return _set_size(rules) - seats * rules.hand_size.at(seats)


def _at_any_table(rules: OptionValues, unfit: Callable[[OptionValues, int], bool]) -> bool:
    """Return whether `unfit(rules, seats)` holds for a number of seats that the rules allow."""
    return any(unfit(rules, seats) for seats in rules.players)


def _nobody_can_score(rules: OptionValues, seats: int) -> bool:
    smallest = min(_awards(rules, seats), default=None)
    return smallest is None or (rules.exact and rules.target is not None and smallest > rules.target)


def _awards(rules: OptionValues, seats: int) -> Iterator[int]:
    """Yield the smallest award of each way of scoring that can occur at a table of this many seats."""
    # With one tile each, the leader goes out with the lead: no pass, no block, no tile that joins two ends.
    out_at_once = rules.hand_size.at(seats) == 1
    if rules.count != "none":
        yield {"fives": 5, "matching": 2}.get(rules.count, 1)
    if rules.out_points:
        yield rules.out_points
    if rules.out_bonus != "none":
        yield _smallest_bonus(rules.bonus_unit)
    if rules.blocked_bonus != "none" and not out_at_once:
        yield _smallest_bonus(rules.unit_of_block) * (1 + rules.blocked_double)
    yield from (number for number in rules.extras.rounds if number)
    for name, number in rules.extras._asdict().items():
        never = name != "chucha" and (out_at_once or (name == "pass_lead" and seats == 2))
        if name != "rounds" and number and not never:
            yield number


def _stays_under_ceiling(rules: OptionValues, seats: int) -> bool:
    """Return whether a ceiling keeps every score below the target for ever: plays and passes give nothing above it."""
    if rules.bonus_ceiling is None or rules.target is None or rules.rounds is not None:
        return False
    needed = rules.target + (rules.goal == "exceed")
    if rules.bonus_ceiling >= needed or rules.count != "none" or rules.out_points:
        return False
    extras, may_pass = rules.extras, rules.hand_size.at(seats) > 1
    return not (may_pass and (extras.pass_round or (extras.pass_lead and seats > 2)))


def _smallest_bonus(unit: BonusUnit) -> int:
    return 5 if unit == "nearest_five" else 1


def _pays_for_capicua(extras: Extras) -> bool:
    return bool(extras.capicua or extras.capicua_blank or extras.capicua_double)


def _cross_without_named_double(rules: OptionValues) -> bool:
    """Return whether `spinner: cross` is set though a round may be led by something else than a named double."""
    every_round = rules.next_lead == rules.next_lead_after_block == "first" and rules.lead_with == "named"
    plain = rules.lead_tile is not None and not tiles.DOUBLE[rules.lead_tile]
    return rules.spinner == "cross" and (not every_round or rules.first_lead == "lot" or plain)


def _too_few_doubles_allowed(rules: OptionValues, seats: int) -> bool:
    """Return whether an average hand has more doubles than allowed, so that dealing might never succeed."""
    limit = rules.max_doubles
    return limit is not None and 2 * rules.hand_size.at(seats) > limit * (rules.set + 2)


def _may_be_drawn(rules: OptionValues, seats: int) -> bool:
    """Return whether the boneyard has no reserve, so that the tile asleep, its last, could be drawn for the lead."""
    return _boneyard(rules, seats) > 0 and not rules.reserve.at(seats)


def _charges_own_pips(rules: OptionValues) -> bool:
    return "own" in (rules.out_bonus, rules.blocked_bonus)


def _carries_in_two_units(rules: OptionValues) -> bool:
    return rules.blocked_tie == "carry" and (rules.bonus_unit == "one") != (rules.unit_of_block == "one")


def _takes_from_score(rules: OptionValues) -> bool:
    return rules.partner_pips != "bonus"


_TABLE: tuple[_Conflict, ...] = (
    ("hand_size", "too_many_tiles", lambda r: _at_any_table(r, lambda r, n: _boneyard(r, n) < 0)),
    (
        "reserve",
        "larger_than_boneyard",
        lambda r: _at_any_table(r, lambda r, n: r.reserve.at(n) > _boneyard(r, n)),
    ),
    ("max_doubles", "average_hand_has_more", lambda r: _at_any_table(r, _too_few_doubles_allowed)),
    (
        "max_same_suit",
        "hands_too_large",
        lambda r: r.max_same_suit is not None and _at_any_table(r, lambda r, n: r.hand_size.at(n) > 9),
    ),
    ("lead_tile", "needs_first_lead_tile", lambda r: r.lead_tile is not None and r.first_lead != "tile"),
    ("lead_tile", "missing_lead_tile", lambda r: r.lead_tile is None and r.first_lead == "tile"),
    ("lead_tile", "not_in_the_set", lambda r: r.lead_tile is not None and r.lead_tile >= _set_size(r)),
    ("lead_draws", "needs_first_lead_tile", lambda r: r.lead_draws == "all" and r.first_lead != "tile"),
    ("lone_pips", "not_in_the_set", lambda r: any(tile >= _set_size(r) for tile, _ in r.lone_pips)),
    ("asleep", "not_in_the_set", lambda r: r.asleep is not None and r.asleep >= _set_size(r)),
    ("asleep", "leads", lambda r: r.asleep is not None and r.asleep == r.lead_tile),
    (
        "asleep",
        "may_be_drawn",
        lambda r: (
            r.asleep is not None
            and (r.draw != "none" or r.lead_draws == "all" or _at_any_table(r, _may_be_drawn))
        ),
    ),
    ("lead_with", "named_by_lot", lambda r: r.lead_with == "named" and r.first_lead == "lot"),
    ("spinner", "cross_needs_a_named_double", _cross_without_named_double),
)

_PLAY: tuple[_Conflict, ...] = (
    ("count", "matching_needs_two_ends", lambda r: r.count == "matching" and r.spinner != "none"),
    ("claims", "needs_a_count", lambda r: r.claims == "muggins" and r.count == "none"),
    ("call_last", "needs_claims", lambda r: r.call_last and r.claims != "muggins"),
    ("partners_out", "needs_partners", lambda r: r.partners_out == "both" and not r.partners),
    ("many_ends", "needs_a_count", lambda r: r.many_ends and r.count == "none"),
    ("many_ends", "not_with_fives_threes", lambda r: r.many_ends and r.count == "fives_threes"),
    ("many_ends", "not_with_matching", lambda r: r.many_ends and r.count == "matching"),
    ("many_ends", "not_with_every", lambda r: r.many_ends and r.spinner == "every"),
    ("lead_with", "needs_a_count", lambda r: r.lead_with == "scoring" and r.count == "none"),
    ("lead_with", "not_with_fives_threes", lambda r: r.lead_with == "scoring" and r.count == "fives_threes"),
    ("lead_with", "not_with_matching", lambda r: r.lead_with == "scoring" and r.count == "matching"),
    ("two_doubles", "needs_two_ends", lambda r: r.two_doubles and r.spinner != "none"),
    ("two_doubles", "not_with_a_count", lambda r: r.two_doubles and r.count != "none"),
    ("extras", "capicua_needs_two_ends", lambda r: r.spinner != "none" and _pays_for_capicua(r.extras)),
    (
        "extras",
        "passes_need_no_choice",
        lambda r: (
            (r.draw != "none" or r.pass_ != "stuck") and bool(r.extras.pass_lead or r.extras.pass_round)
        ),
    ),
)

_BONUSES: tuple[_Conflict, ...] = (
    ("blocked_bonus", "own_needs_both", lambda r: r.blocked_bonus == "own" and r.out_bonus != "own"),
    (
        "out_bonus",
        "own_or_none",
        lambda r: r.out_bonus == "own" and r.blocked_bonus not in ("own", "none"),
    ),
    ("out_bonus", "own_needs_lowest_wins", lambda r: _charges_own_pips(r) and not r.lowest_wins),
    ("out_bonus", "own_not_with_a_count", lambda r: _charges_own_pips(r) and r.count != "none"),
    ("out_bonus", "own_not_with_extras", lambda r: _charges_own_pips(r) and any(r.extras)),
    ("out_bonus", "own_not_with_out_points", lambda r: _charges_own_pips(r) and r.out_points > 0),
    ("out_bonus", "own_not_with_bonus_unit", lambda r: _charges_own_pips(r) and r.bonus_unit != "pips"),
    (
        "bonus_unit",
        "one_not_with_chain",
        lambda r: r.bonus_unit == "one" and r.blocked_bonus == "chain" and r.blocked_unit is None,
    ),
    (
        "blocked_unit",
        "no_bonus_to_count",
        lambda r: r.blocked_unit is not None and r.blocked_bonus in ("none", "own"),
    ),
    ("blocked_unit", "one_not_with_chain", lambda r: r.blocked_unit == "one" and r.blocked_bonus == "chain"),
    ("blocked_unit", "carry_in_two_units", _carries_in_two_units),
    (
        "blocked_double",
        "no_single_winner",
        lambda r: r.blocked_double and r.blocked_bonus in ("none", "own", "chain"),
    ),
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
    (
        "opening",
        "above_the_target",
        lambda r: r.opening is not None and r.target is not None and r.opening.points > r.target,
    ),
    ("opening", "not_with_team_difference", lambda r: r.opening is not None and r.team_difference),
    (
        "opening",
        "not_with_bonus_unit_one",
        lambda r: r.opening is not None and "one" in (r.bonus_unit, r.blocked_unit),
    ),
    ("opening", "not_with_matching", lambda r: r.opening is not None and r.count == "matching"),
    (
        "opening",
        "kept_not_called",
        lambda r: r.opening is not None and r.opening.kept and r.claims == "muggins",
    ),
    ("partner_pips", "needs_partners", lambda r: _takes_from_score(r) and not r.partners),
    ("partner_pips", "needs_opponents", lambda r: _takes_from_score(r) and r.out_bonus != "opponents"),
    ("partner_pips", "not_with_team_difference", lambda r: _takes_from_score(r) and r.team_difference),
    ("partner_pips", "not_with_opening", lambda r: _takes_from_score(r) and r.opening is not None),
    ("partner_pips", "not_with_bonus_unit_one", lambda r: _takes_from_score(r) and r.bonus_unit == "one"),
    ("partner_pips", "not_with_partners_out", lambda r: _takes_from_score(r) and r.partners_out == "both"),
)

_FINISH: tuple[_Conflict, ...] = (
    ("target", "needed_without_rounds", lambda r: r.target is None and r.rounds is None),
    ("target", "needed_by_exact", lambda r: r.target is None and r.exact),
    ("target", "needed_by_bonus_ceiling", lambda r: r.target is None and r.bonus_ceiling is not None),
    ("target", "needed_by_opening", lambda r: r.target is None and r.opening is not None),
    ("target", "needed_at_once", lambda r: r.target is None and r.finish == "at_once"),
    ("goal", "not_with_exact", lambda r: r.goal == "exceed" and r.exact),
    ("past_target", "needs_exact", lambda r: r.past_target == "round" and not r.exact),
    ("exact", "not_with_round_end", lambda r: r.exact and r.finish == "round_end"),
    ("bonus_ceiling", "below_the_target", lambda r: _at_any_table(r, _stays_under_ceiling)),
    ("exact", "not_with_bonus_ceiling", lambda r: r.exact and r.bonus_ceiling is not None),
    ("lowest_wins", "not_with_exact", lambda r: r.lowest_wins and r.exact),
    ("lowest_wins", "not_at_once", lambda r: r.lowest_wins and r.finish == "at_once"),
    ("team_difference", "not_at_once", lambda r: r.team_difference and r.finish == "at_once"),
    ("team_difference", "needs_partners", lambda r: r.team_difference and not r.partners),
    ("team_difference", "needs_four_players", lambda r: r.team_difference and r.players != (4,)),
    ("reset", "not_at_once", lambda r: r.reset != "none" and r.finish == "at_once"),
    ("reset", "not_with_lowest_wins", lambda r: r.reset != "none" and r.lowest_wins),
    ("reset", "not_with_opening", lambda r: r.reset != "none" and r.opening is not None),
    ("reset", "not_with_team_difference", lambda r: r.reset != "none" and r.team_difference),
    ("reset", "not_with_partner_pips", lambda r: r.reset != "none" and _takes_from_score(r)),
    ("count", "nobody_can_score", lambda r: _at_any_table(r, _nobody_can_score)),
)

# The first conflict that applies is reported.
CONFLICTS: tuple[_Conflict, ...] = (*_TABLE, *_PLAY, *_BONUSES, *_FINISH)
