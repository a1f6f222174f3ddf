"""The rules of a table for one number of seats, as needed by the sentences about them."""

from typing import NamedTuple

from boneyard.engine.rules import Rules
from boneyard.engine.terms import terms
from boneyard.engine.tiles import SET_SIZES


class Sentence(NamedTuple):
    """A rule in words: the options it covers, whether it differs from the preset, and its part (`RULES_PARTS`)."""

    options: tuple[str, ...]
    text: str
    changed: bool = False
    part: str = ""


class Scope(NamedTuple):
    """Facts that follow from the rules and the number of seats, and decide which rules can apply."""

    rules: Rules
    seats: int
    in_pairs: bool
    sides: int
    tiles: int  # of the set
    hand: int
    boneyard: int
    reserve: int
    can_draw: bool
    draws_for_lead: bool  # whether draws for `lead_tile` are possible
    both_out: bool  # whether a pair is out only when both partners are
    partner_pays: bool  # whether the partner's pips are taken from the score
    bonuses: bool
    charged: bool  # whether the losers write pips
    may_lack_doubles: bool  # whether no hand may have one
    block_is_won: bool  # whether it matters who wins a blocked round


def scope_of(rules: Rules, seats: int) -> Scope:
    """Return the scope of a table; `rules` must allow this many seats."""
    sides = len(terms(rules, seats).sides)
    hand, reserve, tiles = rules.hand_size.at(seats), rules.reserve.at(seats), SET_SIZES[rules.set]
    boneyard = tiles - seats * hand
    return Scope(
        rules=rules,
        seats=seats,
        in_pairs=sides < seats,
        sides=sides,
        tiles=tiles,
        hand=hand,
        boneyard=boneyard,
        reserve=reserve,
        can_draw=rules.draw != "none" and boneyard > reserve,
        draws_for_lead=rules.first_lead == "tile"
        and (rules.lead_draws == "all" or boneyard - seats >= reserve)
        and boneyard > 0,
        both_out=rules.partners_out == "both" and sides < seats,
        partner_pays=rules.partner_pips != "bonus" and sides < seats,
        bonuses=rules.out_bonus != "none" or rules.blocked_bonus != "none",
        charged=rules.out_bonus == "own",
        # With all tiles dealt some hand has a double, unless its holder has left, which ends a match of two sides.
        may_lack_doubles=boneyard > rules.set or sides > 2,
        block_is_won=rules.blocked_bonus != "none"
        or rules.next_lead_after_block == "winner"
        or bool(rules.extras.block or rules.extras.rounds),
    )
