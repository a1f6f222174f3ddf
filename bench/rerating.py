"""What annulling the first of many rated matches costs those who play: `python -m bench.rerating [MATCHES]`.

SQLite in a folder of its own, or DATABASE_URL's database, which must be empty; filled in bulk. While
`recompute_ratings --waiting` runs, a row is written every 20 ms as a move writes it; how long each write took, in ms.
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
EVERY = 0.02  # seconds between two writes
ALONE = 20.0  # seconds


def set_up(folder: Path) -> None:
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
    """Players, and this many rated matches of two, whoever won."""
    from django.utils import timezone

    from accounts.models import User
    from games.engine.presets import PRESETS
    from games.models import Match, RatingOrder, Seat

    dice, now = random.Random(1), timezone.now()
    User.objects.bulk_create(
        [User(pk=number, username=f"player-{number:05}") for number in range(1, PLAYERS + 1)], batch_size=500
    )
    rules = PRESETS["all-fives"].rules.as_dict()
    for start in range(1, matches + 1, 5000):
        orders = range(start, min(start + 5000, matches + 1))
        people = {order: dice.sample(range(1, PLAYERS + 1), 2) for order in orders}
        won = {order: dice.randrange(2) for order in orders}
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
                winners=[won[order]],
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


def alone() -> tuple[float, list[float]]:
    """The same writes while nothing is computed: what the machine's other work costs."""
    until = time.monotonic() + ALONE
    return ALONE, writes(lambda: time.monotonic() > until)


def beside_recomputing() -> tuple[float, list[float]]:
    """Seconds the computing took, and the milliseconds of every write beside it."""
    command = [sys.executable, "manage.py", "recompute_ratings", "--waiting"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    began = time.monotonic()
    waits = writes(lambda: process.poll() is not None)
    return time.monotonic() - began, waits


def writes(over: Callable[[], bool]) -> list[float]:
    from django.db import transaction
    from django.utils import timezone

    from games.models import Heartbeat

    waits = []
    while not over():
        asked = time.monotonic()
        with transaction.atomic():
            Heartbeat.objects.update_or_create(pk=Heartbeat.OF_TIME, defaults={"at": timezone.now()})
        waits.append((time.monotonic() - asked) * 1000)
        time.sleep(EVERY)
    return sorted(waits)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("matches", nargs="?", type=int, default=100_000)
    matches = parser.parse_args().matches
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        set_up(Path(folder))
        from django.utils import timezone

        from games.models import Match, Rerating
        from games.services import rerating

        fill(matches)
        # The first computing fills the ratings and their history, which is as much as there can be to write.
        Rerating.objects.create(pool=POOL, asked_at=timezone.now())
        report("nothing computed", *alone())
        report("from nothing", *beside_recomputing())
        rerating.annul(Match.objects.get(pk=1))
        report("the first match annulled", *beside_recomputing())


def report(what: str, seconds: float, waits: list[float]) -> None:
    def part(share: float) -> float:
        return waits[min(len(waits) - 1, int(share * len(waits)))]

    print(
        f"{what}: {seconds:.0f} s; {len(waits)} writes beside it took {part(0.5):.1f} / {part(0.95):.1f} / "
        f"{part(0.99):.1f} ms (median, 95 %, 99 %), the longest {waits[-1]:.0f} ms"
    )


if __name__ == "__main__":
    main()
