"""Control of the system clock in tests."""

from datetime import timedelta

import time_machine
from django.utils import timezone


def later(**span: float) -> time_machine.travel:
    """Freeze the clock at now plus `span` (arguments of `timedelta`)."""
    return time_machine.travel(timezone.now() + timedelta(**span), tick=False)
