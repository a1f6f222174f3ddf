"""Analyse a whole match from its record, move by move."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from boneyard.computer.search import distinct_moves
from boneyard.engine import matches, moves
from boneyard.engine.matches import Match
from boneyard.engine.moves import LEAVING, ON_TURN, Move
from boneyard.engine.perspective import perspective
from boneyard.engine.rounds import Entry
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import published_keys

from . import ENGINE
from .balance import Balance, Charge, ChargeKind, Series
from .decisions import Decision, given_points, grade_move, win_chance_of_points
from .reasons import Reason, find_reason
from .values import CHANCE_DIGITS, POINTS_DIGITS, Valuer, final_value, start_value

MAX_MOMENTS = 3

ProgressCallback = Callable[[float], object]


@dataclass(frozen=True)
class MissedCall:
    """Open points that `seat` could have called after move `number` and did not."""

    number: int
    seat: int
    worth: int
    loss: float
    error: float


@dataclass(frozen=True)
class Analysis:
    """The analysis of a match.

    decisions  by the number of the move in the match, from 1
    reasons    why the best move was better, by the same numbers; only for marked decisions
    balance    how luck and play make the result
    """

    sides: tuple[tuple[int, ...], ...]
    decisions: dict[int, Decision]
    reasons: dict[int, Reason]
    calls: list[MissedCall]
    balance: Balance

    @property
    def skill(self) -> list[float | None]:
        """Return the mean loss per decision of each seat; None for a seat without decisions."""
        return [
            _mean([each.loss for each in self.decisions.values() if each.seat == seat])
            for seat in range(sum(map(len, self.sides)))
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the stored form; analysis.json (docs/http.md) publishes a part of it."""
        return {
            "engine": ENGINE,
            "sides": [list(side) for side in self.sides],
            "decisions": [
                {
                    "number": number,
                    "seat": each.seat,
                    "move": str(each.move),
                    "claim": each.claim,
                    "best": str(each.best),
                    "best_claim": each.best_claim,
                    "loss": each.loss,
                    "error": each.error,
                    "points": each.points,
                    "mark": each.mark,
                    "chance": round(each.chance, 4),
                    "tried": [
                        [str(move.move), round(move.chance, 4), round(move.loss, 4), round(move.error, 4)]
                        for move in each.candidates
                    ],
                    "reason": self.reasons[number].as_list() if number in self.reasons else None,
                }
                for number, each in self.decisions.items()
            ],
            "calls": [
                {
                    "number": c.number,
                    "seat": c.seat,
                    "worth": c.worth,
                    "loss": round(c.loss, 4),
                    "error": c.error,
                }
                for c in self.calls
            ],
            "skill": [None if each is None else round(each, 4) for each in self.skill],
            "luck": list(self.balance.luck.chances) if self.balance.is_decided else None,
            "play": list(self.balance.play.chances) if self.balance.is_decided else None,
            "balance": self.balance.as_dict(),
        }


def analyse_record(record: Mapping[str, Any], report_progress: ProgressCallback = lambda _: None) -> Analysis:
    """Analyse the match of a record, calling `report_progress` with the share done (0 to 1) after each move.

    The record must be valid: check it with `verification.verify` first.
    """
    keys = published_keys(record["seal"], [round_["secret"] for round_ in record["rounds"]])
    match = matches.begin_with_keys(
        Rules.from_dict(record["rules"]), len(record["seats"]), keys, record["entropy"]
    )
    rows = [row for round_ in record["rounds"] for row in round_["moves"]]
    grader = _MatchGrader(match, record["match"])
    for number, row in enumerate(rows, 1):
        grader.step(number, row["seat"], moves.parse(row["move"]), row.get("claim"))
        report_progress(number / len(rows))
    return grader.analysis()


def find_moments(result: Mapping[str, Any] | None, seat: int | None) -> list[dict[str, Any]]:
    """Return the costliest decisions of a seat (None: of all seats) in a stored analysis, costliest first."""
    rows = [] if result is None else result["decisions"]
    marked = [row for row in rows if row["mark"] and row["tried"] and seat in (None, row["seat"])]
    return sorted(marked, key=lambda row: row["error"] - row["loss"])[:MAX_MOMENTS]


class _MatchGrader:
    """Grades a match move by move, and collects the results."""

    def __init__(self, match: Match, seed: str) -> None:
        self._match = match
        self._decisions: dict[int, Decision] = {}
        self._reasons: dict[int, Reason] = {}
        self._calls: list[MissedCall] = []
        self._computers: set[int] = set()  # seats taken over by a computer
        self._valuer = Valuer(seed)
        self._series = Series(start_value(len(match.sides)), match.terms.side_of)
        self._add_deal(1)

    def step(self, number: int, seat: int, move: Move, claim: int | None) -> None:
        """Grade this move, and play it."""
        before = self._match
        if move.kind == "takeover":
            self._computers.add(seat)
        elif move.kind in LEAVING:
            self._begin_step(number, seat)
        elif move.kind == "muggins":
            self._charge_open_points(number, [seat])
        else:
            self._record_missed_calls(number)
            if move.kind in ON_TURN:
                self._grade(number, seat, move, claim)
        self._match = after = before.play(seat, move, claim)
        is_round_over = len(after.ended) > len(before.ended) or after.result is not None
        if is_round_over or move.kind in LEAVING:
            self._end_step(number, before, seat if move.kind in LEAVING else None)
        if is_round_over and after.result is None:
            self._add_deal(number + 1)

    def analysis(self) -> Analysis:
        match = self._match
        is_decided = match.result is not None and bool(match.result.winners)
        balance = self._series.balance(is_decided)
        return Analysis(match.sides, self._decisions, self._reasons, self._calls, balance)

    def _add_deal(self, number: int) -> None:
        self._series.open(number, None)
        self._series.close(self._valuer.value(self._match))

    def _begin_step(self, number: int, seat: int | None) -> None:
        """Begin a step at the value of the match as it stands, which ends the one before."""
        if self._series.is_open:
            self._series.close(self._valuer.value(self._match))
        self._series.open(number, seat)

    def _end_step(self, number: int, before: Match, leaver: int | None) -> None:
        """End the step where a round ends or somebody leaves; the whole change by leaving is play."""
        series, after = self._series, self._match
        if after.result is not None:
            value = final_value(after) or self._valuer.value(before)
        elif len(after.ended) > len(before.ended):
            value = self._valuer.value_between_rounds(after)
        else:
            value = self._valuer.value(after)
        if leaver is not None:
            side = after.terms.side_of[leaver]
            chance = series.value.chances[side] - value.chances[side]
            points = series.value.points[side] - value.points[side]
            charge = Charge(leaver, "left", round(chance, CHANCE_DIGITS), round(points, POINTS_DIGITS))
            series.charge(charge, before.terms.staying(before.gone))
        elif not series.is_open:
            series.open(number, None)
        series.close(value)

    def _grade(self, number: int, seat: int, move: Move, claim: int | None) -> None:
        """Grade the move of a person, and begin a step if there was something to decide."""
        view = perspective(self._match, seat)
        decision = None if seat in self._computers else grade_move(view, move, claim or None)
        if decision is not None or len(distinct_moves(view)) > 1:
            self._begin_step(number, seat)
        if decision is None:
            return
        self._decisions[number] = decision
        self._charge(seat, "decision", decision.loss, decision.points)
        if decision.mark and decision.best != move:
            self._reasons[number] = find_reason(view, decision.best, move)

    def _charge(self, seat: int, kind: ChargeKind, chance: float, points: float) -> None:
        match = self._match
        charge = Charge(seat, kind, round(chance, CHANCE_DIGITS), round(points, POINTS_DIGITS))
        self._series.charge(charge, match.terms.staying(match.gone))

    def _record_missed_calls(self, number: int) -> None:
        """Record a call for each seat that let open points stand. Of a side that could call, each bears a share."""
        match = self._match
        points = match.callable_points()
        seats = [seat for seat in range(match.seats) if points and match.can_call_points(seat)]
        seats = [seat for seat in seats if seat not in self._computers]
        if not seats:
            return
        played = self._charge_open_points(number, seats)
        for seat in seats:
            given, worth = self._worth_of_call(seat)
            self._calls.append(MissedCall(played, seat, points, worth, 0.0))
            self._charge(seat, "call", worth / len(seats), given / len(seats))

    def _charge_open_points(self, number: int, callers: Sequence[int]) -> int:
        """Charge who left points open with what a call is worth, and return the number of that play."""
        match = self._match
        back = _entries_since_play(match.round.log)
        played, claimer = number - 1 - back, match.round.log[-1 - back].seat
        if not self._series.is_open:
            self._series.open(played, claimer)
        if claimer not in self._computers:
            worths = [self._worth_of_call(seat) for seat in callers]
            points, chance = (sum(part) / len(callers) for part in zip(*worths, strict=True))
            self._charge(claimer, "open", chance, points)
        return played

    def _worth_of_call(self, seat: int) -> tuple[int, float]:
        """Return what a call by this seat would give: points, and chance to win the match."""
        view = perspective(self._match, seat)
        given = given_points(view, seat, self._match.callable_points())
        return given, win_chance_of_points(view, seat, given)


def _entries_since_play(log: tuple[Entry, ...]) -> int:
    """Return how many entries follow the last play."""
    return next(back for back, entry in enumerate(reversed(log)) if entry.move.kind == "play")


def _mean(numbers: list[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
