"""Announce to a player that their turn begins: every move since their own, and whether anything in the hand fits."""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

from boneyard.engine.moves import DRAW, PASS
from boneyard.engine.perspective import View
from boneyard.engine.rounds import Entry
from games import wording
from games.table.news import News, describe_unclaimed_before, ends_now_sentence
from games.wording import gettext as _


def describe_moves_since(view: View, names: Sequence[str]) -> str:
    """Return the moves since the viewer's own and the call to the turn, in one announcement.

    *Amara 5-3 left, Kolya passed, Zeca 3-3 right. Your turn. Ends 3 and 6.* Return "" where the news says them as well:
    after a single move, and at called tables with several others, whose pauses leave time to hear each.
    """
    if view.seat is None or view.turn != view.seat or (view.terms.must_claim and view.seats > 2):
        return ""
    since = list(takewhile(lambda entry: entry.seat != view.seat, reversed(view.log)))[::-1]
    if len(since) < 2:
        return ""
    moves = ""
    for phrase in _phrases(since, view, names):
        moves += f"{'' if not moves else ' ' if moves.endswith('.') else ', '}{phrase}"
    return f"{call_turn(view, moves)} {ends_now_sentence(view)}."


def describe_newest_moves(view: View, news: Sequence[News], *, may_be_planned: bool) -> str:
    """Return the newest move, and what came with it.

    That is all own draws of one press, or the moves of the other that an own one answers that may have been planned.
    """
    newest = view.log[-1]
    if view.seat is None or newest.seat != view.seat:
        return news[-1].full_sentence
    before: list[Entry] = []
    if newest.move is DRAW:
        before = list(takewhile(lambda entry: entry.seat == view.seat, reversed(view.log[:-1])))
        before = list(takewhile(lambda entry: entry.move is DRAW, before))
    elif may_be_planned:
        before = list(takewhile(lambda entry: entry.seat != view.seat, reversed(view.log[:-1])))
    first = news[-1].number - len(before)
    return ". ".join([each.full_sentence for each in news if each.number >= first])


def call_turn(view: View, sentence: str) -> str:
    """Return the sentence and, if it is the viewer's turn, that, and whether nothing fits."""
    if view.seat is None or view.turn != view.seat:
        return sentence
    parts = [sentence.removesuffix("."), _("Your turn"), describe_misfit(view)]
    return " ".join([f"{part}." for part in parts if part])


def _phrases(since: Sequence[Entry], view: View, names: Sequence[str]) -> Iterator[str]:
    """Yield what each move says. Draws of a seat are counted, a seat's name is said once for all its moves in a row.

    Points for passes end a sentence, and so do points that nobody can claim or call any more.
    """
    own_names = wording.names_for_seat(names, view.seat)
    at = len(view.log) - len(since)
    for _seat, entries in groupby(since, lambda entry: entry.seat):
        is_named = False
        for kind, group in groupby(entries, lambda entry: entry.move.kind):
            same = list(group)
            if missed := describe_unclaimed_before(view.log[: at + 1], own_names, view.rules):
                yield f"{missed}."
            for each in [same[0]] if kind == "draw" else same:
                yield _phrase(each, len(same), view, names, is_named=is_named)
                is_named = True
            at += len(same)


def _phrase(entry: Entry, count: int, view: View, names: Sequence[str], *, is_named: bool) -> str:
    name = names[entry.seat]
    if entry.move.kind == "draw":
        return wording.draws_phrase("" if is_named else name, count)
    phrase = (wording.following_move if is_named else wording.short_move)(entry, name)
    gains = entry.award and wording.bonuses_sentence(
        entry.award, view.sides, wording.names_for_seat(names, view.seat), view.rules
    )
    return f"{phrase}. {gains}." if gains else phrase


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
