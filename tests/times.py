"""The system's clock, moved."""

from datetime import timedelta

import time_machine
from django.utils import timezone


def later(**span: float) -> time_machine.travel:
    """The system's clock this much later (the arguments of timedelta), standing still."""
    return time_machine.travel(timezone.now() + timedelta(**span), tick=False)
