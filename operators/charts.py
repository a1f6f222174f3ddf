"""Server-rendered SVG of the figures."""

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from operators.figures import Bar

CHART_HEIGHT, CHART_WIDTH = 100, 600
BAR_GAP = 1


def draw_bars(bars: Sequence[Bar], label: str) -> SafeString:
    """Render one bar for each step, scaled to the highest; screen readers get the label."""
    highest = max((bar.value for bar in bars), default=0) or 1
    width = CHART_WIDTH / max(1, len(bars))
    shapes = (
        (
            round(place * width, 1),
            round(CHART_HEIGHT - CHART_HEIGHT * bar.value / highest, 1),
            round(max(1.0, width - BAR_GAP), 1),
            round(CHART_HEIGHT * bar.value / highest, 1),
            date_format(localtime(bar.at), "SHORT_DATETIME_FORMAT"),
            f"{bar.value:g}" if bar.value == int(bar.value) else f"{bar.value:.1f}",
        )
        for place, bar in enumerate(bars)
    )
    rects = format_html_join(
        "", '<rect x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>', shapes
    )
    return format_html(
        '<svg class="figure-bars" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img" aria-label="{}">{}</svg>',
        CHART_WIDTH,
        CHART_HEIGHT,
        label,
        rects,
    )
