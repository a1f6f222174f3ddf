"""What the lobby shows: quick games, open tables, matches to watch. Few queries, whatever is going on."""

from dataclasses import dataclass

from django.db.models import QuerySet

from games.models import Match
from lobbies.models import Table

TABLES, WATCHED = 40, 12


@dataclass(frozen=True)
class QuickGame:
    """A tile of *Play now*: its picture's id, the preset, seats and clock."""

    picture: str
    preset: str
    seats: int
    clock: str


QUICK = [
    QuickGame("cross", "all-fives", 2, "300+5"),
    QuickGame("threes", "fives-and-threes", 2, "300+5"),
    QuickGame("block", "block", 2, "180+3"),
    QuickGame("draw", "draw", 2, "180+3"),
    QuickGame("called", "muggins-200", 2, "600+5"),
    QuickGame("pairs", "muggins-200-pairs", 4, "600+5"),
    QuickGame("sebastopol", "sebastopol", 4, "300+5"),
    QuickGame("network", "gomuggins", 2, "900+10"),
]


def open_tables() -> QuerySet[Table]:
    """The public tables with a free seat, the latest first."""
    return (
        Table.objects.filter(status=Table.Status.OPEN, private=False, full_at=None)
        .select_related("maker")
        .prefetch_related("sittings")
        .order_by("-created_at")[:TABLES]
    )


def watched() -> QuerySet[Match]:
    """Public matches being played, the latest first."""
    return (
        Match.objects.filter(status=Match.Status.PLAYING, private=False)
        .prefetch_related("seats")
        .order_by("-started_at")[:WATCHED]
    )
