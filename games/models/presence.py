"""Who is here, and which processes keep time."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

from games.models.matches import Match, Seat

PRESENCE_TTL = timedelta(seconds=20)  # after a socket was lost; its process renews it every 5 s


class ConnectionQuerySet(models.QuerySet["Connection"]):
    def open_at(self, moment: datetime) -> ConnectionQuerySet:
        """Those that were open then, or lost so recently that their people still count as present."""
        return self.filter(closed_at=None, seen_at__gt=moment - PRESENCE_TTL)


class Connection(models.Model):
    """One open socket on a match's page. Rows, not memory: every process must know who is there."""

    channel = models.CharField(max_length=120, primary_key=True)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="connections")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, null=True, related_name="connections")
    opened_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(db_index=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    clean = models.BooleanField(default=False)  # type: ignore[assignment]  # the page was closed, not the line lost
    process = models.CharField(max_length=32, blank=True, db_default="")  # whose socket it is

    objects = ConnectionQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["match", "seat"])]

    def __str__(self) -> str:
        return self.channel

    def is_open(self, now: datetime) -> bool:
        return self.closed_at is None and self.seen_at > now - PRESENCE_TTL


class Heartbeat(models.Model):
    """Two rows that are written again and again: when any process last said that time is being kept (`outage`), and
    when /healthz last found that something can be written."""

    OF_TIME, OF_HEALTH = 1, 2

    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.at.isoformat()


class Process(models.Model):
    """A process that keeps time, and until when (`outage`): people at one that has fallen silent do not pay."""

    key = models.CharField(max_length=32, primary_key=True)
    at = models.DateTimeField()  # its last beat
    mended_at = models.DateTimeField()  # up to here its silence has been given back

    class Meta:
        verbose_name_plural = "processes"

    def __str__(self) -> str:
        return f"{self.key}: {self.at.isoformat()}"
