"""The table that a form describes, drawn beside it."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from boneyard.engine.rules import Rules
from boneyard.engine.terms import terms
from boneyard.engine.tiles import SET_SIZES
from games.drawing.marks import mark
from games.wording import level_name


class PicturedSeat(NamedTuple):
    """A seat with the mark of its side and its label on the form: who takes it, or `is_free`, and whose partner."""

    mark: SafeString
    name: str
    label: str = ""
    partner: str = ""
    is_free: bool = False


class TablePicture(NamedTuple):
    """The table: the host's seat, the others clockwise, and the tiles of a hand, left over and never drawn."""

    mine: PicturedSeat
    others: tuple[PicturedSeat, ...]
    hand: int
    boneyard: int
    undrawn: int

    @property
    def backs(self) -> SafeString:
        """Return the tiles of a hand, face down."""
        return mark_safe("<i></i>" * self.hand)  # noqa: S308 - static markup


def draw_picture(
    rules: Rules, seats: int, levels: Sequence[str], labels: Sequence[str], *, private: bool
) -> TablePicture:
    """Return the picture of a table; `levels` are the computers by seat, "" for a person; `labels` name them."""
    dealt = terms(rules, seats)
    marks = [mark(side) for side in dealt.side_of]
    partner = 2 if rules.in_pairs(seats) else 0
    who = _("whoever has the link") if private else _("whoever sits down")
    others = tuple(
        PicturedSeat(
            marks[seat],
            _("computer, %(level)s") % {"level": level_name(level)} if level else who,
            label,
            _("your partner") if seat == partner else "",
            is_free=not level,
        )
        for seat, level, label in zip(range(1, seats), levels, labels, strict=True)
    )
    boneyard = SET_SIZES[rules.set] - seats * dealt.hand_size
    return TablePicture(
        PicturedSeat(marks[0], ""), others, dealt.hand_size, boneyard, boneyard - dealt.drawable
    )
