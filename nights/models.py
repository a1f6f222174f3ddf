"""Nights: many people, some rounds, one evening. Only `nights.services` writes them.

The secret of a night's draws is a `games.models.SealedSecret` under `Night.sealed_as`.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from nights.club_models import Club, ClubPerson
from nights.draws.draw import DrawRules
from nights.draws.formats import FORMATS, Format
from nights.open_models import Meeting
from nights.scoring import HANDS_CUT_POINTS

MAX_NAME_LENGTH = 30
MAX_ROUNDS = 30
MAX_HANDS = 13  # those of a train from 12-12 down to 0-0
SECRET_LENGTH = 16


class Night(Meeting):
    """A night. `version` grows with each act of a director and each new person; results have versions of their own."""

    PREPARATION = timedelta(hours=12)  # a night that began so long ago can still be made

    class Status(models.TextChoices):
        MADE = "made", _("being prepared")
        OPEN = "open", _("people add themselves")
        PLAYING = "playing", _("playing")
        OVER = "over", _("over")
        CANCELLED = "cancelled", pgettext_lazy("a night", "cancelled")

    class Place(models.TextChoices):
        WOOD = "wood", _("at real tables")
        PHONES = "phones", _("on phones")

    class Ending(models.TextChoices):
        HAND = "hand", _("finish the hand")
        ONE_MORE = "one_more", _("finish the hand, then one more")

    class OutCounts(models.TextChoices):
        HALF = "half", _("half a win")
        WIN = "win", _("a win")
        NOTHING = "nothing", _("nothing")

    class Audience(models.TextChoices):
        UNLISTED = "unlisted", _("whoever has the link")
        CLUB = "club", _("members of its club")
        PUBLIC = "public", _("everybody")

    code = models.CharField(_("code"), max_length=10, unique=True)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("made by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="hosted_nights",
    )
    directors = models.ManyToManyField(
        settings.AUTH_USER_MODEL, verbose_name=_("directors"), related_name="directed_nights", blank=True
    )
    club = models.ForeignKey(
        Club,
        verbose_name=pgettext_lazy("of people", "club"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="nights",
    )
    format = models.CharField(_("format"), max_length=10, choices=[(name, name) for name in FORMATS])
    draw = models.CharField(
        pgettext_lazy("a night", "draw"),
        max_length=10,
        choices=[("rotate", "rotate"), ("standing", "standing")],
        default="rotate",
    )
    place = models.CharField(pgettext_lazy("a night", "played"), max_length=10, choices=Place.choices)
    audience = models.CharField(
        _("seen by"), max_length=10, choices=Audience.choices, default=Audience.UNLISTED
    )
    rules = models.JSONField(_("rules"), null=True, blank=True)  # on phones, where they are not the preset's
    rounds = models.PositiveSmallIntegerField(pgettext_lazy("a night", "rounds"))
    rated = models.BooleanField(_("rated"), default=False, db_default=False)  # on phones
    clock_seconds = models.PositiveIntegerField(_("seconds for the match"), null=True, blank=True)
    clock_increment = models.PositiveIntegerField(_("seconds for each move"), null=True, blank=True)
    hands = models.PositiveSmallIntegerField(_("hands a round"), null=True, blank=True)
    target = models.PositiveIntegerField(_("points a round"), null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes a round"), null=True, blank=True)
    last = models.CharField(
        _("when they end"), max_length=10, choices=Ending.choices, default=Ending.ONE_MORE
    )
    out_counts = models.CharField(
        _("a round out"), max_length=10, choices=OutCounts.choices, default=OutCounts.HALF
    )
    difference_first = models.BooleanField(_("differences before rounds won"), default=False)
    previous = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="next_night"
    )
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.MADE, db_index=True
    )
    seal = models.CharField(_("seal"), max_length=64)
    version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(_("made"))
    over_at = models.DateTimeField(_("over"), null=True, blank=True)
    has_initials = models.BooleanField(
        default=False, editable=False
    )  # instead of the names of nobody's account

    class Meta:
        verbose_name = _("night")
        verbose_name_plural = _("nights")
        ordering = ["-starts_at"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(format="open")
                | models.Q(hands__isnull=False, target=None)
                | models.Q(hands=None, target__isnull=False),
                name="night_of_hands_or_a_target",
            )
        ]

    def get_absolute_url(self) -> str:
        return reverse("night", args=[self.code])

    @property
    def sealed_as(self) -> str:
        """Return the code of its sealed secret; matches have codes of ten characters without a colon."""
        return f"night:{self.code}"

    @property
    def group(self) -> str:
        """Return the group of its open pages."""
        return f"night.{self.code}"

    @property
    def form(self) -> Format:
        return FORMATS[self.format]

    @property
    def is_open_format(self) -> bool:
        """Return whether nothing is drawn: people meet by quick play."""
        return self.format == "open"

    def get_next_start(self) -> datetime:
        """Return when it begins; an open night that is on has begun, one that is over did so at first."""
        start = self.find_start(timezone.now()) if self.is_open_format else None
        return start or self.starts_at

    @property
    def draw_rules(self) -> DrawRules:
        return DrawRules(self.form, self.draw == "standing", self.rounds)

    @property
    def cut(self) -> int:
        """Return the largest difference of a table that counts."""
        return self.target or HANDS_CUT_POINTS

    @property
    def is_wood(self) -> bool:
        return self.place == self.Place.WOOD

    @property
    def clock(self) -> tuple[int, int] | None:
        """Return the seconds for a match and for each move, on phones; None without a clock."""
        return None if self.clock_seconds is None else (self.clock_seconds, self.clock_increment or 0)

    @property
    def is_running(self) -> bool:
        """Return whether people may be added, and rounds drawn."""
        return self.status not in (self.Status.OVER, self.Status.CANCELLED)

    def is_directed_by(self, user_id: int | None) -> bool:
        """Return whether this account is the host or a director, also one of its club."""
        if user_id is None:
            return False
        if user_id == self.host_id or self.directors.filter(pk=user_id).exists():
            return True
        return self.club is not None and self.club.is_run_by(user_id)

    def is_open_to(self, user_id: int | None) -> bool:
        """Return whether this reader may see it; people of the night may, too."""
        if self.audience != self.Audience.CLUB or self.is_directed_by(user_id):
            return True
        return self.club is not None and bool(self.club.find_role(user_id))


class OpenNight(Night):
    """A night of format `open`, as operators make it in the admin."""

    class Meta:
        proxy = True
        verbose_name = _("open night")
        verbose_name_plural = _("open nights")


class Entry(models.Model):
    """A person of a night, or a pair that stays together. Numbers count up from 1 and are never given twice."""

    class Status(models.TextChoices):
        ASKED = "asked", _("has asked")
        HERE = "here", _("here")
        PAUSED = "paused", _("paused")
        GONE = "gone", _("gone")

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=MAX_NAME_LENGTH)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="night_entries",
    )
    person = models.ForeignKey(
        ClubPerson,
        verbose_name=_("person of the club"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="entries",
    )
    secret = models.CharField(max_length=SECRET_LENGTH, unique=True, editable=False)  # of the personal link
    status = models.CharField(_("status"), max_length=10, choices=Status.choices)
    is_helper = models.BooleanField(_("helper"), default=False)
    has_paid = models.BooleanField(_("paid"), default=False)
    stop_after = models.PositiveSmallIntegerField(_("stops after round"), null=True, blank=True)
    own_table = models.PositiveSmallIntegerField(_("keeps table"), null=True, blank=True)
    added_at = models.DateTimeField(_("added"))
    # Of a night that is over, so that a season need not count its nights again: an exact fraction, and the place.
    won = models.CharField(_("won"), max_length=20, blank=True, default="", db_default="")
    place = models.PositiveSmallIntegerField(pgettext_lazy("in standings", "place"), null=True, blank=True)

    class Meta:
        verbose_name = _("person of a night")
        verbose_name_plural = _("people of nights")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["night", "number"], name="one_person_a_number"),
            models.UniqueConstraint(fields=["night", "name"], name="one_person_a_name"),
            models.UniqueConstraint(
                fields=["night", "user"], name="one_person_an_account", condition=models.Q(user__isnull=False)
            ),
            models.UniqueConstraint(
                fields=["night", "person"],
                name="one_entry_a_club_person",
                condition=models.Q(person__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.night_id}: {self.name}"

    def plays_in(self, number: int) -> bool:
        """Return whether round `number` is drawn with it."""
        return self.status == self.Status.HERE and (self.stop_after is None or number <= self.stop_after)


class DrawnRound(models.Model):
    """A draw, undone or not: what `draws.json` says of it, less the key, which follows from `key_number`.

    drawn   here, helpers, standings, own_tables, out, lot, tables, as in `nights.draws.records`
    moved   pairs of entries that a director swapped
    """

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="drawn_rounds")
    number = models.PositiveSmallIntegerField(pgettext_lazy("a night", "round"))
    key_number = models.PositiveSmallIntegerField()
    drawn = models.JSONField()
    moved = models.JSONField(default=list)
    drawn_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)  # where a round has minutes
    undone_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("round of a night")
        verbose_name_plural = _("rounds of nights")
        ordering = ["key_number"]
        constraints = [
            models.UniqueConstraint(fields=["night", "key_number"], name="one_draw_a_key"),
            models.UniqueConstraint(
                fields=["night", "number"], name="one_draw_a_round", condition=models.Q(undone_at=None)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.night_id}: {self.number}"


class NightTable(models.Model):
    """A table of a round. `sides` is who sits there, after swaps; `points` is by side, of the version that holds.

    On phones it is first a table of the lobby, `waiting_code`, whose people come; then a match of the same code.

    match_code    once the match has begun
    computers_at  when computers take the seats of those who are not there
    replaced      those for whom a computer plays, from the start or from where they left
    winners       the sides that the match says have won, which points do not tell where somebody left
    """

    class Status(models.TextChoices):
        PLAYING = "playing", _("playing")
        ENTERED = "entered", _("entered")
        CONFIRMED = "confirmed", _("confirmed")
        DISPUTED = "disputed", _("in dispute")
        ABSENT = "absent", _("somebody is absent")

    DECIDED = (Status.CONFIRMED, Status.ABSENT)

    drawn_round = models.ForeignKey(DrawnRound, on_delete=models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("table"))
    sides = models.JSONField()
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.PLAYING)
    points = models.JSONField(_("points"), null=True, blank=True)
    absent = models.JSONField(default=list)
    replaced = models.JSONField(default=list)
    waiting_code = models.CharField(max_length=10, blank=True, default="", db_default="")
    computers_at = models.DateTimeField(null=True, blank=True)
    match_code = models.CharField(_("match"), max_length=10, blank=True)
    winners = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("table of a night")
        verbose_name_plural = _("tables of nights")
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["drawn_round", "number"], name="one_table_a_number")]

    def __str__(self) -> str:
        return f"{self.drawn_round_id}: {self.number}"

    @property
    def is_decided(self) -> bool:
        return self.status in self.DECIDED


class SentResult(models.Model):
    """A result as somebody sent it; append-only. `NightTable.points` is the one that holds.

    hands   what was entered hand by hand: `{"points": […]}` or `{"winner", "pips", "extras"}`
    device  a digest of the browser it came from; "" for a director
    """

    table = models.ForeignKey(NightTable, on_delete=models.CASCADE, related_name="sent_results")
    points = models.JSONField()
    hands = models.JSONField(default=list)
    entry = models.ForeignKey(
        Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="sent_results"
    )
    director = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    device = models.CharField(max_length=64, blank=True)
    sent_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.points}"


class Act(models.Model):
    """An act of a director, for the log of the night. `before` and `after` are the values that it changed."""

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="acts")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    kind = models.CharField(max_length=20)
    about = models.CharField(max_length=100, blank=True)
    before = models.JSONField(null=True, blank=True)
    after = models.JSONField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("act of a director")
        verbose_name_plural = _("acts of directors")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.night_id}: {self.kind} {self.about}"
