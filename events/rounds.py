"""Build the page of a round of a closed set: the deal, everybody's result, and where the field played differently."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from django.utils.safestring import SafeString

from boneyard.engine.matches import Match as Value
from boneyard.engine.matches import begin
from boneyard.engine.perspective import perspective
from boneyard.engine.round_ends import EndedRound
from boneyard.engine.tiles import NAMES, Tile
from core.numbers import format_change
from events.field import LoadedField, Result
from events.lines import parse_line
from events.models import OWN_SEAT, DealSet
from games.drawing.line import draw_line
from games.drawing.tiles import draw_hand_tile
from games.repository import get_sealed_secret
from games.table.news import describe_line
from games.wording.personas import persona_of
from study.wording import place_in_words

MAX_ROWS = 100


class Choice(NamedTuple):
    """A move that some of the field made at one moment, and the mean margin of the round that followed."""

    words: str
    players: int
    margin: float
    is_own: bool

    @property
    def margin_text(self) -> str:
        return format_change(round(self.margin, 1))


class Moment(NamedTuple):
    """A position that several reached by the same moves and played differently; `number` counts the round's moves."""

    number: int
    choices: list[Choice]


class Hand(NamedTuple):
    """The tiles dealt to a seat; `name` is "" for the boneyard."""

    name: str
    tiles: list[tuple[str, SafeString]]


@dataclass(frozen=True)
class RoundPage:
    """Round `number` (from 1) of a closed set, along the line of the `displayed` result."""

    loaded: LoadedField
    number: int
    own: Result | None
    chosen: Result | None

    @property
    def deals(self) -> DealSet:
        return self.loaded.deals

    @cached_property
    def results(self) -> list[Result]:
        """Return those who finished the round, the best first."""
        index = self.number - 1
        played = [result for result in self.loaded.results if index < len(result.lines)]
        return sorted(played, key=lambda result: -result.margins[index])

    @property
    def rows(self) -> list[tuple[Result, str, bool]]:
        """Return the first results of the round with their margins, and whether each is the displayed one."""
        return [
            (result, format_change(result.margins[self.number - 1]), result is self.displayed)
            for result in self.results[:MAX_ROWS]
        ]

    @cached_property
    def displayed(self) -> Result | None:
        """Return the result whose line is displayed: the chosen one, the viewer's own, or the best."""
        playable = [
            result for result in (self.chosen, self.own) if result and self.number <= len(result.lines)
        ]
        if playable:
            return next(each for each in self.results if each.key == playable[0].key)
        return self.results[0] if self.results else None

    @cached_property
    def ended(self) -> EndedRound | None:
        return self._replayed.ended[self.number - 1] if self.displayed else None

    @cached_property
    def _replayed(self) -> Value:
        """Return the match of the displayed result after this round."""
        return self._replay(self.number)

    def _replay(self, rounds: int) -> Value:
        """Return the match of the displayed result after its first rounds."""
        secret = bytes.fromhex(get_sealed_secret(self.deals.name).secret)
        value = begin(self.deals.parsed_rules, self.deals.seats, secret, self.deals.name)
        for line in self.displayed.lines[:rounds] if self.displayed else []:
            for step in parse_line(line):
                value = value.play(*step)
        return value

    @property
    def hands(self) -> list[Hand]:
        """Return the dealt hands, the person's first, and the boneyard."""
        if self.ended is None:
            return []
        names = [persona_of(self.deals.level, figure).name for figure in self.deals.figures]
        names[OWN_SEAT] = self.displayed.name if self.displayed else ""
        hands = [Hand(name, _draw(hand)) for name, hand in zip(names, self.ended.hands, strict=True)]
        return [*hands, Hand("", _draw(self.ended.boneyard))] if self.ended.boneyard else hands

    @cached_property
    def line(self) -> tuple[SafeString, str]:
        """Return the line of play at the end of the round, drawn and in words."""
        assert self.ended is not None
        value = self._replayed
        view = perspective(value._replace(round=self.ended.round, ended=value.ended[: self.number - 1]), None)
        return draw_line(view), describe_line(view)

    @cached_property
    def moments(self) -> list[Moment]:
        """Return the moments of the displayed line at which the field played differently."""
        if self.displayed is None:
            return []
        value = self._replay(self.number - 1)
        steps = self.displayed.lines[self.number - 1].split()
        moments = []
        for index, step in enumerate(parse_line(self.displayed.lines[self.number - 1])):
            if step.seat == OWN_SEAT and (choices := self._find_choices(value, steps, index)):
                moments.append(Moment(index + 1, choices))
            value = value.play(*step)
        return moments

    def _find_choices(self, value: Value, steps: list[str], index: int) -> list[Choice]:
        """Return the moves made after the same earlier moves of the round; [] if all made the same one."""
        by_step = defaultdict(list)
        for result in self.results:
            others = result.lines[self.number - 1].split()
            if others[:index] == steps[:index] and index < len(others):
                by_step[others[index]].append(result.margins[self.number - 1])
        if len(by_step) < 2:
            return []
        view = perspective(value, OWN_SEAT)
        choices = [
            Choice(
                place_in_words(view, parse_line(text)[0].move),
                len(margins),
                fmean(margins),
                text == steps[index],
            )
            for text, margins in by_step.items()
        ]
        return sorted(choices, key=lambda choice: -choice.margin)


def _draw(tiles: tuple[Tile, ...]) -> list[tuple[str, SafeString]]:
    return [(NAMES[tile], draw_hand_tile(tile)) for tile in tiles]
