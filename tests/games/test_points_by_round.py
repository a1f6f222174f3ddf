"""The points by round on the result sheet, broken into lines."""

import pytest

from games.table.points_by_round import SideByRound, break_rounds


def sides_of(count: int, rounds: int, points: int) -> tuple[SideByRound, ...]:
    return tuple(
        SideByRound("", str(side), tuple(points + each for each in range(rounds)), 0) for side in range(count)
    )


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("rounds", range(2, 21))
@pytest.mark.parametrize(("points", "longest"), [(0, 6), (100, 5)])
def test_every_round_is_on_a_line_of_the_sheet(count, rounds, points, longest):
    sides = sides_of(count, rounds, points)
    lines = list(break_rounds(sides))
    assert [number for line in lines for number in line.numbers] == list(range(1, rounds + 1))
    for line in lines:
        assert len(line.numbers) <= longest
        assert [side for side, _ in line.sides] == list(sides)
        assert all(len(gained) == len(line.numbers) for _, gained in line.sides)
        assert len(line.numbers) + line.missing == len(lines[0].numbers)
    for number, side in enumerate(sides):
        assert tuple(points for line in lines for points in line.sides[number][1]) == side.gained


def test_lines_have_about_the_same_length():
    assert [len(line.numbers) for line in break_rounds(sides_of(2, 8, 0))] == [4, 4]
    assert [len(line.numbers) for line in break_rounds(sides_of(2, 20, 0))] == [5, 5, 5, 5]
    assert [line.missing for line in break_rounds(sides_of(3, 9, 0))] == [0, 1]
