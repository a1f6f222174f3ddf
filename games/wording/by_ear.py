"""Sentences that only a listener needs: moves in one breath, where a drawn tile fits, the scores."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from boneyard.engine.moves import Move
from boneyard.engine.rounds import Entry
from boneyard.engine.tiles import NAMES

from .language_cache import cached_by_language, ngettext
from .language_cache import gettext as _
from .moves import draws_sentence, end_name, move_sentence, play_phrase

_LAID_AT = {
    "L": gettext_lazy("%(tile)s left"),
    "R": gettext_lazy("%(tile)s right"),
    "U": gettext_lazy("%(tile)s up"),
    "D": gettext_lazy("%(tile)s down"),
}


def draws_phrase(name: str, count: int) -> str:
    """Return one or more draws by one player: *mara drew a tile*, *mara drew 2 tiles in a row*."""
    return draws_sentence(name, count) if count > 1 else _("%(name)s drew a tile") % {"name": name}


def short_move(entry: Entry, name: str) -> str:
    """Return a move of another player as said together with others: *mara 5-3 left, 10 points*, *mara passed*."""
    if entry.move.kind != "play" or entry.move.plays[0][1] is None:
        return move_sentence(entry, name)
    laid = f"{name} {_short_place(entry.move)}"
    if not entry.scored:
        return laid
    points = ngettext("%(n)d point", "%(n)d points", entry.scored) % {"n": entry.scored}
    return f"{laid}, {points}"


def _short_place(move: Move) -> str:
    if all(end in _LAID_AT for _tile, end in move.plays):
        return ", ".join(str(_LAID_AT[str(end)]) % {"tile": NAMES[tile]} for tile, end in move.plays)
    return play_phrase(move)


@cached_by_language
def ends_now(ends: tuple[str, ...], count: int | None) -> str:
    """Return the open ends as a sentence of their own: *Ends 5 and 0, count 10*."""
    text = ngettext("End %(ends)s", "Ends %(ends)s", len(ends)) % {"ends": _join(ends)}
    return text if count is None else _("%(open)s, count %(count)d") % {"open": text, "count": count}


@cached_by_language
def fit_sentence(ends: tuple[str, ...]) -> str:
    """Return where a drawn tile fits: *It fits the left end and right end*."""
    if not ends:
        return _("It does not fit")
    return _("It fits the %(end)s") % {"end": _join(tuple(map(end_name, ends)))}


def scores_sentence(sides: Sequence[Sequence[int]], names: Sequence[str], scores: Sequence[int]) -> str:
    """Return the scores: *Score: you and mara 55, bob and zoe 40*; an empty name is the viewer's."""
    told = [
        f"{_side_in_words([names[seat] for seat in seats])} {score}"
        for seats, score in zip(sides, scores, strict=True)
    ]
    return _("Score: %(scores)s") % {"scores": ", ".join(told)}


def sums_sentences(
    sides: Sequence[Sequence[int]], names: Sequence[str], sums: Sequence[str]
) -> tuple[str, ...]:
    """Return the sums of the sides that have one, *9 + 4 = 13*; with their names if several sides have one."""
    told = [(seats, text) for seats, text in zip(sides, sums, strict=True) if text]
    if len(told) == 1:
        return (told[0][1],)
    return tuple(f"{_side_in_words([names[seat] for seat in seats])}: {text}" for seats, text in told)


def _side_in_words(names: Sequence[str]) -> str:
    others = [name for name in names if name]
    if len(others) == len(names):
        return _join(others)
    return _("you and %(name)s") % {"name": _join(others)} if others else _("you")


def _join(parts: Sequence[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return _("%(names)s and %(last)s") % {"names": ", ".join(parts[:-1]), "last": parts[-1]}
