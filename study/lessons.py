"""A lesson as its page shows it: the prepared deal at one of its steps, and what is said of a move that is tried."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.drawing.line import step as line_of
from games.drawing.tiles import hand_tile, unbroken
from games.engine import moves, rounds
from games.engine.matches import Match
from games.engine.moves import Move
from games.engine.perspective import View, perspective
from games.engine.presets import PRESETS
from games.engine.rounds import Deal
from games.engine.shuffle import chain
from games.engine.terms import terms
from games.engine.tiles import parse
from study import wording
from study.course import LESSONS, Lesson
from study.positions import Answer, Position

_SECRET = bytes(32)  # nothing is dealt from it: the hands are written down
_READER = 0


@dataclass(frozen=True)
class Taught(Position):
    """A lesson before its step `number`, from 1; past the last it is done. `answer` is what was just tried."""

    lesson: Lesson
    number: int
    answer: str = ""

    @cached_property
    def _match(self) -> Match:
        match = _after(_begun(self.lesson), self.lesson.opening)
        for step in self.lesson.steps[: self.number - 1]:
            match = _after(match, f"{step.right} {step.then}")
        return match

    @cached_property
    def view(self) -> View:
        return perspective(self._match, _READER)

    @property
    def names(self) -> list[str]:
        return [_("you"), _("opponent")]

    @property
    def count(self) -> int | None:
        """Nothing at a called table, where counting is the reader's."""
        return None if self.view.terms.called else super().count

    @property
    def done(self) -> bool:
        return self.number > len(self.lesson.steps)

    @property
    def asked(self) -> SafeString:
        """What is to be done now, no line of it broken inside a tile."""
        text = self.lesson.done if self.done else self.lesson.steps[self.number - 1].asked
        return unbroken(str(text))

    @property
    def answers(self) -> list[Answer]:
        if self.done:
            return []
        offered = self.lesson.steps[self.number - 1].offered.split() or map(str, self.view.legal)
        return [self._answer(text) for text in offered]

    def _answer(self, text: str) -> Answer:
        move, claim = _read(text)
        words = wording.place_in_words(self.view, move)
        if self.view.terms.called and move.kind == "play":
            words = wording.with_claim(words, claim)
        art = hand_tile(move.plays[0][0]) if move.kind == "play" else ""
        return Answer(text, words, art, text == self.answer)

    @property
    def right(self) -> bool:
        return not self.done and self.answer == self.lesson.steps[self.number - 1].right

    @property
    def said(self) -> str:
        """Why what was tried is not what was asked for; "" where it is, or where nothing was tried that is offered."""
        if self.right or self.answer not in (answer.value for answer in self.answers):
            return ""
        move, claim = _read(self.answer)
        wanted, wanted_claim = _read(self.lesson.steps[self.number - 1].right)
        if move == wanted:
            return wording.miscounted(self.view.after(move).count)
        if move.kind == wanted.kind == "play" and move.tiles == wanted.tiles:
            return _("The right tile, but another place is asked for.")
        if move.kind == "play" and self.lesson.asks_a_count:
            return wording.makes_another(self.view.after(move).count)
        return _("Not that: read again what is asked for.")

    @property
    def steps(self) -> list[tuple[int, str]]:
        """The numbers of the steps, and how each stands: done, now or to come."""
        numbers = range(1, len(self.lesson.steps) + 1)
        return [(n, "done" if n < self.number else "now" if n == self.number else "") for n in numbers]

    @property
    def before(self) -> int:
        """The step to go back to."""
        return self.number - 1

    @property
    def next_lesson(self) -> Lesson | None:
        place = LESSONS.index(self.lesson) + 1
        return LESSONS[place] if place < len(LESSONS) else None


class Card(NamedTuple):
    """A lesson on the page of all of them: its line as a small board, and the step that its reader has come to."""

    lesson: Lesson
    line: SafeString
    step: int
    done: bool

    @property
    def opens(self) -> int:
        """The step at which it goes on; at its first again, once it is done."""
        return 1 if self.done else self.step


def lesson_of(slug: str) -> Lesson | None:
    return next((lesson for lesson in LESSONS if lesson.slug == slug), None)


def cards(reached: dict[str, int]) -> Iterator[Card]:
    """All lessons in order; `reached` has the step that the reader has come to, by slug."""
    for lesson in LESSONS:
        step = reached.get(lesson.slug, 1)
        yield Card(
            lesson,
            line_of(Taught(lesson, len(lesson.steps)).view.line, {}, 0),
            step,
            step > len(lesson.steps),
        )


def _begun(lesson: Lesson) -> Match:
    """Its prepared deal before the lead. Of the boneyard nothing is needed: nobody draws in a lesson."""
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


def _after(match: Match, played: str) -> Match:
    for text in played.split():
        move, claim = _read(text)
        assert match.turn is not None  # every lesson is played to its end by a test
        match = match.play(match.turn, move, claim)
    return match


def _read(text: str) -> tuple[Move, int | None]:
    """`6-4@L=10` as the move and what is claimed for it."""
    text, _equals, claim = text.partition("=")
    return moves.parse(text), int(claim) if claim else None
