"""Build the page of a day for one viewer."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import NamedTuple

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.numbers import format_change
from events import share
from events.drawing import draw_bar
from events.field import LoadedField, Result, find_own_entry
from events.leaderboards import (
    Leaderboard,
    Row,
    build_day_leaderboard,
    describe_reason,
    find_followed,
)
from events.models import OWN_SEAT, DealSet, Entry
from events.streaks import count_streak
from games.models import Match
from games.seats import Viewer
from games.table.closing import describe_close
from games.wording.options import level_name, title_for_target
from games.wording.personas import persona_of

WEEK_DAYS = 7


class RoundRow(NamedTuple):
    """A round in the viewer's own result. `percent` is None while it is not played or not compared.

    is_best  whether none of the viewer's rounds was better
    is_next  whether the viewer plays it next
    """

    number: int
    margin: str
    percent: float | None
    bar: SafeString | str
    middle: float | None
    best: int | None
    is_best: bool
    is_next: bool

    @property
    def percent_text(self) -> str:
        return "" if self.percent is None else f"{self.percent:.0f}"

    @property
    def best_text(self) -> str:
        return "" if self.best is None else format_change(self.best)

    @property
    def middle_text(self) -> str:
        return "" if self.middle is None else format_change(self.middle)


class WeekDay(NamedTuple):
    """A day of the viewer's week; `score` is "" where they did not play, `address` where there was no deal."""

    day: date
    score: str
    is_current: bool  # the day of the page
    address: str


@dataclass(frozen=True)
class DayPage:
    loaded: LoadedField
    viewer: Viewer
    now: datetime
    site: str  # its address without a path
    is_among_followed: bool = False
    is_whole_board: bool = False

    @property
    def deals(self) -> DealSet:
        return self.loaded.deals

    @property
    def day(self) -> date:
        assert self.deals.day is not None  # only sets of the Daily Deal have a page
        return self.deals.day

    @property
    def state(self) -> str:
        return self.deals.get_state(self.now)

    @property
    def is_open(self) -> bool:
        return self.deals.is_open(self.now)

    @cached_property
    def entry(self) -> Entry | None:
        return find_own_entry(self.deals, self.viewer.pk)

    @property
    def is_today(self) -> bool:
        return self.day == self.now.date()

    @property
    def title(self) -> str:
        """Return the heading: what the viewer has reached, or what the day is."""
        rounds = self.deals.rounds
        if self.deals.cancelled_at is not None:
            return _("This day's deal was cancelled")
        if self.own is None:
            return _("Eight rounds, the same tiles for everybody")
        if self.place is not None:
            counted = {"place": self.place, "size": len(self.loaded.scores)}
            if self.deals.closed:
                return _("Place %(place)d of %(size)d") % counted
            return _("Place %(place)d of %(size)d so far") % counted
        played = len(self.own.margins)
        counted = {"n": played, "total": rounds}
        if self.deals.closed and played < rounds:
            return describe_close(played, rounds)
        return (
            ngettext("%(n)d of %(total)d round played", "%(n)d of %(total)d rounds played", rounds) % counted
        )

    @property
    def not_counted(self) -> str:
        """Return why the viewer's result is not ranked, as far as that is certain."""
        entry = self.entry
        if entry is None or (entry.reason == "unfinished" and not self.deals.closed):
            return ""
        return describe_reason(entry)

    @property
    def is_playing(self) -> bool:
        return self.entry is not None and self.entry.match.status == Match.Status.PLAYING

    @cached_property
    def own(self) -> Result | None:
        """Return the viewer's result once they have finished a round, or after the close."""
        if self.entry is None or not (self.entry.margins or self.deals.closed):
            return None
        return self.loaded.build_result(self.entry)

    @property
    def game(self) -> str:
        return title_for_target(self.deals.preset, self.deals.parsed_rules.target)

    @property
    def against(self) -> str:
        """Return *against Isidro (strong)*; in pairs also the partner."""
        seats = range(self.deals.seats)
        names = {seat: persona_of(self.deals.level, self.deals.figures[seat]).name for seat in seats}
        level = level_name(self.deals.level)
        partner = 2 if self.deals.parsed_rules.in_pairs(self.deals.seats) else None
        others = ", ".join(name for seat, name in names.items() if seat not in (OWN_SEAT, partner))
        if partner is None:
            return _("against %(names)s (%(level)s)") % {"names": others, "level": level}
        return _("with %(partner)s against %(names)s (%(level)s)") % {
            "partner": names[partner],
            "names": others,
            "level": level,
        }

    @property
    def score_text(self) -> str:
        return "" if self.own is None or self.own.score is None else f"{self.own.score:.0f}"

    @property
    def others(self) -> str:
        """Return with whom the viewer is compared: *2 people, 15 house computers*."""
        people = self.loaded.people - (self.entry is not None and self.entry.is_official)
        house = len(self.loaded.counted_house)
        counted = [
            (people, ngettext("%(n)d person", "%(n)d people", people)),
            (house, ngettext("%(n)d house computer", "%(n)d house computers", house)),
        ]
        return ", ".join(text % {"n": n} for n, text in counted if n)

    @property
    def is_complete(self) -> bool:
        """Return whether the viewer's result can get no further round."""
        return self.own is not None and (self.deals.closed or len(self.own.margins) == self.deals.rounds)

    @property
    def place(self) -> int | None:
        """Return the viewer's place among those who count; None if they do not, or not yet."""
        return self.own.place if self.own else None

    @property
    def next_round(self) -> int:
        """Return the number of the round that the viewer plays next."""
        return 1 + (len(self.entry.margins) if self.entry else 0)

    @property
    def points(self) -> str:
        return format_change(sum(self.own.margins) if self.own else 0)

    @cached_property
    def rounds(self) -> list[RoundRow]:
        own = self.own
        margins = own.margins if own else []
        best = max(
            (percent for percent in (own.percents if own else []) if percent is not None), default=None
        )
        return [self._build_round(number, margins, best) for number in range(self.deals.rounds)]

    def _build_round(self, number: int, margins: list[int], best: float | None) -> RoundRow:
        field, is_played = self.loaded.field, number < len(margins)
        percent = self.own.percents[number] if is_played and self.own else None
        if self.deals.closed and not is_played:
            percent = 0.0
        return RoundRow(
            number + 1,
            format_change(margins[number]) if is_played else "",
            percent,
            "" if percent is None else draw_bar(percent),
            # Only of rounds already played: the median would help in a round to come.
            field.find_middle(number) if is_played or self.deals.closed else None,
            field.find_best(number) if self.deals.closed else None,
            percent is not None and percent == best,
            self.is_playing and number == len(margins),
        )

    @property
    def shared_text(self) -> str:
        """Return the text to share, "" until the result is complete."""
        if self.own is None or self.own.score is None or not self.is_complete:
            return ""
        percents = [row.percent for row in self.rounds]
        address = self.site + reverse("daily-day", args=[self.day.isoformat()])
        return share.build_text(self.day, self.game, self.own.score, percents, address)

    @property
    def shared_html(self) -> SafeString:
        """Return the text to share with an address that a line's end does not cut in its date."""
        path = reverse("daily-day", args=[self.day.isoformat()])
        start = self.shared_text.removesuffix(path)
        return format_html('{}<span class="shared-path">{}</span>', start, path)

    @property
    def bars(self) -> str:
        return share.draw_bars([row.percent for row in self.rounds])

    @cached_property
    def week(self) -> list[WeekDay]:
        """Return the seven days up to that of the page, with the viewer's scores."""
        first = self.day - timedelta(days=WEEK_DAYS - 1)
        entries = Entry.objects.filter(
            user=self.viewer.pk, practice=False, deals__day__range=(first, self.day)
        ).values_list("deals__day", "score")
        scores = {day: f"{score:.0f}" for day, score in entries if score is not None}
        if self.score_text:
            scores[self.day] = self.score_text
        sets = DealSet.objects.filter(day__range=(first, self.day)).values_list("day", flat=True)
        addresses = {day: reverse("daily-day", args=[day.isoformat()]) for day in sets if day}
        days = [first + timedelta(days=number) for number in range(WEEK_DAYS)]
        return [WeekDay(day, scores.get(day, ""), day == self.day, addresses.get(day, "")) for day in days]

    @cached_property
    def streak(self) -> int:
        return count_streak(self.viewer.pk, self.now.date()) if self.viewer.pk is not None else 0

    @cached_property
    def previous(self) -> DealSet | None:
        """Return the set of the day before, if it has one."""
        return DealSet.objects.filter(day=self.day - timedelta(days=1)).first()

    @cached_property
    def following(self) -> DealSet | None:
        """Return the set of the day after, for its seal."""
        return DealSet.objects.filter(day=self.day + timedelta(days=1)).first()

    @cached_property
    def leaderboard(self) -> Leaderboard | None:
        """Return the leaderboard of a closed day."""
        if not self.deals.has_results:
            return None
        among = find_followed(self.viewer) if self.is_among_followed else None
        return build_day_leaderboard(self.loaded, self.viewer, among)

    @property
    def board_rows(self) -> list[Row | None]:
        """Return the lines of the board; None stands for lines left out."""
        if self.leaderboard is None:
            return []
        return [*self.leaderboard.counted] if self.is_whole_board else self.leaderboard.shown

    @property
    def has_more_rows(self) -> bool:
        return None in self.board_rows or self._counted_rows > len(self.board_rows)

    @property
    def _counted_rows(self) -> int:
        return len(self.leaderboard.counted) if self.leaderboard else 0

    @property
    def best_of_house(self) -> Row | None:
        """Return the best line of the house."""
        house = self.leaderboard.house if self.leaderboard else []
        return house[0] if house else None
