"""The draw of a round: the table of docs/nights.md, and people who come and go."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boneyard.engine.shuffle import shuffled, shuffled_items
from nights.draws.draw import Draw, DrawRules, Entrants, NotEnough, Table, draw_round
from nights.draws.formats import FORMATS
from nights.draws.matching import match_pairs
from nights.draws.meetings import sorted_pair
from nights.draws.schedules import whist_round

from .drawing import CODE, count_meetings, draw_night, get_key, rank

PEOPLE = st.integers(0, 1 << 20)


def test_lot_is_shuffled_as_a_set_is():
    assert shuffled_items(range(28), get_key(1, 1), "deal", 1, "a.") == shuffled(
        6, get_key(1, 1), "deal", 1, 0, "a."
    )


@pytest.mark.parametrize("name", ["singles", "pairs"])
@pytest.mark.parametrize("count", [2, 4, 6, 7, 10, 11, 24, 25, 64])
def test_round_robin_has_no_rematch(name, count):
    rounds = count - 1 + count % 2
    draws = draw_night(name, count, rounds)
    meetings = count_meetings(draws).opponents
    assert max(meetings.values()) == 1
    assert len(meetings) == count * (count - 1) // 2
    if count % 2:
        assert Counter(number for draw in draws for number in draw.out) == dict.fromkeys(
            range(1, count + 1), 1
        )


@pytest.mark.parametrize("count", range(16, 65, 4))
def test_five_rounds_of_partners_repeat_nobody(count):
    meetings = count_meetings(draw_night("partners", count, 5, seed=count))
    assert max(meetings.partners.values()) == 1
    assert max(meetings.opponents.values()) == 1


@pytest.mark.parametrize("seed", range(6))
def test_five_rounds_of_twelve_partners_repeat_few_opponents(seed):
    meetings = count_meetings(draw_night("partners", 12, 5, seed=seed))
    twice = Counter(meetings.opponents.values())
    assert max(meetings.partners.values()) == 1
    assert (max(twice), twice[2] <= 6) == (2, True)


def test_eight_partners_meet_evenly():
    after_five = count_meetings(draw_night("partners", 8, 5))
    assert max(after_five.partners.values()) == 1
    assert Counter(after_five.opponents.values()) == {1: 16, 2: 12}

    after_seven = count_meetings(draw_night("partners", 8, 7))
    assert Counter(after_seven.partners.values()) == {1: 28}
    assert Counter(after_seven.opponents.values()) == {2: 28}


@pytest.mark.parametrize("count", [8, 12, 16])
def test_whist_schedule_makes_partners_once_and_opponents_twice(count):
    rounds = [
        Draw((), (), tuple(Table(0, sides) for sides in whist_round(count, n))) for n in range(count - 1)
    ]
    meetings = count_meetings(rounds)
    assert set(meetings.partners.values()) == {1}
    assert set(meetings.opponents.values()) == {2}
    assert len(meetings.opponents) == count * (count - 1) // 2
    with pytest.raises(LookupError):
        whist_round(count, count - 1)


@pytest.mark.parametrize("count", [12, 16])
def test_whist_schedule_is_used_where_all_its_rounds_are_played(count):
    meetings = count_meetings(draw_night("partners", count, count - 1, known=count - 1))
    assert set(meetings.opponents.values()) == {2}


@pytest.mark.parametrize("count", [8, 10, 16, 32, 64])
def test_draw_by_standings_has_no_rematch(count):
    rules = DrawRules(FORMATS["singles"], by_standings=True)
    won = dict.fromkeys(range(1, count + 1), Fraction(0))
    draws: list[Draw] = []
    for number in range(1, int(log2(count)) + 3):
        draw = draw_round(
            rules, Entrants(tuple(won), standings=rank(won)), draws, get_key(3, number), number, CODE
        )
        for (winner,), _ in draw.sides:
            won[winner] += 1
        draws.append(draw)
    assert max(count_meetings(draws).opponents.values()) == 1


@st.composite
def costs(draw):
    count = draw(st.sampled_from([2, 4, 6, 8]))
    met = [[draw(st.integers(0, 2)) for _ in range(count)] for _ in range(count)]
    won = [draw(st.integers(0, 24)) for _ in range(count)]
    return count, met, won


def all_matchings(places):
    if not places:
        yield []
        return
    first, *rest = places
    for other in rest:
        for pairs in all_matchings([place for place in rest if place != other]):
            yield [(first, other), *pairs]


@given(costs())
def test_matching_is_the_best_of_all(given):
    count, met, won = given

    def cost(pairs):
        return sum(met[a][b] for a, b in pairs), sum((won[a] - won[b]) ** 2 for a, b in pairs)

    found = match_pairs(count, lambda a, b: met[a][b], lambda a, b: (won[a] - won[b]) ** 2)
    assert cost(found) == min(map(cost, all_matchings(list(range(count)))))


@given(st.sampled_from([name for name in FORMATS if name != "open"]), st.data())
@settings(max_examples=20)
def test_draw_holds_while_people_come_and_go(name, data):
    rules = DrawRules(
        FORMATS[name], by_standings=name != "free" and data.draw(st.booleans()) and name != "partners"
    )
    draws: list[Draw] = []
    everybody = range(1, 14)
    for number in range(1, 7):
        here = tuple(sorted(data.draw(st.sets(st.sampled_from(everybody)))))
        helpers = tuple(sorted(data.draw(st.sets(st.integers(101, 103)))))
        try:
            draw = draw_round(rules, Entrants(here, helpers), draws, get_key(5, number), number, CODE)
        except NotEnough:
            assert not FORMATS[name].count_seated(len(here) + len(helpers)) or not here
            continue
        seated = [entry for sides in draw.sides for side in sides for entry in side]
        assert len(seated) == len(set(seated))
        assert sorted(({*seated} - {*helpers}) | {*draw.out}) == list(here)
        assert not {*draw.out} & {*seated, *helpers}
        assert len(draw.out) < rules.format.table_size
        check_outs(draws, draw, here)
        assert all(
            rules.format.smallest_table <= sum(map(len, sides)) <= rules.format.table_size
            for sides in draw.sides
        )
        draws.append(draw)


def check_outs(past, draw, here):
    """Nobody is out who was out more often than somebody who sits."""
    outs = Counter(number for before in past for number in before.out)
    sitting = [outs[number] for number in here if number not in draw.out]
    assert max((outs[number] for number in draw.out), default=0) <= min(sitting, default=0)


def test_everybody_gone_draws_nothing():
    with pytest.raises(NotEnough):
        draw_round(DrawRules(FORMATS["partners"]), Entrants(()), [], get_key(1, 1), 1, CODE)


@pytest.mark.parametrize(
    ("name", "people", "helpers", "out"),
    [
        ("partners", 23, 1, 0),
        ("partners", 21, 1, 1),
        ("partners", 22, 3, 0),
        ("partners", 23, 0, 3),
        ("singles", 7, 1, 0),
        ("free", 5, 0, 1),
        ("free", 5, 1, 0),
        ("free", 9, 0, 0),
    ],
)
def test_helpers_sit_where_that_lets_somebody_play(name, people, helpers, out):
    entrants = Entrants(tuple(range(1, people + 1)), tuple(range(101, 101 + helpers)))
    draw = draw_round(DrawRules(FORMATS[name]), entrants, [], get_key(1, 1), 1, CODE)
    assert len(draw.out) == out
    seated = {entry for sides in draw.sides for side in sides for entry in side}
    assert len(seated & {*entrants.helpers}) == len(seated) - (people - out)


def test_free_table_of_six_is_two_of_three():
    draw = draw_round(DrawRules(FORMATS["free"]), Entrants(tuple(range(6))), [], get_key(1, 1), 1, CODE)
    assert [len(sides) for sides in draw.sides] == [3, 3]


def test_entry_keeps_its_table():
    for number in range(1, 6):
        entrants = Entrants(tuple(range(1, 25)), own_tables={7: 4})
        draw = draw_round(DrawRules(FORMATS["partners"]), entrants, [], get_key(9, number), number, CODE)
        assert next(table.number for table in draw.tables if any(7 in side for side in table.sides)) == 4
        assert sorted(table.number for table in draw.tables) == [1, 2, 3, 4, 5, 6]


def test_swapped_entries_count_where_they_sat():
    drawn = Draw((1, 2, 3, 4), (), (Table(1, ((1,), (2,))), Table(2, ((3,), (4,)))), moved=((1, 3),))
    assert drawn.sides == (((3,), (2,)), ((1,), (4,)))
    assert sorted_pair(3, 2) in count_meetings([drawn]).opponents


def test_draws_differ_by_key_alone():
    one, same, other = (draw_night("partners", 24, 1, seed=seed)[0] for seed in (1, 1, 2))
    assert one == same != other
    assert all(before.lot != after.lot for before, after in pairwise(draw_night("partners", 24, 3)))
