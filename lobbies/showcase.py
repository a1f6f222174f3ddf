"""Load the match that ships with the code: the front page replays it until a match has been played.

The file is a record of docs/record.md, made by `manage.py selfplay --preset all-fives --players strong,strong --seed
"front 5"`. No rows belong to it.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.utils import timezone

from boneyard.engine.matches import begin_with_keys
from boneyard.engine.verification import verify
from games.models import Match, Seat
from games.past.replay import History

FILE = Path(__file__).parent / "shipped_match.json"


class ShippedMatch(NamedTuple):
    """The shipped match: its history, and unsaved rows for it and its seats."""

    preset: str
    row: Match
    seats: tuple[Seat, ...]
    history: History


# Cache: bound one match of a few kilobytes; invalidated by nothing.
@cache
def load_shipped_match() -> ShippedMatch:
    record = json.loads(FILE.read_text())
    final = verify(record)
    values = [begin_with_keys(final.rules, final.seats, final.keys, final.entropy)]
    for ended in final.ended:
        for entry in ended.log:
            values.append(values[-1].play(entry.seat, entry.move, entry.claim))
    row = Match(
        code=record["match"],
        preset=record["preset"],
        rules=final.rules.written(),
        rated=False,
        status=Match.Status.FINISHED,
        version=len(values) - 1,
        turn_began_at=timezone.now(),
    )
    seats = tuple(
        Seat(
            match=row,
            position=position,
            kind=Seat.Kind.COMPUTER,
            level=seat["level"],
            figure=position,
            name=seat["name"],
        )
        for position, seat in enumerate(record["seats"])
    )
    return ShippedMatch(record["preset"], row, seats, History(values))
