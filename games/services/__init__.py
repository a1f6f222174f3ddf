"""All writes to the tables of games.

`beginnings` starts matches, `matches` plays, `absence` handles absent players and leavers, `endings` writes results,
`voiding` lets staff end one, `rematches` offers, `shared_deals` closes sets of deals, `exhibitions` lets computers
play, `addresses` records the players' addresses, `turns` notifies of turns, `conditional_moves` stores plans,
`vacations` begins and ends vacations, `talk` stores lines and reports, `connections` presence, `rerating` annulments,
`personal` exports and deletes personal data. A service raises `MoveRefused` (`refusals`) for what a user may not do,
and then stores nothing.
"""

from .absence import answer_absence, end_abandoned, find_abandoned, leave, prod
from .addresses import delete_addresses_before, move_addresses, record_address, share_address
from .beginnings import SeatAssignment, seal, start
from .conditional_moves import plan
from .exhibitions import delete_exhibitions_before, hold_exhibition
from .leases import acquire_lease, decline_call
from .matches import (
    advance,
    continue_match,
    parse_move,
    play,
    play_as,
    play_for_computer,
)
from .refusals import HTTP_STATUSES, MoveRefused
from .rematches import record_rematch_decline, record_rematch_offer
from .round_ends import register as register_round_end
from .shared_deals import (
    disclose,
    end_at_close,
    find_unfinished,
    note_network,
    register_network_handler,
    void_unfinished,
)
from .vacations import begin_vacation, end_vacation
from .voiding import void

__all__ = [
    "HTTP_STATUSES",
    "MoveRefused",
    "SeatAssignment",
    "advance",
    "answer_absence",
    "begin_vacation",
    "continue_match",
    "delete_addresses_before",
    "delete_exhibitions_before",
    "end_abandoned",
    "end_vacation",
    "disclose",
    "end_at_close",
    "find_abandoned",
    "hold_exhibition",
    "find_unfinished",
    "note_network",
    "register_network_handler",
    "void_unfinished",
    "register_round_end",
    "leave",
    "move_addresses",
    "acquire_lease",
    "decline_call",
    "record_address",
    "record_rematch_decline",
    "record_rematch_offer",
    "parse_move",
    "plan",
    "play",
    "play_as",
    "play_for_computer",
    "prod",
    "seal",
    "share_address",
    "start",
    "void",
]
