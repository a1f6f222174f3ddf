"""Sentences about a match that was won within a round."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from boneyard.engine.round_ends import EndedRound
from boneyard.engine.terms import Terms
from boneyard.engine.tiles import NAMES

from .moves import award_sentence, side_names


def reached_sentence(ended: EndedRound, terms: Terms, names: Sequence[str], winner: int) -> str:
    """Return what won a match within the round `ended`: *mara reached 61 with 4-0 (+2)*.

    In `names` the reader is "": *You reached …*.
    """
    last, score = ended.log[-1], ended.scores[winner]
    sides = terms.sides
    awarded = last.award and last.award[winner]
    if awarded or terms.side_of[last.seat] != winner:
        side = side_names(sides, [name or _("you") for name in names])[winner]
        reached = _("%(score)s reached: %(side)s") % {"score": score, "side": side}
        return f"{award_sentence(last.award, last.move)}. {reached}" if awarded and last.award else reached
    return _words(last.move.kind, is_own=not names[last.seat], is_pair=len(sides[winner]) > 1) % {
        "name": names[last.seat],
        "score": score,
        "tiles": ", ".join(NAMES[tile] for tile, _end in last.move.plays),
        "n": last.scored or 0,
    }


def _words(kind: str, *, is_own: bool, is_pair: bool) -> str:
    if kind == "muggins":
        if is_pair:
            return (
                _("You brought your side to %(score)s by calling muggins (+%(n)d)")
                if is_own
                else _("%(name)s brought the pair to %(score)s by calling muggins (+%(n)d)")
            )
        return (
            _("You reached %(score)s by calling muggins (+%(n)d)")
            if is_own
            else _("%(name)s reached %(score)s by calling muggins (+%(n)d)")
        )
    if is_pair:
        return (
            _("You brought your side to %(score)s with %(tiles)s (+%(n)d)")
            if is_own
            else _("%(name)s brought the pair to %(score)s with %(tiles)s (+%(n)d)")
        )
    return (
        _("You reached %(score)s with %(tiles)s (+%(n)d)")
        if is_own
        else _("%(name)s reached %(score)s with %(tiles)s (+%(n)d)")
    )
