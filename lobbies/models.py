"""Tables before play. Only `services` and the admin write them."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.pauses import CallPause, ComputerPause, Pauses
from boneyard.engine.rules import Rules
from core.prepared import PreparedQuery
from games.services import share_address
from games.time.day_clocks import get_days
from games.wording import preset_title
from games.wording.preset_titles import site_title
from operators.translated import TranslatedField, choose_text


class TableManager(models.Manager["Table"]):
    def lock(self, key: int) -> Table:
        """Lock the table until the transaction ends and return it. Raise `Table.DoesNotExist`."""
        return self._first(_locked.rows(key))

    def with_code(self, code: str) -> Table:
        """Return the table with this code. Raise `Table.DoesNotExist`."""
        return self._first(_by_code.rows(code))

    def _first(self, tables: Sequence[Table]) -> Table:
        if not tables:
            raise Table.DoesNotExist
        return tables[0]


class Table(models.Model):
    """A table before its match starts."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        STARTED = "started", _("started")
        CLOSED = "closed", _("closed")

    code = models.CharField(_("code"), max_length=10, unique=True)  # the match gets the same code
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("made by"), on_delete=models.CASCADE, related_name="tables"
    )
    preset = models.CharField(_("game"), max_length=40)  # that the rules were derived from
    rules = models.JSONField(_("rules"))
    changed = models.BooleanField(_("house rules"), default=False)  # house rules, or another target
    seats = models.PositiveSmallIntegerField(_("seats"))
    rated = models.BooleanField(_("rated"))
    private = models.BooleanField(_("only with the link"), default=False)
    clock_seconds = models.PositiveIntegerField(_("seconds for the match"), null=True, blank=True)
    clock_increment = models.PositiveIntegerField(_("seconds for each move"), null=True, blank=True)
    computer_pause = models.PositiveSmallIntegerField(choices=ComputerPause, default=ComputerPause.ONE)
    call_pause = models.PositiveSmallIntegerField(choices=CallPause, default=CallPause.TWO)

    seal = models.CharField(_("seal"), max_length=64)

    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.OPEN)
    quick = models.BooleanField(_("from quick play"), default=False)
    # The code of the match that its people have just finished.
    rematch_of = models.CharField(_("rematch of"), max_length=10, blank=True)
    # The code of the night that has drawn its seats (`services.drawn`), or "".
    night = models.CharField(_("night"), max_length=10, blank=True, default="", db_default="")
    # The code of the table that its people were moved to.
    moved_to = models.CharField(_("moved to"), max_length=10, blank=True)
    kept_for = models.ForeignKey(  # the challenged person
        settings.AUTH_USER_MODEL,
        verbose_name=_("kept for"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="challenges",
    )
    declined_at = models.DateTimeField(null=True, blank=True)  # by the challenged person
    created_at = models.DateTimeField(_("made"))
    full_at = models.DateTimeField(_("full"), null=True, blank=True)  # since when all seats are taken
    # Since when its people's commitments are fixed and published.
    committed_at = models.DateTimeField(null=True, blank=True)
    # How often it got another seal, because somebody left or did not reveal a nonce after that.
    reseals = models.PositiveSmallIntegerField(default=0, db_default=0)

    objects = TableManager()

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["status", "-created_at"], name="the_open_tables")]
        constraints = [
            models.UniqueConstraint(
                fields=["rematch_of"],
                name="one_rematch_a_match",
                condition=~models.Q(rematch_of="") & ~models.Q(status="closed"),
            )
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.code])

    @property
    def title(self) -> str:
        """Return the title of the site's game with these rules, else that of the preset."""
        own = site_title(Rules.from_dict(self.rules), self.seats) if self.changed else ""
        return own or preset_title(self.preset)

    @property
    def open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def shared_address(self) -> bool:
        """Return whether two of its people share an address; their match is casual."""
        return share_address(
            self.code, [sitting.user_id for sitting in self.sittings.all() if sitting.user_id]
        )

    @property
    def in_pairs(self) -> bool:
        """Return whether seats across are partners."""
        return Rules.from_dict(self.rules).in_pairs(self.seats)

    @property
    def pauses(self) -> Pauses:
        return Pauses(self.call_pause, self.computer_pause)

    @property
    def clock(self) -> tuple[int, int] | None:
        """Return (seconds for the match, for each move), or None."""
        return None if self.clock_seconds is None else (self.clock_seconds, self.clock_increment or 0)

    @property
    def days(self) -> int | None:
        """Return the days for each move, or None for another clock and without one."""
        return get_days(self.clock_seconds)


class SittingManager(models.Manager["Sitting"]):
    def at(self, table: Table) -> list[Sitting]:
        """Return the table's sittings with their users, by position."""
        return _at.rows(table.pk)

    def waiting(self, user: int) -> list[Sitting]:
        """Return the sittings of this user at open tables, with the tables."""
        return _waiting.rows(Table.Status.OPEN, user)


class Sitting(models.Model):
    """A taken seat: a person's, or a computer's with its level."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="sittings")
    position = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="sittings",
    )
    level = models.CharField(_("level"), max_length=10, blank=True)
    # Which of its level a computer is (games.wording.personas).
    figure = models.PositiveSmallIntegerField(default=0)
    # Rating when they sat down; null for guests and computers.
    rating = models.FloatField(_("rating"), null=True, blank=True)
    # Percent of rated matches finished, when they sat down.
    completion = models.PositiveSmallIntegerField(null=True, blank=True)
    slow = models.BooleanField(
        default=False
    )  # whether they play slowly (games.time.pace), when they sat down
    quick = models.BooleanField(default=False, db_default=False)  # whether quick play seated the person
    # Hash of the nonce to come; null: not sent yet; empty: they add nothing.
    commitment = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001
    nonce = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  null: not revealed; may be empty
    seen_at = models.DateTimeField()  # last sign of the person's page
    # When a page of theirs with a socket learned that all seats are taken.
    socket_at = models.DateTimeField(null=True, blank=True)

    objects = SittingManager()

    class Meta:
        verbose_name = _("sitting")
        verbose_name_plural = _("sittings")
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["table", "position"], name="one_sitting_a_position"),
            models.UniqueConstraint(
                fields=["table", "user"], name="one_sitting_a_person", condition=models.Q(user__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}:{self.position}"


class NoShow(models.Model):
    """Somebody committed to a nonce at a public table and did not reveal it, while `other` waited there.

    Until `closed_until` quick play refuses them (`lobbies.no_shows`). One act has a row for each person who waited.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="no_shows"
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    table = models.CharField(_("table"), max_length=10)
    at = models.DateTimeField(_("when"))
    closed_until = models.DateTimeField()

    class Meta:
        verbose_name = _("match not begun")
        verbose_name_plural = _("matches not begun")
        indexes = [
            models.Index(fields=["user", "-at"], name="no_shows_of_a_person"),
            models.Index(fields=["other", "-at"], name="no_shows_before_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.table}"


_by_code = PreparedQuery(lambda code: Table.objects.filter(code=code).order_by())
_locked = PreparedQuery(lambda key: Table.objects.select_for_update().filter(pk=key).order_by())
_at = PreparedQuery(
    lambda table: Sitting.objects.filter(table=table).select_related("user").order_by("position")
)
_waiting = PreparedQuery(  # for every page and socket
    lambda status, user: Sitting.objects.filter(table__status=status, user=user).select_related("table")
)


class ClubNight(models.Model):
    """An hour (UTC) a week at which people met, in releases before 0.3; open nights of `nights` take its place.

    `nights.0005` has emptied the table and that of its followers, and fills them again on the way back to 0.2. They go
    with 0.4.
    """

    class Weekday(models.IntegerChoices):
        MONDAY = 0, _("Monday")
        TUESDAY = 1, _("Tuesday")
        WEDNESDAY = 2, _("Wednesday")
        THURSDAY = 3, _("Thursday")
        FRIDAY = 4, _("Friday")
        SATURDAY = 5, _("Saturday")
        SUNDAY = 6, _("Sunday")

    # Empty: named after its game or language.
    name = models.CharField(_("name"), max_length=60, blank=True)
    weekday = models.PositiveSmallIntegerField(_("day"), choices=Weekday)
    hour = models.PositiveSmallIntegerField(_("hour (UTC)"), validators=[MaxValueValidator(23)])
    preset = models.CharField(_("game"), max_length=40, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)  # only its readers see it; "": all
    # The start for which open pages of its followers were notified.
    reminded_for = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("club night")
        verbose_name_plural = _("club nights")
        ordering = ["weekday", "hour", "pk"]
        constraints = [models.CheckConstraint(condition=models.Q(hour__lte=23), name="night_hour_of_a_day")]

    def __str__(self) -> str:
        game = preset_title(self.preset) if self.preset else self.language
        return f"{self.get_weekday_display()} {self.hour}:00 {self.name or game}"


class NightFollower(models.Model):
    """Somebody who was reminded of a club night, in releases before 0.3."""

    night = models.ForeignKey(ClubNight, on_delete=models.CASCADE, related_name="followers")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="followed_nights"
    )
    # The start whose reminder the person has closed.
    dismissed_for = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["night", "user"], name="one_follower_a_night")]

    def __str__(self) -> str:
        return f"{self.night_id}: {self.user_id}"


class SiteGame(models.Model):
    """A game of this site: rules with a name of their own, never rated."""

    slug = models.SlugField(_("address"), max_length=40, unique=True)
    title = TranslatedField(_("title"), max_length=60)
    about = TranslatedField(_("about it"), max_length=300, blank=True)
    preset = models.CharField(_("derived from"), max_length=40)
    seats = models.PositiveSmallIntegerField(_("seats"))
    rules = models.JSONField(_("rules"))
    offered = models.BooleanField(_("offered"), default=True)

    class Meta:
        verbose_name = _("game of this site")
        verbose_name_plural = _("games of this site")
        ordering = ["slug"]

    def __str__(self) -> str:
        return choose_text(self.title) or self.slug

    def get_absolute_url(self) -> str:
        return reverse("site-game", args=[self.slug])
