"""An analysis as its page shows it: the match at one decision, what could be known, and what was best."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from games import wording as games_wording
from games.drawing.marks import mark as side_mark
from games.drawing.tiles import hand_tile
from games.engine import moves as notation
from games.engine.moves import Move
from games.engine.perspective import View, perspective
from games.engine.tiles import NAMES
from games.models import Match, Seat
from games.past.replay import History
from games.table.movelist import deed
from games.table.telling import move_lines
from study import drawing, wording
from study.balance import Balance
from study.grading.analysis import moments_of
from study.grading.decisions import same
from study.grading.knowledge import knowledge
from study.models import Analysis
from study.positions import Position

Row = dict[str, Any]


class Moment(NamedTuple):
    """A decision worth a look; `place` is its number in the list of its round's moves."""

    nth: int
    number: int
    round: int
    place: int
    tile: SafeString
    loss: str
    mark: str
    shown: bool


class Hidden(NamedTuple):
    """A tile that the seat could not see: how likely another seat held it, in per cent; `excluded`: it could not."""

    name: str
    art: SafeString
    bar: SafeString
    percent: str
    excluded: bool


class Other(NamedTuple):
    """Another seat: what could be known of it, and what it held."""

    name: str
    size: int
    evidence: str
    hidden: tuple[Hidden, ...]
    held: tuple[tuple[str, SafeString], ...]


class Judged(NamedTuple):
    """The grade of the move made, in words."""

    best: str
    made: str
    best_chance: str
    made_chance: str
    lost: str
    mark: str
    mark_title: str
    why: str


class Listed(NamedTuple):
    """A line of the list of moves."""

    number: int
    nth: int | None
    side: SafeString
    name: str
    deed: SafeString | str
    scored: int | None
    mark: str
    mark_title: str
    now: bool


@dataclass(frozen=True)
class Study(Position):
    """`seat` is the reader's, None for others; `number` the move that is looked at; `trying`: the answer is hidden."""

    match: Match
    analysis: Analysis | None
    seat: Seat | None
    number: int
    trying: bool
    answer: str

    @cached_property
    def seats(self) -> list[Seat]:
        return list(self.match.seats.select_related("user"))

    @cached_property
    def names(self) -> list[str]:
        return [seat.shown_name for seat in self.seats]

    @cached_property
    def history(self) -> History:
        return History(self.match)

    @cached_property
    def result(self) -> Row | None:
        return self.analysis.result if self.analysis is not None and self.analysis.state == "done" else None

    @cached_property
    def decisions(self) -> dict[int, Row]:
        return {} if self.result is None else {row["number"]: row for row in self.result["decisions"]}

    @property
    def decision(self) -> Row | None:
        return self.decisions.get(self.number)

    @cached_property
    def mover(self) -> int:
        """The seat that made the move looked at."""
        if self.decision is not None:
            return int(self.decision["seat"])
        return self.match.moves.get(number=self.number).seat

    @cached_property
    def view(self) -> View:
        return perspective(self.history.values[self.number - 1], self.mover)

    @property
    def game(self) -> str:
        title = games_wording.game_title(self.match.preset, self.match.rules, self.view.seats)
        return wording.first_to(title, self.view.rules.target)

    @property
    def scores(self) -> str:
        return " – ".join(map(str, self.match.scores))

    @property
    def ghosts(self) -> SafeString | str:
        if self.decision is None or self.trying:
            return ""
        equal = wording.is_equal(self.decision["loss"], self.decision["error"])
        best = (self._made if equal else None) or notation.parse(self.decision["best"])
        return drawing.ghosts(self.view, best, self._made)

    @property
    def others(self) -> list[Other]:
        value = self.history.values[self.number - 1]
        return [
            Other(
                self.names[known.seat],
                known.held,
                wording.evidence(known, self.names[known.seat]),
                tuple(
                    Hidden(
                        NAMES[tile],
                        hand_tile(tile),
                        drawing.likelihood(chance),
                        wording.percent(chance),
                        chance == 0,
                    )
                    for tile, chance in known.tiles
                ),
                tuple((NAMES[tile], hand_tile(tile)) for tile in perspective(value, known.seat).hand),
            )
            for known in knowledge(self.view)
        ]

    # The decision.

    @property
    def _made(self) -> Move:
        return notation.parse(self.match.moves.get(number=self.number).text)

    @property
    def judged(self) -> Judged | None:
        row = self.decision
        if row is None or self.trying:
            return None
        best, made = notation.parse(row["best"]), notation.parse(row["move"])
        words = wording.move_in_words(self.view, best), wording.move_in_words(self.view, made)
        chance = row["chance"]
        if row["best_claim"] != row["claim"]:
            words = (
                wording.with_claim(words[0], row["best_claim"]),
                wording.with_claim(words[1], row["claim"]),
            )
        return Judged(
            *words,
            wording.percent(chance) if row["tried"] else "",
            self._made_chance(row) if row["tried"] else "",
            wording.lost(row["loss"], row["error"]),
            row["mark"],
            wording.mark_title(row["mark"]),
            self._why(row),
        )

    @property
    def mover_name(self) -> str:
        return self.names[self.mover]

    @property
    def told(self) -> str:
        """The decision looked at for those who listen: whose, what was done, what it lost."""
        judged = self.judged
        return f"{self.mover_name}, {self.place}: {judged.made}, {judged.lost}" if judged else ""

    @staticmethod
    def _made_chance(row: Row) -> str:
        """The chance with the move made, such that the three figures beside each other add up as they are shown."""
        if wording.is_equal(row["loss"], row["error"]):
            return wording.percent(row["chance"])
        return str(max(0, round(100 * row["chance"]) - round(100 * row["loss"])))

    @property
    def said(self) -> str:
        """The answer to the move that was tried."""
        row = self.decision
        move = next((move for move in self.view.legal if str(move) == self.answer), None)
        if row is None or move is None:
            return ""
        for place, (text, _chance, loss, error) in enumerate(row["tried"]):
            if same(self.view, notation.parse(text), move):
                told = wording.judged(loss, error, best=not place)
                return told if place else f"{told} {self._why(row)}".strip()
        return ""

    def _why(self, row: Row) -> str:
        """What was better about the best move than about the one made, or what should have been claimed with it."""
        best, made = notation.parse(row["best"]), notation.parse(row["move"])
        if best == made:
            return wording.claim_missed(row["best_claim"], row["claim"])
        words = wording.move_in_words(self.view, best), wording.move_in_words(self.view, made)
        return wording.reason(tuple(row["reason"]) if row["reason"] else None, *words) if row["mark"] else ""

    # Beside the board.

    @cached_property
    def moments(self) -> list[Moment]:
        """The reader's own, or those of all seats, the dearest first."""
        own = moments_of(self.result, None if self.seat is None else self.seat.position)
        return [
            Moment(
                nth,
                row["number"],
                self.history.values[row["number"] - 1].round.number,
                self._place(row["number"]),
                hand_tile(notation.parse(row["move"]).plays[0][0]) if "-" in row["move"] else SafeString(""),
                wording.percent(row["loss"]),
                row["mark"],
                row["number"] == self.number,
            )
            for nth, row in enumerate(own, 1)
        ]

    @property
    def next_moment(self) -> int | None:
        numbers = [moment.number for moment in self.moments]
        if not numbers:
            return None
        place = numbers.index(self.number) + 1 if self.number in numbers else 0
        return numbers[place % len(numbers)]

    @property
    def side(self) -> int:
        """The side looked at: the reader's, or the winner's."""
        if self.seat is not None:
            return self.view.terms.side_of[self.seat.position]
        return self.match.winners[0] if self.match.winners else 0

    @cached_property
    def balance(self) -> Balance:
        return Balance(self.match, self.seats, self.view.sides, self.side, self.result)

    @property
    def calls(self) -> list[str]:
        if self.result is None:
            return []
        return [
            wording.call_missed(self.names[call["seat"]], call["worth"], call["loss"])
            for call in self.result["calls"]
            if call["number"] == self.number - 1
        ]

    @property
    def graph(self) -> SafeString:
        side_of = self.view.terms.side_of
        two = len(self.view.sides) == 2
        points = [
            (number, row["chance"] if side_of[row["seat"]] == self.side else 1 - row["chance"])
            for number, row in self.decisions.items()
            if row["tried"] and (two or side_of[row["seat"]] == self.side)
        ]
        opened = list(self.history.firsts().values())[1:]
        return drawing.chance_graph(
            points, self.match.version, opened, [each.number for each in self.moments], self.number
        )

    @property
    def place(self) -> int:
        return self._place(self.number)

    def _place(self, number: int) -> int:
        """The number under which a move stands in the list of its round; a draw goes with what follows it."""
        round_ = self.history.values[number - 1].round.number
        at = number - self.history.firsts()[round_] + 1
        listed = move_lines(self.history.log(round_), self.view.terms)
        return next((line.number for line in listed if line.at >= at and line.number is not None), at)

    @property
    def listed(self) -> list[Listed]:
        """The moves of the round looked at."""
        round_ = self.view.round
        first = self.history.firsts()[round_]
        told = move_lines(self.history.log(round_), self.view.terms)
        # Several draws are one line, which leads to the last of them.
        now = next((line.at for line in told if first + line.at - 1 >= self.number), None)
        found = []
        for line in told:
            number = first + line.at - 1
            mark = self.decisions.get(number, {}).get("mark", "")
            found.append(
                Listed(
                    number,
                    line.number,
                    side_mark(self.view.terms.side_of[line.seat]),
                    self.names[line.seat],
                    deed(line),
                    line.scored,
                    mark,
                    wording.mark_title(mark),
                    line.at == now,
                )
            )
        return found

    @property
    def rounds(self) -> list[tuple[int, int, bool]]:
        """Each round, the move that opened it, and whether it is the one looked at."""
        return [(round_, first, round_ == self.view.round) for round_, first in self.history.firsts().items()]

    @property
    def steps(self) -> tuple[int | None, int | None]:
        """The decision before and after."""
        numbers: Sequence[int] = list(self.decisions) or range(1, self.match.version + 1)
        before = [number for number in numbers if number < self.number]
        after = [number for number in numbers if number > self.number]
        return before[-1] if before else None, after[0] if after else None


def study_of(
    match: Match, analysis: Analysis | None, seat: Seat | None, number: int | None, trying: bool, answer: str
) -> Study:
    """The analysis at one move: the one asked for, else the most instructive moment, else the first decision."""
    if number is not None:
        return Study(match, analysis, seat, max(1, min(number, match.version)), trying, answer)
    first = Study(match, analysis, seat, 1, trying, answer)
    numbers = [moment.number for moment in first.moments] or list(first.decisions) or [1]
    return Study(match, analysis, seat, numbers[0], trying, answer)
