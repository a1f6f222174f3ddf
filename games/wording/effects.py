"""Find which changes of the rules change the play at a table."""

from collections.abc import Callable
from typing import Any

from boneyard.engine.rules import OPTION, Rules

from .scope import Scope, scope_of

# Conditions under which an option has any effect.
_APPLIES: dict[str, Callable[[Scope], bool]] = {
    "players": lambda scope: False,  # follows from the seats
    "partners": lambda scope: scope.seats == 4,
    "team_difference": lambda scope: scope.in_pairs and not _has_one_award(scope),
    "reserve": lambda scope: (
        scope.boneyard > 0
        and (
            scope.rules.draw != "none"
            or (scope.rules.first_lead == "tile" and scope.rules.lead_draws == "reserve")
        )
    ),
    "blocked_winner": lambda scope: scope.block_is_won,
    "blocked_tie": lambda scope: scope.block_is_won,
    "two_doubles": lambda scope: scope.rules.spinner == "none",
    "bonus_unit": lambda scope: scope.bonuses,
    "bonus_ceiling": lambda scope: scope.bonuses or any(scope.rules.extras),
    "extra_rounds": lambda scope: (
        scope.rules.finish == "round_end" and scope.rules.target is not None and not _has_one_award(scope)
    ),
    "finish": lambda scope: not _has_one_award(scope),
    "lead_draws": lambda scope: scope.rules.first_lead == "tile" and scope.boneyard > 0,
    "partners_out": lambda scope: scope.in_pairs,
    "partner_pips": lambda scope: scope.in_pairs,
    "blocked_unit": lambda scope: scope.rules.blocked_bonus != "none",
    "goal": lambda scope: scope.rules.target is not None,
    "lead_tile": lambda scope: scope.rules.first_lead == "tile",
    "draw": lambda scope: scope.boneyard > 0,
}


def affects_play(name: str, rules: Rules, base: Rules, seats: int) -> bool:
    """Return whether rules that differ from `base` in this option are played differently with this many seats."""
    option = OPTION[name]
    ours, theirs = getattr(rules, option.attribute), getattr(base, option.attribute)
    if option.kind == "by_seats":
        ours, theirs = ours.at(seats), theirs.at(seats)
    if ours == theirs:
        return False
    scope = scope_of(rules, seats)
    if name in _MEANINGS and _MEANINGS[name](ours, scope) == _MEANINGS[name](theirs, scope):
        return False
    return name not in _APPLIES or _APPLIES[name](scope)


def _meaning_of_blocked_winner(value: str, scope: Scope) -> str:
    if scope.in_pairs or (value == "closer" and scope.seats > 2):
        return value
    return "side"


def _meaning_of_blocked_bonus(value: str, scope: Scope) -> str:
    if value in ("none", "own"):
        return value
    if (scope.rules.blocked_unit or scope.rules.bonus_unit) == "one":
        return "one"
    if (
        value == "chain"
        and scope.sides == 2
        and _meaning_of_blocked_winner(scope.rules.blocked_winner, scope) == "side"
    ):
        return "difference"
    return value


def _meaning_of_out_bonus(value: str, scope: Scope) -> str:
    if value in ("none", "own"):
        return value
    if scope.rules.bonus_unit == "one":
        return "one"
    return value if scope.in_pairs else "losers"


def _has_one_award(scope: Scope) -> bool:
    """Return whether a round gives points only when it ends and only to its winner.

    Then one side alone reaches the target, and only with the end of a round.
    """
    rules = scope.rules
    given_in_play = (
        rules.count != "none" or rules.out_points or rules.extras.pass_lead or rules.extras.pass_round
    )
    given_to_several = "own" in (rules.out_bonus, rules.blocked_bonus) or (
        rules.blocked_bonus == "chain" and _meaning_of_blocked_bonus("chain", scope) == "chain"
    )
    return not (given_in_play or given_to_several or rules.lowest_wins)


# Reduce a value to its effect: at some tables different values have the same one.
_MEANINGS: dict[str, Callable[[Any, Scope], object]] = {
    "blocked_winner": _meaning_of_blocked_winner,
    "blocked_unit": lambda value, scope: value or scope.rules.bonus_unit,
    "blocked_bonus": _meaning_of_blocked_bonus,
    "out_bonus": _meaning_of_out_bonus,
    # With two seats a pass on the lead is a `pass_round`.
    "extras": lambda value, scope: value._replace(pass_lead=0) if scope.seats == 2 else value,
}
