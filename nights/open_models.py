"""What a night of every format has: its name, game and hour; and who follows an open one."""

from __future__ import annotations

from datetime import date, datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.time_zones import get_zone
from nights import occurrences
from nights.sheet_kinds import name_game

MAX_NIGHT_NAME_LENGTH = 60
MAX_SKIPPED_DATES = 52


class Meeting(models.Model):
    """Name, game and hour of a night. An open one may have no name or no game, and takes place until it is cancelled.

    language      only its readers see an open night in the lobby; "": all
    skipped       local dates on which a weekly open night does not take place, as `2026-12-25 2027-01-01`
    reminded_for  the start for which open pages of an open night's followers were notified
    """

    name = models.CharField(gettext_lazy("name"), max_length=MAX_NIGHT_NAME_LENGTH)
    preset = models.CharField(gettext_lazy("game"), max_length=40)
    language = models.CharField(gettext_lazy("language"), max_length=8, blank=True, default="", db_default="")
    starts_at = models.DateTimeField(gettext_lazy("begins"))
    zone = models.CharField(gettext_lazy("time zone"), max_length=60)
    weekly = models.BooleanField(gettext_lazy("every week"), default=False)
    skipped = models.TextField(gettext_lazy("skipped dates"), blank=True, default="", db_default="")
    reminded_for = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """Return the name; without one *All Fives night*, or *Evening in* its language."""
        if self.name:
            return self.name
        if self.game_title:
            return _("%(game)s night") % {"game": self.game_title}
        languages = dict(settings.LANGUAGES)
        if self.language in languages:
            return _("Evening in %(language)s") % {"language": languages[self.language]}
        return _("Club night")

    @property
    def game_title(self) -> str:
        """Return the title of its game; "" for an open night of any game."""
        return name_game(self.preset)

    @property
    def skipped_dates(self) -> frozenset[date]:
        return frozenset(map(date.fromisoformat, self.skipped.split()))

    def find_start(self, now: datetime) -> datetime | None:
        """Return the start of an open night while it is on, else its next start; None if there is none any more."""
        zone = get_zone(self.zone)
        return occurrences.find_start(self.starts_at, zone, self.weekly, self.skipped_dates, now)


class Follower(models.Model):
    """Somebody who comes to an open night, and is reminded of it."""

    night = models.ForeignKey("nights.Night", on_delete=models.CASCADE, related_name="followers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="followed_open_nights"
    )
    # The start whose reminder the person has closed.
    dismissed_for = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["night", "user"], name="one_follower_an_open_night")]

    def __str__(self) -> str:
        return f"{self.night_id}: {self.user_id}"
