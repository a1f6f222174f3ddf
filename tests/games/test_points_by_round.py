"""The points by round on the result sheet, the newest round first."""

from games.table.panels import SideScore
from games.table.points_by_round import count_points_by_round


def sides_of(*scores: int) -> list[SideScore]:
    return [SideScore("", str(side), score, False, False) for side, score in enumerate(scores)]


def test_newest_round_comes_first_and_rounds_add_up():
    by_round = count_points_by_round(sides_of(30, -4), [(10, 0), (10, 7), (30, -4)])
    assert by_round.numbers == (3, 2, 1)
    assert [side.gained for side in by_round.sides] == [(20, 0, 10), (-11, 7, 0)]
    assert [sum(side.gained) for side in by_round.sides] == [side.score for side in by_round.sides]


def test_single_round_has_no_table():
    assert count_points_by_round(sides_of(30, 0), [(30, 0)]) is None
