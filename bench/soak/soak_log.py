"""The log of a soak run."""

import sys
import time
from dataclasses import dataclass, field


@dataclass
class SoakLog:
    """Events of a soak run.

    unavailable    periods without service, by time.monotonic()
    outages        number of outages by name
    accepted       accepted moves by match and number
    overcharges    seconds charged beyond the player's own time, per move
    faults         failed checks
    process_sizes  per life of the first process: age, MB, threads and open files every five seconds
    """

    unavailable: list[tuple[float, float]] = field(default_factory=list)
    outages: dict[str, int] = field(default_factory=dict)
    accepted: dict[str, dict[int, str]] = field(default_factory=dict)
    overcharges: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    process_sizes: list[list[tuple[float, float, int, int]]] = field(default_factory=list)
    is_over: bool = False


def overlap(periods: list[tuple[float, float]], start: float, end: float) -> float:
    """Return how many seconds between `start` and `end` are inside any of the periods."""
    total, covered_until = 0.0, start
    for since, until in sorted(periods):
        total += max(0.0, min(end, until) - max(covered_until, since))
        covered_until = max(covered_until, min(end, until))
    return total


def log(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
