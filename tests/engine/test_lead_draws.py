"""Draws for the named tile (`lead_draws`), in the engine and in the reference."""

from types import SimpleNamespace

import pytest

from boneyard.engine.dealing import _first_lead
from boneyard.engine.presets import PRESETS
from boneyard.engine.terms import terms
from boneyard.engine.tiles import NAMES, parse
from tests.engine.reference.deal import find_leader
from tests.engine.reference.defaults import complete
from tests.engine.reference.tiles import parse_tile, tile_text

SET = [name for name in NAMES[:28] if name != "3-2"]
RULES = {how: PRESETS["gomuggins"].rules.replace(lead_draws=how) for how in ("all", "reserve")}


def dealt(seats: int, place: int) -> tuple[list[list[str]], list[str]]:
    """Return hands of seven and a boneyard in which 3-2 is the tile with this number, from 1."""
    hands = [SET[seat * 7 : seat * 7 + 7] for seat in range(seats)]
    rest = SET[seats * 7 :]
    return hands, [*rest[: place - 1], "3-2", *rest[place - 1 :]]


def by_engine(rules, seats, gone, hands, boneyard):
    leader, named, draws = _first_lead(
        terms(rules, seats),
        frozenset(gone),
        None,
        tuple(tuple(map(parse, hand)) for hand in hands),
        tuple(map(parse, boneyard)),
    )
    return leader, named is not None, [(seat, NAMES[tile]) for seat, tile in draws]


def by_reference(rules, seats, gone, hands, boneyard):
    dealt = SimpleNamespace(
        hands=[[parse_tile(tile) for tile in hand] for hand in hands],
        boneyard=[parse_tile(tile) for tile in boneyard],
        lead_draws=[],
        leader=0,
        must_lead=None,
        named=None,
        lots=None,
    )
    written = complete(rules.written() | {"lead_with": "named"})
    find_leader(dealt, written, "", [seat for seat in range(seats) if seat not in gone])
    draws = [(seat, tile_text(tile)) for seat, tile in dealt.lead_draws]
    return dealt.leader, dealt.named is not None, draws


# seats, who has left, the place of 3-2, all or reserve -> leader, found, tiles drawn
EXAMPLES = [
    (2, [], 14, "all", 1, True, 14),
    (2, [], 14, "reserve", 0, False, 12),
    (2, [], 13, "all", 0, True, 14),
    (2, [], 3, "all", 0, True, 4),
    (2, [], 3, "reserve", 0, True, 4),
    (3, [], 7, "all", 0, True, 7),
    (3, [], 7, "reserve", 0, False, 6),
    (3, [], 2, "all", 1, True, 3),
    (3, [], 2, "reserve", 1, True, 3),
    (3, [0], 7, "all", 1, True, 7),
    (3, [1], 6, "all", 2, True, 6),
]


@pytest.mark.parametrize("implementation", [by_engine, by_reference])
@pytest.mark.parametrize(("seats", "gone", "place", "how", "leader", "found", "drawn"), EXAMPLES)
def test_draws_for_the_lead(implementation, seats, gone, place, how, leader, found, drawn):
    hands, boneyard = dealt(seats, place)
    led, has_found, draws = implementation(RULES[how], seats, gone, hands, boneyard)
    assert (led, has_found, len(draws)) == (leader, found, drawn)
    staying = [seat for seat in range(seats) if seat not in gone]
    assert draws == [(staying[index % len(staying)], tile) for index, tile in enumerate(boneyard[:drawn])]


@pytest.mark.parametrize("implementation", [by_engine, by_reference])
def test_nobody_draws_if_the_holder_has_left(implementation):
    hands, boneyard = dealt(3, 1)
    hands[1][0], boneyard[0] = boneyard[0], hands[1][0]
    assert implementation(RULES["all"], 3, [1], hands, boneyard) == (2, False, [])
