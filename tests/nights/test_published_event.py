"""The standings of a league as its page published them, recomputed.

Liga Regional de Dominó (Murcia), group North, after round 13 (sportcartagena.es, 1 March 2010). The page gives of each
team the matches played, won, drawn and lost, the games for and against and their difference, not single matches; they
are spread here over as many results. It counts three points for a win and one for a draw, then the difference. In
this group that gives the order of ours, a win and half a win; in the group South of that day it does not.
"""

from fractions import Fraction

import pytest

from nights.scoring import RoundResults, TableResult, compute_standings

# In the published order: won, drawn, lost, games for and against, difference.
PUBLISHED = (
    ("Las Viandas Mesón", 9, 2, 2, 65, 39, 26),
    ("Cafetería Adelfas", 8, 2, 3, 66, 38, 28),
    ("Const. J. Botía", 7, 3, 3, 59, 45, 14),
    ("Gab. Jur. Hdez & Esturil", 8, 0, 5, 54, 50, 4),
    ("Caf. Montecarmelo", 5, 2, 6, 47, 55, -8),
    ("Amigos Dominó Cieza", 2, 4, 7, 38, 66, -28),
    ("Club Cordillera", 2, 2, 8, 41, 55, -14),
    ("OID Corvera", 1, 3, 8, 36, 58, -22),
)
OTHERS = 100  # an entry for whom they played against: a helper, who has no place


def spread(number: int, won: int, drawn: int, lost: int, scored: int, against: int) -> list[TableResult]:
    """Return results of one side with these sums."""
    points = [[1, 0] for _ in range(won)] + [[0, 0] for _ in range(drawn)] + [[0, 1] for _ in range(lost)]
    points[0][0] += scored - won
    points[-1][1] += against - lost
    return [TableResult(((number,), (OTHERS,)), (own, other)) for own, other in points]


@pytest.fixture
def rows():
    tables = [spread(number, *figures[:5]) for number, (_name, *figures) in enumerate(PUBLISHED, start=1)]
    rounds = [
        RoundResults(tuple(table[index] for table in tables if index < len(table))) for index in range(13)
    ]
    return compute_standings(rounds, helpers={OTHERS})


def test_published_order_is_ours(rows):
    assert [(row.place, row.number) for row in rows] == [(place, place) for place in range(1, 9)]


def test_published_figures_are_ours(rows):
    for row, (_name, won, drawn, _lost, scored, _against, difference) in zip(rows, PUBLISHED, strict=True):
        assert (row.won, row.difference, row.points) == (won + Fraction(drawn, 2), difference, scored)


def test_order_by_difference_first_is_another_one():
    tables = [spread(number, *figures[:5]) for number, (_name, *figures) in enumerate(PUBLISHED, start=1)]
    rows = compute_standings(
        [RoundResults(tuple(each)) for each in tables], helpers={OTHERS}, difference_first=True
    )
    published = sorted(range(1, 9), key=lambda number: -PUBLISHED[number - 1][-1])
    assert [row.number for row in rows] == published
