"""Control of the system clock in tests."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from unittest import mock

import time_machine
from django.utils import timezone

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def later(**span: float) -> time_machine.travel:
    """Freeze the clock at now plus `span` (arguments of `timedelta`)."""
    return time_machine.travel(timezone.now() + timedelta(**span), tick=False)


@contextmanager
def standing_clocks() -> Iterator[None]:
    """Let it be noon of a certain day, and nothing expire, so that what runs costs the same each time.

    Readings of the monotonic clock still differ, by a microsecond each, as code compares them.
    """
    readings = count(1_000_000)
    with (
        time_machine.travel(NOON, tick=False),
        mock.patch.object(time, "monotonic", lambda: next(readings) / 1e6),
    ):
        yield
