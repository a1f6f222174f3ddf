"""Print the results of `bench.strength` as tables of Markdown."""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.intervals import mean_and_interval, share_interval
from boneyard.computer.players import LEVELS
from boneyard.computer.styles import STYLES

# Losses below are rounding errors.
_EQUAL = 1e-9

Results = Mapping[str, Sequence[Any]]


def report(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    """Yield the lines of all tables; `measurements` are those of `bench.strength`."""
    tables = {
        "matches": _matches,
        "rounds": _rounds_by_preset,
        "partners": _partners,
        "styles": _styles,
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


def share(values: Sequence[float], digits: int = 0) -> str:
    """Return a mean share in per cent with its interval, and the number of values."""
    mean = statistics.fmean(values)
    low, high = share_interval(values)
    interval = f"{100 * low:.{digits}f}–{100 * high:.{digits}f}"
    return f"{100 * mean:.{digits}f} ({interval}; {len(values)})"


def points(values: Sequence[float], digits: int = 1) -> str:
    """Return a mean with its interval; a question mark for too few values, or equal ones."""
    mean, half = mean_and_interval(values)
    return f"{mean:+.{digits}f} ± {'?' if math.isinf(half) or not half else f'{half:.{digits}f}'}"


def _matches(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    main, seats = measurements[0].game, measurements[0].seats
    yield f"| {main}, {seats} seats | matches won in per cent | points a round |"
    yield "| --- | --- | --- |"
    for each in measurements:
        yield f"| {' v '.join(each.players)} {_rounds(results[each.key])}"


def _rounds_by_preset(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    steps = list(dict.fromkeys(each.players for each in measurements))
    yield f"| points a round | {' | '.join(' v '.join(step) for step in steps)} |"
    yield "| --- |" + " --- |" * len(steps)
    shown: dict[Any, list[bool]] = {step: [] for step in steps}
    won: dict[Any, list[list[float]]] = {step: [] for step in steps}
    for game, seats in dict.fromkeys((each.game, each.seats) for each in measurements):
        of_game = [each for each in measurements if (each.game, each.seats) == (game, seats)]
        row = {each.players: [ahead for _, ahead in results[each.key]] for each in of_game}
        cells = (f"{points(row[step])} ({len(row[step])})" if step in row else "" for step in steps)
        for each in of_game:
            won[each.players].append([win for win, _ in results[each.key]])
        yield f"| {game}, {seats} | {' | '.join(cells)} |"
        for step, values in row.items():
            mean, half = mean_and_interval(values)
            shown[step].append(mean > half > 0)
    cells = (f"{sum(each)} of {len(each)}" for each in shown.values())
    yield f"| games with the interval above 0 | {' | '.join(cells)} |"
    yield f"| rounds won in all games, in per cent | {' | '.join(map(_pooled, won.values()))} |"


def _pooled(games: Sequence[Sequence[float]]) -> str:
    """Return the share over all games; none counts with more results than the median game has."""
    most = statistics.median_high([len(values) for values in games])
    return share([value for values in games for value in values[:most]])


def _partners(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "| pairs of partners | rounds won in per cent | points a round |"
    yield "| --- | --- | --- |"
    for each in measurements:
        yield f"| {each.game}, {' v '.join(each.players)} {_rounds(results[each.key], 1)}"


def _styles(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    levels = list(dict.fromkeys(each.players[0] for each in measurements))
    yield f"| against no style: rounds won in per cent, points a round | {' | '.join(levels)} |"
    yield "| --- |" + " --- |" * len(levels)
    for game, style in dict.fromkeys((each.game, each.players[1]) for each in measurements):
        row = {
            each.players[0]: results[each.key]
            for each in measurements
            if (each.game, each.players[1]) == (game, style)
        }
        cells = (_against_plain(row[level]) if level in row else "" for level in levels)
        yield f"| {game}, {STYLES[int(style)].name} | {' | '.join(cells)} |"


def _against_plain(values: Sequence[Any]) -> str:
    wins, by = zip(*values, strict=True)
    if all(ahead == 0 for ahead in by):
        return "same moves"
    return f"{share(wins, 1)}, {points(by)}"


def _rounds(values: Sequence[Any], digits: int = 0) -> str:
    wins, by = zip(*values, strict=True)
    return f"| {share(wins, digits)} | {points(by)} |"


def _outside(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "| players of other packages | rounds won in per cent | points a round |"
    yield "| --- | --- | --- |"
    for each in measurements:
        yield f"| {' v '.join(each.players)}, {each.seats} seats {_rounds(results[each.key])}"


def _duel(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "| endings, solved v not solved | rounds won in per cent | points a round |"
    yield "| --- | --- | --- |"
    for each in measurements:
        if values := [value for value in results[each.key] if value]:
            yield f"| {each.game} {_rounds(values)}"


def _loss(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "| best moves in endings, and loss in points | " + " | ".join(LEVELS) + " | decisions |"
    yield "| --- |" + " --- |" * (len(LEVELS) + 1)
    for each in measurements:
        losses = {
            level: [loss for value in results[each.key] for loss in value.get(level, ())] for level in LEVELS
        }
        cells = (_lost(of_level) for of_level in losses.values())
        yield f"| {each.game} | {' | '.join(cells)} | {max(map(len, losses.values()))} |"


def _lost(losses: Sequence[float]) -> str:
    if not losses:
        return ""
    best = statistics.fmean(100 * (loss < _EQUAL) for loss in losses)
    return f"{best:.0f} %, {points(losses, 2)}"


def _peeks(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "| mean peek score, standard error by round | " + " | ".join(LEVELS) + " |"
    yield "| --- |" + " --- |" * len(LEVELS)
    for game in dict.fromkeys(each.game for each in measurements):
        row = {each.players[0]: results[each.key] for each in measurements if each.game == game}
        yield f"| {game} | {' | '.join(_peek(row.get(level, ())) for level in LEVELS)} |"


def _peek(rounds: Sequence[Any]) -> str:
    decisions = sum(number for number, _ in rounds)
    if not decisions:
        return ""
    mean = sum(total for _, total in rounds) / decisions
    error = math.sqrt(sum((total - mean * number) ** 2 for number, total in rounds)) / decisions
    return f"{mean:+.3f} ± {error:.3f} ({decisions})"


def _moves(measurements: Sequence[Any], results: Results) -> Iterator[str]:
    yield "| CPU ms: average, 95 % mark, most | " + " | ".join(LEVELS) + " |"
    yield "| --- |" + " --- |" * len(LEVELS)
    for game, seats in dict.fromkeys((each.game, each.seats) for each in measurements):
        row = {each.players[0]: results[each.key] for each in measurements if each.game == game}
        yield f"| {game}, {seats} | {' | '.join(_times(row.get(level, ())) for level in LEVELS)} |"


def _times(rounds: Sequence[Sequence[float]]) -> str:
    times = sorted(time for of_round in rounds for time in of_round)
    if len(times) < 2:
        return ""
    late = statistics.quantiles(times, n=20, method="inclusive")[-1]
    return " / ".join(f"{time:.0f}" for time in (statistics.fmean(times), late, times[-1]))
