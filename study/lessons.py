"""Prepare the pages of the lessons."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boneyard.engine import moves, rounds
from boneyard.engine.matches import Match
from boneyard.engine.moves import MUGGINS, Move
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.rounds import Deal
from boneyard.engine.shuffle import chain
from boneyard.engine.terms import terms
from boneyard.engine.tiles import parse
from games.drawing.line import draw_example_step as line_of
from games.drawing.tiles import draw_hand_tile, keep_figures_together
from games.table.claims import claimable_points
from study import wording
from study.course import LESSONS, Lesson
from study.drawing import draw_last_play, draw_wrong_play
from study.positions import Answer, PlayablePosition

_SECRET = bytes(32)  # unused: the hands are scripted
_READER = 0


@dataclass(frozen=True)
class LessonPage(PlayablePosition):
    """A lesson before step `number`, from 1; past the last step it is done. `answer` is the move tried."""

    lesson: Lesson
    number: int
    answer: str = ""
    chosen: str = ""
    plan: str = ""

    @cached_property
    def _match(self) -> Match:
        match = _play_moves(_start_match(self.lesson), self.lesson.opening)
        for step in self.lesson.steps[: self.number - 1]:
            match = _play_moves(match, f"{step.right} {step.replies}")
        return match

    @cached_property
    def view(self) -> View:
        return perspective(self._match, _READER)

    @property
    def names(self) -> list[str]:
        return [_("you"), _("opponent")]

    @property
    def count(self) -> int | None:
        """Return None if points must be claimed: then counting is up to the reader."""
        return None if self.view.terms.must_claim else super().count

    @property
    def is_done(self) -> bool:
        return self.number > len(self.lesson.steps)

    @property
    def prompt(self) -> SafeString:
        """Return what to do now, without line breaks inside tiles."""
        text = self.lesson.done if self.is_done else self.lesson.steps[self.number - 1].prompt
        return keep_figures_together(str(text))

    @property
    def answers(self) -> list[Answer]:
        if self.is_done:
            return []
        choices = self.lesson.steps[self.number - 1].choices.split() or map(str, self.view.legal)
        return [self._answer(text) for text in choices]

    def _answer(self, text: str) -> Answer:
        move, claim = _parse_move(text)
        words = wording.place_in_words(self.view, move)
        if self.view.terms.must_claim and move.kind == "play":
            words = wording.with_claim(words, claim)
        art = draw_hand_tile(move.plays[0][0]) if move.kind == "play" else ""
        return Answer(text, words, art, text == self.answer)

    @property
    def is_right(self) -> bool:
        return not self.is_done and self.answer == self.lesson.steps[self.number - 1].right

    @property
    def _is_possible(self) -> bool:
        """Return whether the answer is a legal move, with a claim that may be made."""
        text, _equals, claim = self.answer.partition("=")
        moves = [*map(str, self.view.legal), *([str(MUGGINS)] if self.view.may_call else [])]
        claims = ["", *map(str, claimable_points(self.view))]
        return not self.is_done and text in moves and claim in claims

    @property
    def shows_counts(self) -> bool:
        return not self.lesson.asks_for_count

    @property
    def overlay(self) -> SafeString | str:
        """Return the answer with a cross; at the beginning of a step what the play before it was worth."""
        if not self.answer:
            return draw_last_play(self.view)
        return draw_wrong_play(self.view, _parse_move(self.answer)[0]) if self.feedback else ""

    @property
    def feedback(self) -> str:
        """Return why the answer is wrong; "" if it is right or not possible."""
        if self.is_right or not self._is_possible:
            return ""
        move, claim = _parse_move(self.answer)
        expected, expected_claim = _parse_move(self.lesson.steps[self.number - 1].right)
        if move == expected:
            return wording.miscounted(self.view.layout_after(move).count)
        if move.kind == expected.kind == "play" and move.tiles == expected.tiles:
            return _("The right tile, but another place is asked for.")
        if move.kind == "play" and self.lesson.asks_for_count:
            return wording.wrong_count(self.view.layout_after(move).count)
        return _("Not that: read again what is asked for.")

    @property
    def steps(self) -> list[tuple[int, str]]:
        """Return the number and state of each step: "done", "now" or ""."""
        numbers = range(1, len(self.lesson.steps) + 1)
        return [(n, "done" if n < self.number else "now" if n == self.number else "") for n in numbers]

    @property
    def previous_step(self) -> int:
        return self.number - 1

    @property
    def next_lesson(self) -> Lesson | None:
        index = LESSONS.index(self.lesson) + 1
        return LESSONS[index] if index < len(LESSONS) else None


class Card(NamedTuple):
    """A lesson in the overview: its final line as a small board, and the step that the reader has reached."""

    lesson: Lesson
    line: SafeString
    step: int
    is_done: bool

    @property
    def resume_step(self) -> int:
        """Return the step to link to: the reached one, or the first if the lesson is done."""
        return 1 if self.is_done else self.step


def find_lesson(slug: str) -> Lesson | None:
    return next((lesson for lesson in LESSONS if lesson.slug == slug), None)


def lesson_cards(reached: dict[str, int]) -> Iterator[Card]:
    """Yield a card per lesson, in order. `reached` maps slugs to the step reached."""
    for lesson in LESSONS:
        step = reached.get(lesson.slug, 1)
        yield Card(
            lesson,
            line_of(LessonPage(lesson, len(lesson.steps)).view.line, {}, 0),
            step,
            step > len(lesson.steps),
        )


def _start_match(lesson: Lesson) -> Match:
    """Return the match of the prepared deal before the lead. The boneyard is empty: nobody draws in a lesson."""
    agreed = terms(PRESETS[lesson.preset].rules.replace(target=lesson.target), len(lesson.hands))
    keys = chain(_SECRET)
    leader = 1 - _READER if lesson.opening else _READER
    hands = tuple(tuple(map(parse, hand.split())) for hand in lesson.hands)
    deal = Deal(
        number=1,
        key=keys.key(1),
        attempt=0,
        lots=None,
        hands=hands,
        boneyard=(),
        lead_draws=(),
        leader=leader,
        named=None,
    )
    return Match(agreed, keys, "", rounds.begin(agreed, deal, frozenset()), leader, (0,) * len(agreed.sides))


def _play_moves(match: Match, moves_text: str) -> Match:
    for text in moves_text.split():
        move, claim = _parse_move(text)
        assert match.turn is not None
        match = match.play(match.turn, move, claim)
    return match


def _parse_move(text: str) -> tuple[Move, int | None]:
    """Parse `6-4@L=10` into the move and its claim."""
    text, _equals, claim = text.partition("=")
    return moves.parse(text), int(claim) if claim else None
