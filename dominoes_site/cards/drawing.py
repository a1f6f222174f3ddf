"""Draw the pictures of link previews as SVG, 1200 by 630. They show what a spectator may see, and public names."""

import re
import unicodedata
from collections.abc import Sequence
from textwrap import wrap
from typing import NamedTuple

from django.utils.html import escape

from boneyard.engine.perspective import View
from games.drawing.line import draw_cropped
from games.drawing.tiles import draw_hand_tile, draw_symbols
from operators.site_settings import get_site

WIDTH, HEIGHT = 1200, 630
MARGIN = 60
MAX_NAME_CHARACTERS = 34
MAX_LINE_CHARACTERS = 64
MAX_SITE_LINES = 3
# resvg knows no CSS variables: the colours of static/css/tokens.css, ivory on green.
STYLE = """
.gradient-top { stop-color: #fffaee } .gradient-bottom { stop-color: #f6ecd8 }
.tile-lip { fill: #c4b18b } .tile-face { fill: url(#gf) }
.tile-cut { stroke: #8d7c5c; stroke-width: 1.3; stroke-linecap: round }
.tile-cut-light { stroke: #fffdf6; stroke-width: 1; stroke-linecap: round }
.pip-edge { fill: none; stroke: none }
.pip-ink { fill: none; stroke: #1d1915; stroke-linecap: round; stroke-width: 7.8 }
.pip-ink.pip-medium { stroke-width: 6.4 } .pip-ink.pip-small { stroke-width: 5.2 }
.pin-rim { fill: #8f6420 } .pin-body { fill: #c8983f } .pin-shine { fill: #ecca82 }
.pin-hollow { fill: #fffaee; stroke: #8f6420; stroke-width: 1.8 }
.back-mark { fill: none; stroke: #8d7c5c; stroke-width: 1.2 }
.ring, .last, .last-glow { display: none }
.thread { fill: none; stroke: #c8983f; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
text { font-family: "Source Serif 4"; fill: #f7f1e3 }
.quiet { fill: #d3dccf } .brass { fill: #f0cf8b }
.chip { fill: #22362e; stroke: #c8983f; stroke-width: 1.5 }
"""
# What the fonts beside this file draw: the letters of the site's languages.
DRAWABLE = frozenset(
    "".join(map(chr, range(0x20, 0x7F)))
    + "".join(map(chr, range(0x410, 0x450)))
    + "\N{NO-BREAK SPACE}¡ª«°±·º»¿ÀÁÂÃÇÉÊÍÑÓÔÕ×ÚÜàáâãçéêíñóôõúüЁё–—‘’“”…№−"
)
_VIEW_BOX = re.compile(r'viewBox="([^"]+)"')


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float


def make_drawable(text: str) -> str:
    """Return a text without what the fonts do not draw: Zoë as Zoe, mara🎲 as mara; "" if a letter would be missing."""
    drawable = ""
    for character in unicodedata.normalize("NFC", text):
        base = unicodedata.normalize("NFD", character)[0]
        if character in DRAWABLE or base in DRAWABLE:
            drawable += character if character in DRAWABLE else base
        elif character.isalnum():
            return ""
    return drawable.strip()


def draw_board(view: View, title: str, lines: Sequence[str]) -> str:
    """Draw the line of play, with a title above it and lines of text below, such as a side with its score."""
    board = _draw_line(view, Box(MARGIN, 120, WIDTH - 2 * MARGIN, 360))
    return draw_card(view.rules.set, title, board, lines)


def draw_puzzle(view: View, title: str, line: str) -> str:
    """Draw the position of a puzzle and the hand of its reader, which every visitor of the puzzle sees."""
    board = _draw_line(view, Box(MARGIN, 110, WIDTH - 2 * MARGIN, 265))
    width, height = 56, 112
    left = (WIDTH - len(view.hand) * (width + 12) + 12) / 2
    tiles = "".join(
        _place(str(draw_hand_tile(tile)), Box(left + place * (width + 12), 392, width, height))
        for place, tile in enumerate(view.hand)
    )
    return draw_card(view.rules.set, title, board + tiles, [line])


def draw_invitation(title: str, chips: Sequence[str]) -> str:
    """Draw the back of a tile and the rules of a table as chips."""
    back = f'<g transform="translate({WIDTH / 2} 270) rotate(-8) scale(3.4)"><use href="#bk"/></g>'
    return draw_card(6, title, back + _draw_chips(chips), [])


def draw_person(name: str, facts: Sequence[str]) -> str:
    """Draw a name with its first letter, and facts in lines."""
    letter = escape(name[:1].upper())
    avatar = (
        f'<circle cx="{WIDTH / 2}" cy="270" r="110" class="chip"/>'
        f'<text x="{WIDTH / 2}" y="312" font-size="120" text-anchor="middle" class="brass">{letter}</text>'
    )
    return draw_card(6, name, avatar, facts)


def draw_site(description: str) -> str:
    """Draw the card of pages without one of their own: three tiles in a row, and the site in a few lines."""
    tiles = '<use href="#bh"/><use href="#h6" x="-20"/><use href="#h4" x="20"/>'
    row = (
        f'<g transform="translate({WIDTH / 2} 260) scale(3.6)"><g transform="translate(-84 0)">{tiles}</g>'
        '<g><use href="#bv"/><use href="#v4" y="-20"/><use href="#v4" y="20"/></g>'
        '<g transform="translate(84 0)"><use href="#bh"/><use href="#h4" x="-20"/><use href="#h1" x="20"/></g></g>'
    )
    lines = wrap(description, MAX_LINE_CHARACTERS, max_lines=MAX_SITE_LINES, placeholder="…")
    return draw_card(6, "", row, lines)


def draw_card(highest: int, title: str, art: str, lines: Sequence[str]) -> str:
    """Draw the felt with a title, the art, lines of text below it and the name of the site."""
    texts = "".join(
        f'<text x="{WIDTH / 2}" y="{HEIGHT - 82 + 42 * (place - len(lines) + 1)}" font-size="32" text-anchor="middle"'
        f' class="quiet">{escape(make_drawable(line))}</text>'
        for place, line in enumerate(lines)
    )
    # In one colour: a gradient over the whole picture doubles the time and the bytes of the PNG.
    felt = (
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#344f44"/><rect x="13" y="13" width="{WIDTH - 26}"'
        f' height="{HEIGHT - 26}" rx="12" fill="none" stroke="#c8983f" stroke-width="2"/>'
    )
    heading = escape(make_drawable(title))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<style>{STYLE}</style>{draw_symbols(highest)}{felt}"
        f'<text x="{WIDTH / 2}" y="84" font-size="{_title_size(title)}" text-anchor="middle">{heading}</text>'
        f'{art}{texts}<text x="{WIDTH - 40}" y="{HEIGHT - 28}" font-size="24" text-anchor="end" class="brass">'
        f"{escape(make_drawable(get_site().name))}</text></svg>"
    )


def _title_size(title: str) -> int:
    return 52 if len(title) <= MAX_NAME_CHARACTERS else max(28, 52 * MAX_NAME_CHARACTERS // len(title))


def _draw_line(view: View, box: Box) -> str:
    return _place(draw_cropped(view, centred=True).art("line"), box)


def _place(svg: str, box: Box) -> str:
    """Fit an `svg` element into a box. resvg clips nested ones, so a group takes its place."""
    left, top, width, height = map(float, _VIEW_BOX.search(svg)[1].split())  # type: ignore[index]
    scale = min(box.width / width, box.height / height)
    x = box.x + (box.width - width * scale) / 2 - left * scale
    y = box.y + (box.height - height * scale) / 2 - top * scale
    inner = svg.partition(">")[2].removesuffix("</svg>")
    return f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{inner}</g>'


def _draw_chips(chips: Sequence[str]) -> str:
    """Draw chips in one centred row. Their width follows the number of letters, as there is no layout."""
    chips = list(filter(None, map(make_drawable, chips)))
    widths = [len(chip) * 16 + 48 for chip in chips]
    total = sum(widths) + 16 * (len(chips) - 1)
    x, art = -total / 2, ""
    for chip, width in zip(chips, widths, strict=True):
        art += (
            f'<rect x="{x:g}" y="-28" width="{width}" height="56" rx="28" class="chip"/>'
            f'<text x="{x + width / 2:g}" y="9" font-size="28" text-anchor="middle">{escape(chip)}</text>'
        )
        x += width + 16
    scale = min(1, (WIDTH - 2 * MARGIN) / max(total, 1))
    return f'<g transform="translate({WIDTH / 2} 512) scale({scale:g})">{art}</g>'
