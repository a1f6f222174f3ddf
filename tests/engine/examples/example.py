"""What an example is made of."""

import json
from dataclasses import dataclass, field
from pathlib import Path

PRESETS = {
    preset["id"]: preset
    for preset in json.loads(
        (Path(__file__).resolve().parents[3] / "games" / "engine" / "presets.json").read_text("utf-8")
    )
}


@dataclass(frozen=True)
class Deal:
    """A round from its lead on.

    `hands` are tiles by seat, `moves` are like "0 6-6, 1 pass, 0 5-5@L =10" (the claim after =). Without a `leader`
    the seat leads that the rules found. What is `expected`, as far as it is named:

    - `count`, `points`, `scored` of the plays, one after another; `award`: those that fell, by side
    - after the moves: `ends`, `legal` (the sorted moves of the seat on turn), `refused` (moves), `scores`, `result`
    - `end`: entries of the round's end, None for one that is not there
    - `next`: what the next round's record opens with; True for anything but null
    """

    hands: tuple[str, ...]
    moves: str
    expected: dict
    leader: int | None = 0
    boneyard: str = ""


@dataclass(frozen=True)
class Example:
    """Rounds that follow one another under some rules, from these scores (all 0 where none are given)."""

    says: str
    rules: dict
    deals: tuple[Deal, ...]
    scores: tuple[int, ...] = field(default=())

    def __str__(self) -> str:
        return self.says

    @property
    def seats(self) -> int:
        return len(self.deals[0].hands)


PLAIN: dict = PRESETS["block"]["rules"] | {"blocked_tie": "nobody"}
PAIRS: dict = PLAIN | {"players": [4], "partners": True}


def preset(name: str, **changes: object) -> dict:
    return PRESETS[name]["rules"] | changes


def one(says: str, rules: dict, deal: Deal, scores: tuple[int, ...] = ()) -> Example:
    """An example of one round."""
    return Example(says, rules, (deal,), scores)
