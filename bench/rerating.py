"""Measure how recomputing ratings delays other writes: `python -m bench.rerating [MATCHES]`.

Fills a temporary SQLite database, or the empty database of DATABASE_URL. While `recompute_ratings --waiting` runs,
a row is written every 20 ms as a move does; prints the ms of these writes.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

PLAYERS = 2_000
POOL = "muggins"
WRITE_INTERVAL_SECONDS = 0.02
BASELINE_SECONDS = 20.0


def set_up_django(folder: Path) -> None:
    os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder / 'bench.sqlite3'}")
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "dominoes_site.settings",
        "VAR_DIR": str(folder),
        "SECRET_KEY": "of a bench that nobody else can reach",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def fill(matches: int) -> None:
    """Create players, and rated matches of two with random winners."""
    from django.utils import timezone

    from accounts.models import User
    from boneyard.engine.presets import PRESETS
    from games.models import Match, RatingOrder, Seat

    rng, now = random.Random(1), timezone.now()
    User.objects.bulk_create(
        [User(pk=number, username=f"player-{number:05}") for number in range(1, PLAYERS + 1)], batch_size=500
    )
    rules = PRESETS["all-fives"].rules.as_dict()
    for start in range(1, matches + 1, 5000):
        orders = range(start, min(start + 5000, matches + 1))
        people = {order: rng.sample(range(1, PLAYERS + 1), 2) for order in orders}
        winners = {order: rng.randrange(2) for order in orders}
        Match.objects.bulk_create(
            Match(
                pk=order,
                code=f"{order:010}",
                preset="all-fives",
                pool=POOL,
                rules=rules,
                rated=True,
                status="finished",
                result_how="target",
                winners=[winners[order]],
                scores=[100, 80],
                turn_began_at=now,
                started_at=now,
                ended_at=now + timedelta(seconds=order),
                rating_order=order,
            )
            for order in orders
        )
        Seat.objects.bulk_create(
            Seat(match_id=order, position=seat, user_id=people[order][seat], kind="player", score=100)
            for order in orders
            for seat in range(2)
        )
    RatingOrder.objects.create(pk=1, last=matches)


def measure_baseline() -> tuple[float, list[float]]:
    """Time the writes without a recomputation."""
    until = time.monotonic() + BASELINE_SECONDS
    return BASELINE_SECONDS, time_writes(lambda: time.monotonic() > until)


def measure_during_recomputation() -> tuple[float, list[float]]:
    """Return the seconds of a recomputation, and the ms of every write during it."""
    command = [sys.executable, "manage.py", "recompute_ratings", "--waiting"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    start = time.monotonic()
    times = time_writes(lambda: process.poll() is not None)
    return time.monotonic() - start, times


def time_writes(is_over: Callable[[], bool]) -> list[float]:
    from django.db import transaction
    from django.utils import timezone

    from games.models import Heartbeat

    times = []
    while not is_over():
        start = time.monotonic()
        with transaction.atomic():
            Heartbeat.objects.update_or_create(pk=Heartbeat.OF_TIME, defaults={"at": timezone.now()})
        times.append((time.monotonic() - start) * 1000)
        time.sleep(WRITE_INTERVAL_SECONDS)
    return sorted(times)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("matches", nargs="?", type=int, default=100_000)
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        set_up_django(Path(folder))
        from django.utils import timezone

        from games.models import Match, Rerating
        from games.services import rerating

        fill(matches)
        # The first recomputation writes all ratings and their history: the worst case.
        Rerating.objects.create(pool=POOL, asked_at=timezone.now())
        print_times("nothing computed", *measure_baseline())
        print_times("from nothing", *measure_during_recomputation())
        rerating.annul(Match.objects.get(pk=1))
        print_times("the first match annulled", *measure_during_recomputation())


def print_times(what: str, seconds: float, times: list[float]) -> None:
    def part(share: float) -> float:
        return times[min(len(times) - 1, int(share * len(times)))]

    print(
        f"{what}: {seconds:.0f} s; {len(times)} writes beside it took {part(0.5):.1f} / {part(0.95):.1f} / "
        f"{part(0.99):.1f} ms (median, 95 %, 99 %), the longest {times[-1]:.0f} ms"
    )


if __name__ == "__main__":
    main()
