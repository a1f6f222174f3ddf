"""The wall: what takes turns, what time it counts, and how names are shortened."""

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import timezone

from nights import services
from nights.loaded import load_night
from nights.models import Night
from nights.pages import NightPage
from nights.rows import StandingRow
from nights.wall import WallPage
from tests.nights.conftest import NOW, address, press

pytestmark = pytest.mark.django_db


def read_wall(night: Night) -> str:
    return Client().get(address(night, "wall/")).content.decode()


def add(night, host, names):
    night.refresh_from_db()
    services.add_names(night, host, night.version, "\n".join(names), NOW)


def wall_of(night):
    night.refresh_from_db()
    return WallPage(NightPage(load_night(night)))


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        (timedelta(minutes=12), "data-begins="),
        (timedelta(hours=30), "day "),
        (timedelta(minutes=-1), "Round 1 is drawn soon"),
    ],
)
def test_wall_counts_down_to_the_start(evening, left, shown):
    evening.starts_at = timezone.now() + left
    evening.save()
    page = read_wall(evening)
    bar = page[page.index("wall-bar") : page.index("</header>", page.index("wall-bar"))]
    assert shown in bar and ("data-begins" in bar) == (shown == "data-begins=")


def test_drawn_round_ends_the_countdown_to_the_start(desk, evening):
    evening.starts_at = timezone.now() + timedelta(minutes=12)
    evening.save()
    press(desk, evening, "draw")
    assert "data-begins" not in read_wall(evening)


def test_bell_is_counted_until_every_result_is_in(desk, evening):
    evening.minutes = 25
    evening.save()
    press(desk, evening, "draw")
    assert "data-bell=" in read_wall(evening)
    for table in evening.drawn_rounds.get().tables.all():
        desk.post(
            address(evening, "result"),
            {"round": 1, "table": table.number, "version": table.version, "points": "100,50"},
        )
    page = read_wall(evening)
    assert "data-bell=" not in page and "Round 2 is drawn soon" in page


@pytest.mark.parametrize(("people", "turns"), [(64, (6, 6, 4)), (128, (6, 6, 6, 6, 6, 2))])
def test_many_tables_take_turns(desk, host, evening, people, turns):
    add(evening, host, [f"Person {number}" for number in range(9, people + 1)])
    press(desk, evening, "draw")
    wall = wall_of(evening)
    assert tuple(len(turn.items) for turn in wall.table_turns) == turns
    assert wall.table_turns[1].caption == f"Tables 7 to 12 of {people // 4}"


def test_long_names_are_shortened_where_nobody_else_is_so_called(desk, host, evening):
    add(evening, host, ["Beatriz González", "Milagros Pérez", "Milagros Prieto", "Wilhelmina"])
    press(desk, evening, "draw")
    page = read_wall(evening)
    assert "Beatriz G." in page and "Milagros P." not in page
    assert all(name in page for name in ("Milagros Pérez", "Milagros Prieto", "Wilhelmina"))


def enter_all(desk, evening, points):
    for table, result in zip(evening.drawn_rounds.get().tables.order_by("number"), points, strict=False):
        desk.post(
            address(evening, "result"),
            {"round": 1, "table": table.number, "version": table.version, "points": result},
        )


def test_confirmed_points_stand_on_the_plates_and_standings_come_with_the_last(desk, evening):
    press(desk, evening, "draw")
    enter_all(desk, evening, ["101,57"])
    wall = wall_of(evening)
    (turn,) = wall.table_turns
    assert [[points for _mark, _names, points in table.sides] for table in turn.items] == [
        ["101", "57"],
        ["", ""],
    ]
    assert "<b>101</b>" in read_wall(evening) and "data-seats-until" in read_wall(evening)
    open_table = evening.drawn_rounds.get().tables.get(number=2)
    desk.post(
        address(evening, "result"),
        {"round": 1, "table": 2, "version": open_table.version, "points": "60,30"},
    )
    assert "data-seats-until" not in read_wall(evening)


def test_wall_of_a_night_that_is_over_begins_with_the_podium(desk, evening):
    press(desk, evening, "draw")
    enter_all(desk, evening, ["101,57", "60,30"])
    press(desk, evening, "finish")
    page = read_wall(evening)
    turns = re.findall(r'class="wall-turn (wall-\w+)', page)
    assert turns == ["wall-podium", "wall-standings"]


@pytest.mark.parametrize(("people", "rows"), [(24, [24]), (25, [25]), (26, [24, 2]), (49, [24, 25])])
def test_last_row_of_the_standings_does_not_stand_alone(people, rows):
    standings = [StandingRow(place, "Ana", "1", "+1", False) for place in range(1, people + 1)]
    turns = WallPage(SimpleNamespace(standings=standings)).standing_turns
    assert [len(turn.items) for turn in turns] == rows
    assert turns[-1].caption == f"Places {people - rows[-1] + 1} to {people} of {people}"
    assert turns[-1].items[-1] == standings[-1]
