"""Sets of deals, the matches that play them, and the results to compare with. Only `events.services` writes them.

The secret of a set is a `games.models.SealedSecret` under the set's name.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from events.programme import DailyGame, build_rules
from games.models import Match

OWN_SEAT = 0  # of the person in every match of a set


class DealSet(models.Model):
    """Deals that many people play, each in a match of their own against the same computers.

    figures         the computers' personas, by seat; the first number belongs to the person's seat and says nothing
    player_version  of the computers' code when the set was sealed
    """

    name = models.CharField(_("name"), max_length=40, unique=True)  # the entropy of its shuffles
    day = models.DateField(_("day"), null=True, blank=True, unique=True)  # of the Daily Deal
    preset = models.CharField(_("game"), max_length=40)  # that the rules were derived from
    rules = models.JSONField(_("rules"))
    seats = models.PositiveSmallIntegerField(_("seats"))
    level = models.CharField(_("level"), max_length=10)
    figures = models.JSONField(default=list)
    player_version = models.CharField(max_length=20)
    seal = models.CharField(_("seal"), max_length=64)
    sealed_at = models.DateTimeField(_("sealed"))
    opens_at = models.DateTimeField(_("opens"))
    closes_at = models.DateTimeField(_("closes"), db_index=True)
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)  # when everything was disclosed

    class Meta:
        verbose_name = _("set of deals")
        verbose_name_plural = _("sets of deals")
        ordering = ["-opens_at"]

    def __str__(self) -> str:
        return self.name

    @property
    def closed(self) -> bool:
        """Return whether its deals are public."""
        return self.closed_at is not None

    @property
    def parsed_rules(self) -> Rules:
        return Rules.from_dict(self.rules)

    @property
    def rounds(self) -> int:
        """Return the number of its rounds."""
        return int(self.rules["rounds"])

    def is_open(self, now: datetime) -> bool:
        """Return whether people may begin to play it."""
        return self.opens_at <= now < self.closes_at and not self.closed

    def get_state(self, now: datetime) -> str:
        """Return announced, open or closed; between the end and the disclosure it is still open."""
        if self.closed:
            return "closed"
        return "announced" if now < self.opens_at else "open"


class Entry(models.Model):
    """A person's match of a set.

    margins   the own side's points less the best other side's, by finished round
    lines     the moves of each finished round, as written by `events.services.scoring.format_line`
    standing  why the result is on the official leaderboard or not, fixed at the start
    score     the final one, 0 to 100; null until the set has closed, and where nobody else played
    """

    class Standing(models.TextChoices):
        OFFICIAL = "official", _("official")
        GUEST = "guest", _("guests are listed below the board")
        NEW = "new", _("the account is younger than seven days")
        FEW = "few", _("fewer than ten matches before")
        AGAIN = "again", _("this browser had already played the day")

    deals = models.ForeignKey(DealSet, on_delete=models.CASCADE, related_name="entries")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="entries",
    )
    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="entry")
    practice = models.BooleanField(default=False)
    standing = models.CharField(max_length=10, choices=Standing)
    margins = models.JSONField(default=list)
    lines = models.JSONField(default=list)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)  # of all rounds
    score = models.FloatField(null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["deals", "user"],
                name="one_entry_a_person",
                condition=models.Q(practice=False, user__isnull=False),
            )
        ]
        indexes = [models.Index(fields=["user", "practice"], name="entries_of_a_person")]

    def __str__(self) -> str:
        return f"{self.deals_id}: {self.user_id}"

    @property
    def ranked(self) -> bool:
        """Return whether the others are compared with it."""
        return not self.practice and self.standing != self.Standing.AGAIN


class HouseResult(models.Model):
    """The result of a computer of the site in the person's seat of a set. `number` counts from 0."""

    deals = models.ForeignKey(DealSet, on_delete=models.CASCADE, related_name="house_results")
    number = models.PositiveSmallIntegerField()
    level = models.CharField(max_length=10)
    figure = models.PositiveSmallIntegerField()
    margins = models.JSONField()
    lines = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["deals", "number"], name="one_result_a_computer")]

    def __str__(self) -> str:
        return f"{self.deals_id}: {self.level} {self.number}"


class ProgrammeDay(models.Model):
    """The operator's game for a day of the week, in place of `programme.WEEK`; for days not sealed yet."""

    weekday = models.PositiveSmallIntegerField(_("day of the week"), choices=WEEKDAYS.items(), unique=True)
    preset = models.CharField(_("game"), max_length=40)
    seats = models.PositiveSmallIntegerField(_("seats"), choices=[(2, "2"), (3, "3"), (4, "4")])

    class Meta:
        verbose_name = _("day of the programme")
        verbose_name_plural = _("programme of the week")
        ordering = ["weekday"]

    def __str__(self) -> str:
        return str(self.get_weekday_display())

    @property
    def game(self) -> DailyGame:
        return DailyGame(self.preset, self.seats)

    def clean(self) -> None:
        if self.preset not in PRESETS:
            return  # the field says so
        try:
            rules = build_rules(self.preset)
        except InvalidRules as error:
            raise ValidationError(_("This game cannot be played in fixed rounds.")) from error
        if self.seats not in rules.players:
            raise ValidationError(_("This game is not played with so many seats."))
