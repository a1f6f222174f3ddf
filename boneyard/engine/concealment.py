"""Conceal the deals of a match whose set is still open (docs/record.md, "Shared deals").

Others play the same deals later, so what an ordinary match makes public at the end of a round stays hidden from its
player.

>>> from .matches import begin
>>> from .perspective import perspective
>>> from .presets import PRESETS
>>> match = begin(PRESETS["block"].rules, 2, bytes(range(32)), "daily-2026-11-26")
>>> while not match.ended:
...     match = match.play(match.turn, perspective(match, match.turn).legal[0])
>>> deal = conceal(match, 0).ended[0].round.deal
>>> [len(hand) for hand in deal.hands], deal.key
([7, 0], b'')
"""

from typing import cast

from .matches import Match
from .moves import DRAW
from .round_ends import EndedRound
from .rounds import Deal, Entry, Round
from .tiles import Tile

NO_KEY = b""


def conceal(match: Match, seat: int) -> Match:
    """Return the match without what this seat may not know while the set of deals is open.

    Ended rounds keep the own hand, the line, the log without the others' drawn tiles, and the pips that were counted.
    The round in play keeps all hands: `perspective` shows the own one and the numbers of the others' tiles.
    """
    concealed = match._replace(ended=tuple(_conceal_ended(ended, seat) for ended in match.ended))
    if match.result is None:
        return concealed
    round_ = match.round
    return concealed._replace(
        round=round_._replace(deal=_conceal_lead(round_.deal, seat), log=_conceal_log(round_, seat))
    )


def _conceal_ended(ended: EndedRound, seat: int) -> EndedRound:
    round_ = ended.round
    deal = _conceal_lead(round_.deal, seat)._replace(
        key=NO_KEY, hands=tuple(_own_or_nothing(round_.deal.hands, seat)), boneyard=()
    )
    hands = tuple(hand if position == seat else 0 for position, hand in enumerate(round_.hands))
    return ended._replace(round=round_._replace(deal=deal, hands=hands, log=_conceal_log(round_, seat)))


def _own_or_nothing(hands: tuple[tuple[Tile, ...], ...], seat: int) -> list[tuple[Tile, ...]]:
    return [hand if position == seat else () for position, hand in enumerate(hands)]


def _conceal_lead(deal: Deal, seat: int) -> Deal:
    """Return the deal without what the search for the leader showed to other seats."""
    if deal.lots is not None or deal.how is None:
        return deal
    won = deal.won if deal.how == "tile" or deal.named is not None else None
    draws = [(drawer, tile if drawer == seat or tile == won else None) for drawer, tile in deal.lead_draws]
    return deal._replace(won=won, lead_draws=cast(tuple[tuple[int, Tile], ...], tuple(draws)))


def _conceal_log(round_: Round, seat: int) -> tuple[Entry, ...]:
    return tuple(
        entry if entry.move is not DRAW or entry.seat == seat else Entry(entry.seat, DRAW)
        for entry in round_.log
    )
