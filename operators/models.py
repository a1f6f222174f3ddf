"""Settings, pages, texts and invitations of a site's operator, and the figures of each hour."""

import secrets
from ipaddress import ip_network
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from operators.mail_kinds import MAILS
from operators.translated import TranslatedField, choose_text

MAX_REASON_LENGTH = 200


def make_token() -> str:
    return secrets.token_urlsafe(12)


def _limit(name: Any, *, default: int, most: int) -> Any:
    return models.PositiveSmallIntegerField(
        name,
        default=default,
        db_default=default,
        validators=[MinValueValidator(1), MaxValueValidator(most)],
        help_text=format_lazy(_("From 1 to {most}; {default} on a new site."), most=most, default=default),
    )


class SiteSettings(models.Model):
    """The settings of this site, in one row. Read them through `operators.site_settings`."""

    class Level(models.TextChoices):
        INFO = "info", _("information")
        WARNING = "warning", _("warning")

    class Registration(models.TextChoices):
        OPEN = "open", _("open to everybody")
        INVITATION = "invitation", _("by invitation")
        CLOSED = "closed", _("closed")

    name = models.CharField(_("name of the site"), max_length=40, default="Boneyard")
    description = TranslatedField(_("short description"), max_length=160, blank=True)
    operator = models.CharField(_("operator"), max_length=200, blank=True)
    contact = models.CharField(
        _("contact"), max_length=200, blank=True, help_text=_("An e-mail address, or how else to reach you.")
    )
    announcement = TranslatedField(_("announcement"), max_length=300, blank=True)
    announced_from = models.DateTimeField(_("from"), null=True, blank=True)
    announced_until = models.DateTimeField(_("until"), null=True, blank=True)
    level = models.CharField(_("level"), max_length=8, choices=Level.choices, default=Level.INFO)
    maintenance = models.BooleanField(
        _("maintenance"),
        default=False,
        help_text=_("New tables and matches are refused, except for staff."),
    )
    matches_halt = models.BooleanField(
        _("running matches stand still"),
        default=False,
        db_default=False,
        help_text=_(
            "During maintenance: moves are refused, and clocks go on afterwards where they were. Else matches go on."
        ),
    )
    maintenance_text = TranslatedField(_("sentence during maintenance"), max_length=300, blank=True)
    registration = models.CharField(
        _("registration"), max_length=12, choices=Registration.choices, default=Registration.OPEN
    )
    guests = models.BooleanField(_("guests may play"), default=True)
    staff_second_factor = models.BooleanField(
        _("staff need a second factor"),
        default=False,
        db_default=False,
        help_text=_("Without a passkey or an authenticator app nobody gets into the admin."),
    )
    public_talk = models.BooleanField(
        _("talk"), default=True, help_text=_("Off: nobody can write at tables or among spectators.")
    )
    appeal = TranslatedField(_("how to appeal"), max_length=MAX_REASON_LENGTH, blank=True)
    games = models.JSONField(
        _("games on quick play"), default=list, blank=True
    )  # preset ids in order; [] for the usual ones of the reader's language
    clocks = models.JSONField(_("time controls offered"), default=list, blank=True)  # [] for all
    tables_limit = _limit(_("open tables that a person sits at"), default=3, most=20)
    lines_limit = _limit(_("lines of talk in ten seconds"), default=5, most=30)
    reports_limit = _limit(_("reports a person and day"), default=20, most=200)
    guests_limit = _limit(_("new guests an address and hour"), default=60, most=1000)
    accounts_limit = _limit(_("new accounts an address and day"), default=100, most=1000)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        verbose_name = _("settings of this site")
        verbose_name_plural = _("settings of this site")

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = 1
        super().save(*args, **kwargs)

    @property
    def halts_matches(self) -> bool:
        """Return whether running matches stand still now."""
        return self.maintenance and self.matches_halt


class Invitation(models.Model):
    """A link with which a number of people may sign up while registration is by invitation."""

    token = models.CharField(max_length=32, unique=True, default=make_token, editable=False)
    note = models.CharField(_("for whom"), max_length=100, blank=True)
    uses = models.PositiveIntegerField(_("uses"), default=1, validators=[MinValueValidator(1)])
    used = models.PositiveIntegerField(_("used"), default=0, editable=False)
    expires_at = models.DateTimeField(_("valid until"), null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("made by"),
        on_delete=models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
    )
    at = models.DateTimeField(_("when"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-at"]

    def __str__(self) -> str:
        return self.note or self.token

    def get_absolute_url(self) -> str:
        return reverse("invitation", args=[self.token])


class Page(models.Model):
    """A page in Markdown, in every language."""

    class Slug(models.TextChoices):
        ABOUT = "about", "/about/"
        TERMS = "terms", "/terms/"
        PRIVACY = "privacy", "/privacy/"

    slug = models.CharField(_("address"), max_length=20, choices=Slug.choices, unique=True)
    title = TranslatedField(_("title"), max_length=100)
    body = TranslatedField(
        _("text"), lines=16, blank=True, help_text=_("In Markdown, without HTML and pictures.")
    )

    class Meta:
        verbose_name = _("page")
        verbose_name_plural = _("pages")
        ordering = ["slug"]

    def __str__(self) -> str:
        return f"/{self.slug}/"

    def get_absolute_url(self) -> str:
        return reverse(self.slug)


class News(models.Model):
    """An entry of /news/, in every language."""

    title = TranslatedField(_("title"), max_length=100)
    body = TranslatedField(_("text"), lines=12, help_text=_("In Markdown, without HTML and pictures."))
    at = models.DateTimeField(_("published"), default=timezone.now, help_text=_("Shown from then on."))

    class Meta:
        verbose_name = _("news")
        verbose_name_plural = _("news")
        ordering = ["-at"]

    def __str__(self) -> str:
        return choose_text(self.title)


class MailText(models.Model):
    """The operator's text of a mail, instead of the site's own."""

    key = models.CharField(_("mail"), max_length=40, unique=True)
    subject = TranslatedField(_("subject"), max_length=150, blank=True)
    body = TranslatedField(_("text"), lines=12, blank=True)

    class Meta:
        verbose_name = _("text of a mail")
        verbose_name_plural = _("texts of mails")
        ordering = ["key"]

    def __str__(self) -> str:
        return str(MAILS[self.key].title) if self.key in MAILS else self.key


class ReasonTemplate(models.Model):
    """A reason that moderators choose for a sanction; the person reads it in their language."""

    category = models.CharField(_("for reports of"), max_length=10, blank=True)
    text = TranslatedField(_("reason"), max_length=MAX_REASON_LENGTH)
    order = models.PositiveSmallIntegerField(_("place"), default=0)

    class Meta:
        verbose_name = _("reason for a sanction")
        verbose_name_plural = _("reasons for sanctions")
        ordering = ["order", "pk"]

    def __str__(self) -> str:
        return choose_text(self.text)


def validate_network(text: str) -> None:
    """Raise `ValidationError` unless the text is a network such as 192.0.2.0/24, or one address."""
    try:
        ip_network(text)
    except ValueError:
        raise ValidationError(
            _("Write a network like 192.0.2.0/24 or 2001:db8:1:2::/64, or one address.")
        ) from None


class SharedNetwork(models.Model):
    """The network of a club or school, whose people may share an address and still play for rating points."""

    name = models.CharField(_("club or school"), max_length=60)
    network = models.CharField(_("network"), max_length=43, unique=True, validators=[validate_network])
    is_listed = models.BooleanField(
        _("its people may share an address"),
        default=False,
        help_text=_(
            "People who play from one address there are rated. Tick it only for a place that you know."
        ),
    )
    added_at = models.DateTimeField(_("added"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("network of a club")
        verbose_name_plural = _("networks of clubs")
        ordering = ["name", "network"]

    def __str__(self) -> str:
        return f"{self.name}: {self.network}"


class HourlyFigure(models.Model):
    """A count or mean of an hour, for the plots of the admin."""

    hour = models.DateTimeField()
    name = models.CharField(max_length=20)
    value = models.FloatField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "hour"], name="one_figure_an_hour")]

    def __str__(self) -> str:
        return f"{self.hour:%Y-%m-%d %H}: {self.value} {self.name}"


class Release(models.Model):
    """A release that has prepared this database; an earlier one, started on it, names it."""

    version = models.CharField(max_length=40, unique=True)
    first_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-first_at"]

    def __str__(self) -> str:
        return self.version
