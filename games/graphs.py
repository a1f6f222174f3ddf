"""The rating over time as an SVG, drawn here: it needs no script and no style of its own."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 26
STEPS = (10, 25, 50, 100, 200, 500, 1000)


def rating_graph(points: Sequence[tuple[datetime, float]], label: str) -> SafeString:
    """A line through (moment, rating) in the order given, at even steps: a match is a step, as in its table."""
    values = [value for _, value in points]
    low, high, step = _scale(min(values), max(values))
    across = (WIDTH - LEFT - RIGHT) / max(1, len(points) - 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    places = [(round(LEFT + i * across, 1), y(value)) for i, value in enumerate(values)]
    rules = format_html_join(
        "",
        '<path class="graph-rule" d="M{} {}H{}"/><text class="graph-n" x="{}" y="{}">{}</text>',
        ((LEFT, y(v), WIDTH - RIGHT, LEFT - 6, y(v) + 4, v) for v in range(int(low), int(high) + 1, step)),
    )
    return format_html(
        '<svg class="graph" viewBox="0 0 {} {}" role="img" aria-label="{}">{}'
        '<polyline class="graph-line" points="{}"/><circle class="graph-now" cx="{}" cy="{}" r="4"/>'
        '<text class="graph-d" x="{}" y="{}">{}</text>'
        '<text class="graph-d is-end" x="{}" y="{}">{}</text></svg>',
        WIDTH,
        HEIGHT,
        label,
        rules,
        " ".join(f"{x},{y}" for x, y in places),
        *places[-1],
        LEFT,
        HEIGHT - 6,
        date_format(points[0][0], "SHORT_DATE_FORMAT"),
        WIDTH - RIGHT,
        HEIGHT - 6,
        date_format(points[-1][0], "SHORT_DATE_FORMAT"),
    )


def _scale(low: float, high: float) -> tuple[float, float, int]:
    """Round bounds around the values, and a step that rules at most six lines."""
    step = next((s for s in STEPS if (high - low) / s <= 4), STEPS[-1])
    bottom = low // step * step
    top = (high // step + 1) * step
    return bottom, top, step
