"""Clubs: people who hold nights again and again. Only `nights.services` writes them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

MAX_CLUB_NAME_LENGTH = 60
MAX_WORDS_LENGTH = 120
MAX_DESCRIPTION_LENGTH = 4000
MAX_PERSON_NAME_LENGTH = 30  # as long as the name of an entry
INVITATION_LENGTH = 16


class Club(models.Model):
    """A club. `invitation` is the secret of the link by which people join; "": there is none.

    is_open    anybody with an account may join, without an invitation
    is_public  listed, and found by search engines
    is_hidden  by a moderator: only its members see its page
    """

    slug = models.SlugField(_("address"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=MAX_CLUB_NAME_LENGTH)
    language = models.CharField(_("language"), max_length=8)
    place = models.CharField(_("place"), max_length=MAX_WORDS_LENGTH, blank=True)
    hours = models.CharField(_("days and hours"), max_length=MAX_WORDS_LENGTH, blank=True)
    description = models.TextField(_("description"), max_length=MAX_DESCRIPTION_LENGTH, blank=True)
    is_open = models.BooleanField(_("anybody may join"), default=False)
    is_public = models.BooleanField(_("public"), default=False)
    is_hidden = models.BooleanField(_("hidden"), default=False)
    invitation = models.CharField(max_length=INVITATION_LENGTH, blank=True, editable=False)
    created_at = models.DateTimeField(_("made"))

    class Meta:
        verbose_name = pgettext_lazy("of people", "club")
        verbose_name_plural = pgettext_lazy("of people", "clubs")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])

    @property
    def is_found(self) -> bool:
        """Return whether it is listed, and its page open to everybody."""
        return self.is_public and not self.is_hidden

    def find_role(self, user_id: int | None) -> str:
        """Return the role of an account in the club, "" without one."""
        if user_id is None:
            return ""
        role = self.memberships.filter(user=user_id).values_list("role", flat=True).first()
        return role or ""

    def is_run_by(self, user_id: int | None) -> bool:
        """Return whether the account directs the club's nights."""
        return self.find_role(user_id) in Membership.RUNNING


class Membership(models.Model):
    """An account in a club."""

    class Role(models.TextChoices):
        OWNER = "owner", pgettext_lazy("of a club", "owner")
        DIRECTOR = "director", pgettext_lazy("of a club", "director")
        MEMBER = "member", pgettext_lazy("of a club", "member")

    RUNNING = (Role.OWNER, Role.DIRECTOR)

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="club_memberships",
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(_("joined"))

    class Meta:
        verbose_name = _("member of a club")
        verbose_name_plural = _("members of clubs")
        ordering = ["joined_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["club", "user"], name="one_membership_an_account")]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.user_id} {self.role}"


class ClubPerson(models.Model):
    """Somebody who comes again and again, with an account or without; the entries of the club's nights point here."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="people")
    name = models.CharField(_("name"), max_length=MAX_PERSON_NAME_LENGTH)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="club_people",
    )
    added_at = models.DateTimeField(_("added"))

    class Meta:
        verbose_name = _("person of a club")
        verbose_name_plural = _("people of clubs")
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="one_club_person_a_name"),
            models.UniqueConstraint(
                fields=["club", "user"],
                name="one_club_person_an_account",
                condition=models.Q(user__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Season(models.Model):
    """A span of dates over whose nights a club sums what its people have won; both days belong to it."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=MAX_CLUB_NAME_LENGTH)
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))

    class Meta:
        verbose_name = _("season of a club")
        verbose_name_plural = _("seasons of clubs")
        ordering = ["-first_day", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(first_day__lte=models.F("last_day")), name="season_in_order"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def days(self) -> str:
        """Return its first and last day, as the page's language writes them."""
        first, last = (
            formats.date_format(day, "SHORT_DATE_FORMAT") for day in (self.first_day, self.last_day)
        )
        return f"{first} – {last}"
