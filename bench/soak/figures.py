"""What players and outages note down for the judge."""

import sys
import time
from dataclasses import dataclass, field


@dataclass
class Figures:
    """What a soak has come to.

    away      from when to when nothing could be played, by time.monotonic()
    outages   how often each has befallen the server
    answered  the moves that were answered, by match and number
    charged   seconds above one's own, of each move
    faults    what was not as it has to be
    sizes     by life of the first process: its age, MB, threads and open files every five seconds
    """

    away: list[tuple[float, float]] = field(default_factory=list)
    outages: dict[str, int] = field(default_factory=dict)
    answered: dict[str, dict[int, str]] = field(default_factory=dict)
    charged: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    sizes: list[list[tuple[float, float, int, int]]] = field(default_factory=list)
    over: bool = False


def within(stretches: list[tuple[float, float]], began: float, ended: float) -> float:
    """How much of the time between two moments lies in any of these."""
    total, reached = 0.0, began
    for since, until in sorted(stretches):
        total += max(0.0, min(ended, until) - max(reached, since))
        reached = max(reached, min(ended, until))
    return total


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
