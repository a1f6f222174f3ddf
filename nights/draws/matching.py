"""Tables of two, exactly: the fewest rematches, then the smallest differences, then the lot."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

TIE_BITS = 40


def match_pairs(
    count: int, met: Callable[[int, int], int], distance: Callable[[int, int], int]
) -> list[tuple[int, int]]:
    """Return the pairs of places 0 … count - 1 with the least sum of `met`, then of `distance`; `count` is even.

    Places are numbered by the lot. Which of several best matchings is taken depends on nothing but these numbers: each
    pair of places has a word of `TIE_BITS` bits, and the sum of words is the least. So another exact algorithm finds
    the same matching.
    """
    import networkx  # takes 0.2 s, and few processes ever draw

    unit = count << TIE_BITS
    farthest = max((distance(one, other) for other in range(count) for one in range(other)), default=0)
    rematch = unit * (farthest * count + 1)
    graph = networkx.Graph()
    for other in range(count):
        for one in range(other):
            cost = met(one, other) * rematch + distance(one, other) * unit + _tie_word(one, other)
            graph.add_edge(one, other, weight=-cost)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in matching)


def _tie_word(one: int, other: int) -> int:
    return int.from_bytes(sha256(f"{one}:{other}".encode("ascii")).digest()[: TIE_BITS // 8])
