"""Small SVG pictures of the leaderboard."""

from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

STEP = 50  # rating points per bar of the histogram
WIDTH, HEIGHT = 226, 46


# Cache: key the values; bound 4096; never stale.
@lru_cache(maxsize=4096)
def spark_line(values: tuple[int, ...]) -> SafeString:
    """Draw a line through the last ratings; decorative, the numbers stand beside it."""
    if len(values) < 2:
        return SafeString("")
    low, high = min(values), max(values)
    step = 91.5 / (len(values) - 1)
    points = [
        f"{round(2 + i * step, 1):g} {round(23 - 20 * (value - low) / max(1, high - low), 1):g}"
        for i, value in enumerate(values)
    ]
    x, y = points[-1].split()
    return format_html(
        '<svg class="spark" viewBox="0 0 96 26" aria-hidden="true">'
        '<path d="M{}"/><circle cx="{}" cy="{}" r="2.4"/></svg>',
        " ".join(points),
        x,
        y,
    )


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
