"""The deal and the lead (docs/rules.md).

>>> from .presets import PRESETS
>>> from .shuffle import chain
>>> from .terms import terms
>>> dealt = deal(terms(PRESETS["all-fives"].rules, 2), chain(bytes(range(32))), "a1b2.", frozenset())
>>> dealt.leader, [len(hand) for hand in dealt.hands], len(dealt.boneyard)
(1, [7, 7], 14)
"""

from .rounds import Deal, EndedRound
from .rules import FirstLead
from .shuffle import Keys, shuffled
from .terms import Terms
from .tiles import DOUBLES, SUITS, Mask, Tile, heaviness, mask_of, members

_Lead = tuple[int, Tile | None, tuple[tuple[int, Tile], ...]]


def deal(
    terms: Terms, keys: Keys, entropy: str, gone: frozenset[int], previous: EndedRound | None = None
) -> Deal:
    """The next round's deal; `previous` is the round before it.

    Raises LookupError when the keys of a record do not reach so far.
    """
    number = previous.number + 1 if previous else 1
    key = keys.key(number)
    leader = _leader_by_rotation(terms, gone, previous) if previous else None
    lots = None
    if leader is None and terms.rules.first_lead == "lot":
        lots = shuffled(terms.rules.set, key, "lots", number, 0, entropy)[: terms.seats]
    attempt, hands, boneyard = _shuffle_and_deal(terms, key, number, entropy)
    named: Tile | None = None
    lead_draws: tuple[tuple[int, Tile], ...] = ()
    if leader is None:
        leader, named, lead_draws = _first_lead(terms, gone, lots, hands, boneyard)
    if terms.rules.lead_with != "named":
        named = None
    return Deal(number, key, attempt, lots, hands, boneyard, lead_draws, leader, named)


def _leader_by_rotation(terms: Terms, gone: frozenset[int], previous: EndedRound) -> int | None:
    """The leader that the round before decides, or None where `first_lead` decides again."""
    blocked = previous.end.how == "blocked"
    how = terms.rules.next_lead_after_block if blocked else terms.rules.next_lead
    if how == "winner" and previous.end.winner not in gone:
        return previous.end.winner
    if how == "rotate":
        return terms.seat_after(previous.leader, gone)
    return None


def _shuffle_and_deal(
    terms: Terms, key: bytes, number: int, entropy: str
) -> tuple[int, tuple[tuple[Tile, ...], ...], tuple[Tile, ...]]:
    size, dealt = terms.hand_size, terms.hand_size * terms.seats
    most = terms.rules.max_same_suit
    attempt = 0
    while True:
        order = shuffled(terms.rules.set, key, "deal", number, attempt, entropy)
        hands = tuple(order[start : start + size] for start in range(0, dealt, size))
        if most is None or not any(_one_sided(mask_of(hand), most) for hand in hands):
            return attempt, hands, order[dealt:]
        attempt += 1


def _one_sided(hand: Mask, most: int) -> bool:
    return any((hand & suit & ~DOUBLES).bit_count() > most for suit in SUITS)


def _first_lead(
    terms: Terms,
    gone: frozenset[int],
    lots: tuple[Tile, ...] | None,
    hands: tuple[tuple[Tile, ...], ...],
    boneyard: tuple[Tile, ...],
) -> _Lead:
    """The leader, the tile that won the lead, and the draws made for it."""
    staying = [seat for seat in range(terms.seats) if seat not in gone]
    if lots is not None:
        return max(staying, key=lambda seat: heaviness(lots[seat])), None, ()
    if terms.rules.lead_tile is not None:
        return _lead_by_tile(terms, gone, staying, terms.rules.lead_tile, hands, boneyard)
    named = named_by_rank(terms.rules.first_lead, [tile for seat in staying for tile in hands[seat]])
    return next(seat for seat in staying if named in hands[seat]), named, ()


def named_by_rank(first_lead: FirstLead, held: list[Tile]) -> Tile:
    """The tile that wins the lead by `highest_double` or `lowest_double` among all that are held."""
    doubles = members(mask_of(held) & DOUBLES)
    if first_lead == "highest_double":
        return max(doubles or held, key=heaviness)
    return min(doubles or held, key=heaviness)


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
            # Decided: a holder who is gone is passed over as if it left now, before leading.
            return (seat, tile, ()) if seat not in gone else (terms.seat_after(seat, gone), None, ())
    draws: list[tuple[int, Tile]] = []
    while len(boneyard) - len(draws) - len(staying) >= terms.reserve:
        turn = list(zip(staying, boneyard[len(draws) :], strict=False))
        draws += turn
        for seat, drawn in turn:
            if drawn == tile:
                return seat, tile, tuple(draws)
    # Decided by docs/rules.md: nobody has it, so seat 0 (here: the first that stays) leads any tile.
    return staying[0], None, tuple(draws)
