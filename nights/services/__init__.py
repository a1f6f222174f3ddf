"""Write the rows of nights, each act in one transaction with the night's or the table's version.

A refusal raises `NightRefused`; another version than the caller saw is refused with 409.
"""

from .keeping import shorten_names_before
from .making import NightPlan, cancel, finish, make, name_director, open_to_people
from .people import CHANGES_WITH_VALUES, add_names, add_oneself, change_entry, claim_entry
from .phones import keep_tables, replace
from .results import Sender, confirm, correct, enter, mark_absent
from .rounds import close_round, draw, swap, undo

__all__ = [
    "CHANGES_WITH_VALUES",
    "NightPlan",
    "Sender",
    "add_names",
    "add_oneself",
    "cancel",
    "change_entry",
    "claim_entry",
    "close_round",
    "confirm",
    "correct",
    "draw",
    "enter",
    "finish",
    "keep_tables",
    "make",
    "mark_absent",
    "name_director",
    "open_to_people",
    "replace",
    "shorten_names_before",
    "swap",
    "undo",
]
