"""Who may challenge a person."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Challengers(models.TextChoices):
    ALL = "all", _("everybody")
    FOLLOWED = "followed", _("people I follow")
    NOBODY = "nobody", _("nobody")
