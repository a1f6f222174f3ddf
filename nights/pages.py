"""What the pages of a night show: the desk of its directors, the page of everybody, a person's own, the wall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.drawing.marks import mark
from games.models import Seat
from games.wording import preset_title
from nights import wording
from nights.codes import table_code
from nights.loaded import LoadedNight
from nights.models import Act, Entry, Night, NightTable, SentResult
from nights.phones import order_seats
from nights.rows import RoundMark, SideRow, StandingRow, Step, TableRow, Version
from nights.standings import find_winners
from nights.waiting import WaitingTables

MAX_LOGGED_ACTS = 40
PODIUM_PLACES = 3


@dataclass(frozen=True)
class NightPage:
    """A night for one viewer: a director, a person of it (`own`), or anybody."""

    loaded: LoadedNight
    is_director: bool = False
    own: int | None = None

    @property
    def night(self) -> Night:
        return self.loaded.night

    @property
    def start(self) -> str:
        return wording.format_start(self.night)

    @property
    def game(self) -> str:
        return preset_title(self.night.preset)

    @property
    def round_words(self) -> str:
        return wording.describe_round(self.night)

    @property
    def format_words(self) -> str:
        return str(wording.FORMAT_NAMES[self.night.format])

    @property
    def rounds(self) -> tuple[RoundMark, ...]:
        last = self.loaded.last
        drawn = last.number if last else 0
        return tuple(
            RoundMark(
                number,
                "next"
                if number > drawn
                else "now"
                if number == drawn and self.loaded.is_round_open and not self.loaded.is_over
                else "done",
            )
            for number in range(1, self.night.rounds + 1)
        )

    @property
    def round_number(self) -> int:
        return self.loaded.last.number if self.loaded.last else 0

    @property
    def ends_at(self) -> Any:
        """Return when the bell rings, while people play a round with minutes."""
        last, loaded = self.loaded.last, self.loaded
        return (
            last.ends_at if last and loaded.is_round_open and loaded.missing and not loaded.is_over else None
        )

    @property
    def bell_hour(self) -> str:
        return wording.format_hour(self.night, self.ends_at) if self.ends_at else ""

    @property
    def people_line(self) -> str:
        return wording.describe_people(self.loaded)

    @cached_property
    def tables(self) -> tuple[TableRow, ...]:
        sent = self._sent_results if self.is_director else {}
        return tuple(self._build_table(table, sent.get(table.pk, ())) for table in self.loaded.tables)

    @property
    def tables_of_matches(self) -> list[NightTable]:
        """Return the tables of the round at which a match is being played, or was."""
        return [table for table in self.loaded.tables if table.match_code]

    @property
    def _sent_results(self) -> dict[int, list[SentResult]]:
        rows = SentResult.objects.filter(table__in=self.loaded.tables).select_related("entry", "director")
        found: dict[int, list[SentResult]] = {}
        for row in rows:
            found.setdefault(row.table_id, []).append(row)
        return found

    def _build_table(self, table: NightTable, sent: Sequence[SentResult]) -> TableRow:
        winners = find_winners(self.night, table)
        left = [number for number in table.replaced if number in self._leavers.get(table.match_code, ())]
        sides = tuple(
            SideRow(
                mark(position),
                tuple(self.loaded.entries[number].name for number in side),
                wording.name_side(self.loaded, side),
                position in winners,
            )
            for position, side in enumerate(table.sides)
        )
        return TableRow(
            table.number,
            table.version,
            sides,
            wording.describe_result(table) if table.status in ("entered", *NightTable.DECIDED) else "",
            table.status,
            self._describe_sender(sent[-1]) if sent else "",
            tuple(self._build_version(each) for each in sent) if table.status == "disputed" else (),
            self.enter_address(table.number) if self.is_director and self.night.is_wood else "",
            f"round={self.round_number}&table={table.number}&table_version={table.version}",
            reverse("match", args=[table.match_code]) if table.match_code else "",
            wording.name_side(self.loaded, [number for number in table.replaced if number not in left]),
            wording.name_side(self.loaded, left),
        )

    @cached_property
    def _leavers(self) -> dict[str, set[int]]:
        """Return who sat down in a match and did not play it to the end, by its code."""
        tables = {table.match_code: table for table in self.loaded.tables if table.replaced}
        seats = Seat.objects.filter(Q(left=True) | Q(taken_over=True), match__code__in=tables)
        found: dict[str, set[int]] = {}
        for code, position in seats.values_list("match__code", "position") if tables else ():
            found.setdefault(code, set()).add(order_seats(tables[code].sides)[position])
        return found

    def _build_version(self, sent: SentResult) -> Version:
        value = ",".join(map(str, sent.points))
        return Version(
            tuple(sent.points), value, wording.format_points(sent.points), self._describe_sender(sent)
        )

    def _describe_sender(self, sent: SentResult) -> str:
        name = sent.entry.name if sent.entry else sent.director.username if sent.director else _("the table")
        return f"{name}, {wording.format_hour(self.night, sent.sent_at)}"

    def enter_address(self, table: int) -> str:
        return reverse("night-table", args=[self.night.code, table, table_code(self.night, table)])

    @cached_property
    def standings(self) -> tuple[StandingRow, ...]:
        return tuple(
            StandingRow(
                row.place,
                self.loaded.entries[row.number].name,
                wording.format_won(row.won),
                wording.format_difference(row.difference),
                row.number == self.own,
            )
            for row in self.loaded.standings
        )

    @property
    def podium(self) -> tuple[StandingRow, ...]:
        """Return the best three of a night that is over; more where places are shared."""
        if self.night.status != Night.Status.OVER:
            return ()
        return tuple(row for row in self.standings if row.place <= PODIUM_PLACES)

    @property
    def out(self) -> str:
        """Return who is out in the open round, in a sentence; "" if nobody is."""
        last = self.loaded.last
        if last is None or not self.loaded.is_round_open or not last.drawn["out"]:
            return ""
        names = wording.name_side(self.loaded, last.drawn["out"])
        return _("Out in this round: %(names)s.") % {"names": names}

    @property
    def now_line(self) -> str:
        """Return what everybody wants to know: what is going on."""
        night, loaded = self.night, self.loaded
        if night.status == Night.Status.CANCELLED:
            return _("This night was cancelled")
        if loaded.is_over:
            return _("The night is over")
        if loaded.last is None:
            return _("Begins %(start)s") % {"start": self.start}
        if loaded.is_round_open and loaded.missing:
            return _("Round %(n)d of %(all)d is being played") % {"n": self.round_number, "all": night.rounds}
        if loaded.next_round > night.rounds:
            return _("All rounds are played")
        return _("Round %(n)d is drawn soon") % {"n": loaded.next_round}

    @property
    def missing_line(self) -> str:
        """Return *Missing: 2, 5.*"""
        if not self.loaded.is_round_open or not self.loaded.missing:
            return ""
        return _("Missing: %(tables)s.") % {"tables": ", ".join(map(str, self.loaded.missing))}

    # The desk

    @cached_property
    def step(self) -> Step:
        loaded, night = self.loaded, self.night
        if loaded.is_over:
            return Step(self.now_line, "")
        if loaded.is_round_open and loaded.missing:
            return self._find_step_of_round()
        if loaded.next_round > night.rounds:
            return Step(
                _("All rounds are played"), _("Every result is in."), _("End the night"), "night-finish"
            )
        tables, _out = loaded.count_seats()
        if not tables:
            if loaded.askers and not loaded.count_here()[0]:
                return self._ask_who_is_here()
            people = wording.describe_people(loaded) if loaded.people else _("Nobody is on the list yet")
            return Step(people, _("One name a line, or by the address below."), _("Add people"), "", "#names")
        draw = _("Draw round %(n)d") % {"n": loaded.next_round}
        return Step(self.people_line, self._helpers_line or self._plan_line, draw, "night-draw")

    def _ask_who_is_here(self) -> Step:
        asked = len(self.loaded.askers)
        headline = ngettext("%(n)d wants to play", "%(n)d want to play", asked) % {"n": asked}
        return Step(headline, _("Tick who is here."), _("To the list"), "", "#night-people")

    def _find_step_of_round(self) -> Step:
        loaded = self.loaded
        all, missing = len(loaded.tables), len(loaded.missing)
        headline = ngettext("%(done)d of %(all)d result is in", "%(done)d of %(all)d results are in", all) % {
            "done": all - missing,
            "all": all,
        }
        entered = [table for table in loaded.tables if table.status == NightTable.Status.ENTERED]
        if loaded.disputed:
            number = loaded.disputed[0]
            label = _("Settle table %(n)d") % {"n": number}
            return Step(headline, self.missing_line, label, "", f"#table-{number}", is_anyway=True)
        if entered and len(entered) == missing:
            number = entered[0].number
            label = _("Confirm table %(n)d") % {"n": number}
            return Step(headline, self.missing_line, label, "", f"#table-{number}", is_anyway=True)
        if not self.night.is_wood:
            return Step(headline, self.missing_line, is_anyway=True)
        number = next(table.number for table in loaded.tables if table.status == "playing")
        label = _("Enter table %(n)d") % {"n": number}
        return Step(headline, self.missing_line, label, "", self.enter_address(number), is_anyway=True)

    @property
    def _plan_line(self) -> str:
        rounds = self.night.rounds
        text = ngettext("%(format)s: %(n)d round, %(round)s.", "%(format)s: %(n)d rounds, %(round)s.", rounds)
        return text % {
            "n": rounds,
            "round": wording.describe_round(self.night),
            "format": self.format_words,
        }

    @property
    def _helpers_line(self) -> str:
        needed = wording.count_helpers_needed(self.loaded)
        if not needed:
            return ""
        return ngettext(
            "%(n)d helper would seat everybody: a person without a place in the standings.",
            "%(n)d helpers would seat everybody: people without a place in the standings.",
            needed,
        ) % {"n": needed}

    @property
    def may_undo(self) -> bool:
        return (
            self.loaded.is_round_open
            and not self.loaded.is_over
            and not any(table.is_decided for table in self.loaded.tables)
        )

    @property
    def may_draw_anyway(self) -> bool:
        return self.step.is_anyway and self.loaded.next_round <= self.night.rounds

    @property
    def swappable(self) -> tuple[tuple[int, tuple[Entry, ...]], ...]:
        """Return the people at tables without a result, by table."""
        if not self.loaded.is_round_open or self.loaded.is_over:
            return ()
        return tuple(
            (table.number, tuple(self.loaded.entries[n] for side in table.sides for n in side))
            for table in self.loaded.tables
            if table.status == NightTable.Status.PLAYING and not table.match_code
        )

    @cached_property
    def waiting(self) -> WaitingTables:
        return WaitingTables(self.loaded)

    @property
    def place(self) -> str:
        return wording.describe_place(self.night)

    @property
    def changes(self) -> tuple[tuple[str, str], ...]:
        """Return what a button changes of a person, with its words."""
        return (("gone", _("Has left")), ("helper", _("Helper")), ("paid", pgettext("of a person", "Paid")))

    @property
    def rounds_to_stop(self) -> range:
        return range(max(1, self.round_number), self.night.rounds)

    @property
    def strangers(self) -> int:
        """Return how many people of a club's night are not on the list of the club."""
        return sum(entry.person_id is None for entry in self.loaded.people) if self.night.club_id else 0

    @property
    def may_keep_names(self) -> bool:
        return self.strangers > 0 and self.night.status != Night.Status.CANCELLED

    @property
    def seated(self) -> tuple[Entry, ...]:
        """Return whom a director can call absent, or here again."""
        if not self.loaded.is_round_open or self.loaded.is_over or not self.night.is_wood:
            return ()
        return tuple(
            self.loaded.entries[n] for table in self.loaded.tables for side in table.sides for n in side
        )

    @property
    def absent(self) -> frozenset[int]:
        return frozenset(n for table in self.loaded.tables for n in table.absent)

    @property
    def log(self) -> list[tuple[str, str, str]]:
        """Return what directors did: hour, who, what; the latest first."""
        acts = Act.objects.filter(night=self.night).select_related("user")[:MAX_LOGGED_ACTS]
        return [
            (
                wording.format_hour(self.night, act.at),
                act.user.username if act.user else "–",
                wording.describe_act(act),
            )
            for act in acts
        ]
