"""Server-rendered SVG of the figures."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime

from operators.figures import Bar

CHART_HEIGHT, CHART_WIDTH = 100, 600
BAR_GAP = 1


def format_step(at: datetime, days: int) -> str:
    """Return the hour at which a step of one day begins, else the day."""
    return date_format(localtime(at), "TIME_FORMAT" if days == 1 else "MONTH_DAY_FORMAT")


def format_value(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"{value:.1f}"


def draw_bars(bars: Sequence[Bar], label: str, steps: Sequence[str]) -> SafeString:
    """Render one bar for each step, scaled to the highest and named by its step; screen readers get the label."""
    highest = max((bar.value for bar in bars), default=0) or 1
    width = CHART_WIDTH / max(1, len(bars))
    shapes = (
        (
            round(place * width, 1),
            round(CHART_HEIGHT - CHART_HEIGHT * bar.value / highest, 1),
            round(max(1.0, width - BAR_GAP), 1),
            round(CHART_HEIGHT * bar.value / highest, 1),
            step,
            format_value(bar.value),
        )
        for place, (bar, step) in enumerate(zip(bars, steps, strict=True))
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
