"""Announce to a player that their turn begins: every move since their own, and whether anything in the hand fits."""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

from boneyard.engine.moves import DRAW, PASS
from boneyard.engine.perspective import View
from boneyard.engine.rounds import Entry
from games import wording
from games.table.news import ends_now_sentence
from games.wording import gettext as _


def describe_moves_since(view: View, names: Sequence[str]) -> str:
    """Return the moves since the viewer's own and the call to the turn, in one announcement.

    *Amara 5-3 left, Kolya passed, Zeca 3-3 right. Your turn. Ends 3 and 6.* Return "" where the news says them as well:
    after a single move, and at called tables, whose pauses leave time to hear each.
    """
    if view.seat is None or view.turn != view.seat or view.seats == 2 or view.terms.must_claim:
        return ""
    since = list(takewhile(lambda entry: entry.seat != view.seat, reversed(view.log)))[::-1]
    if len({entry.seat for entry in since}) < 2:
        return ""
    moves = ""
    for phrase in _phrases(since, view, names):
        moves += f"{'' if not moves else ' ' if moves.endswith('.') else ', '}{phrase}"
    return f"{call_turn(view, moves)} {ends_now_sentence(view)}."


def call_turn(view: View, sentence: str) -> str:
    """Return the sentence and, if it is the viewer's turn, that, and whether nothing fits."""
    if view.seat is None or view.turn != view.seat:
        return sentence
    parts = [sentence.removesuffix("."), _("Your turn"), describe_misfit(view)]
    return " ".join([f"{part}." for part in parts if part])


def _phrases(since: Sequence[Entry], view: View, names: Sequence[str]) -> Iterator[str]:
    """Yield what each move says; draws of a seat are counted, and points for passes end a sentence."""
    for (seat, kind), group in groupby(since, lambda entry: (entry.seat, entry.move.kind)):
        entries = list(group)
        if kind == "draw":
            yield wording.draws_phrase(names[seat], len(entries))
            continue
        for entry in entries:
            phrase = wording.short_move(entry, names[seat])
            gains = entry.award and wording.bonuses_sentence(
                entry.award, view.sides, wording.names_for_seat(names, view.seat), view.rules
            )
            yield f"{phrase}. {gains}." if gains else phrase


def describe_misfit(view: View) -> str:
    """Return that no tile in the viewer's hand fits and what remains to do, on a turn on which that is so."""
    if not view.legal or not view.laid:
        return ""
    kinds = {move.kind for move in view.legal}
    if "play" in kinds:
        return ""
    if kinds == {DRAW.kind}:
        return _("Nothing fits: draw")
    return _("Nothing fits: pass") if kinds == {PASS.kind} else _("Nothing fits")
