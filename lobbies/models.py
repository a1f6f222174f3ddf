"""Tables before play. Only `services` writes them."""

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class Table(models.Model):
    class Status(models.TextChoices):
        OPEN = "open", _("open")
        STARTED = "started", _("started")
        CLOSED = "closed", _("closed")

    code = models.CharField(max_length=10, unique=True)
    maker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tables")
    preset = models.CharField(max_length=40)  # what it was made from, changed or not
    rules = models.JSONField()
    changed = models.BooleanField(default=False)  # house rules, or another target
    seats = models.PositiveSmallIntegerField()
    rated = models.BooleanField()
    private = models.BooleanField(default=False)
    clock_seconds = models.PositiveIntegerField(null=True, blank=True)
    clock_increment = models.PositiveIntegerField(null=True, blank=True)

    secret = models.CharField(max_length=64, editable=False)
    seal = models.CharField(max_length=64)

    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN, db_index=True)
    quick = models.BooleanField(default=False)
    rematch_of = models.CharField(max_length=10, null=True, blank=True, unique=True)  # noqa: DJ001  unique where set
    moved_to = models.CharField(max_length=10, blank=True)  # a quick-play table that was joined with another
    created_at = models.DateTimeField(db_index=True)
    maker_seen_at = models.DateTimeField()
    full_at = models.DateTimeField(null=True, blank=True)  # when the last seat was taken

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.code])

    @property
    def open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def clock(self) -> tuple[int, int] | None:
        return None if self.clock_seconds is None else (self.clock_seconds, self.clock_increment or 0)


class Sitting(models.Model):
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="sittings")
    position = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="sittings"
    )
    level = models.CharField(max_length=10, blank=True)
    rating = models.FloatField(null=True, blank=True)
    nonce = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  none yet, or the empty one

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["table", "position"], name="one_sitting_a_position"),
            models.UniqueConstraint(
                fields=["table", "user"], name="one_sitting_a_person", condition=models.Q(user__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table_id}:{self.position}"
