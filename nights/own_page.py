"""A person's own page of a night: one sentence, one button."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.drawing.marks import mark
from nights import wording
from nights.loaded import LoadedNight
from nights.models import DrawnRound, Entry, Night, NightTable, SentResult
from nights.scoring import score_table
from nights.standings import find_leavers, read_table
from nights.table_rows import find_versions, name_sender


class PlayedRound(NamedTuple):
    number: int
    partners: str  # *with Rosa*, or ""
    others: str
    result: str
    difference: str
    is_won: bool


@dataclass(frozen=True)
class OwnPage:
    """The page of `entry`; `reader` is the key of the account that looks at it."""

    loaded: LoadedNight
    entry: Entry
    reader: int | None = None

    @property
    def night(self) -> Night:
        return self.loaded.night

    @cached_property
    def table(self) -> NightTable | None:
        """Return the table at which the person sits in the open round."""
        if not self.loaded.is_round_open or self.loaded.is_over:
            return None
        return self.loaded.find_table(self.entry.number)

    @property
    def round_number(self) -> int:
        return self.loaded.last.number if self.loaded.last else 0

    @property
    def headline(self) -> str:
        if self.question:
            return self.question
        if self.table is None:
            return wording.describe_status(self.loaded, self.entry)
        return wording.describe_seat(self.loaded, self.table, self.entry.number)

    @property
    def detail(self) -> str:
        if self.loaded.is_over:
            return wording.describe_own_row(self.loaded, self.entry.number)
        if self.entry.status == Entry.Status.ASKED:
            return _("Say hello to whoever runs the night: who is here gets a place in the next draw.")
        if self.table is None:
            return self._detail_without_table
        if self.table.status == NightTable.Status.CONFIRMED and self.is_replaced:
            return _("You did not play this match to the end: you get nothing for it.")
        if self.table.status == NightTable.Status.CONFIRMED:
            return _("%(result)s is confirmed.") % {"result": self.own_result}
        if self.table.status == NightTable.Status.ABSENT:
            return _("Somebody is absent: this table is decided.")
        if self.table.status == NightTable.Status.DISPUTED:
            return " ".join([*self._disputed, _("Two results differ. Whoever runs the night decides.")])
        if self.table.status == NightTable.Status.ENTERED and not self.question:
            return _("%(result)s is entered. The other side confirms it.") % {"result": self.own_result}
        if not self.night.is_wood:
            return self._describe_phones(self.table)
        return wording.describe_round(self.night)

    # On phones

    def _describe_phones(self, table: NightTable) -> str:
        if self.entry.number in table.replaced:
            return _("A computer plays for you in this round. You are in the next draw.")
        if self.is_elsewhere:
            return _(
                "This name belongs to an account: log in with it, or play where you said that this is you."
            )
        if self.may_come:
            return _("Press “This is me”: then you have a seat on this phone, without an account.")
        if table.match_code:
            return wording.describe_round(self.night)
        here = wording.count_there(table)
        if here is None:
            return _("The tiles are being shuffled. This page leads to the match.")
        words = {"here": here, "seats": sum(map(len, table.sides))}
        return _("%(here)d of %(seats)d are there. This page leads to the match once all are.") % words

    @property
    def may_come(self) -> bool:
        """Return whether the reader may say that this person is them, to play on this phone."""
        return not self.night.is_wood and not self.loaded.is_over and self.entry.user_id is None

    @property
    def is_elsewhere(self) -> bool:
        """Return whether the person belongs to another account than the reader's."""
        return self.entry.user_id is not None and self.entry.user_id != self.reader

    @property
    def is_replaced(self) -> bool:
        return self.table is not None and self.entry.number in self.table.replaced

    @property
    def match_address(self) -> str:
        """Return where the reader plays just now, or ""."""
        table = self.table
        if table is None or not table.match_code or table.is_decided or self.is_elsewhere or self.is_replaced:
            return ""
        return reverse("match", args=[table.match_code])

    @property
    def computers_at(self) -> datetime | None:
        """Return when computers take the seats of those who are not there, while the table waits."""
        table = self.table
        is_waiting = table is not None and not table.match_code and not table.is_decided
        return table.computers_at if table is not None and is_waiting and not self.is_replaced else None

    @property
    def _detail_without_table(self) -> str:
        if self.entry.status == Entry.Status.GONE:
            return _("If you are still here, say so to whoever runs the night.")
        last = self.loaded.last
        if last and self.loaded.is_round_open and self.entry.number in last.drawn["out"]:
            return wording.describe_out(self.night)
        return _("This page changes by itself when the round is drawn.")

    @property
    def _disputed(self) -> list[str]:
        """Return *Ana, 21:14: 120 – 85.* of each result."""
        assert self.table is not None
        sent = list(self.table.sent_results.select_related("entry", "director").order_by("pk"))
        return [
            f"{name_sender(self.night, each)}: {self._write_points(self.table, each.points)}."
            for each in find_versions(self.table, sent)
        ]

    @cached_property
    def entered(self) -> SentResult | None:
        """Return the result that waits for a confirmation."""
        if self.table is None or self.table.status != NightTable.Status.ENTERED:
            return None
        return self.table.sent_results.select_related("entry").order_by("pk").last()

    @property
    def question(self) -> str:
        """Return *Ana and you 120 – 85. Right?* if the other side has entered a result; "" otherwise."""
        if self.entered is None or self._is_own(self.entered):
            return ""
        return _("%(names)s %(result)s. Right?") % {
            "names": wording.name_own_side(self.loaded, self._own_side, self.entry.number),
            "result": self.own_result,
        }

    def _is_own(self, sent: SentResult) -> bool:
        return sent.entry is not None and sent.entry.number in self._own_side

    @property
    def _own_side(self) -> list[int]:
        assert self.table is not None
        return next(side for side in self.table.sides if self.entry.number in side)

    @property
    def own_result(self) -> str:
        """Return the points with the own side's first."""
        table = self.table
        if table is None or not table.points:
            return ""
        return self._write_points(table, table.points)

    def _write_points(self, table: NightTable, points: list[int]) -> str:
        own = table.sides.index(self._own_side)
        return wording.format_points([points[own], *points[:own], *points[own + 1 :]])

    @property
    def sender(self) -> str:
        """Return *Luis entered it at 21:44*."""
        if self.entered is None:
            return ""
        hour = wording.format_hour(self.night, self.entered.sent_at)
        if self.entered.entry is None:
            return _("Entered at the table at %(hour)s") % {"hour": hour}
        return _("%(name)s entered it at %(hour)s") % {"name": self.entered.entry.name, "hour": hour}

    @property
    def may_enter(self) -> bool:
        return self.night.is_wood and self.table is not None and not self.table.is_decided

    @property
    def enter_address(self) -> str:
        return reverse("night-enter", args=[self.night.code, self.entry.secret])

    @property
    def plates(self) -> list[tuple[str, SafeString, str]]:
        """Return the seats around the table: where, which side, whose name; partners face each other."""
        table = self.table
        if table is None:
            return []
        own = table.sides.index(self._own_side)
        others = [n for position, side in enumerate(table.sides) if position != own for n in side]
        partners = [n for n in self._own_side if n != self.entry.number]
        names = self.loaded.entries
        side_of = {n: position for position, side in enumerate(table.sides) for n in side}
        plates = [("south", mark(own), _("You"))]
        if len(table.sides) == 2 and not partners:
            return [("north", mark(side_of[others[0]]), names[others[0]].name), *plates]
        seats = dict(zip(("west", "east", "north"), others, strict=False))
        if partners:
            seats["north"] = partners[0]
        return [
            *((where, mark(side_of[n]), names[n].name) for where, n in seats.items()),
            *plates,
        ]

    @property
    def address(self) -> str:
        return reverse("night-me", args=[self.night.code, self.entry.secret])

    @property
    def claim_address(self) -> str:
        return reverse("night-claim", args=[self.night.code, self.entry.secret])

    @property
    def may_keep(self) -> bool:
        """Return whether the person belongs to no account yet."""
        return self.entry.user_id is None

    @property
    def place(self) -> str:
        """Return which table of which round a confirmation is about, as it was seen."""
        table = self.table
        if table is None:
            return ""
        return f"round={self.round_number}&table={table.number}&table_version={table.version}"

    @property
    def row(self) -> str:
        """Return *1 won, −12, place 17 of 24* while the night runs."""
        return "" if self.loaded.is_over else wording.describe_own_row(self.loaded, self.entry.number)

    @property
    def rounds_line(self) -> str:
        done = len(self.played)
        return ngettext("After %(n)d round", "After %(n)d rounds", done) % {"n": done}

    @cached_property
    def played(self) -> list[PlayedRound]:
        rounds = (self._build_round(drawn) for drawn in self.loaded.rounds)
        return [each for each in rounds if each is not None]

    def _build_round(self, drawn: DrawnRound) -> PlayedRound | None:
        number = self.entry.number
        table = self.loaded.find_table(number, drawn)
        if table is None:
            if number not in drawn.drawn["out"]:
                return None
            return PlayedRound(drawn.number, "", _("out"), "", "", False)
        if not table.is_decided:
            return None
        points = table.points or [0] * len(table.sides)
        score = score_table(read_table(self.night, table, find_leavers([table])))[number]
        own = next(side for side in table.sides if number in side)
        partners = wording.name_side(self.loaded, [n for n in own if n != number])
        others = wording.name_side(self.loaded, [n for side in table.sides if side is not own for n in side])
        place = table.sides.index(own)
        result = wording.format_points([points[place], *points[:place], *points[place + 1 :]])
        return PlayedRound(
            drawn.number,
            _("with %(names)s") % {"names": partners} if partners else "",
            _("against %(names)s") % {"names": others},
            _("absent") if table.status == NightTable.Status.ABSENT else result,
            wording.format_difference(score.points - score.against),
            score.won * 2 > 1,
        )
