"""Seal sets of deals, close, cancel and replace them."""

from datetime import UTC, date, datetime, time, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q

import games.services
from boneyard.computer.players import PLAYER_VERSION
from boneyard.engine.rules import Rules
from core.broken_rows import log_once
from events.models import GRACE, DealSet, ProgrammeDay
from events.programme import LEVEL, WEEK, DailyGame, build_rules
from events.refusals import EventRefused
from events.services.house import needs_house
from events.services.scoring import store_scores
from games.wording.personas import PERSONAS_PER_LEVEL

DAY = timedelta(days=1)


def find_game(day: date) -> DailyGame:
    """Return the game of a day: the operator's choice for its weekday, or the default."""
    chosen = ProgrammeDay.objects.filter(weekday=day.weekday()).first()
    if chosen is not None and (fault := chosen.fault):
        log_once(f"{chosen.described}: {fault}")
        chosen = None
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
            figures=_choose_figures(game.seats),
            player_version=PLAYER_VERSION,
            sealed_at=sealed_at,
            opens_at=opens_at,
            closes_at=closes_at,
        )
        deals.save(force_insert=True)
        deals.seal = games.services.seal(name, secret)
        deals.save(update_fields=["seal"])
    return deals


def _choose_figures(seats: int) -> list[int]:
    return [seat % PERSONAS_PER_LEVEL for seat in range(seats)]


def close_due(now: datetime) -> None:
    """Close the sets whose time is over, and those that are cancelled; one that cannot be closed costs no other."""
    for deals in DealSet.objects.filter(
        Q(closes_at__lte=now) | Q(cancelled_at__isnull=False), closed_at=None
    ).order_by("pk"):
        if fault := deals.fault:
            log_once(f"{deals.described}: {fault}")
            continue
        close(deals, now)


def close(deals: DealSet, now: datetime) -> None:
    """End the matches of the set that are being played, then show everything and store the scores.

    For `GRACE` after the closing time it waits for rounds that were dealt before, and for the house.
    """
    with transaction.atomic():
        # Wait for people who are just beginning.
        row = DealSet.objects.select_for_update().get(pk=deals.pk)
    unfinished = games.services.find_unfinished(deals.name)
    if row.cancelled_at is not None:
        games.services.void_unfinished(deals.name)
    elif now < deals.closes_at + GRACE and (unfinished or needs_house(deals)):
        return
    else:
        for match in unfinished:
            games.services.end_at_close(match)
    with transaction.atomic():
        row = DealSet.objects.select_for_update().get(pk=deals.pk)
        if row.closed or games.services.find_unfinished(row.name):
            return
        games.services.disclose(row.name)
        row.closed_at = now
        row.save(update_fields=["closed_at"])
        if row.cancelled_at is None:
            store_scores(row)


def cancel(deals: DealSet, now: datetime) -> None:
    """Cancel a set before or while it is open: its matches end without results. Raise `EventRefused`."""
    with transaction.atomic():
        row = DealSet.objects.select_for_update().get(pk=deals.pk)
        if row.closed or row.cancelled_at is not None or now >= row.closes_at:
            raise EventRefused("closed")
        row.cancelled_at = now
        row.save(update_fields=["cancelled_at"])
    if not deals.fault:
        close(deals, now)


def replace(deals: DealSet, game: DailyGame, now: datetime) -> None:
    """Give a set that has not opened another game and other deals, with a new seal. Raise `EventRefused`.

    A cancelled set is announced again. Raise `InvalidRules` for a game that cannot be played in fixed rounds.
    """
    rules = build_rules(game.preset)
    with transaction.atomic():
        row = DealSet.objects.select_for_update().get(pk=deals.pk)
        if now >= row.opens_at:
            raise EventRefused("opened")
        row.preset, row.seats, row.rules = game.preset, game.seats, rules.written()
        row.level, row.player_version = LEVEL, PLAYER_VERSION
        row.figures = _choose_figures(game.seats)
        row.seal, row.sealed_at = games.services.seal(row.name), now
        row.cancelled_at = row.closed_at = None
        row.save()
