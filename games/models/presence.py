"""Presence of players, and heartbeats of processes."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

from games.models.matches import Match, Seat

PRESENCE_TTL = timedelta(seconds=20)  # of a lost socket; its process renews a row every 5 s


class ConnectionQuerySet(models.QuerySet["Connection"]):
    def open_at(self, moment: datetime) -> ConnectionQuerySet:
        """Return the connections open at `moment`, including those lost less than `PRESENCE_TTL` before."""
        return self.filter(closed_at=None, seen_at__gt=moment - PRESENCE_TTL)


class Connection(models.Model):
    """An open page that counts for a match, stored because every process must know who is present.

    A page of the match has one row, named after its socket. Any other page of the site has one `elsewhere` row for each
    match that its reader is playing.
    """

    channel = models.CharField(max_length=120, primary_key=True)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="connections")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, null=True, related_name="connections")
    opened_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(db_index=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    clean = models.BooleanField(default=False)  # type: ignore[assignment]  # page closed, not connection lost
    elsewhere = models.BooleanField(default=False, db_default=False)  # another page of the site
    # A player has the page in view, as it told; only of matches with a clock of days.
    visible = models.BooleanField(default=False, db_default=False)
    process = models.CharField(max_length=32, blank=True, db_default="")  # key of the serving process

    objects = ConnectionQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["match", "seat"])]

    def __str__(self) -> str:
        return self.channel

    def is_open(self, now: datetime) -> bool:
        return self.closed_at is None and self.seen_at > now - PRESENCE_TTL


class Heartbeat(models.Model):
    """The last heartbeat of any process (`games.time.outages`), and the last write check of /healthz: two rows."""

    OF_TIME, OF_HEALTH = 1, 2

    at = models.DateTimeField()
    halted = models.BooleanField(default=False, db_default=False)  # all matches stand still since `at`

    def __str__(self) -> str:
        return self.at.isoformat()


class Process(models.Model):
    """A serving process and its last heartbeat; `games.time.outages` compensates players at silent ones."""

    key = models.CharField(max_length=32, primary_key=True)
    at = models.DateTimeField()  # last heartbeat
    mended_at = models.DateTimeField()  # its silence is compensated up to here

    class Meta:
        verbose_name_plural = "processes"

    def __str__(self) -> str:
        return f"{self.key}: {self.at.isoformat()}"
