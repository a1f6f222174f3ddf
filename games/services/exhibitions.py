"""Matches between computers, one an hour at most, to watch while nobody plays."""

from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

from accounts.pauses import ComputerPause, Pauses
from boneyard.engine.presets import PRESETS
from boneyard.engine.records import Level
from games.models import Match, Seat
from games.services.beginnings import SeatAssignment, seal, start
from games.time.presence import filter_active
from games.wording.personas import PERSONAS_PER_LEVEL
from operators.site_settings import get_site

EXHIBITED_LEVELS: tuple[Level, ...] = (
    "club",
    "casual",
)  # they choose a move in about a millisecond, without a search
EXHIBITED_GAMES = (
    ("all-fives", 2),
    ("draw", 2),
    ("fives-and-threes-league", 2),
    ("kozel", 2),
    ("dominican", 4),
)
CODE_LENGTH = 10


def hold_exhibition(now: datetime) -> Match | None:
    """Start the match of this hour if it has not been played and no people play in public; otherwise return None."""
    hour = now.replace(minute=0, second=0, microsecond=0)
    code = salted_hmac("games.exhibitions", hour.isoformat()).hexdigest()[:CODE_LENGTH]
    if (
        not settings.EXHIBITIONS
        or get_site().maintenance
        or Match.objects.filter(code=code).exists()
        or _people_play(now)
    ):
        return None
    number = int(hour.timestamp()) // 3600
    preset, seats = EXHIBITED_GAMES[number % len(EXHIBITED_GAMES)]
    try:
        with transaction.atomic():
            seal(code)
            return start(
                code=code,
                preset=preset,
                rules=PRESETS[preset].rules,
                rated=False,
                seats=[_player(number, seat) for seat in range(seats)],
                entropy="." * (seats - 1),
                commitments=[None] * seats,
                pauses=Pauses(computer=ComputerPause.TWO),
            )
    except IntegrityError:
        return None  # another process has started it


def _player(number: int, seat: int) -> SeatAssignment:
    level, repeat = EXHIBITED_LEVELS[seat % len(EXHIBITED_LEVELS)], seat // len(EXHIBITED_LEVELS)
    name = f"{level} {repeat + 1}" if repeat else level
    return SeatAssignment(
        name, Seat.Kind.COMPUTER, level=level, figure=(number + repeat) % PERSONAS_PER_LEVEL
    )


def _people_play(now: datetime) -> bool:
    played = Match.objects.filter(status=Match.Status.PLAYING, private=False, seats__user__isnull=False)
    return filter_active(played, now).exists()


def delete_exhibitions_before(moment: datetime) -> int:
    """Delete matches between computers alone that ended earlier; return their number."""
    ended = Match.objects.filter(status=Match.Status.FINISHED, ended_at__lt=moment)
    old = ended.exclude(seats__kind__in=[Seat.Kind.PLAYER, Seat.Kind.GUEST])
    keys = list(old.values_list("pk", flat=True))
    if keys:
        Match.objects.filter(pk__in=keys).delete()
    return len(keys)
