"""The order in which matches are rated, and the pools pending recomputation."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class RatingOrder(models.Model):
    """The rating order of the last rated match, in one row; its lock serializes endings."""

    last = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "rating order"

    def __str__(self) -> str:
        return str(self.last)


class Rerating(models.Model):
    """A pool pending recomputation, with its progress and the process that has the lease."""

    class Phase(models.TextChoices):
        WAITING = "waiting", _("waiting")
        COMPUTING = "computing", _("being computed")
        WRITING = "writing", _("being written")

    pool = models.CharField(_("pool"), max_length=40, unique=True)
    asked_at = models.DateTimeField(_("asked for"))
    taken_at = models.DateTimeField(_("last sign of progress"), null=True, blank=True)
    done = models.PositiveIntegerField(_("matches done"), default=0)
    total = models.PositiveIntegerField(_("matches in all"), default=0)

    owner = models.CharField(_("process"), max_length=80, blank=True, default="", db_default="")
    phase = models.CharField(
        _("what happens"),
        max_length=10,
        choices=Phase.choices,
        default=Phase.WAITING,
        db_default=Phase.WAITING,
    )

    class Meta:
        verbose_name = _("rating being computed anew")
        verbose_name_plural = _("ratings being computed anew")

    def __str__(self) -> str:
        return f"{self.pool}: {self.done} of {self.total}"
