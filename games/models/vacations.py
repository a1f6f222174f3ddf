"""Vacations: during one, clocks of days do not run on its person's turns."""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class VacationQuerySet(models.QuerySet["Vacation"]):
    def at(self, moment: datetime) -> Self:
        return self.filter(began_at__lte=moment, ends_at__gt=moment)


class Vacation(models.Model):
    """A vacation of a person. It counts for the year, in UTC, in which it began."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        on_delete=models.CASCADE,
        related_name="vacations",
    )
    began_at = models.DateTimeField(_("began"))
    ends_at = models.DateTimeField(_("ends"))  # changed to an earlier time if its person ends it

    objects = VacationQuerySet.as_manager()

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        ordering = ["-began_at"]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.began_at.date()} – {self.ends_at.date()}"
