"""Deals of the sealed shuffle that determine a lead, as in a record.

Each is the first round of a match without nonces whose secret s[1000] repeats one byte 32 times.
"""

from dataclasses import dataclass

from tests.engine.examples.example import preset

FOUR_EACH = {"2": 4, "3": 7, "4": 5}


@dataclass(frozen=True)
class SealedDeal:
    says: str
    rules: dict
    seats: int
    byte: int
    opening: dict

    def __str__(self) -> str:
        return self.says


SEALED = [
    SealedDeal(
        "no double in any hand: the heaviest tile is led",
        preset("merry-go-round", hand_size=FOUR_EACH),
        2,
        28,
        {
            "hands": [["4-3", "3-0", "4-0", "5-0"], ["4-1", "2-1", "2-0", "1-0"]],
            "leader": 0,
            "named": "4-3",
        },
    ),
    SealedDeal("Cuban: a hand has five doubles", preset("cuban"), 4, 27, {"attempt": 1}),
    SealedDeal(
        "with five allowed the same deal stands",
        preset("cuban", max_doubles=5),
        4,
        27,
        {"attempt": 0},
    ),
    SealedDeal("from 1-1 on: 1-1 leads", preset("kozel"), 2, 0, {"leader": 1, "named": "1-1"}),
    SealedDeal("from 1-1 on: without 1-1, 2-2", preset("kozel"), 2, 9, {"leader": 0, "named": "2-2"}),
    SealedDeal("from 1-1 on: 0-0 last of all", preset("kozel"), 2, 134, {"leader": 1, "named": "0-0"}),
    SealedDeal(
        "from 1-1 on: no double, the heaviest tile",
        preset("kozel"),
        2,
        43,
        {
            "hands": [
                ["4-3", "6-0", "5-2", "4-2", "6-2", "2-0", "3-0"],
                ["4-1", "6-1", "1-0", "3-2", "5-4", "6-3", "5-0"],
            ],
            "leader": 1,
            "named": "6-3",
        },
    ),
]
