"""Tokens, with which programs act for an account. Only `api.tokens` writes them."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from api.scopes import Scope

MAX_TOKEN_NAME_LENGTH = 40


class Token(models.Model):
    """A token. Of its text only a digest is stored: whoever reads the database can use none."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        on_delete=models.CASCADE,
        related_name="api_tokens",
    )
    name = models.CharField(_("what it is for"), max_length=MAX_TOKEN_NAME_LENGTH)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(_("what it may do"))
    created_at = models.DateTimeField(_("made"), default=timezone.now, db_default=Now())
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True)
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"

    @property
    def group(self) -> str:
        """Return the group of its streams."""
        return f"token.{self.pk}"

    def is_valid(self, now: datetime) -> bool:
        return self.ends_at is None or now < self.ends_at

    def allows(self, scopes: frozenset[Scope]) -> bool:
        """Return whether it has one of these scopes."""
        return not scopes.isdisjoint(self.scopes)
