from datetime import UTC, datetime

import pytest
import time_machine

A_DAY = datetime(2026, 9, 9, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def one_day():
    """Let each test begin at noon of one day: the deals of a day follow from its date."""
    with time_machine.travel(A_DAY):
        yield
