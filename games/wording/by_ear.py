"""Sentences that only a listener needs: moves in one breath, where a drawn tile fits, the scores."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy, pgettext_lazy

from boneyard.engine.moves import Move
from boneyard.engine.rounds import Entry
from boneyard.engine.tiles import NAMES
from core.numbers import format_points

from .bonus import MINUS
from .joining import join_names
from .language_cache import cached_by_language, ngettext, pgettext
from .language_cache import gettext as _
from .moves import add_failed_claim, award_sentence, end_name, move_sentence, play_phrase

_LAID_AT = {
    "L": gettext_lazy("%(tile)s left"),
    "R": gettext_lazy("%(tile)s right"),
    "U": gettext_lazy("%(tile)s up"),
    "D": gettext_lazy("%(tile)s down"),
}


@cached_by_language
def draws_phrase(name: str, count: int) -> str:
    """Return draws by one player: *mara drew a tile*, *mara drew 2 tiles*; *drew 2 tiles* without a name."""
    if not name:
        return ngettext("drew %(n)d tile", "drew %(n)d tiles", count) % {"n": count}
    if count == 1:
        return _("%(name)s drew a tile") % {"name": name}
    return ngettext("%(name)s drew %(n)d tile", "%(name)s drew %(n)d tiles", count) % {
        "name": name,
        "n": count,
    }


@cached_by_language
def short_move(entry: Entry, name: str) -> str:
    """Return a move of another player as said together with others: *mara 5-3 left, 10 points*, *mara passed*."""
    if entry.move.kind != "play" or entry.move.plays[0][1] is None:
        return move_sentence(entry, name)
    said = _add_points(f"{name} {_short_place(entry.move)}", entry)
    return f"{said}. {award_sentence(entry.award, entry.move)}" if entry.award else said


@cached_by_language
def following_move(entry: Entry, name: str) -> str:
    """Return a move said after another one by the same player: *played 5-3 left, 10 points*, *passed*."""
    if entry.award or entry.move.kind not in ("play", "pass"):
        return short_move(entry, name)
    if entry.move.kind == "pass":
        return pgettext("after another move", "passed")
    return _add_points(
        pgettext("after another move", "played %(tiles)s") % {"tiles": _short_place(entry.move)}, entry
    )


def _add_points(said: str, entry: Entry) -> str:
    if entry.claim and not entry.scored:
        return add_failed_claim(said, entry)
    if not entry.scored:
        return said
    return f"{said}, {ngettext('%(n)d point', '%(n)d points', entry.scored) % {'n': entry.scored}}"


def _short_place(move: Move) -> str:
    if all(end in _LAID_AT for _tile, end in move.plays):
        return ", ".join(str(_LAID_AT[str(end)]) % {"tile": NAMES[tile]} for tile, end in move.plays)
    return play_phrase(move)


@cached_by_language
def ends_now(ends: tuple[str, ...], count: int | None) -> str:
    """Return the open ends as a sentence of their own: *Ends 5 and 0, count 10*."""
    text = ngettext("End %(ends)s", "Ends %(ends)s", len(ends)) % {"ends": join_names(ends)}
    return text if count is None else _("%(open)s, count %(count)d") % {"open": text, "count": count}


@cached_by_language
def fit_sentence(ends: tuple[str, ...]) -> str:
    """Return where a drawn tile fits: *It fits the left end and right end*."""
    if not ends:
        return _("It does not fit")
    return _("It fits the %(end)s") % {"end": join_names(tuple(map(end_name, ends)))}


def scores_sentence(sides: Sequence[Sequence[int]], names: Sequence[str], scores: Sequence[int]) -> str:
    """Return the scores: *Score: you and mara 55, bob and zoe 40*; an empty name is the viewer's."""
    told = [
        f"{_side_in_words([names[seat] for seat in seats])} {spell_signs(format_points(score))}"
        for seats, score in zip(sides, scores, strict=True)
    ]
    return _("Score: %(scores)s") % {"scores": ", ".join(told)}


def sums_sentences(
    sides: Sequence[Sequence[int]], names: Sequence[str], sums: Sequence[str]
) -> tuple[str, ...]:
    """Return the sums of the sides that have one, *9 plus 4 equals 13*; with their names if several sides have one."""
    told = [(seats, spell_signs(text)) for seats, text in zip(sides, sums, strict=True) if text]
    if len(told) == 1:
        return (told[0][1],)
    return tuple(f"{_side_in_words([names[seat] for seat in seats])}: {text}" for seats, text in told)


# The signs of a sum, which many voices leave out, as words.
_SIGNS = {
    "+": pgettext_lazy("in a sum, by ear", "plus"),
    MINUS: pgettext_lazy("in a sum, by ear", "minus"),
    "×": pgettext_lazy("in a sum, by ear", "times"),
    "÷": pgettext_lazy("in a sum, by ear", "divided by"),
    "=": pgettext_lazy("in a sum, by ear", "equals"),
    "<": pgettext_lazy("in a sum, by ear", "is less than"),
}


@cached_by_language
def spell_signs(text: str) -> str:
    """Return a sentence with the signs of its sums as words: *12 minus 2 equals 10*."""
    for sign, word in _SIGNS.items():
        text = text.replace(f" {sign} ", f" {word} ")
    return text.replace(MINUS, f"{_SIGNS[MINUS]} ")  # before a negative number


def _side_in_words(names: Sequence[str]) -> str:
    others = [name for name in names if name]
    if len(others) == len(names):
        return join_names(others)
    return _("you and %(name)s") % {"name": join_names(others)} if others else _("you")
