"""The only writers of games: `matches` the play, `endings` results, `talk` what is said, `connections` who is here,
`rerating` annulments, `personal` what is held about a person. The play's deeds are these.

What a person may not do raises `Refused` and stores nothing.
"""

from .matches import (
    STATUS,
    Refused,
    Sitting,
    advance,
    claim_absent,
    continue_match,
    lease,
    leave,
    let_stand,
    note_rematch,
    parse,
    play,
    play_for_computer,
    seal,
    start,
    take_names_out,
)

__all__ = [
    "STATUS",
    "Refused",
    "Sitting",
    "advance",
    "claim_absent",
    "continue_match",
    "leave",
    "lease",
    "let_stand",
    "note_rematch",
    "parse",
    "play",
    "play_for_computer",
    "seal",
    "start",
    "take_names_out",
]
