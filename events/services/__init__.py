"""Write the rows of events. A refusal raises `EventRefused`."""

from .entries import practise, start
from .house import has_waiting_house, play_house
from .scoring import record_round
from .sets import close, close_due, seal_day, seal_set

__all__ = [
    "close",
    "close_due",
    "has_waiting_house",
    "play_house",
    "practise",
    "record_round",
    "seal_day",
    "seal_set",
    "start",
]
