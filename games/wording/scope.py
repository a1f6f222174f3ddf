"""What the rules of a table come to for one number of seats: the ground of all sentences about them."""

from typing import NamedTuple

from games.engine.rules import Rules
from games.engine.terms import terms
from games.engine.tiles import SET_SIZES


class Sentence(NamedTuple):
    """One rule in words, the options it tells, whether the preset has it otherwise, and what it is about (PARTS)."""

    options: tuple[str, ...]
    text: str
    changed: bool = False
    part: str = ""


class Scope(NamedTuple):
    """What follows from the rules for one number of seats, and decides which of them can ever apply."""

    rules: Rules
    seats: int
    in_pairs: bool
    sides: int
    tiles: int  # of the set
    hand: int
    boneyard: int
    reserve: int
    can_draw: bool
    draws_for_lead: bool  # whether a full turn of draws for `lead_tile` is possible
    bonuses: bool
    charged: bool  # whether it is the losers who write pips
    may_lack_doubles: bool  # whether all hands may be without one
    block_is_won: bool  # whether it matters who wins a blocked round


def scope_of(rules: Rules, seats: int) -> Scope:
    """The scope of a table; `rules` must allow this many seats."""
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
        draws_for_lead=rules.first_lead == "tile" and boneyard - seats >= reserve,
        bonuses=rules.out_bonus != "none" or rules.blocked_bonus != "none",
        charged=rules.out_bonus == "own",
        # With all tiles dealt some hand has a double, unless its holder has left, which ends a match of two sides.
        may_lack_doubles=boneyard > rules.set or sides > 2,
        block_is_won=rules.blocked_bonus != "none"
        or rules.next_lead_after_block == "winner"
        or bool(rules.extras.block or rules.extras.rounds),
    )
