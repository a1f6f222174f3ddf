"""What the plays of a computer partner showed, after a round: the answer to *Why?*."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from boneyard.analysis.partner_plays import find_signs
from boneyard.engine.round_ends import EndedRound
from boneyard.engine.terms import Terms
from boneyard.engine.tiles import NAMES
from games.drawing.tiles import draw_hand_tile
from games.models import Match, Seat
from games.wording.signs import sign_sentence


class ExplainedPlay(NamedTuple):
    """A tile with its picture, and what its play showed."""

    name: str
    picture: SafeString
    sentence: str


def find_partner(match: Match, seats: Sequence[Seat], terms: Terms, seat: int | None) -> Seat | None:
    """Return the computer partner whose plays may be explained to this seat, or None.

    Not in rated matches or sets of deals, where nobody may be helped, nor where a computer has taken a person's seat.
    """
    if seat is None or match.rated or match.deals:
        return None
    side = terms.sides[terms.side_of[seat]]
    partner = next((seats[each] for each in side if each != seat), None)
    return partner if partner is not None and partner.cast else None


def explain_plays(ended: EndedRound, partner: Seat) -> tuple[ExplainedPlay, ...]:
    """Return the plays of this seat in a finished round that showed something."""
    signs = find_signs(ended.round, partner.position)
    return tuple(
        ExplainedPlay(NAMES[sign.tile], draw_hand_tile(sign.tile), sign_sentence(sign)) for sign in signs
    )
