"""Run the worked examples on every implementation of the rules."""

from typing import Protocol

import pytest

from boneyard.engine.errors import Illegal, InvalidRules, Malformed
from boneyard.engine.rules import Rules
from tests.engine import arranged_match
from tests.engine.examples import EXAMPLES, Deal, Example
from tests.engine.examples.deals import SEALED, SealedDeal
from tests.engine.examples.example import PRESETS
from tests.engine.examples.verdicts import ACCEPTED, NAMED, REFUSED
from tests.engine.reference import NotAllowed, objections
from tests.engine.reference.arranged_match import ArrangedMatch, opening
from tests.engine.reference.preset_name import keeps_name

Refusal = type[Exception] | tuple[type[Exception], ...]


class Arranged(Protocol):
    """The interface of both `ArrangedMatch` classes."""

    def deal(self, hands: list[str], boneyard: str, leader: int | None) -> None: ...
    def play(self, seat: int, move: str, claim: int | None) -> None: ...
    def legal(self) -> list[str]: ...
    def ends(self) -> dict[str, int]: ...
    def scores(self) -> list[int]: ...
    def moves(self, number: int) -> list[dict]: ...
    def end(self, number: int) -> dict: ...
    def opening(self) -> dict: ...
    def result(self) -> dict | None: ...


IMPLEMENTATIONS = [
    pytest.param(ArrangedMatch, NotAllowed, id="reference"),
    pytest.param(arranged_match.ArrangedMatch, (Illegal, Malformed), id="engine"),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
@pytest.mark.parametrize(("begin", "refusal"), IMPLEMENTATIONS)
def test_worked_example(begin, refusal, example: Example):
    match: Arranged = begin(example.rules, example.seats, list(example.scores or [0] * sides(example)))
    for number, deal in enumerate(example.deals, start=1):
        match.deal(list(deal.hands), deal.boneyard, deal.leader)
        for text in deal.moves.split(", ") if deal.moves else []:
            match.play(*read(text))
        check(match, number, deal, refusal)


@pytest.mark.parametrize("deal", SEALED, ids=str)
@pytest.mark.parametrize(
    "deal_data",
    [pytest.param(opening, id="reference"), pytest.param(arranged_match.opening, id="engine")],
)
def test_sealed_deal(deal_data, deal: SealedDeal):
    found = deal_data(deal.rules, deal.seats, bytes([deal.byte] * 32))
    assert {key: found[key] for key in deal.opening} == deal.opening


def refused_by_reference(rules: dict) -> bool:
    return bool(objections(rules))


def refused_by_engine(rules: dict) -> bool:
    try:
        Rules.from_dict(rules)
    except InvalidRules:
        return True
    return False


VERDICTS = [
    pytest.param(refused_by_reference, id="reference"),
    pytest.param(refused_by_engine, id="engine"),
]


@pytest.mark.parametrize("refused", VERDICTS)
@pytest.mark.parametrize(("says", "rules", "changes"), ACCEPTED, ids=[row[0] for row in ACCEPTED])
def test_accepted_rules(refused, says, rules, changes):
    assert not refused(rules | changes)


@pytest.mark.parametrize("refused", VERDICTS)
@pytest.mark.parametrize(("says", "rules", "changes"), REFUSED, ids=[row[0] for row in REFUSED])
def test_refused_rules(refused, says, rules, changes):
    assert refused(rules | changes)


@pytest.mark.parametrize("refused", VERDICTS)
@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_accepted(refused, preset):
    assert not refused(PRESETS[preset]["rules"])


@pytest.mark.parametrize(
    "keeps",
    [pytest.param(keeps_name, id="reference"), pytest.param(arranged_match.keeps_name, id="engine")],
)
@pytest.mark.parametrize(("preset", "changes", "named"), NAMED)
def test_record_keeps_preset_name(keeps, preset, changes, named):
    assert keeps(PRESETS[preset], PRESETS[preset]["rules"] | changes) == named


def sides(example: Example) -> int:
    return 2 if example.rules["partners"] and example.seats == 4 else example.seats


def read(text: str) -> tuple[int, str, int | None]:
    """Return seat, move and claim of "0 6-4 =10"."""
    seat, move, *claim = text.split()
    return int(seat), move, int(claim[0][1:]) if claim else None


def check(match: Arranged, number: int, deal: Deal, refusal: Refusal) -> None:
    plays = [entry for entry in match.moves(number) if "count" in entry]
    found = {
        "count": lambda: [entry["count"] for entry in plays],
        "points": lambda: [entry["points"] for entry in plays],
        "scored": lambda: [entry["scored"] for entry in plays],
        "award": lambda: [entry["award"] for entry in match.moves(number) if "award" in entry],
        "ends": match.ends,
        "legal": match.legal,
        "scores": match.scores,
        "result": match.result,
        "end": lambda: {key: match.end(number).get(key) for key in deal.expected["end"]},
        "next": lambda: {key: opens(match, key, value) for key, value in deal.expected["next"].items()},
        "refused": lambda: [text for text in deal.expected["refused"] if is_refused(match, text, refusal)],
    }
    for what, expected in deal.expected.items():
        assert found[what]() == expected, what


def opens(match: Arranged, key: str, expected: object) -> object:
    value = match.opening()[key]
    return value is not None if expected is True else value


def is_refused(match: Arranged, text: str, refusal: Refusal) -> bool:
    try:
        match.play(*read(text))
    except refusal:
        return True
    return False
