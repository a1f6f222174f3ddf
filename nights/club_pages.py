"""What the pages of a club show: to everybody, to members, to who runs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

from django.conf import settings
from django.db.models import QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.languages import get_base_language
from nights import wording
from nights.club_models import Club, Membership, Season
from nights.models import Night
from nights.seasons import SeasonRow, compute_season, find_season
from operators.pages import render_users_markdown

MAX_PAST_NIGHTS = 12
MAX_WINNERS = 4  # named in the line of a night
MAX_LISTED_CLUBS = 200


class NightLine(NamedTuple):
    night: Night
    start: str
    winners: str  # of a night that is over


class TableRow(NamedTuple):
    place: int
    name: str
    won: str
    nights: int


@dataclass(frozen=True)
class ClubPage:
    """A club for one reader: `role` is theirs, "" for who is no member; `chosen` the season that they asked for."""

    club: Club
    role: str
    today: date
    chosen: int | None = None

    @property
    def is_member(self) -> bool:
        return bool(self.role)

    @property
    def is_owner(self) -> bool:
        return self.role == Membership.Role.OWNER

    @property
    def runs(self) -> bool:
        return self.role in Membership.RUNNING

    @property
    def language(self) -> str:
        return dict(settings.LANGUAGES).get(self.club.language, "")

    @property
    def description(self) -> SafeString:
        return render_users_markdown(self.club.description)

    @property
    def _nights(self) -> QuerySet[Night]:
        """Return the nights that this reader may know of: members of all, others of public ones."""
        nights = self.club.nights.all()
        return nights if self.is_member else nights.filter(audience=Night.Audience.PUBLIC)

    @cached_property
    def next_night(self) -> NightLine | None:
        """Return the night that is on, or the next one."""
        running = (Night.Status.MADE, Night.Status.OPEN, Night.Status.PLAYING)
        nights = self._nights.filter(status__in=running).order_by("starts_at")
        night = min(nights, key=Night.get_next_start, default=None)
        return NightLine(night, wording.format_start(night), "") if night else None

    @cached_property
    def past_nights(self) -> Sequence[NightLine]:
        nights = list(self._nights.filter(status=Night.Status.OVER).order_by("-starts_at")[:MAX_PAST_NIGHTS])
        return [NightLine(each, wording.format_start(each), self._name_winners(each)) for each in nights]

    def _name_winners(self, night: Night) -> str:
        """Return *first: Ana and Luis*; nobody is named where many share the place."""
        names = [entry.name for entry in night.entries.filter(place=1)]
        if not names or len(names) > MAX_WINNERS:
            return ""
        return _("first: %(names)s") % {"names": wording.join_names(names)}

    @property
    def may_make_next(self) -> bool:
        """Return whether the next night can be made from the last one."""
        return self.runs and self.next_night is None and self.club.nights.exists()

    @cached_property
    def season(self) -> Season:
        return find_season(self.club, self.today, self.chosen)

    @property
    def seasons(self) -> Sequence[Season]:
        return list(self.club.seasons.all())

    @property
    def shows_table(self) -> bool:
        """Return whether the names of the club's people are for this reader."""
        return self.is_member or self.club.is_found

    @cached_property
    def table(self) -> Sequence[TableRow]:
        rows: Sequence[SeasonRow] = compute_season(self.club, self.season) if self.shows_table else ()
        return [TableRow(row.place, row.name, wording.format_won(row.won), row.nights) for row in rows]


def list_clubs(language: str) -> Sequence[Club]:
    """Return the public clubs, those of the reader's language first."""
    clubs = Club.objects.filter(is_public=True, is_hidden=False)[:MAX_LISTED_CLUBS]
    return sorted(clubs, key=lambda club: club.language != get_base_language(language))


def list_own_clubs(user_id: int | None) -> Sequence[tuple[Club, str]]:
    """Return the clubs of an account, each with its role in words."""
    rows = Membership.objects.filter(user=user_id).select_related("club") if user_id else ()
    return sorted(
        ((row.club, row.get_role_display()) for row in rows), key=lambda row: row[0].name.casefold()
    )
