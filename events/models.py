"""Sets of deals, the matches that play them, and the results to compare with. Only `events.services` writes them.

The secret of a set is a `games.models.SealedSecret` under the set's name.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from boneyard.engine.records import LEVELS
from boneyard.engine.rules import Rules
from events.programme import DailyGame, build_rules
from games.models import Match
from games.wording.personas import PERSONAS_PER_LEVEL

OWN_SEAT = 0  # of the person in every match of a set
HOUSE_SIZE = PERSONAS_PER_LEVEL * len(LEVELS)  # each computer of the site once
GRACE = timedelta(minutes=10)  # after the closing time, to finish a round that was dealt before it


class DealSet(models.Model):
    """Deals that many people play, each in a match of their own against the same computers.

    figures         the computers' personas, by seat; the first number belongs to the person's seat and says nothing
    player_version  of the computers' code when the set was sealed
    scoring         the version of the rules by which its final scores were computed (`services.scoring`)
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
    cancelled_at = models.DateTimeField(_("cancelled"), null=True, blank=True)
    scoring = models.PositiveSmallIntegerField(default=0, db_default=0)

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
    def has_results(self) -> bool:
        """Return whether its results are public: those of a cancelled set never are."""
        return self.closed and self.cancelled_at is None

    @property
    def parsed_rules(self) -> Rules:
        return Rules.from_dict(self.rules)

    @property
    def described(self) -> str:
        """Return how the log and /healthz name the row."""
        return f"set of deals {self.name}"

    @property
    def fault(self) -> str:
        """Return what this release does not know of the set, "" for a set that it can show and play."""
        if self.preset not in PRESETS:
            return f"preset {self.preset}"
        try:
            Rules.from_dict(self.rules)
        except (InvalidRules, TypeError, ValueError) as error:
            return f"rules: {error}"
        return "" if self.rules.get("rounds") else "rules: rounds"

    @property
    def rounds(self) -> int:
        """Return the number of its rounds."""
        return int(self.rules["rounds"])

    def is_open(self, now: datetime) -> bool:
        """Return whether people may begin to play it."""
        return self.opens_at <= now < self.closes_at and not self.closed and self.cancelled_at is None

    def get_state(self, now: datetime) -> str:
        """Return announced, open, closed or cancelled; between the end and the disclosure it is still open."""
        if self.cancelled_at is not None:
            return "cancelled"
        if self.closed:
            return "closed"
        return "announced" if now < self.opens_at else "open"


class Entry(models.Model):
    """A person's match of a set.

    margins   the own side's points less the best other side's, by finished round
    lines     the moves of each finished round, as written by `events.lines.format_line`
    standing  what the person was at the start: it decides, with the rest below, whether the result counts
    shares_network  whether an entry begun earlier was played from one of its networks
    score     the final one, 0 to 100; null until the set has closed, and where nobody else played
    findings  for moderators, once the set has closed (`services.findings`): `peek`, the sums of a `PeekSum`, and
              `chances`, by round the logarithm to the base 10 of how likely its own decisions are
    """

    class Standing(models.TextChoices):
        OFFICIAL = "official", _("official")
        YOUNG = "few", _("an account younger than seven days, or with fewer than ten matches")
        GUEST = "guest", _("a guest")
        NEW = "new", _("an account younger than a day")
        AGAIN = "again", _("a browser that had already played the day")

    COUNTING = (Standing.OFFICIAL, Standing.YOUNG)
    # What `reason` reads.
    DECIDING_FIELDS = ("practice", "struck_at", "finished_at", "standing", "shares_network")

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
    shares_network = models.BooleanField(default=False, db_default=False)
    struck_at = models.DateTimeField(null=True, blank=True)
    struck_reason = models.CharField(max_length=200, blank=True, default="", db_default="")
    findings = models.JSONField(null=True, blank=True)

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
    def counts(self) -> bool:
        """Return whether the result has a place. An official account may share a network, as many do with strangers."""
        return not self.practice and not self.reason

    @property
    def is_official(self) -> bool:
        """Return whether the others are compared with it."""
        return self.counts and self.standing == self.Standing.OFFICIAL

    @property
    def reason(self) -> str:
        """Return the first reason why the result does not count, "" if it counts; for this person and moderators."""
        if self.struck_at is not None:
            return "struck"
        if self.finished_at is None:
            return "unfinished"
        if self.standing not in self.COUNTING:
            return self.standing
        return "network" if self.shares_network and self.standing != self.Standing.OFFICIAL else ""


class Network(models.Model):
    """A network, hashed, from which an entry was played: an IPv4 address, or the /56 of an IPv6 address."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="networks")
    network = models.CharField(max_length=39)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "network"], name="one_row_a_network")]
        indexes = [models.Index(fields=["network"], name="entries_of_a_network")]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.network}"


class Outage(models.Model):
    """A time in which the site was down, or all matches stood still: it ends nobody's streak."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.began_at} – {self.ended_at}"


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

    @property
    def described(self) -> str:
        """Return how the log and /healthz name the row."""
        return f"day {self.weekday} of the programme"

    @property
    def fault(self) -> str:
        """Return what this release cannot play, or ""."""
        if self.preset not in PRESETS:
            return f"preset {self.preset}"
        return "" if self.seats in PRESETS[self.preset].rules.players else f"{self.seats} seats"

    def clean(self) -> None:
        if self.preset not in PRESETS:
            return  # the field says so
        try:
            rules = build_rules(self.preset)
        except InvalidRules as error:
            raise ValidationError(_("This game cannot be played in fixed rounds.")) from error
        if self.seats not in rules.players:
            raise ValidationError(_("This game is not played with so many seats."))
