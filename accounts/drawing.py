"""Small SVG pictures of the leaderboard."""

from functools import cache, lru_cache
from zlib import crc32

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from accounts.avatars import TILES

STEP = 50  # rating points per bar of the histogram
WIDTH, HEIGHT = 226, 46


# Pips of a half that is 20 by 20, by suit.
_LEFT, _MIDDLE, _RIGHT = 5, 10, 15
PIPS = [
    (),
    ((_MIDDLE, _MIDDLE),),
    ((_LEFT, _LEFT), (_RIGHT, _RIGHT)),
    ((_LEFT, _LEFT), (_MIDDLE, _MIDDLE), (_RIGHT, _RIGHT)),
    ((_LEFT, _LEFT), (_RIGHT, _LEFT), (_LEFT, _RIGHT), (_RIGHT, _RIGHT)),
    ((_LEFT, _LEFT), (_RIGHT, _LEFT), (_MIDDLE, _MIDDLE), (_LEFT, _RIGHT), (_RIGHT, _RIGHT)),
    ((_LEFT, _LEFT), (_RIGHT, _LEFT), (_LEFT, _MIDDLE), (_RIGHT, _MIDDLE), (_LEFT, _RIGHT), (_RIGHT, _RIGHT)),
]
_TILES = list(TILES.values())


def name_tile(name: str, avatar: str = "") -> SafeString:
    """Draw the tile that stands for a person: the chosen `avatar`, else one that follows from the name.

    The higher half is above. What `names.label` adds to a name does not count.
    """
    name = name.partition(" (")[0]
    return _upright_tile(*TILES.get(avatar) or _TILES[crc32(name.encode()) % len(_TILES)])


@cache  # 28 tiles
def _upright_tile(high: int, low: int) -> SafeString:
    dots = "".join(f"M{x} {y + top}h.01" for top, suit in ((1, high), (21, low)) for x, y in PIPS[suit])
    return format_html(
        '<svg class="name-tile" viewBox="0 0 20 43" aria-hidden="true">'
        '<rect class="edge" width="20" height="43" rx="3"/>'
        '<rect class="face" width="20" height="41" rx="3"/><path class="groove" d="M3 20.500h14"/>'
        '<path class="pips" d="{}"/></svg>',
        dots,
    )


@cache
def draw_tile_parts() -> SafeString:
    """Draw a blank tile and the halves, for a page with many tiles (`draw_tile_of_parts`)."""
    # Attributes and no classes: a rule of the page that names an ancestor does not reach what `use` shows.
    halves = "".join(
        f'<path id="half-{suit}" d="{"".join(f"M{x} {y + 1}h.01" for x, y in PIPS[suit])}"/>'
        for suit in range(1, len(PIPS))
    )
    return mark_safe(  # noqa: S308 - of numbers
        '<svg class="sprite" width="0" height="0" aria-hidden="true"><defs><g id="blank">'
        '<rect fill="var(--tile-lip)" width="20" height="43" rx="3"/>'
        '<rect fill="var(--tile)" width="20" height="41" rx="3"/>'
        '<path stroke="var(--tile-cut)" d="M3 20.500h14"/>'
        f"</g>{halves}</defs></svg>"
    )


@cache
def draw_tile_of_parts(avatar: str) -> SafeString:
    """Draw an avatar on a page with `draw_tile_parts`."""
    high, low = TILES[avatar]
    uses = "".join(f'<use href="#half-{suit}"{y}/>' for suit, y in ((high, ""), (low, ' y="20"')) if suit)
    art = (
        '<svg class="name-tile" viewBox="0 0 20 43" aria-hidden="true">'
        f'<use href="#blank"/><g class="pips">{uses}</g></svg>'
    )
    return mark_safe(art)  # noqa: S308 - of numbers


@cache  # at most 2047 sequences of ten
def won_marks(won: tuple[bool, ...]) -> SafeString:
    """Draw matches as small upright tiles, the latest at the right, full where the rating rose."""
    tiles = format_html_join(
        "",
        '<rect class="{}" x="{}" y=".5" width="9" height="17" rx="2"/>',
        ((("filled" if rose else "open"), 13 * place + 0.5) for place, rose in enumerate(won)),
    )
    return format_html('<svg class="won-marks" viewBox="0 0 128 18" aria-hidden="true">{}</svg>', tiles)


# Cache: key the histogram and rating; bound 512; never stale.
@lru_cache(maxsize=512)
def histogram(steps: tuple[tuple[int, int], ...], mine: int) -> SafeString:
    """Draw all ratings of a pool as bars, the viewer's marked."""
    least, most = steps[0][0], steps[-1][0] + STEP
    heights = dict(steps)
    tallest = max(heights.values())
    pitch = WIDTH / ((most - least) // STEP)
    bars, own_x, own_y = [], 0.0, 0.0
    for i, step in enumerate(range(least, most, STEP)):
        height = max(1, round(HEIGHT * heights.get(step, 0) / tallest))
        own = step <= mine < step + STEP
        if own:
            own_x, own_y = min(max((i + 0.5) * pitch, 14), WIDTH - 14), 60.0 - height
        bars.append(
            format_html(
                '<rect class="histogram-bar{}" x="{}" y="{}" width="{}" height="{}" rx="1"/>',
                " filled" if own else "",
                round(i * pitch, 1),
                66 - height,
                round(max(1.0, pitch - 2.6), 1),
                height,
            )
        )
    return format_html(
        '<svg viewBox="0 0 226 84" aria-hidden="true">{}<text class="player" x="{}" y="{}">{}</text>'
        '<text x="0" y="80">{}</text><text x="226" y="80" text-anchor="end">{}</text></svg>',
        SafeString("".join(bars)),
        round(own_x, 1),
        round(own_y, 1),
        mine,
        least,
        most,
    )
