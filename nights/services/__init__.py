"""Write the rows of nights, each act in one transaction with the night's or the table's version.

A refusal raises `NightRefused`; another version than the caller saw is refused with 409.
"""

from .clubs import (
    ClubPlan,
    add_season,
    change_club,
    close_club,
    is_invitation,
    join_club,
    leave_all_clubs,
    leave_club,
    make_club,
    remove_season,
    renew_invitation,
    set_club_hidden,
    set_role,
)
from .keeping import shorten_names_before
from .making import NightPlan, cancel, finish, make, make_following, name_director, open_to_people
from .open_nights import change_start, dismiss_night, follow_night, remind, save_for_site, set_skipped
from .people import CHANGES_WITH_VALUES, add_names, add_oneself, change_entry, claim_entry, rename_entry
from .phones import keep_tables, replace
from .regulars import add_people, keep_names, merge_people, remove_person, rename_person
from .results import Sender, confirm, correct, enter, mark_absent
from .rounds import close_round, draw, swap, undo

__all__ = [
    "CHANGES_WITH_VALUES",
    "ClubPlan",
    "NightPlan",
    "Sender",
    "add_names",
    "add_oneself",
    "add_people",
    "add_season",
    "cancel",
    "change_club",
    "change_entry",
    "change_start",
    "claim_entry",
    "close_club",
    "close_round",
    "confirm",
    "correct",
    "dismiss_night",
    "draw",
    "enter",
    "finish",
    "follow_night",
    "is_invitation",
    "join_club",
    "keep_names",
    "leave_all_clubs",
    "leave_club",
    "keep_tables",
    "make",
    "make_club",
    "make_following",
    "mark_absent",
    "merge_people",
    "name_director",
    "open_to_people",
    "remind",
    "remove_person",
    "remove_season",
    "rename_entry",
    "rename_person",
    "renew_invitation",
    "save_for_site",
    "set_club_hidden",
    "set_role",
    "set_skipped",
    "replace",
    "shorten_names_before",
    "swap",
    "undo",
]
