"""The ledger of a round: what each side's score rose by, as a sum whose terms stand over their owners' marks."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from boneyard.engine.round_ends import EndedRound
from boneyard.engine.terms import Terms
from core.numbers import format_points
from games import wording
from games.drawing.marks import breakable_name, mark
from games.drawing.tiles import keep_figures_together
from games.wording import gettext as _


class LedgerTerm(NamedTuple):
    """A term of a sum: its sign, its points, what they are for, their owner's mark, whether it is a hand's pips."""

    sign: str
    points: int
    label: str
    mark: SafeString
    of_hand: bool

    @property
    def words(self) -> SafeString:
        """Return the label in HTML: names may break after an underscore, sums do not break."""
        return breakable_name(self.label) if self.of_hand else keep_figures_together(self.label)


class LedgerLine(NamedTuple):
    """The gain of a side in a round.

    terms   what it adds up from, () for nothing; `is_sum` is whether there are several
    gained  what the score rose by
    text    the whole sum: *2 + 17 − 4 = 15*
    """

    mark: SafeString
    names: str
    terms: tuple[LedgerTerm, ...]
    gained: int
    text: str

    @property
    def is_sum(self) -> bool:
        return len(self.terms) > 1

    @property
    def label(self) -> str:
        """Return what the only term is for, if it is no hand of pips; otherwise ""."""
        return self.terms[0].label if len(self.terms) == 1 and not self.terms[0].of_hand else ""

    @property
    def signed(self) -> str:
        """Return *+15*, *−4* or *0*."""
        return f"+{self.gained}" if self.gained > 0 else format_points(self.gained)

    @property
    def spoken(self) -> str:
        """Return the line for a screen reader: *mara: 2 (mara), 17 (tiago), 25 (Pase corrido), together 44*."""
        parts = ", ".join(
            f"{format_points(term.points)} ({term.label})" if term.label else str(term.points)
            for term in self.terms
        )
        return _("%(names)s: %(parts)s, together %(n)s") % {
            "names": self.names,
            "parts": parts,
            "n": format_points(self.gained),
        }


def build_ledger(
    ended: EndedRound, before: Sequence[int], terms: Terms, names: Sequence[str]
) -> tuple[LedgerLine, ...]:
    """Return a line for each side: first the sums, then the others. `before` are the scores before the round."""
    sides = wording.side_names(terms.sides, names)
    lines = [
        _build_line(ended, ended.scores[side] - before[side], terms, side, sides[side], names)
        for side in terms.all_sides
    ]
    return tuple(sorted(lines, key=lambda line: not line.is_sum))


def scores_before(rounds: Sequence[EndedRound]) -> tuple[int, ...]:
    """Return the scores before the last of these rounds."""
    return rounds[-2].scores if len(rounds) > 1 else (0,) * len(rounds[-1].scores)


def _build_line(
    ended: EndedRound, gained: int, terms: Terms, side: int, side_name: str, names: Sequence[str]
) -> LedgerLine:
    gain = wording.explain_gain(ended, terms, side)
    drawn = tuple(
        LedgerTerm(
            ("" if place == 0 else "+") if term.points >= 0 else "−",
            abs(term.points),
            term.label or ("" if term.seat is None else names[term.seat]),
            mark(side if term.seat is None else terms.side_of[term.seat]),
            not term.label,
        )
        for place, term in enumerate(gain)
    )
    return LedgerLine(mark(side), side_name, drawn, gained, wording.format_sum(gain))
