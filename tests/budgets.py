"""What things may cost: the numbers of the table in docs/architecture.md, "What things cost".

A row names a thing, and lists numbers with their units: `| the lobby | 33 statements, 79,960 bytes |`.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "architecture.md"
HEADING = "## What things cost\n"
ROW = re.compile(r"^\| (.+?) \| (\d.*?) \|$", re.M)
NUMBER = re.compile(r"(\d[\d,]*) ([^,]+)")

# By the beginning of the unit: the part by which a measurement may exceed the number.
TOLERANCES = {"statements": 0.0, "bytes": 0.02, "modules": 0.02, "calls": 0.03, "CPU seconds": 0.5}
SLACK = 0.1  # a number this much above the measurement, or more, is to be lowered
ROUNDING = 0.5


@cache
def read() -> dict[str, dict[str, int]]:
    """Return the numbers of each row by their units."""
    section = DOCUMENT.read_text().partition(HEADING)[2].partition("\n## ")[0]
    return {
        name: {unit: int(number.replace(",", "")) for number, unit in NUMBER.findall(numbers)}
        for name, numbers in ROW.findall(section)
    }


def check(name: str, measured: Mapping[str, float]) -> None:
    """Compare what a row's thing takes, by unit, with its numbers. Raise `AssertionError` with the row to write."""
    budget = read().get(name, {})
    more = [unit for unit in measured if exceeds(unit, measured[unit], budget.get(unit, 0))]
    fewer = [unit for unit in budget if falls_short(unit, measured.get(unit, 0), budget[unit])]
    faults = [
        f"{measured.get(unit, 0):,.0f} {unit} instead of {budget.get(unit, 0):,}" for unit in more + fewer
    ]
    if not faults:
        return
    advice = f"{name}: {', '.join(faults)}."
    if more:
        advice += " Make it cheaper, or raise the number in this commit and say why."
    if fewer:
        advice += " Lower the number, so that what is saved is not spent again."
    raise AssertionError(f"{advice} Its row in docs/{DOCUMENT.name} would be:\n{write_row(name, measured)}")


def exceeds(unit: str, measured: float, budget: int) -> bool:
    return measured >= budget * (1 + find_tolerance(unit)) + ROUNDING


def falls_short(unit: str, measured: float, budget: int) -> bool:
    """Return whether a budget is too generous. One in CPU seconds never is: they differ by machine."""
    return unit != "CPU seconds" and measured <= budget * (1 - SLACK) - ROUNDING


def find_tolerance(unit: str) -> float:
    return next(tolerance for begin, tolerance in TOLERANCES.items() if unit.startswith(begin))


def write_row(name: str, measured: Mapping[str, float]) -> str:
    return f"| {name} | {', '.join(f'{number:,.0f} {unit}' for unit, number in measured.items())} |"
