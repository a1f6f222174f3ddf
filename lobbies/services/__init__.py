"""Tables from making to the match: the only writer of lobbies. What cannot be done raises `Refused`.

Every change locks the table's row (several in the order of their keys), looks again, and tells the pages.
"""

from lobbies.game import Game
from lobbies.refusals import Refused

from .quick import quick_play
from .rematch import offer_rematch
from .starting import start_if_ready
from .sweeping import sweep
from .tables import give_nonce, leave, make_table, seen, sit

__all__ = [
    "Game",
    "Refused",
    "give_nonce",
    "leave",
    "make_table",
    "offer_rematch",
    "quick_play",
    "seen",
    "sit",
    "start_if_ready",
    "sweep",
]
