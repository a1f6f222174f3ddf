"""Server-rendered SVG graphs of ratings and of the score of a match."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

SCALE_STEPS = (10, 25, 50, 100, 200, 500, 1000)


def draw_rating_graph(values: Sequence[float], last: int, label: str) -> SafeString:
    """Render a line through the ratings before and after each match; `last` is the number of the last match.

    Only the line is stretched to the available width: positions are percentages, and text keeps its size.
    """
    low, high, step = _scale(min(values), max(values))

    def y(value: float) -> float:
        return round(100 * (high - value) / (high - low), 1)

    rules = format_html_join(
        "",
        '<line class="graph-rule" x2="100%" y1="{0}%" y2="{0}%"/>'
        '<text class="graph-number" x="100%" y="{0}%" dx=".8em" dy=".35em">{1}</text>',
        ((y(value), value) for value in range(int(low), int(high) + 1, step)),
    )
    return format_html(
        '<svg class="graph" role="img" aria-label="{label}">{rules}'
        '<svg viewBox="0 0 {steps} 100" preserveAspectRatio="none">'
        '<polyline class="graph-line" points="{points}"/></svg>'
        '<circle class="graph-now" cx="100%" cy="{now}%" r="5"/>'
        '<text x="0" y="100%" dy="1.8em">{first}</text>'
        '<text class="graph-middle" x="50%" y="100%" dy="1.8em">{each}</text>'
        '<text class="graph-end" x="100%" y="100%" dy="1.8em">{last}</text></svg>',
        label=label,
        rules=rules,
        steps=max(1, len(values) - 1),
        points=" ".join(f"{number},{y(value)}" for number, value in enumerate(values)),
        now=y(values[-1]),
        first=_("match %(n)s") % {"n": last - len(values) + 2},
        each=_("each step is one match"),
        last=last,
    )


def _scale(low: float, high: float) -> tuple[float, float, int]:
    """Return round bounds around the values, and a step that gives at most six lines."""
    step = next((s for s in SCALE_STEPS if (high - low) / s <= 4), SCALE_STEPS[-1])
    bottom = low // step * step
    top = (high // step + 1) * step
    return bottom, top, step


def draw_score_graph(ahead: Sequence[int], now: int, opened: Sequence[int]) -> SafeString:
    """Render a side's lead after each move as an area, with marks at move `now` and at moves that `opened` a round.

    The whole graph is stretched to the available width, so it contains no text or dots.
    """
    across = 960 / max(1, len(ahead) - 1)
    most = max(10, *map(abs, ahead))
    middle, swing = 32, 28
    line = " ".join(
        f"{i * across:.1f} {middle - points / most * swing:.1f}" for i, points in enumerate(ahead)
    )
    rounds = "".join(f"M{(number - 1) * across:.1f} 0V64" for number in opened)
    return format_html(
        '<svg viewBox="0 0 960 64" preserveAspectRatio="none" aria-hidden="true">'
        '<clipPath id="ahead"><path d="M0 0h960v{middle}H0z"/></clipPath>'
        '<clipPath id="behind"><path d="M0 {middle}h960v64H0z"/></clipPath>'
        '<path class="chart-ahead" clip-path="url(#ahead)" d="M0 {middle} {line} 960 {middle}z"/>'
        '<path class="chart-behind" clip-path="url(#behind)" d="M0 {middle} {line} 960 {middle}z"/>'
        '<path class="chart-rounds" d="{rounds}"/><path class="chart-zero" d="M0 {middle}H960"/>'
        '<path class="chart-line" d="M{line}"/><path class="chart-now" d="M{at} 0V64"/></svg>',
        middle=middle,
        line=line,
        rounds=rounds,
        at=round(now * across, 1),
    )
