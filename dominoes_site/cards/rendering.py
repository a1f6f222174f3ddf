"""Render SVG to PNG within a bounded cost: one at a time, and each picture once while it is cached."""

from pathlib import Path
from threading import Lock

import resvg_py
from cachetools import LRUCache

MAX_CACHED_PICTURES = 200  # of some 40 KB
RENDER_TIMEOUT_SECONDS = 2.0
FONTS = sorted(str(file) for file in Path(__file__).parent.glob("*.ttf"))

# Cache: key the drawing; bound MAX_CACHED_PICTURES; invalidated by nothing, as another position is another drawing.
_pictures: LRUCache[str, bytes] = LRUCache(MAX_CACHED_PICTURES)
_access = Lock()
_rendering = Lock()


class Busy(Exception):
    """Raised while too many other pictures are being rendered."""


def render_png(svg: str) -> bytes:
    """Return the drawing as PNG. Raise `Busy`."""
    if (known := _get(svg)) is not None:
        return known
    if not _rendering.acquire(timeout=RENDER_TIMEOUT_SECONDS):
        raise Busy
    try:
        if (known := _get(svg)) is not None:  # rendered while this thread waited
            return known
        png = bytes(resvg_py.svg_to_bytes(svg_string=svg, font_files=FONTS, skip_system_fonts=True))
    finally:
        _rendering.release()
    with _access:
        _pictures[svg] = png
    return png


def _get(svg: str) -> bytes | None:
    with _access:
        return _pictures.get(svg)
