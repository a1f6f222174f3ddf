"""Draw percentages as tile-like bars."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

BAR_HEIGHT = 140
MIN_BAR_HEIGHT = 10  # so that 0 % is a bar, too
SMALL_BAR_STEP, SMALL_BAR_HEIGHT = 9, 24


def draw_bar(percent: float) -> SafeString:
    """Draw a bar of this height, hidden from screen readers."""
    height = round(MIN_BAR_HEIGHT + (BAR_HEIGHT - MIN_BAR_HEIGHT) * percent / 100)
    return format_html(
        '<svg class="deal-bar" viewBox="0 0 56 {h}" width="56" height="{h}" preserveAspectRatio="none"'
        ' aria-hidden="true"><rect class="bar-lip" width="56" height="{h}" rx="6"/>'
        '<rect class="bar-face" width="56" height="{face}" rx="6"/></svg>',
        h=height,
        face=height - 4,
    )


def draw_small_bars(percents: Sequence[float | None]) -> SafeString:
    """Draw a row of bars as high as a line of text, hidden from screen readers; rounds not played are a stump."""
    bars = format_html_join(
        "",
        '<rect x="{}" y="{}" width="{}" height="{}" rx="1"/>',
        (
            (number * SMALL_BAR_STEP, SMALL_BAR_HEIGHT - height, SMALL_BAR_STEP - 2, height)
            for number, height in enumerate(
                round(2 + (SMALL_BAR_HEIGHT - 2) * (percent or 0) / 100) for percent in percents
            )
        ),
    )
    return format_html(
        '<svg class="small-bars" viewBox="0 0 {w} {h}" width="{w}" height="{h}" aria-hidden="true">{bars}</svg>',
        w=max(len(percents) * SMALL_BAR_STEP - 2, 1),
        h=SMALL_BAR_HEIGHT,
        bars=bars,
    )
