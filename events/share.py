"""Build the text with which people share a result: percentages as bars, without tiles.

>>> draw_bars([0.0, 50.0, 100.0, None])
'▁▅█·'
"""

from collections.abc import Sequence
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext

from operators.site_settings import get_site

BARS = "▁▂▃▄▅▆▇█"
NO_PERCENT = "·"


def draw_bars(percents: Sequence[float | None]) -> str:
    """Return a block character for each percentage."""
    return "".join(
        NO_PERCENT if percent is None else BARS[min(len(BARS) - 1, int(percent * len(BARS) / 100))]
        for percent in percents
    )


def build_text(day: date, game: str, score: float, percents: Sequence[float | None], address: str) -> str:
    """Return the text to share."""
    parts = [
        f"{get_site().name} · {gettext('Daily Deal')}",
        date_format(day, "MONTH_DAY_FORMAT"),
        game,
        f"{score:.0f} %",
        draw_bars(percents),
        address,
    ]
    return " · ".join(parts)
