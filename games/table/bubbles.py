"""Build the speech bubbles above the plates: a call, a wrong claim, the word that ends a round, a computer's remark."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from boneyard.engine.moves import MUGGINS
from boneyard.engine.perspective import View
from boneyard.engine.round_ends import EndedRound
from boneyard.engine.rounds import Entry
from games import wording
from games.table.remarks import Remark
from games.wording import gettext as _


class Bubble(NamedTuple):
    """A few words above a plate: a seat's call, or a computer's remark.

    side    the side in whose colour it is; None for a remark
    moment  what tells a remark from an equal one before it
    """

    side: int | None
    text: str
    moment: str = ""


def find_bubbles(
    view: View, ended: EndedRound | None, speech: wording.Speech, remark: Remark | None = None
) -> Mapping[int, Bubble]:
    """Return the bubbles by seat; `ended` is the round whose end the page displays, or None.

    What the rules have a seat say comes before its remark.
    """
    texts = _at_round_end(ended, speech) if ended is not None else _after_last_play(view.log)
    side_of = view.terms.side_of
    bubbles = {seat: Bubble(side_of[seat], text) for seat, text in texts.items()}
    if remark is not None and remark.seat not in bubbles:
        bubbles[remark.seat] = Bubble(None, remark.text, remark.moment)
    return bubbles


def _at_round_end(ended: EndedRound, speech: wording.Speech) -> dict[int, str]:
    last = next((entry for entry in reversed(ended.log) if entry.move.kind == "play"), None)
    words = {"out": speech.domino, "blocked": speech.blocked_call}.get(ended.end.how, "")
    return {last.seat: words} if last and words else {}


def _after_last_play(log: Sequence[Entry]) -> dict[int, str]:
    """Return the call of the last play, and what became of a claim: of that play, or of the one before it."""
    texts: dict[int, str] = {}
    if not log:
        return texts
    if log[-1].move is MUGGINS:
        texts[log[-1].seat] = _("Muggins! +%(n)d") % {"n": log[-1].scored}
    # With the next move a play can no longer be called, and its worth is known.
    plays = [entry for entry in log[:-1] if entry.move.kind == "play"][-1:]
    for play in (*plays, log[-1]):
        if play.move.kind == "play" and play.claim and not play.scored and not wording.is_past_target(play):
            texts[play.seat] = _claimed(play)
    return texts


def _claimed(play: Entry) -> str:
    """Return *10 claimed, worth 2: no points*; while it may still be called, without what it makes."""
    if play.points is None:
        return _("%(claim)d claimed: no points") % {"claim": play.claim}
    return _("%(claim)d claimed, worth %(n)d: no points") % {"claim": play.claim, "n": play.points}
