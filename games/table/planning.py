"""The page on which a plan is made: the other's next move and the answer to it, on the board, step by step."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boneyard.engine import moves as notation
from boneyard.engine.moves import PASS, Move
from boneyard.engine.perspective import View
from boneyard.engine.tiles import Tile
from games import wording
from games.conditional_moves import ANY, Step, list_answers, list_later_answers, see_after
from games.table import rack
from games.table.hand import Hand
from games.wording import gettext as _
from live.fragments.fragment import Fragment


class PlannedStep(NamedTuple):
    """A planned answer in words. `path` leads to it, `whole` includes it; `later` is the number of those before it."""

    path: str
    whole: str
    words: str
    later: int
    goes_on: bool


class Planning:
    """What the page shows: a position, whose move is chosen in it, and the choices.

    `path` is what has been chosen: moves of both in turn, the other's first; with an odd number of them the answer is
    next. Text that is no such path is dropped from where it is wrong. `chosen` is the tile pressed on a page without
    scripts, which then lights its places.
    """

    def __init__(self, view: View, name: str, path: str, steps: Sequence[Step], chosen: str = "") -> None:
        self.name, self.steps, self._now = name, steps, view
        self.moves, self.answers = _follow(view, path)
        self.is_answer = len(self.moves) % 2 == 1
        self.view = self._position()
        self.hand = Hand(self.view, chosen, counts=not self.view.terms.must_claim)

    @property
    def path(self) -> str:
        """Return the path as the page's links and forms have it."""
        return " ".join([text or "any" for text in self.moves])

    @property
    def condition(self) -> str:
        """Return the path to the answer that is chosen now."""
        return " ".join(self.moves)

    def _position(self) -> View:
        """Return the position after the path, as seen by whoever moves next, with what they may play."""
        played = [notation.parse(text) for text in self.moves if text != ANY]
        after = see_after(self._now, played)
        if self.is_answer:
            legal: tuple[Move, ...] = self.answers[self.moves[-1]]
            return after._replace(legal=legal, turn=after.seat)
        legal = tuple([notation.parse(text) for text in self.answers if text not in (ANY, str(PASS))])
        tiles: dict[Tile, None] = dict.fromkeys(move.plays[0][0] for move in legal)
        return after._replace(hand=tuple(sorted(tiles, reverse=True)), legal=legal, turn=after.seat)

    @property
    def board(self) -> Fragment:
        return rack.render_position(self.hand)

    @property
    def rack(self) -> Fragment:
        label = self.hand.label if self.is_answer else _("Tiles that %(name)s may hold") % {"name": self.name}
        return rack.render_hand(self.hand, label=label)

    @property
    def other_choices(self) -> list[tuple[str, str]]:
        """Return what the other may do beside playing a tile: the value of a button, and its words."""
        if self.is_answer:
            return []
        words = {str(PASS): _("%(name)s passes") % {"name": self.name}, ANY: _("Any other move")}
        return [(value or "any", words[value]) for value in words if value in self.answers]

    @property
    def is_over(self) -> bool:
        """Return whether nothing more can be planned after the path."""
        return not self.answers

    @property
    def task(self) -> str:
        """Return what to choose now."""
        if self.is_over and not self.moves:
            return _("None of your tiles would fit, so there is nothing to plan.")
        if self.is_over:
            return _("The plan ends here.")
        if self.is_answer:
            return _("%(plan)s: choose your answer.") % {"plan": self._describe(self.condition)}
        if self.moves:
            return _("%(plan)s. What may %(name)s do then?") % {
                "plan": self._describe(*self.condition.rsplit(" ", 1)),
                "name": self.name,
            }
        return _("What may %(name)s do? Choose the tile and its place.") % {"name": self.name}

    @property
    def planned(self) -> list[PlannedStep]:
        """Return all planned answers."""
        return [
            PlannedStep(
                step.path,
                step.whole,
                f"{self._describe(step.path, step.move)}.",
                step.number - 1,
                step.path != ANY and bool(list_later_answers(self._now, step.whole)),
            )
            for step in self.steps
        ]

    def _describe(self, path: str, answer: str = "") -> str:
        """Return the last condition of a path, and the answer to it."""
        texts = path.split(" ")
        condition = describe_condition(texts[-1], self.name, is_later=len(texts) > 1)
        if not answer:
            return condition
        return _("%(when)s, you play %(answer)s") % {
            "when": condition,
            "answer": wording.play_phrase(notation.parse(answer)),
        }

    @property
    def conditions(self) -> list[tuple[str, str]]:
        """Return the choices of the form that needs no board."""
        texts = [] if self.is_answer else list(self.answers)
        return [(text or "any", describe_condition(text, self.name)) for text in texts]

    @property
    def answer_choices(self) -> list[tuple[str, str]]:
        answers = self.answers[self.moves[-1]] if self.is_answer else ()
        return [(str(move), wording.play_phrase(move)) for move in answers]


def _follow(view: View, path: str) -> tuple[tuple[str, ...], dict[str, tuple[Move, ...]]]:
    """Return the moves of the path as far as they can come, and the answers by condition at its end."""
    moves: tuple[str, ...] = ()
    answers = list_answers(view)
    for condition, answer in _pairs(path):
        if condition not in answers:
            break
        moves = (*moves, condition)
        if answer is None or answer not in map(str, answers[condition]):
            break
        moves = (*moves, answer)
        answers = list_later_answers(view, " ".join(moves)) if ANY not in moves else {}
    return moves, answers


def _pairs(path: str) -> Iterator[tuple[str, str | None]]:
    """Yield each condition and the answer to it, None where it is yet to be chosen."""
    texts = path.split(" ") if path else []
    texts = [ANY if text == "any" else text for text in texts]
    for at in range(0, len(texts), 2):
        yield texts[at], texts[at + 1] if at + 1 < len(texts) else None


def describe_condition(condition: str, name: str, *, is_later: bool = False) -> str:
    """Return *If mara plays 5-0 to the left*, or *Then, if …* after an answer."""
    if condition == ANY:
        return _("In any other case")
    if condition == str(PASS):
        text = _("Then, if %(name)s passes") if is_later else _("If %(name)s passes")
        return text % {"name": name}
    play = wording.play_phrase(notation.parse(condition))
    text = _("Then, if %(name)s plays %(play)s") if is_later else _("If %(name)s plays %(play)s")
    return text % {"name": name, "play": play}
