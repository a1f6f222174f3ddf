"""Measure the length of matches: the mean number of rounds between strong computers, by game and shape.

Writes boneyard/engine/match_lengths.json, from which the scale of a rated match follows (docs/ratings.md, "The length
of a match"). All games are measured in turns, in ever more matches: a run that is stopped has measured every game.

    python -m bench.measure_rounds [--matches 400] [--minutes 120] [--level strong] [--preset ID …]
"""

import argparse
import json
import time
from pathlib import Path

from boneyard.computer.players import LEVELS, Level
from boneyard.computer.selfplay import play_match
from boneyard.engine.presets import PRESETS, Preset

FILE = Path(__file__).parents[1] / "boneyard/engine/match_lengths.json"
FIRST_PASS_MATCHES = 25


class Shape:
    """A game in one shape, and the rounds of its matches between computers of a level so far."""

    def __init__(self, preset: Preset, seats: int, level: Level) -> None:
        self.preset, self.seats, self.level = preset, seats, level
        self.pool = preset.pool(seats)
        self.rounds: list[int] = []

    def play(self) -> None:
        seed = f"rounds:{self.pool}:{len(self.rounds)}"
        self.rounds.append(len(play_match(self.preset.rules, [self.level] * self.seats, seed).ended))

    def as_row(self) -> dict[str, object]:
        mean = round(sum(self.rounds) / len(self.rounds), 1)
        return {
            "preset": self.preset.id,
            "pool": self.pool,
            "seats": self.seats,
            "rounds": mean,
            "matches": len(self.rounds),
            "level": self.level,
        }


def find_shapes(presets: list[str], level: Level) -> list[Shape]:
    """Return the shapes of these presets, the most seats of each; first those of pools with several games."""
    shapes = {}
    for name in presets:
        for seats in sorted(PRESETS[name].rules.players):
            shape = Shape(PRESETS[name], seats, level)
            shapes[name, shape.pool] = shape
    pools = [shape.pool for shape in shapes.values()]
    return sorted(shapes.values(), key=lambda shape: pools.count(shape.pool) == 1)


def save(shapes: list[Shape]) -> None:
    """Write what was measured, beside what the file says of other games."""
    measured = {(shape.preset.id, shape.pool): shape.as_row() for shape in shapes if shape.rounds}
    rows = json.loads(FILE.read_text("utf-8")) if FILE.exists() else []
    kept = [row for row in rows if (row["preset"], row["pool"]) not in measured]
    order = list(PRESETS)
    every = sorted([*kept, *measured.values()], key=lambda row: (order.index(row["preset"]), row["seats"]))
    FILE.write_text("[\n" + ",\n".join(f" {json.dumps(row)}" for row in every) + "\n]\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--level", choices=LEVELS, default="strong")
    parser.add_argument("--preset", nargs="*", default=list(PRESETS))
    options = parser.parse_args()
    shapes, deadline = find_shapes(options.preset, options.level), time.monotonic() + 60 * options.minutes
    number = min(FIRST_PASS_MATCHES, options.matches)
    while True:
        for shape in shapes:
            while len(shape.rounds) < number and time.monotonic() < deadline:
                shape.play()
            save(shapes)
            print(shape.as_row() if shape.rounds else f"{shape.preset.id}: no time left", flush=True)
        if number == options.matches or time.monotonic() >= deadline:
            return
        number = min(2 * number, options.matches)


if __name__ == "__main__":
    main()
