"""The rows of games: `matches`, `talk` and reports, `presence` and the time kept, what `ratings` wait for.

Only `services`, `outage` and migrations write these rows; /healthz has one `Heartbeat` to itself, and `manage.py demo`
keeps its invented people present.
"""

from .matches import Match, Move, SealedSecret, Seat
from .presence import PRESENCE_TTL, Connection, Heartbeat, Process
from .ratings import RatingOrder, Rerating
from .talk import Report, Talk

__all__ = [
    "PRESENCE_TTL",
    "Connection",
    "Heartbeat",
    "Match",
    "Move",
    "Process",
    "RatingOrder",
    "Report",
    "Rerating",
    "SealedSecret",
    "Seat",
    "Talk",
]
