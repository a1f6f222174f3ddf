"""The classes of worked examples."""

import json
from dataclasses import dataclass, field
from pathlib import Path

PRESETS = {
    preset["id"]: preset
    for preset in json.loads(
        (Path(__file__).resolve().parents[3] / "boneyard" / "engine" / "presets.json").read_text("utf-8")
    )
}


@dataclass(frozen=True)
class Deal:
    """A round from its lead.

    `hands` are tiles by seat; `moves` are like "0 6-6, 1 pass, 0 5-5@L =10" (the claim after =). If `leader` is None,
    the rules determine the leader. `expected` may have:

    - `count`, `points`, `scored` of each play; `award`: each award, by side
    - after the moves: `ends`, `legal` (sorted moves of the seat on turn), `refused` (moves), `scores`, `result`
    - `end`: keys of the round's end, None for a missing one
    - `next`: keys of the next round's record; True for anything but null
    """

    hands: tuple[str, ...]
    moves: str
    expected: dict
    leader: int | None = 0
    boneyard: str = ""


@dataclass(frozen=True)
class Example:
    """Consecutive rounds under some rules, starting from these scores (default 0)."""

    says: str
    rules: dict
    deals: tuple[Deal, ...]
    scores: tuple[int, ...] = field(default=())

    def __str__(self) -> str:
        return self.says

    @property
    def seats(self) -> int:
        return len(self.deals[0].hands)


PLAIN: dict = PRESETS["block"]["rules"] | {"blocked_tie": "nobody", "goal": "reach"}
PAIRS: dict = PLAIN | {"players": [4], "partners": True}


def preset(name: str, **changes: object) -> dict:
    return PRESETS[name]["rules"] | changes


def one(says: str, rules: dict, deal: Deal, scores: tuple[int, ...] = ()) -> Example:
    """Return an example of one round."""
    return Example(says, rules, (deal,), scores)
