"""Build the page of a day for one viewer."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.numbers import format_change
from events import share
from events.drawing import draw_bar, draw_distribution
from events.field import HOUSE_COUNTS_BELOW, LoadedField, Result, find_own_entry
from events.leaderboards import Leaderboard, build_day_leaderboard, count_streak, find_followed
from events.models import OWN_SEAT, DealSet, Entry
from events.services.house import HOUSE_SIZE
from games.models import Match
from games.seats import Viewer
from games.wording.options import level_name, title_for_target
from games.wording.personas import persona_of

WEEK_DAYS = 7


class RoundRow(NamedTuple):
    """A round in the viewer's own result. `percent` is None while it is not played or not compared."""

    number: int
    margin: str
    percent: float | None
    bar: SafeString | str
    middle: float | None
    best: int | None
    is_best: bool

    @property
    def percent_text(self) -> str:
        return "" if self.percent is None else f"{self.percent:.0f}"

    @property
    def best_text(self) -> str:
        return "–" if self.best is None else format_change(self.best)

    @property
    def middle_text(self) -> str:
        return "–" if self.middle is None else format_change(self.middle)


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
    def house_size(self) -> int:
        """Return how many computers the people are compared with; of an open day, also of those still to play."""
        if self.deals.closed:
            return len(self.loaded.counted_house)
        return HOUSE_SIZE if self.loaded.people < HOUSE_COUNTS_BELOW else 0

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
    def is_complete(self) -> bool:
        """Return whether the viewer's result can get no further round."""
        return self.own is not None and (self.deals.closed or len(self.own.margins) == self.deals.rounds)

    @property
    def place(self) -> int | None:
        """Return the viewer's place in the field; None until their result is complete."""
        if self.own is None or self.own.score is None or not self.is_complete:
            return None
        return self.loaded.find_rank(self.own.score)

    @property
    def field_size(self) -> int:
        return len(self.loaded.scores)

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
            format_change(margins[number]) if is_played else "–",
            percent,
            "" if percent is None else draw_bar(percent),
            # Only of rounds already played: the median or the best margin would help in a round to come.
            field.find_middle(number) if is_played or self.deals.closed else None,
            field.find_best(number) if is_played or self.deals.closed else None,
            percent is not None and percent == best,
        )

    @property
    def mean_percent(self) -> str:
        percents = [row.percent for row in self.rounds if row.percent is not None]
        return f"{fmean(percents):.0f}" if percents else ""

    @property
    def distribution(self) -> SafeString | str:
        """Return a picture of the scores, once there are some to see."""
        if self.own is None or len(self.loaded.scores) < 2:
            return ""
        return draw_distribution(self.loaded.scores, self.own.score if self.is_complete else None)

    @property
    def shared_text(self) -> str:
        """Return the text to share, "" until the result is complete."""
        if self.own is None or self.own.score is None or not self.is_complete:
            return ""
        percents = [row.percent for row in self.rounds]
        address = self.site + reverse("daily-day", args=[self.day.isoformat()])
        return share.build_text(self.day, self.game, self.own.score, percents, address)

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
        if not self.deals.closed:
            return None
        among = find_followed(self.viewer) if self.is_among_followed else None
        return build_day_leaderboard(self.loaded, self.viewer, among)
