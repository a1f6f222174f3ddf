"""The pauses of a table: before a computer's move, and for calls; each person has a default."""

from typing import NamedTuple

from django.db import models
from django.utils.translation import gettext_lazy as _


class ComputerPause(models.IntegerChoices):
    """Seconds before the move of a computer of even tempo."""

    NONE = 0, _("as fast as they can")
    ONE = 1, _("1 second")
    TWO = 2, _("2 seconds")
    FOUR = 4, _("4 seconds")


class CallPause(models.IntegerChoices):
    """Seconds for calls after a play, with three or four seats."""

    TWO = 2, _("2 seconds")
    FOUR = 4, _("4 seconds")
    EIGHT = 8, _("8 seconds")


class Pauses(NamedTuple):
    """The pauses of a table, a match or a person, in seconds."""

    call: int = CallPause.TWO
    computer: int = ComputerPause.ONE


DEFAULT_PAUSES = Pauses()
