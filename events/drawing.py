"""Draw a percentage as a tile-like bar, and the distribution of the scores."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

BAR_HEIGHT = 140
MIN_BAR_HEIGHT = 10  # so that 0 % is a bar, too
BINS = 10
BIN_WIDTH = 24
DISTRIBUTION_HEIGHT = 64


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


def draw_distribution(scores: Sequence[float], own: float | None) -> SafeString:
    """Draw how many scores lie in each tenth of 0 to 100; the viewer's own is marked."""
    counts = [0] * BINS
    for score in scores:
        counts[_find_bin(score)] += 1
    tallest = max(max(counts), 1)
    bars = format_html_join(
        "",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="2"/>',
        (
            (
                "share-own" if own is not None and _find_bin(own) == number else "share-of-field",
                number * BIN_WIDTH + 1,
                DISTRIBUTION_HEIGHT - height,
                BIN_WIDTH - 2,
                height,
            )
            for number, height in enumerate(
                round(2 + (DISTRIBUTION_HEIGHT - 2) * count / tallest) for count in counts
            )
        ),
    )
    label = ngettext("The scores of %(n)d player", "The scores of %(n)d players", len(scores)) % {
        "n": len(scores)
    }
    if own is not None:
        label = _("%(scores)s, from 0 to 100; yours is %(own)d") % {"scores": label, "own": round(own)}
    return format_html(
        '<svg class="deal-distribution" role="img" aria-label="{}" viewBox="0 0 {} {}"><title>{}</title>{}'
        '<path class="share-half" d="M{} 0v{}"/></svg>',
        label,
        BINS * BIN_WIDTH,
        DISTRIBUTION_HEIGHT,
        label,
        bars,
        BINS * BIN_WIDTH // 2,
        DISTRIBUTION_HEIGHT,
    )


def _find_bin(score: float) -> int:
    return min(BINS - 1, int(score * BINS / 100))
