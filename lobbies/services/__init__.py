"""The only writer of tables and sittings, from creating a table to starting its match. Refusals raise `TableRefused`.

Every change locks the table's row (several rows in key order), checks again and notifies the pages. A change that seats
somebody locks that person's row first.
"""

from lobbies.game import Game
from lobbies.refusals import TableRefused

from .challenges import challenge, decline
from .drawn import (
    close_drawn,
    fill_if_all_here,
    find_away,
    free_drawn,
    open_drawn,
    replace_with_computers,
    seat_drawn,
)
from .quick import fill_with_computers, leave_queues, may_fill, quick_play, seat_computer
from .rematch import decline_rematch, offer_rematch, open_table_again
from .shuffling import commit, give_nonce, parse_commitment, record_socket
from .starting import advance
from .sweeping import sweep
from .tables import (
    close_tables,
    is_for_anybody,
    keep_seats,
    leave,
    make_table,
    record_address,
    record_closed_page,
    seen,
    sit,
)

__all__ = [
    "Game",
    "TableRefused",
    "advance",
    "challenge",
    "close_drawn",
    "commit",
    "decline",
    "decline_rematch",
    "fill_if_all_here",
    "fill_with_computers",
    "find_away",
    "free_drawn",
    "give_nonce",
    "open_table_again",
    "is_for_anybody",
    "keep_seats",
    "leave",
    "leave_queues",
    "close_tables",
    "make_table",
    "may_fill",
    "offer_rematch",
    "open_drawn",
    "parse_commitment",
    "quick_play",
    "record_address",
    "record_closed_page",
    "record_socket",
    "replace_with_computers",
    "seat_computer",
    "seat_drawn",
    "seen",
    "sit",
    "sweep",
]
