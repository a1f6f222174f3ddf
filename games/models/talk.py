"""Table talk and reports to the moderators."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.names import label
from core.prepared import PreparedQuery
from games.models.matches import Match

MAX_TALK_LINES = 50
# In the order of the buttons; the icons are in static/img/emotes.svg, the names in `games.wording.emotes`.
EMOTES = (
    "smile",
    "laugh",
    "wink",
    "surprise",
    "think",
    "sad",
    "phew",
    "clap",
    "thumb",
    "heart",
    "hat",
    "wave",
)


class TalkManager(models.Manager["Talk"]):
    def newest_lines(self, match: Match, room: str) -> list[Talk]:
        """Return the newest lines and emotes of a room that are not hidden, oldest first."""
        return _newest.rows(match.pk, room)[::-1]


class Talk(models.Model):
    class Room(models.TextChoices):
        TABLE = "table", _("at the table")
        WATCHERS = "watchers", _("among the spectators")

    match = models.ForeignKey(Match, verbose_name=_("match"), on_delete=models.CASCADE, related_name="talk")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    name = models.CharField(pgettext_lazy("of a person", "name"), max_length=150)
    is_bot = models.BooleanField(_("bot"), default=False, db_default=False)
    room = models.CharField(_("room"), max_length=10, choices=Room.choices)
    text = models.CharField(_("line"), max_length=140)
    is_emote = models.BooleanField(_("emote"), default=False, db_default=False)  # `text` is its name
    hidden = models.BooleanField(_("hidden"), default=False)  # by a moderator
    at = models.DateTimeField(_("when"), default=timezone.now)

    objects = TalkManager()

    class Meta:
        verbose_name = _("line of talk")
        verbose_name_plural = _("talk")
        ordering = ["id"]
        indexes = [models.Index(fields=["match", "room", "id"])]

    def __str__(self) -> str:
        return self.text

    @property
    def display_name(self) -> str:
        return label(self.name, is_bot=self.is_bot)


_newest = PreparedQuery(  # for every page of a match
    lambda match, room: (
        Talk.objects.filter(match=match).filter(room=room, hidden=False).order_by("-id")[:MAX_TALK_LINES]
    )
)


class Report(models.Model):
    """A report of a line, a match or a person to the moderators, and its outcome."""

    class Category(models.TextChoices):
        STALLING = "stalling", _("plays for time")
        LEAVING = "leaving", _("leaves matches")
        TALK = "talk", _("insults or harasses")
        NAME = "name", _("an offensive name")
        COLLUSION = "collusion", _("plays together with an opponent")
        COMPUTER = "computer", _("has a computer play")
        ACCOUNTS = "accounts", _("has several accounts")
        RATING = "rating", _("loses or wins on purpose")

    class Outcome(models.TextChoices):
        ACTED = "acted", _("the moderators have acted")
        NOTHING = "nothing", _("the moderators saw no reason to act")

    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="reports",
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
    )
    category = models.CharField(_("what about"), max_length=10, choices=Category.choices, blank=True)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome.choices, blank=True)
    talk = models.ForeignKey(
        Talk, verbose_name=_("line"), on_delete=models.SET_NULL, null=True, blank=True, related_name="reports"
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("reported by"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    reason = models.CharField(_("in their words"), max_length=500)
    at = models.DateTimeField(_("when"), default=timezone.now)
    handled_at = models.DateTimeField(_("handled"), null=True, blank=True)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("handled by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )

    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("assigned to"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["handled_at", "at"]
        constraints = [
            models.UniqueConstraint(
                fields=["talk", "reporter"],
                name="one_report_a_line",
                condition=models.Q(talk__isnull=False, reporter__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return self.reason or str(self.get_category_display()) or str(self.pk)

    @property
    def subject(self) -> str:
        """Return the name of the person reported, or of the players of a match where nobody is named."""
        person = self.person or (self.talk.user if self.talk else None)
        if person is not None:
            return person.public_name
        return ", ".join(seat.display_name for seat in self.match.seats.all()) if self.match else ""
