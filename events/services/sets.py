"""Seal sets of deals and close them."""

from datetime import UTC, date, datetime, time, timedelta

from django.db import IntegrityError, transaction

import games.services
from boneyard.computer.players import PLAYER_VERSION
from boneyard.engine.rules import Rules
from events.models import DealSet, ProgrammeDay
from events.programme import LEVEL, WEEK, DailyGame, build_rules
from events.services.scoring import store_scores
from games.wording.personas import PERSONAS_PER_LEVEL

DAY = timedelta(days=1)


def find_game(day: date) -> DailyGame:
    """Return the game of a day: the operator's choice for its weekday, or the default."""
    chosen = ProgrammeDay.objects.filter(weekday=day.weekday()).first()
    return chosen.game if chosen else WEEK[day.weekday()]


def seal_day(day: date, now: datetime) -> DealSet:
    """Return the set of this UTC day; seal it if that has not been done yet."""
    existing = DealSet.objects.filter(day=day).first()
    if existing is not None:
        return existing
    game = find_game(day)
    opens_at = datetime.combine(day, time(), tzinfo=UTC)
    try:
        return seal_set(
            f"daily-{day.isoformat()}",
            game,
            build_rules(game.preset),
            day=day,
            sealed_at=now,
            opens_at=opens_at,
            closes_at=opens_at + DAY,
        )
    except IntegrityError:  # sealed by another process at the same time
        return DealSet.objects.get(day=day)


def seal_set(
    name: str,
    game: DailyGame,
    rules: Rules,
    *,
    sealed_at: datetime,
    opens_at: datetime,
    closes_at: datetime,
    day: date | None = None,
    secret: bytes = b"",
) -> DealSet:
    """Draw the secret of a new set, unless one is given, and publish its seal.

    Raise `IntegrityError` for a name or day in use.
    """
    with transaction.atomic():
        deals = DealSet(
            name=name,
            day=day,
            preset=game.preset,
            rules=rules.written(),
            seats=game.seats,
            level=LEVEL,
            figures=[seat % PERSONAS_PER_LEVEL for seat in range(game.seats)],
            player_version=PLAYER_VERSION,
            sealed_at=sealed_at,
            opens_at=opens_at,
            closes_at=closes_at,
        )
        deals.save(force_insert=True)
        deals.seal = games.services.seal(name, secret)
        deals.save(update_fields=["seal"])
    return deals


def close_due(now: datetime) -> None:
    """Close the sets whose time is over."""
    for deals in DealSet.objects.filter(closed_at=None, closes_at__lte=now).order_by("pk"):
        close(deals, now)


def close(deals: DealSet, now: datetime) -> None:
    """End the matches of the set that are being played, then show everything and store the scores."""
    with transaction.atomic():
        DealSet.objects.select_for_update().get(pk=deals.pk)  # wait for people who are just beginning
    for match in games.services.find_unfinished(deals.name):
        games.services.end_at_close(match)
    with transaction.atomic():
        row = DealSet.objects.select_for_update().get(pk=deals.pk)
        if row.closed or games.services.find_unfinished(row.name):
            return
        games.services.disclose(row.name)
        store_scores(row)
        row.closed_at = now
        row.save(update_fields=["closed_at"])
