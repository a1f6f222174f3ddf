"""Open nights in notices, and in calendars, which are read here by what they say of their zone and nothing else."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.utils import timezone

from nights import services
from nights.occurrences import DURATION
from notifications.calendars import write_calendar
from notifications.finding import find_new
from notifications.models import Kind
from tests.nights.open_nights import make_open_night

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 27, 19, 0, tzinfo=UTC)  # a Friday


@pytest.fixture(autouse=True)
def at_seven():
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


def test_members_of_its_club_are_notified_of_each_date(alice, subscribe, at_seven):
    subscribe(alice)
    club = services.make_club(alice, services.ClubPlan("Nine", "es"), NOW)
    night = make_open_night(starts_at=NOW, preset="draw", club=club)
    keys = []
    for week in range(2):
        at_seven.move_to(night.starts_at + timedelta(weeks=week, minutes=-5))
        found = [notice for notice in find_new(timezone.now()) if notice.kind == Kind.NIGHT]
        assert [notice.user_id for notice in found] == [alice.pk]
        found[0].save()
        keys.append(found[0].key)
        assert [notice for notice in find_new(timezone.now()) if notice.kind == Kind.NIGHT] == []
    assert len(set(keys)) == 2


def read_lines(text: str) -> list[str]:
    return text.replace("\r\n ", "").split("\r\n")


def expand(lines: list[str], until: datetime) -> list[datetime]:
    """Return the starts that a calendar has, by what it says of its zone and nothing else."""
    changes, skipped = [], set()
    block: dict[str, str] = {}
    for line in lines:
        name, _colon, value = line.partition(":")
        if line in ("BEGIN:STANDARD", "BEGIN:DAYLIGHT"):
            block = {}
        elif line in ("END:STANDARD", "END:DAYLIGHT"):
            before, after = (parse_offset(block[f"TZOFFSET{end}"]) for end in ("FROM", "TO"))
            changes.append((datetime.strptime(block["DTSTART"], "%Y%m%dT%H%M%S") - before, after))
        elif name.startswith("EXDATE"):
            skipped.add(datetime.strptime(value, "%Y%m%dT%H%M%S"))
        block[name.partition(";")[0]] = value
        if line == "END:VTIMEZONE":
            block = {}
    assert block["RRULE"].startswith("FREQ=WEEKLY")
    local, starts = datetime.strptime(block["DTSTART"], "%Y%m%dT%H%M%S"), []
    while local < until:
        if local not in skipped:
            starts.append(to_utc(local, changes))
        local += timedelta(weeks=1)
    return starts


def parse_offset(text: str) -> timedelta:
    return int(f"{text[0]}1") * timedelta(hours=int(text[1:3]), minutes=int(text[3:5]))


def to_utc(local: datetime, changes: list[tuple[datetime, timedelta]]) -> datetime:
    """Return the time in UTC by the last change that has happened by then."""
    offset = max((moment, after) for moment, after in changes if moment + after <= local)[1]
    return (local - offset).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "zone",
    ["Europe/Madrid", "America/Santiago", "Australia/Lord_Howe", "America/Caracas", "Africa/Casablanca"],
)
def test_calendar_keeps_the_local_hour_over_a_year(alice, zone):
    night = make_open_night(
        starts_at=datetime(2026, 11, 25, 20, 40, tzinfo=ZoneInfo(zone)).astimezone(UTC),
        zone=zone,
        preset="draw",
        skipped="2026-12-09 2027-07-14",
    )
    services.follow_night(alice, night, True)
    lines = read_lines(write_calendar(alice, "https://example.org/", NOW))
    assert f"DTSTART;TZID={zone}:20261202T204000" in lines
    starts = expand(lines, datetime(2027, 12, 1))
    now, expected = NOW, []
    while now < datetime(2027, 12, 1, tzinfo=UTC):
        start = night.find_start(now)
        assert start is not None
        expected.append(start)
        now = start + DURATION
    assert (
        starts == [start for start in expected if start < datetime(2027, 11, 30, tzinfo=UTC)][: len(starts)]
    )
    assert len(starts) == 50


def test_calendar_of_one_date_repeats_nothing(alice):
    services.follow_night(alice, make_open_night(starts_at=NOW, weekly=False, preset="draw"), True)
    text = write_calendar(alice, "https://example.org/", NOW)
    assert "DTSTART:20261127T190000Z" in text and "RRULE" not in text
    assert "BEGIN:VEVENT" not in write_calendar(alice, "https://example.org/", NOW + DURATION)
