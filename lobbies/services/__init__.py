"""Tables, from the making to the start of the match: the only writer of this app's rows. Refusals raise TableRefused.

Every change locks the table's row (several rows in key order), checks again, and tells the pages. One by which somebody
comes to sit at another table locks that person's row before it.
"""

from lobbies.game import Game
from lobbies.refusals import TableRefused

from .challenges import challenge, decline
from .quick import fill_with_computers, may_fill, quick_play
from .rematch import decline_rematch, keep_table, offer_rematch
from .starting import start_if_ready
from .sweeping import forget_addresses_before, sweep
from .tables import give_nonce, leave, make_table, seen, sit

__all__ = [
    "Game",
    "TableRefused",
    "challenge",
    "decline",
    "decline_rematch",
    "fill_with_computers",
    "forget_addresses_before",
    "give_nonce",
    "keep_table",
    "leave",
    "make_table",
    "may_fill",
    "offer_rematch",
    "quick_play",
    "seen",
    "sit",
    "start_if_ready",
    "sweep",
]
