"""Which notices people want, their browsers' push subscriptions, and the notices."""

from __future__ import annotations

import secrets
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Seat

TOKEN_BYTES = 24
LAST_HOUR = 23


class Kind(models.TextChoices):
    """The kinds of notices. `Choices` has a field for each of `CHOSEN_KINDS`."""

    TURN = "turn", _("It is my turn")
    DAY_LEFT = "day_left", _("A day of my time is left, in a match of three or seven days a move")
    HOURS_LEFT = "hours_left", _("Two hours of my time are left, in a match of days")
    ENDED = "ended", _("A match of days ends while I am away")
    CHALLENGE = "challenge", _("Somebody challenges me")
    REMATCH = "rematch", _("Somebody offers me a rematch")
    BEGINNING = "beginning", _("A match of mine begins")
    NIGHT = "night", _("A club night that I follow begins")
    STREAK = "streak", _("My streak of Daily Deals ends tonight")
    SUMMARY = "summary", _("A week without a visit")
    TEST = "test", _("A test")


# One match waits: the later ones replace the earlier ones.
TURN_KINDS = (Kind.BEGINNING, Kind.TURN)
WARNING_KINDS = (Kind.DAY_LEFT, Kind.HOURS_LEFT)
WAITING_KINDS = (*TURN_KINDS, *WARNING_KINDS)
# Lost unless they come in time: those of others wait for them.
URGENT_KINDS = (Kind.TEST, Kind.HOURS_LEFT)
CHOSEN_KINDS = tuple(kind for kind in Kind if kind not in (Kind.SUMMARY, Kind.TEST))


def make_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


class Choices(models.Model):
    """The notices that a person wants, and the quiet hours. Without a row: every kind by push, no mail."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_choices", primary_key=True
    )
    turn = models.BooleanField(Kind.TURN.label, default=True)
    day_left = models.BooleanField(Kind.DAY_LEFT.label, default=True, db_default=True)
    hours_left = models.BooleanField(Kind.HOURS_LEFT.label, default=True, db_default=True)
    ended = models.BooleanField(Kind.ENDED.label, default=True, db_default=True)
    challenge = models.BooleanField(Kind.CHALLENGE.label, default=True)
    rematch = models.BooleanField(Kind.REMATCH.label, default=True)
    beginning = models.BooleanField(Kind.BEGINNING.label, default=True)
    night = models.BooleanField(Kind.NIGHT.label, default=True)
    streak = models.BooleanField(Kind.STREAK.label, default=True)
    # From hour to hour of the person's day; equal hours: never quiet.
    quiet_from = models.PositiveSmallIntegerField(
        _("quiet from"), default=22, validators=[MaxValueValidator(LAST_HOUR)]
    )
    quiet_until = models.PositiveSmallIntegerField(
        _("until"), default=8, validators=[MaxValueValidator(LAST_HOUR)]
    )
    # Empty: none was chosen, and no browser has named one; the hours are UTC's.
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True, default="")
    mails = models.BooleanField(
        _("a mail a day while matches wait for me that no notice told me of"), default=False
    )
    mailed_at = models.DateTimeField(null=True, blank=True)
    # The secret in the address of the calendar, for programs that cannot log in; empty: no calendar.
    calendar_token = models.CharField(max_length=43, blank=True, default="", db_index=True)
    # Of the page on which they were saved: no browser names a language when a mail or a calendar is written.
    language = models.CharField(max_length=8, blank=True, default="", db_default="")

    class Meta:
        verbose_name_plural = "choices"

    def __str__(self) -> str:
        return str(self.user_id)

    @property
    def written_language(self) -> str:
        """Return the language to write to the person in; empty: unknown."""
        return self.user.language or self.language

    def wants(self, kind: Kind) -> bool:
        """Return whether the person has left this kind on; the others cannot be switched off."""
        return kind not in CHOSEN_KINDS or bool(getattr(self, kind.value))


def digest_endpoint(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


class EndpointFailures(models.Model):
    """How often in a row deliveries to an endpoint failed; kept while nobody is subscribed at it."""

    digest = models.CharField(max_length=64, primary_key=True)
    failures = models.PositiveSmallIntegerField()
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.digest


class Subscription(models.Model):
    """A browser to which notices are pushed (RFC 8030): where to send, and the keys to encrypt with (RFC 8291).

    session     the key of the session that subscribed it: nothing is sent once that has ended
    server_key  the site's key at that time (`vapid`); empty: of an earlier release
    seen_at     when a page of this browser last compared itself with the site; empty: not since it subscribed
    removed_at  when its owner took it out of the list, perhaps from another one; only a hash of the endpoint is left
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=1000, unique=True)
    key = models.CharField(max_length=100)  # p256dh, in base64url
    secret = models.CharField(max_length=40)  # auth, in base64url
    language = models.CharField(max_length=8, default="en")
    device = models.CharField(max_length=60, blank=True)  # browser and system, as its owner knows them
    created_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveSmallIntegerField(default=0)  # in a row; as in `EndpointFailures`
    session = models.CharField(max_length=40, blank=True, default="", db_default="")
    server_key = models.CharField(max_length=100, blank=True, default="", db_default="")
    seen_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["session"], name="subscriptions_by_session")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.device}"


class NoticeQuerySet(models.QuerySet["Notice"]):
    def due_at(self, moment: datetime) -> NoticeQuerySet:
        """Return the notices to send at `moment` that no process has leased."""
        return self.filter(sent_at=None, due_at__lte=moment, read_at=None)

    def unread(self) -> NoticeQuerySet:
        return self.filter(read_at=None)


class Notice(models.Model):
    """A notice to one person about one subject, sent once until they have looked at it. The row stays for its link.

    key        the subject, such as `match:pk`; unique for a person. A match's is free again once its notice was read
    target     the path that it opens
    due_at     when to send it; a process leases it by setting a later time
    delivered  the subscriptions that got it
    read_at    when its person looked at the subject, on any device
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    key = models.CharField(max_length=60)
    target = models.CharField(max_length=100)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    delivered = models.JSONField(default=list)
    sent_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_notice_a_thing")]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(sent_at=None), name="notices_to_send")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.key}"

    @property
    def subject(self) -> str:
        """Return the part of `key` after its kind: a primary key, or the date of a streak."""
        return self.key.split(":")[1]


def find_choices(user: User) -> Choices:
    """Return the person's choices; the defaults, unsaved, if they have made none."""
    return Choices.objects.filter(user=user).first() or Choices(user=user)
