"""What was found out about finished matches. Only `study.services` and migrations write these rows."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models import Match, Seat


class Analysis(models.Model):
    """A match that somebody asked to have judged, and what came of it.

    result  as `study.grading.analysis.Analysis.as_dict` makes it; null until it is done
    engine  the version of the code that made it
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="analysis")
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED, db_index=True)
    progress = models.FloatField(default=0)  # 0 to 1
    engine = models.CharField(max_length=20, blank=True)
    result = models.JSONField(null=True, blank=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="analyses_asked_for"
    )
    asked_at = models.DateTimeField(default=timezone.now, db_index=True)
    taken_at = models.DateTimeField(null=True, blank=True)  # the latest sign of the process that is at it
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name_plural = "analyses"

    def __str__(self) -> str:
        return f"{self.match.code}: {self.state}"

    @property
    def waiting(self) -> bool:
        return self.state in (self.State.QUEUED, self.State.RUNNING)


class SeatStudied(models.Model):
    """What an analysis says of one seat, to be summed up over matches.

    decisions           how many were graded
    lost, lost_squared  the sum of their losses, and of the squares; in chances of the match
    luck                of its side; null where it means nothing
    """

    seat = models.OneToOneField(Seat, on_delete=models.CASCADE, related_name="studied")
    decisions = models.PositiveIntegerField()
    lost = models.FloatField()
    lost_squared = models.FloatField()
    luck = models.FloatField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "seats studied"

    def __str__(self) -> str:
        return f"{self.seat}: {self.decisions}"
