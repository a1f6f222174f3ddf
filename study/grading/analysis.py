"""A whole match judged from its record, move by move."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine import matches, moves
from games.engine.matches import Match
from games.engine.moves import LEAVING, Move
from games.engine.perspective import perspective
from games.engine.rounds import Entry
from games.engine.rules import Rules
from games.engine.shuffle import published

from . import ENGINE
from .decisions import Decision, graded, worth_of_points
from .luck import Luck, Tally
from .reasons import Reason, reason

MOMENTS = 3  # of a match, or of a seat in it

Told = Callable[[float], object]


@dataclass(frozen=True)
class Call:
    """Points that lay open and that `seat` did not call: after move `number`, what they would have been worth."""

    number: int
    seat: int
    worth: int
    loss: float
    error: float


@dataclass(frozen=True)
class Analysis:
    """What there is to say of a match.

    decisions  by the move's number in the match, from 1
    reasons    why the best move was better, by the same numbers, where one was
    play       by side: what the others' decisions lost, less its own; None where there are more than two sides
    """

    sides: tuple[tuple[int, ...], ...]
    decisions: dict[int, Decision]
    reasons: dict[int, Reason]
    calls: list[Call]
    luck: Luck
    play: tuple[float, ...] | None

    @property
    def skill(self) -> list[float | None]:
        """By seat the mean loss a decision; None without decisions."""
        return [
            _mean([each.loss for each in self.decisions.values() if each.seat == seat])
            for seat in range(sum(map(len, self.sides)))
        ]

    def as_dict(self) -> dict[str, Any]:
        """As it is stored, and as docs/http.md, "analysis.json" has it, with more beside."""
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
                        [str(tried.move), round(tried.chance, 4), round(tried.loss, 4), round(tried.error, 4)]
                        for tried in each.tried
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
            "luck": self.luck.told,
            "luck_error": round(self.luck.error, 4),
            "play": None if self.play is None else [round(each, 4) for each in self.play],
        }


def analysed(record: Mapping[str, Any], tell: Told = lambda _: None) -> Analysis:
    """The match of this record judged. `tell` is called with how much is done, 0 to 1.

    Raises what the engine raises where the record is none (`records.verify` says it first, and better).
    """
    keys = published(record["seal"], [round_["secret"] for round_ in record["rounds"]])
    match = matches.begin_with(
        Rules.from_dict(record["rules"]), len(record["seats"]), keys, record["entropy"]
    )
    rows = [row for round_ in record["rounds"] for row in round_["moves"]]
    judged = _Judged(match, record["match"])
    for number, row in enumerate(rows, 1):
        judged.step(number, row["seat"], moves.parse(row["move"]), row.get("claim"))
        tell(number / len(rows))
    return judged.analysis()


def moments_of(result: Mapping[str, Any] | None, seat: int | None) -> list[dict[str, Any]]:
    """The most instructive decisions of a seat in a stored analysis, the dearest first; None: of all seats."""
    rows = [] if result is None else result["decisions"]
    worth_a_look = [row for row in rows if row["mark"] and row["tried"] and seat in (None, row["seat"])]
    return sorted(worth_a_look, key=lambda row: row["error"] - row["loss"])[:MOMENTS]


class _Judged:
    """A match as far as it has been judged."""

    def __init__(self, match: Match, seed: str) -> None:
        self._match = match
        self._decisions: dict[int, Decision] = {}
        self._reasons: dict[int, Reason] = {}
        self._calls: list[Call] = []
        self._tally = Tally(len(match.sides), seed)
        self._computers: set[int] = set()  # that play on for somebody
        self._tally.dealt(match)

    def step(self, number: int, seat: int, move: Move, claim: int | None) -> None:
        """Judges this move, and makes it."""
        before = self._match
        if move.kind not in ("muggins", "takeover", *LEAVING):
            self._let_stand(number)
            if seat not in self._computers:
                self._grade(number, seat, move, claim)
        elif move.kind == "takeover":
            self._computers.add(seat)
        self._match = after = before.play(seat, move, claim)
        if len(after.ended) > len(before.ended) and after.result is None:
            self._tally.dealt(after)

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
        decision = graded(view, move, claim or None)
        if decision is not None:
            self._decisions[number] = decision
            if decision.mark and decision.best != move:
                self._reasons[number] = reason(view, decision.best, move)

    def _let_stand(self, number: int) -> None:
        """Notes who did not call the points that lie open when the next move is made."""
        match = self._match
        points = match.open_points()
        if not points:
            return
        played = number - 1 - _since_play(match.round.log)
        for seat in range(match.seats):
            if seat not in self._computers and match.may_take(seat):
                worth = worth_of_points(perspective(match, seat), seat, points)
                self._calls.append(Call(played, seat, points, worth, 0.0))


def _since_play(log: tuple[Entry, ...]) -> int:
    """How many entries follow the last play."""
    return next(back for back, entry in enumerate(reversed(log)) if entry.move.kind == "play")


def _mean(numbers: list[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None
