"""The models of games.

Only `services`, `outages` and migrations write them, except that /healthz writes one `Heartbeat`, and `manage.py demo`
the connections of its users and copies of its matches.
"""

from .conditional_moves import ConditionalMove
from .matches import Match, Move, SealedSecret, Seat, SeatAddress
from .presence import PRESENCE_TTL, Connection, Heartbeat, Process
from .ratings import RatingOrder, Rerating
from .talk import Report, Talk
from .vacations import Vacation

__all__ = [
    "PRESENCE_TTL",
    "ConditionalMove",
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
    "SeatAddress",
    "Talk",
    "Vacation",
]
