"""What the pages of a night show: the desk of its directors, the page of everybody, a person's own, the wall."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from nights import wording
from nights.loaded import LoadedNight
from nights.models import Act, DrawnRound, Entry, Night, NightTable
from nights.rows import RoundMark, StandingRow, Step, TableRow
from nights.table_rows import build_tables, describe_missing, find_enter_address, find_late, name_places
from nights.waiting import WaitingTables

MAX_LOGGED_ACTS = 40
PODIUM_PLACES = 3


@dataclass(frozen=True)
class NightPage:
    """A night for one viewer: a director, a person of it (`own`), or anybody.

    `chosen` is the number of an earlier round whose tables are shown instead of the last one's.
    """

    loaded: LoadedNight
    is_director: bool = False
    own: int | None = None
    chosen: int | None = None

    @property
    def night(self) -> Night:
        return self.loaded.night

    @property
    def start(self) -> str:
        return wording.format_start(self.night)

    @property
    def game(self) -> str:
        return self.night.game_title

    @property
    def round_words(self) -> str:
        return wording.describe_round(self.night)

    @property
    def format_words(self) -> str:
        return str(wording.FORMAT_NAMES[self.night.format])

    @property
    def rounds(self) -> tuple[RoundMark, ...]:
        drawn = {each.number: each for each in self.loaded.rounds}
        return tuple(
            self._mark_round(number, drawn.get(number)) for number in range(1, self.night.rounds + 1)
        )

    def _mark_round(self, number: int, drawn: DrawnRound | None) -> RoundMark:
        if drawn is None:
            return RoundMark(number, "next", "")
        address = f"{self.night.get_absolute_url()}?round={number}" if self.is_director else ""
        if drawn == self.loaded.last and self.loaded.is_round_open and not self.loaded.is_over:
            return RoundMark(number, "now", address)
        is_whole = all(table.is_decided for table in drawn.tables.all())
        return RoundMark(number, "done" if is_whole else "partly", address)

    @property
    def shown(self) -> DrawnRound | None:
        """Return the round whose tables are shown."""
        chosen = (drawn for drawn in self.loaded.rounds if drawn.number == self.chosen)
        return next(chosen, self.loaded.last)

    @property
    def is_played(self) -> bool:
        """Return whether people sit at the tables of the shown round now, or may."""
        return self.shown is not None and self.shown.closed_at is None and not self.loaded.is_over

    @property
    def round_number(self) -> int:
        return self.shown.number if self.shown else 0

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
        """Return the tables of the shown round."""
        drawn = self.shown
        return build_tables(self.loaded, drawn, is_director=self.is_director) if drawn else ()

    @property
    def tables_of_matches(self) -> list[NightTable]:
        """Return the tables of the round at which a match is being played, or was."""
        return [table for table in self.loaded.tables if table.match_code]

    def enter_address(self, table: int) -> str:
        return find_enter_address(self.night, table)

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
        """Return who is out in the shown round while people play it, in a sentence; "" if nobody is."""
        if self.shown is None or self.shown.closed_at is not None or not self.shown.drawn["out"]:
            return ""
        names = wording.name_side(self.loaded, self.shown.drawn["out"])
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
        """Return *Not entered: 3. Not confirmed: 4, 5. In dispute: 6.* of the shown round."""
        if self.shown is None or not self.is_director and not self.loaded.is_round_open:
            return ""
        return describe_missing(self.night, self.shown.tables.all())

    # The desk

    @cached_property
    def step(self) -> Step:
        loaded, night = self.loaded, self.night
        if loaded.is_over:
            return Step(self.now_line, "")
        if loaded.is_round_open and loaded.missing:
            return self._find_step_of_round()
        if loaded.next_round > night.rounds:
            return self._find_last_step()
        tables, _out = loaded.count_seats()
        if not tables:
            if loaded.askers and not loaded.count_here()[0]:
                return self._find_step_of_askers()
            people = wording.describe_people(loaded) if loaded.people else _("Nobody is on the list yet")
            return Step(people, _("One name a line, or by the address below."), _("Add people"), "", "#names")
        draw = _("Draw round %(n)d") % {"n": loaded.next_round}
        return Step(self.people_line, self._helpers_line or self._plan_line, draw, "night-draw")

    def _find_step_of_askers(self) -> Step:
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

    def _find_last_step(self) -> Step:
        headline, partly = (
            _("All rounds are played"),
            [each for each in self.rounds if each.state == "partly"],
        )
        if not partly:
            return Step(headline, _("Every result is in."), _("End the night"), "night-finish")
        label = _("Enter what round %(n)d lacks") % {"n": partly[0].number}
        return Step(headline, self.earlier_line, label, "", partly[0].address)

    @property
    def earlier_line(self) -> str:
        """Return *Without a result: round 1, table 3; round 2, table 5.* of the rounds that are closed."""
        places = [
            (drawn.number, table.number)
            for drawn in self._closed_rounds
            for table in drawn.tables.all()
            if not table.is_decided
        ]
        return _("Without a result: %(places)s.") % {"places": name_places(places)} if places else ""

    @property
    def late_line(self) -> str:
        """Return *Came late: round 1, table 2.* of the rounds that are closed."""
        places = [] if self.loaded.is_over else find_late(self._closed_rounds)
        return _("Came late: %(places)s.") % {"places": name_places(places)} if places else ""

    @property
    def _closed_rounds(self) -> list[DrawnRound]:
        return [drawn for drawn in self.loaded.rounds if drawn.closed_at is not None]

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
        loaded = self.loaded
        return bool(loaded.tables) and not loaded.is_over and not any(t.is_decided for t in loaded.tables)

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
