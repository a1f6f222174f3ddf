"""draws.json repeats, and whatever is changed in it is found."""

import copy
import json

import pytest

from boneyard.engine.shuffle import chain
from nights.draws.draw import DrawRules, Entrants, draw_round
from nights.draws.formats import FORMATS
from nights.draws.records import RecordedDraw, find_faults, write_record

from .drawing import CODE

KEYS = chain(bytes(range(32)))
RULES = DrawRules(FORMATS["partners"])
PEOPLE = tuple(range(1, 25))


def record_draws(*steps):
    """Return the record of draws with these entrants; True in place of entrants undoes the draw before."""
    drawn: list[RecordedDraw] = []
    for step in steps:
        if step is True:
            last = drawn.pop()
            drawn.append(RecordedDraw(last.number, last.key, last.entrants, last.draw, undone=True))
            continue
        number = len(drawn) + 1
        past = [before.draw for before in drawn if not before.undone]
        draw = draw_round(RULES, step, past, KEYS.key(number), number, CODE)
        drawn.append(RecordedDraw(number, KEYS.key(number), step, draw))
    return json.loads(json.dumps(write_record(CODE, KEYS.seal, RULES, drawn)))


@pytest.fixture(scope="module")
def record():
    everybody = Entrants(PEOPLE)
    return record_draws(everybody, True, Entrants(PEOPLE[:-1], helpers=(30,)), everybody)


def test_every_draw_repeats(record):
    assert [drawn["undone"] for drawn in record["draws"]] == [True, False, False]
    assert list(find_faults(record)) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda draws: draws[1]["tables"][0]["sides"].reverse(), "tables"),
        (lambda draws: draws[1]["lot"].reverse(), "lot"),
        (lambda draws: draws[2]["here"].pop(), "lot"),
        (lambda draws: draws[1].update(undone=True), "tables"),
        (lambda draws: draws[0].update(undone=False), "tables"),
        (lambda draws: draws.pop(0), "missing"),
        (lambda draws: draws[1].update(key="00" * 32), "seal"),
        (lambda draws: draws[1]["moved"].append([1, 2]), "tables"),
    ],
)
def test_a_changed_record_is_found(record, change, says):
    changed = copy.deepcopy(record)
    change(changed["draws"])
    faults = list(find_faults(changed))
    assert faults
    assert says in faults[0]


def test_a_director_cannot_draw_again_by_adding_a_name(record):
    """Each draw uses the next key, so a draw repeated with a known key is found, whatever name was added."""
    for name in range(100, 1100):
        entrants = Entrants((*PEOPLE[:3], name))
        again = draw_round(RULES, entrants, [], KEYS.key(1), 2, CODE)
        drawn = RecordedDraw(2, KEYS.key(1), entrants, again)
        forged = copy.deepcopy(record)
        forged["draws"][1] = write_record(CODE, KEYS.seal, RULES, [drawn])["draws"][0]
        assert next(find_faults(forged)).endswith("does not belong to the seal.")


@pytest.mark.parametrize("wrong", [{}, {"search": "0"}, {"search": "1", "format": "chess"}])
def test_what_is_no_record_is_refused(wrong):
    with pytest.raises(ValueError, match=r"^It "):
        list(find_faults(wrong))
