"""People, sanctions and ratings. Only `ratings`, `replaying` and `ranking` write ratings."""

from datetime import timedelta
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.avatars import AVATARS
from accounts.challengers import Challengers
from accounts.elo import PROVISIONAL_MATCHES, START_RATING
from accounts.managers import People
from accounts.names import MAX_NAME_LENGTH, NAME, NameField, label, look_in_database, look_of
from accounts.pauses import CallPause, ComputerPause, Pauses
from accounts.pools import POOLS
from core.numbers import display_rating

ONLINE_PERIOD = timedelta(minutes=5)
LOOKS_TAKEN = _("This name is taken, or looks like one that is.")
COMPLETION_MATCHES = 30  # rated matches and matches called off, on which completion looks back
MIN_COMPLETION_MATCHES = 10  # of those, below which completion is not displayed


class User(AbstractUser):
    """A person: a player, or a guest with a session and a made-up name who may sign up later."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("same as the system")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    class Tiles(models.TextChoices):
        IVORY = "ivory", _("ivory")
        BONE = "bone", _("white")
        EBONY = "ebony", _("black")

    class Felt(models.TextChoices):
        GREEN = "green", pgettext_lazy("felt", "green")
        BLUE = "blue", pgettext_lazy("felt", "blue")
        WINE = "wine", pgettext_lazy("felt", "wine")
        SLATE = "slate", pgettext_lazy("felt", "slate")

    class Pips(models.TextChoices):
        INK = "ink", _("one ink")
        COLOUR = "colour", _("in colour")
        SAFE = "safe", _("colour-blind safe")

    username = NameField(
        pgettext_lazy("of a person", "name"),
        max_length=MAX_NAME_LENGTH,
        unique=True,
        validators=[NAME],
        error_messages={"unique": _("This name is taken.")},
    )
    look = models.GeneratedField(
        expression=look_in_database("username"),
        output_field=models.CharField(max_length=MAX_NAME_LENGTH),
        db_persist=True,
    )
    is_guest = models.BooleanField(_("guest"), default=False)
    is_bot = models.BooleanField(_("bot"), default=False, db_default=False)  # for good (`api.bots`)
    # The row is kept for other people's matches and ratings.
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True)
    banned_at = models.DateTimeField(_("banned"), null=True, blank=True)
    banned_reason = models.CharField(_("reason of the ban"), max_length=200, blank=True)
    # None: until it is lifted.
    banned_until = models.DateTimeField(_("banned until"), null=True, blank=True, db_index=True)
    muted_until = models.DateTimeField(_("muted until"), null=True, blank=True)
    unrated_until = models.DateTimeField(_("barred from rated play until"), null=True, blank=True)
    seen_at = models.DateTimeField(_("last seen"), null=True, blank=True)  # the last visit, to a minute
    # Nonces that they committed to at a table and did not reveal (lobbies.services.shuffling).
    unrevealed = models.PositiveIntegerField(_("nonces not revealed"), default=0, db_default=0)

    theme = models.CharField(_("theme"), max_length=8, choices=Theme.choices, default=Theme.SYSTEM)
    tiles = models.CharField(_("tiles"), max_length=8, choices=Tiles.choices, default=Tiles.IVORY)
    pips = models.CharField(_("pips"), max_length=8, choices=Pips.choices, default=Pips.INK)
    felt = models.CharField(_("felt"), max_length=8, choices=Felt.choices, default=Felt.GREEN)
    # As *6-4*; "" for the tile that follows from the name.
    avatar = models.CharField(
        _("my tile"), max_length=3, choices=AVATARS, blank=True, default="", db_default=""
    )
    sound = models.BooleanField(_("sound"), default=True)
    volume = models.PositiveSmallIntegerField(_("volume"), default=70, validators=[MaxValueValidator(100)])
    animation = models.BooleanField(_("animations"), default=True)
    confirm_resign = models.BooleanField(_("ask before resigning"), default=True)
    automatic = models.BooleanField(
        _("draw and pass automatically when there is no other move"), default=False
    )
    draws_singly = models.BooleanField(_("draw one tile at a time"), default=False)
    emotes = models.BooleanField(_("show emotes"), default=True)
    remarks = models.BooleanField(_("let the computers say something"), default=True, db_default=True)
    keys = models.BooleanField(_("one-key shortcuts at the table"), default=True)
    vibration = models.BooleanField(_("vibrate on my turn"), default=False, db_default=False)
    shows_presence = models.BooleanField(_("show others that I am here"), default=True, db_default=True)
    challengers = models.CharField(
        _("who may challenge me"),
        max_length=8,
        choices=Challengers,
        default=Challengers.ALL,
        db_default=Challengers.ALL,
    )
    computer_pause = models.PositiveSmallIntegerField(
        _("Computers’ pause"), choices=ComputerPause, default=ComputerPause.ONE
    )
    call_pause = models.PositiveSmallIntegerField(
        _("Pause for “Muggins!”"), choices=CallPause, default=CallPause.TWO
    )
    language = models.CharField(_("language"), max_length=8, blank=True, default="")
    # Staff: a mail a day while cases are open, and when the last one was sent.
    digest = models.BooleanField(_("daily mail about open cases"), default=False, db_default=False)
    digest_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects: ClassVar[People["User"]] = People()  # type: ignore[assignment]  # the plugin takes it for People[Self]

    class Meta(AbstractUser.Meta):
        verbose_name = _("person")  # type: ignore[assignment]  # lazy, as in every other model
        verbose_name_plural = _("people")  # type: ignore[assignment]
        constraints = [
            models.UniqueConstraint(
                fields=["look"], name="no_name_that_looks_like_another", violation_error_message=LOOKS_TAKEN
            )
        ]
        indexes = [models.Index(Lower("username"), name="names_whatever_their_case")]
        permissions = [("ban_user", "Can ban people"), ("mute_user", "Can mute people")]

    def clean(self) -> None:
        super().clean()
        # Forms skip constraints on fields they do not have, such as `look`.
        if User.objects.exclude(pk=self.pk).filter(look=look_of(self.username)).exists():
            raise ValidationError({"username": LOOKS_TAKEN})

    @property
    def public_name(self) -> str:
        """Return the name for people to read: a bot's says that it is one."""
        return label(self.username, is_bot=self.is_bot)

    @property
    def has_own_look(self) -> bool:
        """Return whether tiles, pips or felt differ from the defaults, whose colours every page has."""
        return (self.tiles, self.pips, self.felt) != (self.Tiles.IVORY, self.Pips.INK, self.Felt.GREEN)

    @property
    def banned(self) -> bool:
        if self.banned_at is None:
            return False
        return self.banned_until is None or self.banned_until > timezone.now()

    @property
    def barred(self) -> bool:
        """Return whether the person is barred from rated play."""
        return self.unrated_until is not None and self.unrated_until > timezone.now()

    @property
    def pauses(self) -> Pauses:
        """Return the preferred pauses."""
        return Pauses(self.call_pause, self.computer_pause)

    @property
    def on_line(self) -> bool:
        """Return whether the person is here and shows it."""
        if not self.shows_presence:
            return False
        return self.seen_at is not None and self.seen_at > timezone.now() - ONLINE_PERIOD

    @property
    def muted(self) -> bool:
        return self.muted_until is not None and self.muted_until > timezone.now()


class Relation(models.Model):
    """A follow, block or mute. The other person is not notified of a block or mute."""

    class Kind(models.TextChoices):
        FOLLOW = "follow", _("follow")
        BLOCK = "block", _("block")
        MUTE = "mute", _("mute")

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="relations")
    other = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "other", "kind"], name="said_once"),
            models.CheckConstraint(condition=~Q(person=models.F("other")), name="nobody_about_themselves"),
        ]

    def __str__(self) -> str:
        return f"{self.person} {self.kind} {self.other}"


class Sanction(models.Model):
    """A moderator's sanction; the person sees its reason, term and how to appeal."""

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        MUTE = "mute", _("muted")
        UNRATED = "unrated", _("barred from rated play")
        BAN = "ban", _("banned")

    person = models.ForeignKey(
        User, verbose_name=_("person"), on_delete=models.CASCADE, related_name="sanctions"
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    appeal = models.CharField(_("how to appeal"), max_length=200, blank=True)
    at = models.DateTimeField(_("when"), default=timezone.now)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    by = models.ForeignKey(
        User, verbose_name=_("imposed by"), on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.person}: {self.get_kind_display()}"

    @property
    def in_words(self) -> str:
        """Return kind and term: *Muted, until 24 Nov. 2026, 10:00:*."""
        kind = capfirst(self.get_kind_display())
        if self.until is None:
            return f"{kind}:"
        until = _("until %(moment)s") % {
            "moment": date_format(localtime(self.until), "SHORT_DATETIME_FORMAT")
        }
        return f"{kind}, {until}:"


class Note(models.Model):
    """A moderator's note about a person, for other moderators."""

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notes")
    text = models.CharField(max_length=1000)
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return self.text


class RetiredName(models.Model):
    """The name of a deleted account, as a keyed hash of its look; nobody may take it for a year."""

    key = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return self.key


class KnownBrowser(models.Model):
    """A person has logged in with a browser, identified by a number in a cookie (`known`)."""

    key = models.CharField(max_length=64, db_index=True)  # a hash of that number
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["key", "user"], name="a_browser_knows_somebody_once")]

    def __str__(self) -> str:
        return self.key


class Rating(models.Model):
    """A player's rating in one pool."""

    user = models.ForeignKey(User, verbose_name=_("person"), on_delete=models.CASCADE, related_name="ratings")
    pool = models.CharField(_("pool"), max_length=40, choices=POOLS)
    value = models.FloatField(_("rating"), default=START_RATING)
    matches = models.PositiveIntegerField(_("matches"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    reached_2200 = models.BooleanField(default=False)  # `elo.MASTER_RATING`, after any match
    # Whether it is on the leaderboard (`ranking.may_be_ranked`), by somebody who is neither banned nor deleted.
    ranked = models.BooleanField(_("on the leaderboard"), default=False)
    established = models.BooleanField(_("established"), default=False)  # `ranking.is_established`
    # The last 30 rated matches, one bit each, set if finished; the last eleven ratings, for the line.
    completed = models.PositiveIntegerField(default=0)
    recent = models.JSONField(default=list)
    # The number of rated matches before each of the last matches that was called off and not rated.
    called_off = models.JSONField(default=list)
    opponents = models.JSONField(default=list)  # user ids of the first ten different ones
    updated_at = models.DateTimeField(_("changed"), default=timezone.now)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [models.UniqueConstraint(fields=["user", "pool"], name="one_rating_a_pool")]
        indexes = [
            # Partial: a Boolean column in the index would not be used, as Django writes `WHERE ranked`, not `= 1`.
            models.Index(fields=["pool", "-value", "id"], condition=Q(ranked=True), name="the_leaderboard"),
            models.Index(
                fields=["pool", "-value", "id"],
                condition=Q(ranked=True, established=True),
                name="the_established",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_pool_display()}: {display_rating(self.value)}"

    @property
    def provisional(self) -> bool:
        return self.matches < PROVISIONAL_MATCHES

    @property
    def finished(self) -> list[bool]:
        """Return whether each of the last matches was finished, newest first, those called off included."""
        entries: list[bool] = []
        for number in range(self.matches, max(-1, self.matches - COMPLETION_MATCHES), -1):
            entries += [False] * self.called_off.count(number)
            if number:
                entries.append(bool(self.completed >> (self.matches - number) & 1))
        return entries[:COMPLETION_MATCHES]

    @property
    def completion(self) -> int | None:
        """Return the percentage of those that were finished, or None for fewer than `MIN_COMPLETION_MATCHES`."""
        finished = self.finished
        if len(finished) < MIN_COMPLETION_MATCHES:
            return None
        return round(100 * sum(finished) / len(finished))


class RatingChange(models.Model):
    """The change of one rating by one match."""

    class Limit(models.TextChoices):
        """What limited a change; the loss of the losing side is limited like the gain of the winner."""

        NONE = ""
        NEW_ACCOUNTS = "new"
        OPPONENT = "opponent"
        WINNER = "winner"

    rating = models.ForeignKey(
        Rating, verbose_name=_("rating"), on_delete=models.CASCADE, related_name="changes"
    )
    match_code = models.CharField(_("match"), max_length=10)
    order = models.PositiveBigIntegerField(_("place among rated matches"))
    before = models.FloatField(_("before"))
    after = models.FloatField(_("after"))
    weight = models.FloatField(_("weight"), default=1.0)  # damping against opponents of few matches
    young = models.BooleanField(default=False)  # an opponent's account was new: what is gained is limited
    shares = models.JSONField(default=list)  # [user id, points] of each opponent: what came from whom
    limited_by = models.CharField(max_length=8, choices=Limit.choices, blank=True, default=Limit.NONE)
    # The partner who left, and beside whom this player lost nothing.
    exempt_beside = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    exempt_by_chance = models.BooleanField(default=False, db_default=False)  # `accounts.limits.Leaver`
    at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        indexes = [
            models.Index(fields=["rating", "at"], name="recent_changes"),
            models.Index(fields=["at"], name="changes_by_time"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["rating", "order"], name="one_change_a_place"),
            models.UniqueConstraint(fields=["rating", "match_code"], name="one_change_a_match"),
        ]

    def __str__(self) -> str:
        return f"{self.match_code}: {display_rating(self.before)}–{display_rating(self.after)}"


class RatingBand(models.Model):
    """The number of ranked players of a pool with this displayed rating; ranks are sums of these."""

    pool = models.CharField(max_length=40)
    band = models.IntegerField()
    players = models.IntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pool", "band"], name="one_band_a_pool")]

    def __str__(self) -> str:
        return f"{self.pool} {self.band}: {self.players}"
