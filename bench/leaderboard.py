"""Measure leaderboard pages with a thousand and a million rated players: `python -m bench.leaderboard [PLAYERS …]`.

Fills a temporary SQLite database. Figures are medians of CPU milliseconds for the queries and rows of a request.
"""

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

POOL = "muggins"
REPETITIONS = 40


def set_up_django(folder: Path) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "dominoes_site.settings",
        "VAR_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'bench.sqlite3'}",
        "SECRET_KEY": "of a bench that nobody else can reach",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def fill(players: int) -> None:
    """Create players with ratings around 1500; a fifth of them is not ranked yet."""
    from django.db import connection, transaction
    from django.db.models import Model

    from accounts import ranking
    from accounts.models import Rating, User

    def insert(model: type[Model], rows: Iterator[tuple], *columns: str) -> None:
        sample = model()
        values = {
            field.column: field.get_db_prep_save(field.pre_save(sample, False), connection)
            for field in model._meta.concrete_fields
            if not (field.primary_key or field.generated)
        }
        values = {name: None for name in columns} | {n: v for n, v in values.items() if n not in columns}
        names = ", ".join(f'"{name}"' for name in values)
        places = ", ".join("%s" if name in columns else _literal(value) for name, value in values.items())
        with connection.cursor() as cursor:
            cursor.executemany(f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES ({places})', rows)

    rng = random.Random(players)
    with transaction.atomic():
        Rating.objects.all().delete()
        User.objects.all().delete()
        people = ((number, f"player-{number:07}") for number in range(1, players + 1))
        insert(User, people, "id", "username")
        insert(
            Rating,
            _ratings(rng, players),
            "user_id",
            "pool",
            "value",
            "matches",
            "wins",
            "ranked",
            "recent",
        )
        ranking.rebuild_bands(POOL)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _literal(value: object) -> str:
    return str(int(value)) if isinstance(value, bool | int) else "NULL" if value is None else f"'{value}'"


def _ratings(rng: random.Random, players: int) -> Iterator[tuple]:
    for number in range(1, players + 1):
        value = max(100.0, rng.gauss(1500, 180))
        matches = rng.randint(1, 9) if number % 5 == 0 else rng.randint(10, 900)
        recent = "[" + ", ".join(str(value + rng.uniform(-40, 40)) for _ in range(10)) + f", {value}]"
        yield number, POOL, value, matches, matches // 2, matches >= 10, recent


def measure_function(function: Callable[[], object]) -> tuple[float, int]:
    """Return the median CPU milliseconds and the number of queries of a function."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as queries:
        function()
    times = []
    for _ in range(REPETITIONS):
        start = time.process_time()
        function()
        times.append(1000 * (time.process_time() - start))
    return statistics.median(times), len(queries)


def measure_pages() -> dict[str, tuple[float, int]]:
    from accounts import drawing, leaderboard, ranking, ratings
    from accounts.models import Rating, User

    ranked = Rating.objects.filter(pool=POOL, ranked=True).order_by("-value", "id")
    middle = ranked[ranked.count() // 2]
    viewer = User.objects.get(pk=middle.user_id)
    key = f"{middle.value!r}:{middle.pk}"
    players = [ratings.Player(middle.user_id), ratings.Player(ranked[0].user_id)]
    orders = iter(range(1, 10_000))

    def render_page(**keys: str) -> None:
        page = leaderboard.page(POOL, viewer, keys)
        for row in page.rows:
            row.html  # noqa: B018

    def rate_match() -> None:
        from django.db import transaction
        from django.utils import timezone

        order = next(orders)
        with transaction.atomic():
            ratings.rate(
                pool=POOL,
                order=order,
                match_code=f"bench{order:05}",
                sides=[[player] for player in players],
                ranks=[1, 2],
                at=timezone.now(),
            )

    return {
        "one's own rank": measure_function(lambda: ranking.get_rank(middle)),
        "the first page with it": measure_function(render_page),
        "a page in the middle": measure_function(lambda: render_page(after=key)),
        "back from the middle": measure_function(lambda: render_page(before=key)),
        "the counts and the picture of all ratings": measure_function(
            lambda: ranking.get_histogram(ranking.read_bands(POOL), drawing.STEP)
        ),
        "rating a match": measure_function(rate_match),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("players", type=int, nargs="*", default=[1_000, 1_000_000])
    sizes = parser.parse_args().players
    with tempfile.TemporaryDirectory() as folder:
        set_up_django(Path(folder))
        results = {}
        for players in sizes:
            start = time.perf_counter()
            fill(players)
            print(f"{players:,} players in {time.perf_counter() - start:.0f} s", flush=True)
            results[players] = measure_pages()
    print(f"{'ms (queries)':42}" + "".join(f"{players:>18,}" for players in sizes))
    for what in results[sizes[0]]:
        cells = (f"{ms:.2f} ({queries})" for ms, queries in (results[players][what] for players in sizes))
        print(f"{what:42}" + "".join(f"{cell:>18}" for cell in cells))


if __name__ == "__main__":
    main()
