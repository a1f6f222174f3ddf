"""Tiles and the line of play as SVG: memoised strings, positions as attributes, nothing rotated.

A unit is 40 by 40, one half of a tile. Light falls from above, so a tile has a body for each way it can lie, and
each half a symbol upright and one on its side, turned a quarter: (x, y) becomes (-y, x).
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from html import escape
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.board import Board, Box, End, Placed, lay
from games.engine.perspective import View
from games.engine.tiles import HIGH, LOW, NAMES, Tile

if TYPE_CHECKING:
    from games.hand import Place

UNIT = 40
SHAPES = ("wide", "tall")
TAP = 44  # pixels: the least that a finger hits
HEAP = ((-52, 6, -8), (-10, -4, 5), (32, 8, -3), (66, -6, 9), (10, 22, -12), (-34, -18, 14))

BODIES = (
    '<linearGradient id="gf" x1="0" y1="0" x2="0" y2="1"><stop offset="0" class="g1"/><stop offset="1" class="g2"/>'
    "</linearGradient>"
    '<g id="bv"><rect class="lip" x="-19.2" y="-38" width="38.4" height="77.2" rx="5.5"/>'
    '<rect class="face" x="-19.2" y="-39.2" width="38.4" height="76" rx="5.5"/>'
    '<path class="cut" d="M-13.5-1h27"/><path class="cul" d="M-13.5 .2h27"/></g>'
    '<g id="bh"><rect class="lip" x="-39.2" y="-18" width="78.4" height="37.2" rx="5.5"/>'
    '<rect class="face" x="-39.2" y="-19.2" width="78.4" height="36" rx="5.5"/>'
    '<path class="cut" d="M0-14.5v27"/><path class="cul" d="M1.1-14.5v27"/></g>'
    '<g id="pin"><circle class="pn0" cy="-1" r="4.2"/><circle class="pn1" cy="-1" r="3"/>'
    '<circle class="pn2" cx="-.8" cy="-1.9" r="1"/></g>'
    '<g id="bk"><rect class="lip" x="-19.2" y="-38" width="38.4" height="77.2" rx="5.5"/>'
    '<rect class="face" x="-19.2" y="-39.2" width="38.4" height="76" rx="5.5"/><circle class="bkl" cy="-1.2" r="6"/></g>'
)


def _pips(n: int) -> list[tuple[float, float]]:
    """The pips of an upright half around its middle."""
    if n > 9:
        rows = (-12.6, -4.2, 4.2, 12.6)
        columns = {10: (4, 2, 4), 11: (4, 3, 4), 12: (4, 4, 4)}[n]
        return [
            (x, y if len(rows) == count else (i - (count - 1) / 2) * 8.4)
            for x, count in zip((-10.1, 0.0, 10.1), columns, strict=True)
            for i, y in enumerate(rows[:count])
        ]
    a = 10.1
    centre, falling, rising = [(0.0, 0.0)], [(-a, -a), (a, a)], [(a, -a), (-a, a)]
    sides, ends = [(-a, 0.0), (a, 0.0)], [(0.0, -a), (0.0, a)]
    return {
        0: [],
        1: centre,
        2: falling,
        3: falling + centre,
        4: falling + rising,
        5: falling + rising + centre,
        6: falling + rising + sides,
        7: falling + rising + sides + centre,
        8: falling + rising + sides + ends,
        9: falling + rising + sides + ends + centre,
    }[n]


@cache
def symbols(highest: int) -> SafeString:
    """The shapes a page of this set needs, and no others: about 3 KB up to 6, 7 KB up to 12."""
    halves = []
    for n in range(highest + 1):
        size = "" if n < 7 else " m" if n < 10 else " s"
        for way, turn in (("v", lambda x, y: (x, y)), ("h", lambda x, y: (-y, x))):
            # A pip is a dot of a round stroke, a little above the middle of the tile's face.
            dots = "".join(f"M{x:g} {y - 1:g}h.01" for x, y in (turn(*pip) for pip in _pips(n)))
            shape = (
                f'<path class="pl{size}" d="{dots}"/><path class="pp p{n}{size}" d="{dots}"/>' if dots else ""
            )
            halves.append(f'<g id="{way}{n}">{shape}</g>')
    art = f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{BODIES}{"".join(halves)}</defs></svg>'
    return mark_safe(art)  # noqa: S308  numbers and our own words


@cache
def hand_tile(tile: Tile) -> SafeString:
    """A tile standing in a hand, the higher half above."""
    art = (
        '<svg class="tile" viewBox="-20 -40 40 80" aria-hidden="true"><use href="#bv"/>'
        f'<use href="#v{HIGH[tile]}" y="-20"/><use href="#v{LOW[tile]}" y="20"/>'
        '<rect class="ring" x="-20.5" y="-40.5" width="41" height="80.5" rx="7"/></svg>'
    )
    return mark_safe(art)  # noqa: S308


@cache
def heap(tiles: int) -> SafeString:
    """The boneyard as at most six backs."""
    backs = "".join(
        f'<use href="#bk" transform="translate({x} {y}) rotate({turn})"/>'
        for x, y, turn in HEAP[: min(tiles, 6)]
    )
    art = f'<span class="pile"><svg viewBox="-80 -52 172 104" aria-hidden="true" class="tile">{backs}</svg></span>'
    return mark_safe(art)  # noqa: S308


def line(view: View) -> SafeString:
    """The line of play twice, wide and tall; the style sheet shows one."""
    chips = tuple((view.end_values or {}).items())
    scored = view.log[-1].scored if view.log and view.log[-1].move.kind == "play" else 0
    words = _("opens when both sides of the spinner are covered")
    return _line(view.laid, view.rules.spinner, chips, scored or 0, words)


@lru_cache(maxsize=2048)
def _line(
    laid: tuple, spinner_rule: str, chips: tuple[tuple[str, int], ...], scored: int, closed: str
) -> SafeString:
    return mark_safe(  # noqa: S308
        "".join(_svg(lay(laid, spinner_rule, shape), shape, dict(chips), scored, closed) for shape in SHAPES)
    )


def miniature(view: View) -> SafeString:
    """The line alone, small, for the lobby."""
    board = lay(view.laid, view.rules.spinner, "wide")
    art = f'<svg class="mini" viewBox="{_frame(board)}" aria-hidden="true">{_laid(board)}</svg>'
    return mark_safe(art)  # noqa: S308


def _svg(board: Board, shape: str, chips: dict[str, int], scored: int, closed: str) -> str:
    parts = [_laid(board), _last(board), *_ends(board, chips, closed)]
    if scored and board.flash:
        parts.append(_flash(board.flash, scored, board.chip_scale))
    return (
        f'<svg class="{shape}" viewBox="{_frame(board)}" preserveAspectRatio="xMidYMid meet" aria-hidden="true">'
        f"{''.join(parts)}</svg>"
    )


def _frame(board: Board) -> str:
    w, h = board.half_width * UNIT, board.half_height * UNIT
    return f"{-w:g} {-h:g} {2 * w:g} {2 * h:g}"


def _laid(board: Board) -> str:
    last = len(board.placed) - 1
    return f'<g class="laid">{"".join(_tile(p, i == board.spinner, i == last) for i, p in enumerate(board.placed))}</g>'


@lru_cache(maxsize=8192)
def _tile(placed: Placed, spinner: bool, newest: bool) -> str:
    x, y = placed.x * UNIT, placed.y * UNIT
    pin = f'<use href="#pin" x="{x:g}" y="{y:g}"/>' if spinner else ""
    new = ' class="is-new"' if newest else ""
    body = "bv" if placed.upright else "bh"
    return f'<g{new} data-tile="{NAMES[placed.tile]}"><use href="#{body}" x="{x:g}" y="{y:g}"/>{_halves(placed)}{pin}</g>'


def _halves(placed: Placed) -> str:
    way = "v" if placed.upright else "h"
    return "".join(
        f'<use href="#{way}{half.suit}" x="{half.x * UNIT:g}" y="{half.y * UNIT:g}"/>'
        for half in (placed.first, placed.second)
    )


def _last(board: Board) -> str:
    if not board.placed:
        return ""
    box = board.placed[-1].box
    return _rect("last-glow", box, 1.5, 7.5) + _rect("last", box, 0, 6)


def _rect(name: str, box: Box, grown: float, rx: float) -> str:
    w, h = box.half_width * UNIT + grown, box.half_height * UNIT + grown
    x, y = box.x * UNIT - w, box.y * UNIT - h
    return f'<rect class="{name}" x="{x:g}" y="{y:g}" width="{2 * w:g}" height="{2 * h:g}" rx="{rx:g}"/>'


def _ends(board: Board, chips: dict[str, int], closed: str) -> Iterable[str]:
    radius = board.chip_radius * UNIT
    for name, end in board.ends.items():
        if not end.open and not end.played:
            yield f"<g><title>{escape(closed)}</title>{_rect('arm-closed', end.plain, -2, 4)}</g>"
        elif name in chips:
            yield _chip(end, chips[name], radius)


def _chip(end: End, value: int, radius: float) -> str:
    x, y = (place * UNIT for place in end.chip)
    text = (
        f'<text x="{x:g}" y="{y + radius * 0.36:g}" font-size="{radius:g}">{value}</text>'
        if end.played
        else ""
    )
    ring = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"/>'
    return f'<g class="end" data-end="{end.name}">{ring}{text}</g>'


def _flash(box: Box, scored: int, scale: float) -> str:
    x, y = box.x * UNIT, box.y * UNIT
    rect = _rect("", box, 0, box.half_height * UNIT).replace(' class=""', "")
    return f'<g class="flash">{rect}<text x="{x:g}" y="{y + 8 * scale:g}" font-size="{22 * scale:g}">+{scored}</text></g>'


def places(view: View, found: Sequence["Place"]) -> SafeString:
    """Where the hand's tiles fit, over the line: ghosts with buttons on them, in both shapes."""
    if not found:
        return SafeString("")
    art = "".join(_places(lay(view.laid, view.rules.spinner, shape), shape, found) for shape in SHAPES)
    return mark_safe(art)  # noqa: S308


def _places(board: Board, shape: str, found: Sequence["Place"]) -> str:
    return (
        f'<svg class="places {shape}" viewBox="{_frame(board)}" preserveAspectRatio="xMidYMid meet">'
        f"{''.join(_place(board, place) for place in found)}</svg>"
    )


def _place(board: Board, place: "Place") -> str:
    ghost = board.place(place.tile, place.end)
    state = "" if place.state == "open" else f" is-{place.state}"
    about = f'data-move="{place.move}" data-tile="{NAMES[place.tile]}" data-end="{place.end}"'
    form = (
        f'form="pick" name="chosen" value="{place.value}"'
        if place.plans
        else f'name="move" value="{place.value}"'
    )
    pressed = ' aria-pressed="true"' if place.state == "planned" else ""
    title = f' title="{escape(place.hint)}"' if place.hint else ""
    x, y, w, h = _reach(board, ghost.box)
    return (
        f'<g class="end is-legal{state}" data-move="{place.move}">{_rect("ghost", ghost.box, -2, 4)}{_halves(ghost)}'
        f'<foreignObject x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}">'
        f'<button class="spot{state}" type="submit" {form} {about} aria-label="{escape(place.name)}"{title}{pressed}>'
        "</button></foreignObject></g>"
    )


def _reach(board: Board, box: Box) -> tuple[float, float, float, float]:
    """A button around a ghost, no smaller than a finger on a phone 390 pixels wide."""
    least = TAP * (2 * board.half_width * UNIT) / 374
    w, h = max(2 * box.half_width * UNIT, least), max(2 * box.half_height * UNIT, least)
    return box.x * UNIT - w / 2, box.y * UNIT - h / 2, w, h
