"""Marks of the sides, by shape and colour, names, and suits in bold, for plates, scores and move lists."""

from collections.abc import Sequence
from functools import cache, lru_cache

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

_MARKS = (
    '<circle cx="6" cy="6" r="5" class="side-0"/>',
    '<path d="M1.5 1.5h9v9h-9z" class="side-1"/>',
    '<path d="M6 .2 11.8 6 6 11.8 .2 6z" class="side-2"/>',
    '<path d="M6 .8 11.8 11.2H.2z" class="side-3"/>',
)


# For pages that show many marks; included by `games.drawing.tiles.draw_symbols`.
SYMBOLS = "".join(
    f'<symbol id="side-{side}" viewBox="0 0 12 12">{shape}</symbol>' for side, shape in enumerate(_MARKS)
)


@cache
def mark(side: int) -> SafeString:
    """Render the mark of a side inline."""
    return mark_safe(f'<svg class="side" viewBox="0 0 12 12" aria-hidden="true">{_MARKS[side]}</svg>')  # noqa: S308


@lru_cache(4096)
def mark_reference(side: int, id: str = "", name: str = "") -> SafeString:
    """Render the mark of a side as a reference to the page's symbols, with an optional id and accessible name."""
    about = mark_safe(' role="img"' if name else ' aria-hidden="true"')  # noqa: S308
    return format_html(
        '<svg{}{} class="side">{}<use href="#side-{}"/></svg>',
        format_html(' id="{}"', id) if id else "",
        about,
        format_html("<title>{}</title>", name) if name else "",
        side,
    )


def bold_suits(suits: Sequence[int]) -> SafeString:
    """Render suits as 6·5·0 in bold; lines may break after a dot."""
    return mark_safe(f"<b>{'·<wbr>'.join(map(str, suits))}</b>")  # noqa: S308 - of numbers


def breakable_name(name: str) -> SafeString:
    """Escape a name; lines may break after its underscores, as they may after hyphens."""
    return mark_safe(conditional_escape(name).replace("_", "_<wbr>"))  # noqa: S308
