"""Render the race to the target as a peg track with a lane for each side."""

from functools import cache, lru_cache
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

MAX_HOLES = 40
HOLES_PER_GROUP = 5
MAX_GROUP_GAP = 4.4  # maximum extra gap between groups
FIRST_HOLE_X, LAST_HOLE_X = 15.0, 263.0
LANE_HEIGHT = 17

# Tag and shape of each side's pegs: front, and smaller back.
_PEGS = (
    (("circle", 'r="5.8"'), ("circle", 'r="4.2"')),
    (
        ("rect", 'x="-5.2" y="-5.2" width="10.4" height="10.4" rx="1.2"'),
        ("rect", 'x="-3.6" y="-3.6" width="7.2" height="7.2" rx="1.2"'),
    ),
    (("path", 'd="M0 -6.6L6.6 0 0 6.6 -6.6 0z"'), ("path", 'd="M0 -4.8L4.8 0 0 4.8 -4.8 0z"')),
    (("path", 'd="M0 -6L6.4 4.8H-6.4z"'), ("path", 'd="M0 -4.4L4.6 3.5H-4.6z"')),
)


class Mark(NamedTuple):
    """An SVG element that moves with a score; each attribute is preceded by a space."""

    id: str
    tag: str
    attributes: str


class Track(NamedTuple):
    """The track in drawing order: wood, the run of each side, holes, pegs. Wood and holes never change."""

    attributes: str
    wood: SafeString
    runs: tuple[Mark, ...]
    holes: SafeString
    pegs: tuple[Mark, ...]


def points_per_hole(target: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50, … that needs at most `MAX_HOLES` holes."""
    unit = 1
    while True:
        for step in (1, 2, 5):
            if -(-target // (unit * step)) <= MAX_HOLES:
                return unit * step
        unit *= 10


@lru_cache(maxsize=512)
def draw_track(target: int, scores: tuple[int, ...], before: tuple[int, ...]) -> Track:
    """Render the track: a front peg at each score, a back peg at the score before the last points."""
    lanes = len(scores)
    ys = [16 + LANE_HEIGHT * lane for lane in range(lanes)]
    back = [_peg(lane, before[lane], target, ys[lane], small=True) for lane in range(lanes)]
    front = [_peg(lane, scores[lane], target, ys[lane], small=False) for lane in range(lanes)]
    return Track(
        format_html(' class="track" viewBox="0 0 276 {}" aria-hidden="true"', _height(lanes)),
        _wood(lanes),
        tuple(
            [
                Mark(f"run-{lane}", "path", f' class="track-run lane-{lane}" d="{_run(score, target, y)}"')
                for lane, (score, y) in enumerate(zip(scores, ys, strict=True))
            ]
        ),
        _holes(target, tuple(ys)),
        (*back, *front),
    )


def _run(score: int, target: int, y: int) -> str:
    """Return the path of a run; empty at 0, where a stroke without length would still draw a dot."""
    return f"M15 {y}H{_at(score, target):g}" if score > 0 else ""


def _height(lanes: int) -> int:
    return 22 + LANE_HEIGHT * lanes


@cache
def _wood(lanes: int) -> SafeString:
    height = _height(lanes)
    return mark_safe(  # noqa: S308 - numbers only
        f'<rect class="track-wood" width="276" height="{height}" rx="8"/>'
        f'<rect class="track-line" x="2.5" y="2.5" width="271" height="{height - 5}" rx="6"/>'
    )


@lru_cache(maxsize=256)
def _holes(target: int, ys: tuple[int, ...]) -> SafeString:
    unit = points_per_hole(target)
    holes = -(-target // unit)
    pits = "".join(f"M{FIRST_HOLE_X:g} {y}h.01{_steps(holes)}" for y in ys)
    parts = [
        f'<path class="track-holes{" is-fine" if holes > 30 else ""}" d="{pits}"/>',
        *(f'<circle class="track-end" cx="{LAST_HOLE_X:g}" cy="{y}" r="4.6"/>' for y in ys),
        *(_number(i, holes, min(i * unit, target), _height(len(ys))) for i in _labelled(holes)),
    ]
    return mark_safe("".join(parts))  # noqa: S308 - numbers only


def _steps(holes: int) -> str:
    """Return the relative moves from hole to hole; they have only two lengths, so they compress well."""
    return "".join(f"m{_x(i, holes) - _x(i - 1, holes) - 0.01:.2f} 0h.01" for i in range(1, holes))


def _labelled(holes: int) -> list[int]:
    every = HOLES_PER_GROUP if holes <= 25 else 2 * HOLES_PER_GROUP
    labelled = [i for i in range(every, holes, every) if holes - i > every // 3]
    return [*labelled, holes]


def _number(hole: int, holes: int, points: int, height: int) -> str:
    x = min(_x(hole, holes), LAST_HOLE_X - 4)
    return f'<text class="track-number" x="{x:g}" y="{height - 6.5:g}">{points}</text>'


def _x(hole: int, holes: int) -> float:
    gaps = max(0, holes - 1) // HOLES_PER_GROUP
    gap = min(MAX_GROUP_GAP, 20 / max(1, gaps))
    step = (LAST_HOLE_X - FIRST_HOLE_X - gaps * gap) / holes
    return round(FIRST_HOLE_X + hole * step + max(0, hole - 1) // HOLES_PER_GROUP * gap, 1)


def _at(score: int, target: int) -> float:
    unit = points_per_hole(target)
    holes = -(-target // unit)
    if score >= target:
        return LAST_HOLE_X
    hole, over = divmod(max(0, score), unit)
    here = _x(hole, holes)
    return round(here + (_x(hole + 1, holes) - here) * over / unit, 1)


def _peg(side: int, score: int, target: int, y: int, *, small: bool) -> Mark:
    tag, shape = _PEGS[side][small]
    look = f"track-peg track-peg-back side-{side}" if small else f"track-peg side-{side}"
    transform = f"translate({_at(score, target):g} {y})"
    return Mark(
        f"peg-back-{side}" if small else f"peg-{side}",
        tag,
        f' {shape} class="{look}" transform="{transform}"',
    )
