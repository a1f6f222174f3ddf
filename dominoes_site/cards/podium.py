"""Draw the podium of a night that is over, 1200 by 630."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.html import escape

from dominoes_site.cards.drawing import WIDTH, draw_card, make_drawable

FLOOR = 460
STEP_WIDTH = 330
STEP_HEIGHTS = (170, 120, 80)  # by place
NAME_SIZE, NAME_LINE = 44, 50
MAX_NAMES = 3  # of a place that is shared
LETTER_SHARE = 0.52  # of the size, the width of a usual letter


class Step(NamedTuple):
    """A place with the names of all who share it."""

    place: int
    names: Sequence[str]
    figures: str


def draw_podium(title: str, steps: Sequence[Step], lines: Sequence[str]) -> str:
    """Draw the first places, the best in the middle, and lines of text below. Names must be drawable."""
    ordered = [*steps[1:2], *steps[:1], *steps[2:]]
    left = (WIDTH - STEP_WIDTH * len(ordered)) / 2
    art = "".join(_draw_step(step, left + STEP_WIDTH * place) for place, step in enumerate(ordered))
    return draw_card(6, title, art, lines)


def _draw_step(step: Step, left: float) -> str:
    height = STEP_HEIGHTS[step.place - 1]
    top, middle = FLOOR - height, left + STEP_WIDTH / 2
    block = 'fill="#c8983f"' if step.place == 1 else 'class="chip"'
    ink = ' style="fill: #1d1915"' if step.place == 1 else ""
    shown = [*step.names[:MAX_NAMES]]
    if len(step.names) > MAX_NAMES:
        shown[-1] += f" +{len(step.names) - MAX_NAMES}"
    return (
        f'<rect x="{left + 12:g}" y="{top}" width="{STEP_WIDTH - 24}" height="{height}" rx="6" {block}/>'
        f'<text x="{middle:g}" y="{top + 58}" font-size="52" text-anchor="middle"{ink}>{step.place}</text>'
        f'<text x="{middle:g}" y="{top - 18}" font-size="26" text-anchor="middle" class="quiet">'
        f"{escape(make_drawable(step.figures))}</text>"
        + "".join(
            _draw_name(name, middle, top - 62 - NAME_LINE * above)
            for above, name in enumerate(reversed(shown))
        )
    )


def _draw_name(name: str, middle: float, y: float) -> str:
    size = min(NAME_SIZE, int((STEP_WIDTH - 24) / (LETTER_SHARE * max(1, len(name)))))
    return f'<text x="{middle:g}" y="{y:g}" font-size="{size}" text-anchor="middle">{escape(name)}</text>'
