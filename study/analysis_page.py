"""Prepare the analysis page: the match at one decision, the estimated hands and the best move."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boneyard.analysis.decisions import are_equivalent
from boneyard.analysis.knowledge import estimate_hands
from boneyard.analysis.matches import find_moments
from boneyard.engine import moves as notation
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View, perspective
from boneyard.engine.tiles import NAMES
from games import wording as games_wording
from games.drawing.marks import mark as side_mark
from games.drawing.tiles import draw_hand_tile
from games.models import Match, Seat
from games.past.replay import History
from games.table.move_log import move_lines
from games.table.movelist import describe_move
from study import drawing, wording
from study.balance import Balance
from study.models import Analysis
from study.positions import PlayablePosition, Position

Row = dict[str, Any]


class Moment(NamedTuple):
    """A link to a costly decision; `place` is its number in the move list of its round."""

    nth: int
    number: int
    round: int
    place: int
    tile: SafeString
    loss: str
    mark: str
    is_current: bool


class HiddenTile(NamedTuple):
    """A tile that the viewer could not see, with the probability that another seat held it."""

    name: str
    art: SafeString
    bar: SafeString
    percent: str
    excluded: bool


class OtherSeat(NamedTuple):
    """Another seat: its estimated hand and the tiles that it held. An empty name is the reader's."""

    name: str
    size: int
    evidence: str
    hidden: tuple[HiddenTile, ...]
    held: tuple[tuple[str, SafeString], ...]


class Grade(NamedTuple):
    """The grade of the move made, in words."""

    best: str
    made: str
    best_chance: str
    made_chance: str
    loss: str
    mark: str
    mark_title: str
    why: str


class MoveRow(NamedTuple):
    """A row of the move list."""

    number: int
    place: int | None
    side: SafeString
    name: str
    text: SafeString | str
    scored: int | None
    mark: str
    mark_title: str
    is_current: bool


@dataclass(frozen=True)
class AnalysisPage(Position):
    """The analysis page at move `number`. `seat` is the reader's, or None."""

    match: Match
    analysis: Analysis | None
    seat: Seat | None
    number: int

    @cached_property
    def seats(self) -> list[Seat]:
        return list(self.match.seats.select_related("user"))

    @cached_property
    def names(self) -> list[str]:
        return [seat.display_name for seat in self.seats]

    @property
    def side_names(self) -> tuple[str, ...]:
        return games_wording.side_names(self.view.sides, self.names)

    @cached_property
    def own_names(self) -> tuple[str, ...]:
        """Return the names with an empty one for the reader's seat."""
        return games_wording.names_for_seat(self.names, None if self.seat is None else self.seat.position)

    @cached_property
    def history(self) -> History:
        return History.load(self.match)

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
    def moving_seat(self) -> int:
        """Return the seat that made the displayed move."""
        if self.decision is not None:
            return int(self.decision["seat"])
        return self.match.moves.get(number=self.number).seat

    @cached_property
    def view(self) -> View:
        return perspective(self.history.values[self.number - 1], self.moving_seat)

    @property
    def game(self) -> str:
        title = games_wording.game_title(
            self.match.preset, self.match.rules, self.view.seats, self.match.base_preset
        )
        return wording.game_with_target(title, self.view.rules)

    @property
    def scores(self) -> str:
        scores = zip(self.side_names, self.match.scores, strict=True)
        return " – ".join(f"{name} {score}" for name, score in scores)

    @property
    def ghosts(self) -> SafeString | str:
        if self.decision is None:
            return ""
        equal = wording.is_equal(self.decision["loss"], self.decision["error"])
        best = (self._made if equal else None) or notation.parse(self.decision["best"])
        return drawing.draw_ghosts(self.view, best, self._made)

    @property
    def others(self) -> list[OtherSeat]:
        value = self.history.values[self.number - 1]
        return [
            OtherSeat(
                self.own_names[estimate.seat],
                estimate.held,
                wording.evidence_in_words(estimate, self.own_names[estimate.seat], self.view.rules),
                tuple(
                    HiddenTile(
                        NAMES[tile],
                        draw_hand_tile(tile),
                        drawing.draw_likelihood(chance),
                        wording.percent(chance),
                        chance == 0,
                    )
                    for tile, chance in estimate.tiles
                ),
                tuple((NAMES[tile], draw_hand_tile(tile)) for tile in perspective(value, estimate.seat).hand),
            )
            for estimate in estimate_hands(self.view)
        ]

    @property
    def _made(self) -> Move:
        return notation.parse(self.match.moves.get(number=self.number).text)

    @property
    def grade(self) -> Grade | None:
        row = self.decision
        if row is None:
            return None
        best, made = notation.parse(row["best"]), notation.parse(row["move"])
        words = wording.move_in_words(self.view, best), wording.move_in_words(self.view, made)
        chance = row["chance"]
        if row["best_claim"] != row["claim"]:
            words = (
                wording.with_claim(words[0], row["best_claim"]),
                wording.with_claim(words[1], row["claim"]),
            )
        return Grade(
            *words,
            wording.percent(chance) if row["tried"] else "",
            self._made_chance(row) if row["tried"] else "",
            wording.loss_in_words(row["loss"], row["error"]),
            row["mark"],
            wording.mark_title(row["mark"]),
            self._reason_sentence(row),
        )

    @property
    def mover_name(self) -> str:
        return self.own_names[self.moving_seat] or _("you")

    @property
    def summary(self) -> str:
        """Return a summary of the decision for screen readers."""
        grade = self.grade
        return f"{self.mover_name}, {self.place}: {grade.made}, {grade.loss}" if grade else ""

    @staticmethod
    def _made_chance(row: Row) -> str:
        """Return the chance with the move made, so that the three displayed figures add up."""
        if wording.is_equal(row["loss"], row["error"]):
            return wording.percent(row["chance"])
        return str(max(0, round(100 * row["chance"]) - round(100 * row["loss"])))

    def _reason_sentence(self, row: Row) -> str:
        """Return why the best move beats the one made, or the claim that was missed."""
        best, made = notation.parse(row["best"]), notation.parse(row["move"])
        if best == made:
            return wording.claim_missed(row["best_claim"], row["claim"])
        words = wording.move_in_words(self.view, best), wording.move_in_words(self.view, made)
        return (
            wording.reason_in_words(tuple(row["reason"]) if row["reason"] else None, *words, self.view.seats)
            if row["mark"]
            else ""
        )

    @cached_property
    def moments(self) -> list[Moment]:
        """Return the reader's costliest decisions, or those of all seats."""
        rows = find_moments(self.result, None if self.seat is None else self.seat.position)
        return [
            Moment(
                nth,
                row["number"],
                self.history.values[row["number"] - 1].round.number,
                self._place(row["number"]),
                draw_hand_tile(notation.parse(row["move"]).plays[0][0])
                if "-" in row["move"]
                else SafeString(""),
                wording.percent(row["loss"]),
                row["mark"],
                row["number"] == self.number,
            )
            for nth, row in enumerate(rows, 1)
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
        """Return the reader's side, or the winners'."""
        if self.seat is not None:
            return self.view.terms.side_of[self.seat.position]
        return self.match.winners[0] if self.match.winners else 0

    @cached_property
    def balance(self) -> Balance:
        return Balance(self.match, self.own_names, self.view.sides, self.side, self.result)

    @property
    def calls(self) -> list[str]:
        if self.result is None:
            return []
        return [
            wording.call_missed(self.own_names[call["seat"]], call["worth"], call["loss"])
            for call in self.result["calls"]
            if call["number"] == self.number - 1
        ]

    @property
    def graph(self) -> SafeString:
        opened = list(self.history.first_moves().values())[1:]
        moments = [each.number for each in self.moments]
        return drawing.draw_chance_graph(
            self.balance.chances, self.match.version, opened, moments, self.number
        )

    @property
    def place(self) -> int:
        return self._place(self.number)

    def _place(self, number: int) -> int:
        """Return the number of a move in the move list of its round. Draws share the number of the move after them."""
        round_ = self.history.values[number - 1].round.number
        at = number - self.history.first_moves()[round_] + 1
        lines = move_lines(self.history.log(round_), self.view.terms)
        return next((line.number for line in lines if line.at >= at and line.number is not None), at)

    @property
    def move_rows(self) -> list[MoveRow]:
        """Return the moves of the displayed round."""
        round_ = self.view.round
        first = self.history.first_moves()[round_]
        lines = move_lines(self.history.log(round_), self.view.terms)
        # Consecutive draws share one line, which links to the last of them.
        current_at = next((line.at for line in lines if first + line.at - 1 >= self.number), None)
        rows = []
        for line in lines:
            number = first + line.at - 1
            mark = self.decisions.get(number, {}).get("mark", "")
            rows.append(
                MoveRow(
                    number,
                    line.number,
                    side_mark(self.view.terms.side_of[line.seat]),
                    self.names[line.seat],
                    describe_move(line),
                    line.scored,
                    mark,
                    wording.mark_title(mark),
                    line.at == current_at,
                )
            )
        return rows

    @property
    def rounds(self) -> list[tuple[int, int, bool]]:
        """Return each round, its first move, and whether it is displayed."""
        return [
            (round_, first, round_ == self.view.round) for round_, first in self.history.first_moves().items()
        ]

    @property
    def steps(self) -> tuple[int | None, int | None]:
        """Return the decision before and after."""
        numbers: Sequence[int] = list(self.decisions) or range(1, self.match.version + 1)
        before = [number for number in numbers if number < self.number]
        after = [number for number in numbers if number > self.number]
        return before[-1] if before else None, after[0] if after else None


@dataclass(frozen=True)
class TryPage(AnalysisPage, PlayablePosition):
    """The analysis page that asks for the move: with the hand, the places and the buttons of the table."""

    answer: str = ""
    chosen: str = ""
    plan: str = ""

    trying = True

    @property
    def feedback(self) -> str:
        """Return the feedback to the answer, or ""."""
        row = self.decision
        move = next((move for move in self.view.legal if str(move) == self.answer), None)
        if row is None or move is None:
            return ""
        for place, (text, _chance, loss, error) in enumerate(row["tried"]):
            if are_equivalent(self.view, notation.parse(text), move):
                sentence = wording.answer_feedback(loss, error, best=not place)
                return sentence if place else f"{sentence} {self._reason_sentence(row)}".strip()
        return ""


def build_analysis_page(
    match: Match, analysis: Analysis | None, seat: Seat | None, number: int | None
) -> AnalysisPage:
    """Return the page at the requested move, or else at the costliest moment, or else at the first decision."""
    if number is not None:
        return AnalysisPage(match, analysis, seat, max(1, min(number, match.version)))
    first = AnalysisPage(match, analysis, seat, 1)
    numbers = [moment.number for moment in first.moments] or list(first.decisions) or [1]
    return AnalysisPage(match, analysis, seat, numbers[0])


def build_try_page(page: AnalysisPage, answer: str, **picked: str) -> TryPage:
    """Return the page that asks for the move of `page`; `picked` are `chosen` and `plan`."""
    return TryPage(page.match, page.analysis, page.seat, page.number, answer, **picked)
