"""The deal and the lead (docs/rules.md).

>>> from .presets import PRESETS
>>> from .shuffle import chain
>>> from .terms import terms
>>> dealt = deal(terms(PRESETS["all-fives"].rules, 2), chain(bytes(range(32))), "a1b2.", frozenset())
>>> dealt.leader, [len(hand) for hand in dealt.hands], len(dealt.boneyard)
(1, [7, 7], 14)
"""

from .options import FirstLead
from .round_ends import EndedRound
from .rounds import Deal
from .settlement import is_level
from .shuffle import Keys, shuffled
from .terms import Terms
from .tiles import DOUBLE, DOUBLES, SUITS, Mask, Tile, heaviness, mask_of

# Build a named tuple from a tuple: twice as fast as its constructor (bench/engine.py).
_new = tuple.__new__

# Ranks 0-0 below every other double under `double_from_1`.
_ZERO_DOUBLE_PENALTY = 100

_Lead = tuple[int, Tile | None, tuple[tuple[int, Tile], ...]]


def deal(
    terms: Terms, keys: Keys, entropy: str, gone: frozenset[int], previous: EndedRound | None = None
) -> Deal:
    """Return the deal of the round after `previous`, or of the first round.

    Raise `LookupError` if `keys` do not include this round's key.
    """
    number = 1 if previous is None else previous.round.deal.number + 1
    key = keys.key(number)
    leader = _leader_from_previous(terms, gone, previous) if previous else None
    lots = None
    if leader is None and terms.rules.first_lead == "lot":
        lots = shuffled(terms.rules.set, key, "lots", number, 0, entropy)[: terms.seats]
    attempt, hands, boneyard = _shuffle_and_deal(terms, key, number, entropy)
    how: FirstLead | None = None
    won: Tile | None = None
    lead_draws: tuple[tuple[int, Tile], ...] = ()
    if leader is None:
        how = terms.rules.first_lead
        leader, won, lead_draws = _first_lead(terms, gone, lots, hands, boneyard)
    named = won if terms.rules.lead_with == "named" else None
    return _new(Deal, (number, key, attempt, lots, hands, boneyard, lead_draws, leader, named, how, won))


def _leader_from_previous(terms: Terms, gone: frozenset[int], previous: EndedRound) -> int | None:
    """Return the leader that the previous round determines, or None where `first_lead` applies again."""
    end = previous.end
    if terms.rules.reset != "none" and is_level(terms, gone, previous.scores):
        return None
    how = terms.rules.next_lead_after_block if end.how == "blocked" else terms.rules.next_lead
    if how == "winner" and end.winner not in gone:
        return end.winner
    if how == "rotate":
        return terms.seat_after(previous.leader, gone)
    return None


def _shuffle_and_deal(
    terms: Terms, key: bytes, number: int, entropy: str
) -> tuple[int, tuple[tuple[Tile, ...], ...], tuple[Tile, ...]]:
    suit, doubles = terms.rules.max_same_suit, terms.rules.max_doubles
    attempt = 0
    while True:
        order = shuffled(terms.rules.set, key, "deal", number, attempt, entropy)
        if terms.asleep is not None:
            order = (*[tile for tile in order if tile != terms.asleep], terms.asleep)
        hands = tuple([order[hand] for hand in terms.hand_slices])
        if suit is doubles is None or not any(_is_refused(mask_of(hand), suit, doubles) for hand in hands):
            return attempt, hands, order[terms.boneyard_slice]
        attempt += 1


def _is_refused(hand: Mask, max_same_suit: int | None, max_doubles: int | None) -> bool:
    if max_doubles is not None and (hand & DOUBLES).bit_count() > max_doubles:
        return True
    return max_same_suit is not None and any(
        (hand & suit & ~DOUBLES).bit_count() > max_same_suit for suit in SUITS
    )


def _first_lead(
    terms: Terms,
    gone: frozenset[int],
    lots: tuple[Tile, ...] | None,
    hands: tuple[tuple[Tile, ...], ...],
    boneyard: tuple[Tile, ...],
) -> _Lead:
    """Return the leader, the tile that won the lead, and the draws made for it."""
    staying = [seat for seat in range(terms.seats) if seat not in gone]
    if lots is not None:
        return max(staying, key=lambda seat: heaviness(lots[seat])), None, ()
    if terms.rules.lead_tile is not None:
        return _lead_by_tile(terms, gone, staying, terms.rules.lead_tile, hands, boneyard)
    named = lead_winning_tile(terms.rules.first_lead, [tile for seat in staying for tile in hands[seat]])
    return next(seat for seat in staying if named in hands[seat]), named, ()


def lead_winning_tile(first_lead: FirstLead, held: list[Tile]) -> Tile:
    """Return the tile among `held` that wins the lead under `first_lead` (`highest_double`, …)."""
    return max(held, key=lambda tile: lead_rank(first_lead, tile))


def lead_rank(first_lead: FirstLead, tile: Tile) -> tuple[bool, int, int]:
    """Return the sort key of a tile for the lead: the greatest wins. Doubles rank above all other tiles."""
    pips, high = heaviness(tile)
    if first_lead == "lowest_double" or (first_lead == "double_from_1" and DOUBLE[tile] and tile):
        pips, high = -pips, -high
    elif first_lead == "double_from_1" and DOUBLE[tile]:
        pips = -_ZERO_DOUBLE_PENALTY
    return DOUBLE[tile], pips, high


def _lead_by_tile(
    terms: Terms,
    gone: frozenset[int],
    staying: list[int],
    tile: Tile,
    hands: tuple[tuple[Tile, ...], ...],
    boneyard: tuple[Tile, ...],
) -> _Lead:
    for seat, hand in enumerate(hands):
        if tile in hand:
            # As if the holder left before leading: the next seat leads any tile (docs/rules.md).
            return (seat, tile, ()) if seat not in gone else (terms.seat_after(seat, gone), None, ())
    draws = _draws_for_lead(terms, staying, tile, boneyard)
    for seat, drawn in draws:
        if drawn == tile:
            return seat, tile, draws
    # Nobody has it: the first seat that has not left leads any tile (docs/rules.md).
    return staying[0], None, draws


def _draws_for_lead(
    terms: Terms, staying: list[int], tile: Tile, boneyard: tuple[Tile, ...]
) -> tuple[tuple[int, Tile], ...]:
    """Return the draws for a tile in the boneyard, as (seat, tile): whole turns that leave the reserve.

    Under `lead_draws: all` the draws go on until the tile is found, in a last turn that may be incomplete.
    """
    place, seats = boneyard.index(tile), len(staying)
    turns = place // seats + 1
    number = turns * seats
    if terms.rules.lead_draws == "all":
        number = number if number <= len(boneyard) else place + 1
    else:
        number = min(turns, max(0, len(boneyard) - terms.reserve) // seats) * seats
    return tuple((staying[index % seats], drawn) for index, drawn in enumerate(boneyard[:number]))
