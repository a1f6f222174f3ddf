"""How long a match lasted, on its result and in lists."""

from datetime import timedelta

import pytest
from django.utils import timezone, translation

from games.models import Match
from games.time.durations import describe_duration, short_duration


@pytest.mark.parametrize(
    ("seconds", "result", "listed"),
    [
        (59, "under a minute", "< 1 min"),
        (60, "1 minute", "1 min"),
        (90, "2 minutes", "2 min"),
        (149, "2 minutes", "2 min"),
        (150, "3 minutes", "3 min"),
        (7499, "2:05 hours", "2:05 hours"),
        (3 * 86_400, "3 days", "3 days"),
    ],
)
def test_result_and_lists_agree_on_the_duration(seconds, result, listed):
    now = timezone.now()
    match = Match(started_at=now - timedelta(seconds=seconds), ended_at=now)
    with translation.override("en"):
        assert (describe_duration(match), short_duration(match)) == (result, listed)
