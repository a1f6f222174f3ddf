"""The only writers of games: `beginnings` writes what a match starts with, `matches` the play, `absence` what the
others do about who is away or leaves, `endings` results, `rematches` who wants another match, `talk` what is said,
`connections` who is here, `rerating` annulments, `personal` what is held about a person. What may be done to a match is
exported here.

What a person may not do raises `MoveRefused` and stores nothing.
"""

from .absence import answer_absence, end_forgotten, forgotten, leave, prod
from .beginnings import Seated, seal, start
from .matches import (
    STATUS,
    MoveRefused,
    advance,
    continue_match,
    lease,
    let_stand,
    parse,
    play,
    play_as,
    play_for_computer,
)
from .rematches import note_no_rematch, note_rematch

__all__ = [
    "STATUS",
    "MoveRefused",
    "Seated",
    "advance",
    "answer_absence",
    "continue_match",
    "end_forgotten",
    "forgotten",
    "leave",
    "lease",
    "let_stand",
    "note_no_rematch",
    "note_rematch",
    "parse",
    "play",
    "play_as",
    "play_for_computer",
    "prod",
    "seal",
    "start",
]
