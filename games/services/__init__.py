"""The only writers of games: `beginnings` writes what a match starts with, `matches` the play, `absence` what the
others do about who is away or leaves, `endings` results, `rematches` who wants another match, `talk` what is said,
`connections` who is here, `rerating` annulments, `personal` what is held about a person. What may be done to a match is
exported here.

What a person may not do raises `MoveRefused` and stores nothing.
"""

from .absence import answer_absence, end_abandoned, find_abandoned, leave, prod
from .beginnings import SeatAssignment, seal, start
from .matches import (
    HTTP_STATUSES,
    MoveRefused,
    acquire_lease,
    advance,
    continue_match,
    decline_call,
    parse,
    play,
    play_as,
    play_for_computer,
)
from .rematches import record_rematch_decline, record_rematch_offer

__all__ = [
    "HTTP_STATUSES",
    "MoveRefused",
    "SeatAssignment",
    "advance",
    "answer_absence",
    "continue_match",
    "end_abandoned",
    "find_abandoned",
    "leave",
    "acquire_lease",
    "decline_call",
    "record_rematch_decline",
    "record_rematch_offer",
    "parse",
    "play",
    "play_as",
    "play_for_computer",
    "prod",
    "seal",
    "start",
]
