"""How the points of a side in one round add up."""

from collections.abc import Iterator

from boneyard.engine.round_ends import EndedRound
from boneyard.engine.terms import Terms

from .language_cache import ngettext, pgettext
from .speech import extra_of_award, extra_word


def explain_gain(ended: EndedRound, terms: Terms, side: int, gained: int) -> str:
    """Return the parts of what a side gained in a round: *Pase de salida 25, round 32*.

    "" if it is the bonus or plays alone, or if the parts do not add up (`team_difference`).
    """
    parts = list(_parts(ended, terms, side))
    if sum(points for _text, points, _is_news in parts) != gained:
        return ""
    if len(parts) < 2 and not any(is_news for _text, _points, is_news in parts):
        return ""
    return ", ".join(text % {"n": abs(points)} for text, points, _is_news in parts)


def last_tile_points(ended: EndedRound, terms: Terms) -> int:
    """Return the `out_points` that the play that ended a round was awarded, or 0."""
    if ended.end.how != "out" or not terms.rules.out_points:
        return 0
    play = next(entry for entry in reversed(ended.log) if entry.move.kind == "play")
    return terms.rules.out_points if play.scored and play.scored == play.points else 0


def last_tile_sentence(points: int) -> str:
    """Return *1 point for the last tile.*"""
    text = ngettext("%(n)d point for the last tile.", "%(n)d points for the last tile.", points)
    return text % {"n": points}


def _parts(ended: EndedRound, terms: Terms, side: int) -> Iterator[tuple[str, int, bool]]:
    """Yield each part with %(n)d, its points, and whether it is worth saying when it is the only one."""
    for entry in ended.log:
        if entry.award and entry.award[side]:
            yield f"{extra_word(extra_of_award(entry.move.kind))} %(n)d", entry.award[side], True
    is_winner = ended.end.winner is not None and terms.side_of[ended.end.winner] == side
    last_tile = last_tile_points(ended, terms) if is_winner else 0
    of_plays = sum(entry.scored or 0 for entry in ended.log if terms.side_of[entry.seat] == side) - last_tile
    if of_plays:
        yield pgettext("points of a round", "plays %(n)d"), of_plays, False
    if last_tile:
        yield pgettext("points of a round", "last tile %(n)d"), last_tile, True
    if bonus := ended.end.bonus[side]:
        yield pgettext("points of a round", "round %(n)d"), bonus, False
    if ended.end.taken and (taken := ended.end.taken[side]):
        yield pgettext("points of a round", "partner’s tiles −%(n)d"), -taken, True
