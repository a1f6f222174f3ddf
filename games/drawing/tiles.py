"""Render tiles as SVG: the symbols a page defines once, a tile in a hand, the boneyard.

A unit is 40 by 40, one half of a tile. Light falls from above, so upright and horizontal tiles have separate bodies,
and each half has an upright and a rotated symbol: (x, y) becomes (-y, x).
"""

import re
from functools import cache
from html import escape

from django.utils.safestring import SafeString, mark_safe

from boneyard.engine.tiles import HIGH, LOW, Tile
from games.drawing.marks import SYMBOLS

# a tile's name, or a sum in an escaped text
_FIGURES = re.compile(r"\b\d+-\d+\b|\(?\b\d+\)?(?: (?:[+−×÷=]|&lt;) \(?\d+\b\)?)+")
BONEYARD_TILES = ((-52, 6, -8), (-10, -4, 5), (32, 8, -3), (66, -6, 9), (10, 22, -12), (-34, -18, 14))

BODIES = (
    '<linearGradient id="gf" x1="0" y1="0" x2="0" y2="1">'
    '<stop offset="0" class="gradient-top"/><stop offset="1" class="gradient-bottom"/>'
    "</linearGradient>"
    '<g id="bv"><rect class="tile-lip" x="-19.2" y="-38" width="38.4" height="77.2" rx="5.5"/>'
    '<rect class="tile-face" x="-19.2" y="-39.2" width="38.4" height="76" rx="5.5"/>'
    '<path class="tile-cut" d="M-13.5 -1h27"/><path class="tile-cut-light" d="M-13.5 .2h27"/>'
    '<rect class="last-glow" x="-21.5" y="-41.5" width="43" height="83" rx="7.5"/>'
    '<rect class="last" x="-20" y="-40" width="40" height="80" rx="6"/>'
    '<rect class="ring" x="-20.5" y="-40.5" width="41" height="80.5" rx="7"/></g>'
    '<g id="bh"><rect class="tile-lip" x="-39.2" y="-18" width="78.4" height="37.2" rx="5.5"/>'
    '<rect class="tile-face" x="-39.2" y="-19.2" width="78.4" height="36" rx="5.5"/>'
    '<path class="tile-cut" d="M0 -14.5v27"/><path class="tile-cut-light" d="M1.1 -14.5v27"/>'
    '<rect class="last-glow" x="-41.5" y="-21.5" width="83" height="43" rx="7.5"/>'
    '<rect class="last" x="-40" y="-20" width="80" height="40" rx="6"/></g>'
    '<rect id="gv" x="-18" y="-38" width="36" height="76" rx="4"/>'
    '<rect id="gh" x="-38" y="-18" width="76" height="36" rx="4"/>'
    '<g id="pin"><circle class="pin-rim" cy="-1" r="4.2"/><circle class="pin-body" cy="-1" r="3"/>'
    '<circle class="pin-shine" cx="-.8" cy="-1.9" r="1"/></g>'
    '<g id="bk"><rect class="tile-lip" x="-19.2" y="-38" width="38.4" height="77.2" rx="5.5"/>'
    '<rect class="tile-face" x="-19.2" y="-39.2" width="38.4" height="76" rx="5.5"/>'
    '<circle class="back-mark" cy="-1.2" r="6"/></g>'
)


def _pips(n: int) -> list[tuple[float, float]]:
    """Return the pip positions of an upright half, relative to its middle."""
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


def keep_figures_together(text: str) -> SafeString:
    """Escape a text and wrap its tile names and sums so that no line breaks inside one."""
    html = text if isinstance(text, SafeString) else escape(text)
    return SafeString(_FIGURES.sub(r"<i>\g<0></i>", html))


@cache
def draw_symbols(highest: int) -> SafeString:
    """Render the symbols for a set up to this suit: about 3 KB up to 6, 7.5 KB up to 12."""
    halves = []
    for n in range(highest + 1):
        size = "" if n < 7 else " pip-medium" if n < 10 else " pip-small"
        pips = _pips(n)
        for way, positions in (("v", pips), ("h", [(-y, x) for x, y in pips])):
            # A pip is a dot drawn with a round stroke, slightly above the middle of the tile's face.
            dots = "".join(f"M{x:g} {y - 1:g}h.01" for x, y in positions)
            shape = (
                f'<path class="pip-edge{size}" d="{dots}"/><path class="pip-ink suit-{n}{size}" d="{dots}"/>'
                if dots
                else ""
            )
            halves.append(f'<g id="{way}{n}">{shape}</g>')
    shapes = f"{BODIES}{SYMBOLS}{''.join(halves)}"
    art = f'<svg class="sprite" width="0" height="0" aria-hidden="true"><defs>{shapes}</defs></svg>'
    return mark_safe(art)  # noqa: S308 - static markup and numbers


@cache
def draw_hand_tile(tile: Tile) -> SafeString:
    """Render a tile in a hand, upright, the higher half above."""
    art = (
        '<svg class="tile" viewBox="-20 -40 40 80" aria-hidden="true"><use href="#bv"/>'
        f'<use href="#v{HIGH[tile]}" y="-20"/><use href="#v{LOW[tile]}" y="20"/></svg>'
    )
    return mark_safe(art)  # noqa: S308


@cache
def draw_lone_tile(tile: Tile) -> SafeString:
    """Render a horizontal tile, the higher half on the left, for a page without the symbols."""
    dots = "".join(
        f"M{middle - y:g} {x:g}h.01"
        for middle, n in ((-20, HIGH[tile]), (20, LOW[tile]))
        for x, y in _pips(n)
    )
    art = (
        '<svg class="lone-tile" viewBox="-42 -22 84 44" aria-hidden="true">'
        '<rect class="edge" x="-39" y="-18" width="78" height="37" rx="5.5"/>'
        '<rect class="face" x="-39" y="-19" width="78" height="36" rx="5.5"/>'
        f'<path class="groove" d="M0 -15v28"/><path class="pips" d="{dots}"/></svg>'
    )
    return mark_safe(art)  # noqa: S308


@cache
def draw_heap(size: int) -> SafeString:
    """Render a whole set face down, in rows, for a page without the symbols; `size` is 28, 55 or 91 tiles."""
    columns = next(n for n in (7, 11, 13) if size % n == 0)
    width, height = 26 * columns, 52 * size // columns
    art = (
        f'<svg class="heap" viewBox="0 0 {width} {height}" aria-hidden="true">'
        '<pattern id="back" width="26" height="52" patternUnits="userSpaceOnUse">'
        '<rect class="tile-lip" x="1" y="2" width="24" height="48" rx="3.4"/>'
        '<rect class="tile-face" x="1" y="1" width="24" height="47" rx="3.4"/>'
        '<circle class="back-mark" cx="13" cy="24.5" r="3.8"/></pattern>'
        f'<rect width="{width}" height="{height}" fill="url(#back)"/></svg>'
    )
    return mark_safe(art)  # noqa: S308 - numbers


@cache
def draw_boneyard(tiles: int) -> SafeString:
    """Render the boneyard as at most six face-down tiles."""
    backs = "".join(
        f'<use href="#bk" transform="translate({x} {y}) rotate({turn})"/>'
        for x, y, turn in BONEYARD_TILES[: min(tiles, 6)]
    )
    art = f'<svg viewBox="-80 -52 172 104" aria-hidden="true" class="tile">{backs}</svg>'
    return mark_safe(art)  # noqa: S308
