"""Write the rows of events. A refusal raises `EventRefused`."""

from .entries import practise, start
from .findings import has_unjudged, judge_entries
from .house import has_waiting_house, play_house
from .networks import delete_networks_before, record_network
from .outages import record_outage
from .scoring import record_round, score_again
from .sets import cancel, close, close_due, replace, seal_day, seal_set
from .striking import strike, unstrike

__all__ = [
    "cancel",
    "close",
    "close_due",
    "delete_networks_before",
    "has_unjudged",
    "has_waiting_house",
    "judge_entries",
    "play_house",
    "practise",
    "record_network",
    "record_outage",
    "record_round",
    "replace",
    "score_again",
    "seal_day",
    "seal_set",
    "start",
    "strike",
    "unstrike",
]
