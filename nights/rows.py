"""The rows of a night's pages: the desk's step, tables with their sides and results, standings."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _


class Step(NamedTuple):
    """What stands on the felt of the desk: what is missing, and the one next step.

    act      name of the address to which the button posts; "" without a button, or where it leads to `address`
    address  of a link
    """

    headline: str
    detail: str
    label: str = ""
    act: str = ""
    address: str = ""
    is_anyway: bool = False  # whether *Draw anyway* is offered, too


class SideRow(NamedTuple):
    mark: SafeString
    names: tuple[str, ...]
    text: str
    is_winner: bool


class Version(NamedTuple):
    """A result as one side has sent it."""

    points: tuple[int, ...]
    value: str  # as a form sends it
    text: str
    about: str


class TableRow(NamedTuple):
    number: int
    version: int
    sides: tuple[SideRow, ...]
    result: str
    status: str
    about: str
    versions: tuple[Version, ...]  # among which a director chooses
    address: str  # where its result is entered; "" for who may not
    is_late: bool = False  # whether those came after the result that holds, or after the end of the round
    place: str = ""  # of the desk's buttons: which table of which round, as it was seen
    match: str = ""  # on phones, where it is played
    replaced: str = ""  # for whom a computer plays
    left: str = ""  # who did not play the match to the end


class StandingRow(NamedTuple):
    place: int
    name: str
    won: str
    difference: str
    is_own: bool

    @property
    def figures(self) -> str:
        """Return *3½ won, +64*."""
        return _("%(won)s won, %(difference)s") % {"won": self.won, "difference": self.difference}


class RoundMark(NamedTuple):
    number: int
    state: str  # "done", "partly" (a result is missing), "now" or "next"
    address: str  # of its tables, for a director
