"""Print the results of `bench.strength` as tables of Markdown."""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.intervals import mean_and_interval, share_interval
from games.computer.players import LEVELS

Results = Mapping[str, Sequence[Any]]


def report(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    """Yield the lines of all tables; `measurements` are those of `bench.strength`."""
    tables = {
        "levels": _levels,
        "outside": _outside,
        "duel": _duel,
        "loss": _loss,
        "peeks": _peeks,
        "moves": _moves,
    }
    for kind, table in tables.items():
        chosen = [each for each in measurements if each.kind == kind and results.get(each.key)]
        if chosen:
            yield from table(chosen, results)
            yield ""


def share(values: Sequence[float]) -> str:
    """Return a mean share in per cent with its interval and number."""
    mean = statistics.fmean(values)
    low, high = share_interval(mean, len(values))
    return f"{100 * mean:.1f} ({100 * low:.0f} to {100 * high:.0f}; {len(values)})"


def points(values: Sequence[float], digits: int = 1) -> str:
    mean, half = mean_and_interval(values)
    return f"{mean:+.{digits}f} ± {'?' if math.isinf(half) else f'{half:.{digits}f}'}"


def _levels(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    steps = sorted(
        {each.players for each in measurements}, key=lambda step: [LEVELS.index(name) for name in step]
    )
    yield "Matches won in per cent, with the interval and the number of pairs; below, points a round.\n"
    yield f"| | {' | '.join(f'{stronger} v {weaker}' for stronger, weaker in steps)} |"
    yield "| --- |" + " --- |" * len(steps)
    pooled: dict[int, dict[Any, list[list[float]]]] = {}
    for game, seats in dict.fromkeys((each.game, each.seats) for each in measurements):
        rows = {
            each.players: results[each.key]
            for each in measurements
            if (each.game, each.seats) == (game, seats)
        }
        yield f"| {game}, {seats} | {' | '.join(_cell(rows.get(step)) for step in steps)} |"
        for step, values in rows.items():
            pooled.setdefault(seats, {}).setdefault(step, []).append([win for win, _ in values])
    for seats, columns in sorted(pooled.items()):
        cells = (_pooled(columns[step]) if step in columns else "" for step in steps)
        yield f"| all with {seats} seats | {' | '.join(cells)} |"


def _pooled(games: Sequence[Sequence[float]]) -> str:
    """Return the share over all games; none counts with more results than the median game has."""
    most = statistics.median_high([len(values) for values in games])
    return share([value for values in games for value in values[:most]])


def _cell(values: Sequence[Any] | None) -> str:
    if not values:
        return ""
    return f"{share([win for win, _ in values])} {points([each for _, each in values])}"


def _outside(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "Rounds won against players of other packages, in per cent, and points a round:\n"
    for each in measurements:
        yield f"- {' v '.join(each.players)}, {each.seats} seats: {_cell(results[each.key])}"


def _duel(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "Rounds from their ending on, master v one that solves no endings: won in per cent, points a round:\n"
    for each in measurements:
        values = [value for value in results[each.key] if value]
        yield f"- {each.game}: {_cell(values)}"


def _loss(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "Decisions in endings: best moves in per cent, and the loss of a decision in points.\n"
    yield f"| | {' | '.join(LEVELS)} |"
    yield "| --- |" + " --- |" * len(LEVELS)
    for each in measurements:
        cells = []
        for level in LEVELS:
            losses = [loss for value in results[each.key] for loss in value.get(level, ())]
            best = statistics.fmean(loss < 1e-9 for loss in losses) if losses else math.nan
            cells.append(f"{100 * best:.0f}, {points(losses, 2)} ({len(losses)})" if losses else "")
        yield f"| {each.game} | {' | '.join(cells)} |"


def _peeks(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "Mean peek score of honest decisions, with the standard error by round:\n"
    for each in measurements:
        rounds = [(number, total) for number, total in results[each.key] if number]
        decisions = sum(number for number, _ in rounds)
        if not decisions:
            continue
        mean = sum(total for _, total in rounds) / decisions
        error = math.sqrt(sum((total - mean * number) ** 2 for number, total in rounds)) / decisions
        sample = f"{decisions} decisions, {len(rounds)} rounds"
        yield f"- {each.game}, {each.players[0]}: {mean:+.4f} ± {error:.4f} ({sample})"


def _moves(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "CPU ms of a move with a choice: average, the 95 % mark, most.\n"
    for each in measurements:
        times = sorted(time for value in results[each.key] for time in value)
        if len(times) > 1:
            late = statistics.quantiles(times, n=20, method="inclusive")[-1]
            yield (
                f"- {each.game}, {each.seats}, {each.players[0]}: {statistics.fmean(times):.1f}, {late:.1f},"
                f" {times[-1]:.1f} ({len(times)} moves)"
            )
