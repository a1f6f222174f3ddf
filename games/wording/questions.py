"""What people ask about a game, answered in a few sentences made from its options.

>>> from boneyard.engine.presets import PRESETS
>>> questions = list_questions(PRESETS["block"].rules, 2)
>>> questions[1].question, questions[1].answer
('How many tiles does each player get?', '7 with 2 players, 5 with 3, 5 with 4. The set is the double-six: 28 tiles.')
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from boneyard.engine.rules import Rules
from boneyard.engine.tiles import NAMES, SET_SIZES

from .rules import describe_rules
from .scope import Sentence


class Question(NamedTuple):
    """A question and its answer, in words."""

    question: str
    answer: str


class Choice(NamedTuple):
    """The first `most` sentences of the rules about an option, in one part of them; without any, about `otherwise`."""

    part: str
    option: str
    most: int = 1
    otherwise: str = ""


class Asked(NamedTuple):
    """A question that sentences of the rules answer; it is left out where there are none."""

    question: Promise
    choices: tuple[Choice, ...]


ASKED = (
    Asked(gettext_lazy("Who starts?"), (Choice("lead", "first_lead"), Choice("lead", "next_lead"))),
    Asked(
        gettext_lazy("What if no tile fits?"),
        (Choice("turn", "draw"), Choice("turn", "reserve"), Choice("turn", "pass")),
    ),
    Asked(gettext_lazy("Does a double branch the line?"), (Choice("turn", "spinner"),)),
    Asked(gettext_lazy("How does a play score?"), (Choice("points", "count"), Choice("points", "opening"))),
    Asked(gettext_lazy("Does one have to call one's points?"), (Choice("points", "claims", 2),)),
    Asked(
        gettext_lazy("What is going out worth?"),
        (
            Choice("points", "out_points"),
            Choice("round", "out_bonus"),
            Choice("round", "lone_pips", 3),
            Choice("round", "bonus_unit"),
        ),
    ),
    Asked(
        gettext_lazy("What is a blocked game worth?"),
        (
            Choice("round", "blocked_winner"),
            Choice("round", "blocked_bonus", 2),
            Choice("round", "blocked_tie"),
            Choice("round", "blocked_unit", otherwise="bonus_unit"),
            Choice("round", "blocked_double"),
        ),
    ),
    Asked(
        gettext_lazy("Are there extra points?"), (Choice("points", "extras", 2), Choice("round", "extras", 4))
    ),
    Asked(
        gettext_lazy("When is the match won?"),
        (Choice("match", "target"), Choice("match", "exact"), Choice("match", "reset", 2)),
    ),
)


def list_questions(rules: Rules, seats: int) -> list[Question]:
    """Return the questions with their answers for this many seats; players and tiles for each number of seats."""
    sentences = describe_rules(rules, seats)
    deal = _find_texts(sentences, Choice("deal", "set"))
    asked = (
        (_("How many people play it?"), _count_players(rules)),
        (
            _("How many tiles does each player get?"),
            " ".join([_count_tiles(rules), *deal, *_list_left_out(rules)]),
        ),
        *((str(asked.question), _answer(rules, sentences, asked.choices)) for asked in ASKED),
    )
    return [Question(question, answer) for question, answer in asked if answer]


def _answer(rules: Rules, sentences: Sequence[Sentence], choices: Sequence[Choice]) -> str:
    texts = [text for choice in choices for text in _shorten(rules, choice) or _find_texts(sentences, choice)]
    return " ".join(dict.fromkeys(texts))


def _shorten(rules: Rules, choice: Choice) -> list[str]:
    """Return fewer words than those of the rules, where these are long, else []."""
    if choice.option == "first_lead" and rules.first_lead == "lot":
        return [_("Each seat draws a tile as its lot, and the heaviest leads the first round.")]
    return []


def _find_texts(sentences: Sequence[Sentence], choice: Choice) -> list[str]:
    for option in (choice.option, choice.otherwise):
        found = [each.text for each in sentences if each.part == choice.part and option in each.options]
        if found:
            return found[: choice.most]
    return []


def _count_players(rules: Rules) -> str:
    *some, last = sorted(rules.players)
    if not some:
        text = ngettext("%(n)s player.", "%(n)s players.", last) % {"n": last}
    else:
        text = _("%(some)s or %(last)s players.") % {"some": ", ".join(map(str, some)), "last": last}
    if not (last == 4 and rules.in_pairs(4)):
        return text
    pairs = _("Partners sit opposite each other.") if not some else _("Four play in pairs.")
    return f"{text} {pairs}"


def _count_tiles(rules: Rules) -> str:
    hands = {seats: rules.hand_size.at(seats) for seats in sorted(rules.players)}
    if len(set(hands.values())) == 1:
        size = next(iter(hands.values()))
        return ngettext("%(n)s tile.", "%(n)s tiles.", size) % {"n": size}
    return f"{', '.join(_list_hands(hands))}."


def _list_left_out(rules: Rules) -> Iterator[str]:
    """Yield with how many players a tile is not dealt, where there is one."""
    if rules.asleep is None:
        return
    for seats in sorted(rules.players):
        if SET_SIZES[rules.set] > seats * rules.hand_size.at(seats):
            text = _("With %(seats)s players %(tile)s is left out.")
            yield text % {"seats": seats, "tile": NAMES[rules.asleep]}


def _list_hands(hands: dict[int, int]) -> Iterator[str]:
    """Yield *7 with 2 players*, then *5 with 3*."""
    for place, (seats, size) in enumerate(hands.items()):
        text = _("%(size)s with %(seats)s") if place else _("%(size)s with %(seats)s players")
        yield text % {"size": size, "seats": seats}
