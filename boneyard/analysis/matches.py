"""Analyse a whole match from its record, move by move."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from boneyard.engine import matches, moves
from boneyard.engine.matches import Match
from boneyard.engine.moves import LEAVING, ON_TURN, Move
from boneyard.engine.perspective import perspective
from boneyard.engine.rounds import Entry
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import published_keys

from . import ENGINE
from .decisions import Decision, grade_move, win_chance_of_points
from .luck import Luck, Tally
from .reasons import Reason, find_reason

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
    play       per side: the losses of the other side minus its own; None with more than two sides
    """

    sides: tuple[tuple[int, ...], ...]
    decisions: dict[int, Decision]
    reasons: dict[int, Reason]
    calls: list[MissedCall]
    luck: Luck
    play: tuple[float, ...] | None

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
            "luck": self.luck.significant,
            "luck_error": round(self.luck.error, 4),
            "play": None if self.play is None else [round(each, 4) for each in self.play],
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
        self._tally = Tally(len(match.sides), seed)
        self._computers: set[int] = set()  # seats taken over by a computer
        self._tally.add_deal(match)

    def step(self, number: int, seat: int, move: Move, claim: int | None) -> None:
        """Grade this move, and play it."""
        before = self._match
        if move.kind not in ("muggins", "takeover", *LEAVING):
            self._record_missed_calls(number)
            if seat not in self._computers and move.kind in ON_TURN:
                self._grade(number, seat, move, claim)
        elif move.kind == "takeover":
            self._computers.add(seat)
        self._match = after = before.play(seat, move, claim)
        if len(after.ended) > len(before.ended) and after.result is None:
            self._tally.add_deal(after)

    def analysis(self) -> Analysis:
        match = self._match
        lost = [0.0] * len(match.sides)
        for decision in self._decisions.values():
            lost[match.terms.side_of[decision.seat]] += decision.loss
        for call in self._calls:
            lost[match.terms.side_of[call.seat]] += call.loss
        play = (lost[1] - lost[0], lost[0] - lost[1]) if len(lost) == 2 else None
        return Analysis(match.sides, self._decisions, self._reasons, self._calls, self._tally.luck, play)

    def _grade(self, number: int, seat: int, move: Move, claim: int | None) -> None:
        view = perspective(self._match, seat)
        decision = grade_move(view, move, claim or None)
        if decision is not None:
            self._decisions[number] = decision
            if decision.mark and decision.best != move:
                self._reasons[number] = find_reason(view, decision.best, move)

    def _record_missed_calls(self, number: int) -> None:
        """Record a call for each seat that let open points stand."""
        match = self._match
        points = match.callable_points()
        if not points:
            return
        played = number - 1 - _entries_since_play(match.round.log)
        for seat in range(match.seats):
            if seat not in self._computers and match.can_call_points(seat):
                worth = win_chance_of_points(perspective(match, seat), seat, points)
                self._calls.append(MissedCall(played, seat, points, worth, 0.0))


def _entries_since_play(log: tuple[Entry, ...]) -> int:
    """Return how many entries follow the last play."""
    return next(back for back, entry in enumerate(reversed(log)) if entry.move.kind == "play")


def _mean(numbers: list[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
