"""A finished round, in which everything is public.

>>> from .matches import begin
>>> from .moves import RESIGN
>>> from .presets import PRESETS
>>> ended = begin(PRESETS["block"].rules, 2, bytes(range(32)), "a1b2.").play(0, RESIGN).ended[0]
>>> ended.end.how, ended.number, ended.end.bonus
('stopped', 1, (0, 0))
"""

from typing import NamedTuple

from .layout import Laid
from .rounds import Entry, Round, RoundEnding
from .settlement import Sum
from .tiles import Tile


class RoundEnd(NamedTuple):
    """The end of a round.

    how       out or blocked; stopped when the match ended within the round
    winner    the winning seat or None
    pips      what each seat's remaining tiles count
    bonus     the bonus awarded to each side
    extras    (name, points) for each of the `extras` that the winner earned
    taken     what `partner_pips` took from each side's score; () if it took nothing
    compared  the two seats that `blocked_winner: closer` compared, the last to lay a tile first; () with two seats
    sums      by side, the steps from the pips to the bonus (`settlement.Step`); () without a bonus
    netted    what `team_difference` took from both pairs: the smaller of their gains in the round
    reset     what `reset` took from each side's score; () if it took nothing
    """

    how: RoundEnding
    winner: int | None
    pips: tuple[int, ...]
    bonus: tuple[int, ...]
    extras: tuple[tuple[str, int], ...] = ()
    taken: tuple[int, ...] = ()
    compared: tuple[int, ...] = ()
    sums: tuple[Sum, ...] = ()
    netted: int = 0
    reset: tuple[int, ...] = ()


class EndedRound(NamedTuple):
    """A finished round. `scores` are the sides' scores after it."""

    round: Round
    end: RoundEnd
    scores: tuple[int, ...]

    @property
    def number(self) -> int:
        return self.round.deal.number

    @property
    def key(self) -> str:
        """Return the key of the shuffle in hex: the secret that a record publishes."""
        return self.round.deal.key.hex()

    @property
    def attempt(self) -> int:
        return self.round.deal.attempt

    @property
    def lots(self) -> tuple[Tile, ...] | None:
        return self.round.deal.lots

    @property
    def hands(self) -> tuple[tuple[Tile, ...], ...]:
        """Return the hands as dealt."""
        return self.round.deal.hands

    @property
    def boneyard(self) -> tuple[Tile, ...]:
        """Return the boneyard as dealt."""
        return self.round.deal.boneyard

    @property
    def lead_draws(self) -> tuple[tuple[int, Tile], ...]:
        return self.round.deal.lead_draws

    @property
    def leader(self) -> int:
        return self.round.deal.leader

    @property
    def named(self) -> Tile | None:
        return self.round.deal.named

    @property
    def log(self) -> tuple[Entry, ...]:
        return self.round.log

    @property
    def remaining(self) -> tuple[tuple[Tile, ...], ...]:
        """Return the tiles that remain in each hand."""
        return tuple(self.round.held(seat) for seat in range(self.round.terms.seats))

    @property
    def laid(self) -> tuple[Laid, ...]:
        """Return the tiles on the table in the order laid."""
        return self.round.laid
