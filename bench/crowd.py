"""Simulate an evening's crowd with mixed wishes, seated by the site's own services, in a temporary database.

    python -m bench.crowd [--people 20] [--minutes 40] [--seeds 3] [--without-questions]

Each person wishes for a game with certain seats and a clock, presses, waits, plays for some minutes and wishes again;
one in four is a guest. Where people wait for the same game otherwise, the press and the page of a waiting table ask,
and nine in ten join. `--without-questions`: the press asks nothing, and after 20 seconds others' tables are offered, as
before that was built. Prints the waits, and for how many seconds somebody waited at an empty table while somebody else
waited for the same game, whom they could have joined and had not declined. A table that was made since their page's
last look does not count: the page offers it at the next one.
"""

import argparse
import os
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import time_machine

BEGIN = datetime(2026, 1, 1, 18, tzinfo=UTC)
STEP_SECONDS = 2
MATCH_SECONDS = (240, 480)
BREAK_SECONDS = (5, 60)
JOINS = 0.9
GUESTS = 0.25
RATING_DEVIATION = 200.0
OFFER_AFTER_SECONDS = 20
# How many in a hundred wish for a preset, a number of seats and a clock.
WISHES = (
    (24, "all-fives", 2, "300+5"),
    (6, "all-fives", 3, "300+5"),
    (8, "all-fives", 2, "600+5"),
    (14, "draw", 2, "180+3"),
    (8, "draw", 3, "180+3"),
    (4, "draw", 4, "180+3"),
    (14, "block", 2, "180+3"),
    (4, "block", 2, "300+5"),
    (10, "dominican", 4, "300+5"),
    (8, "bones", 2, "300+5"),
)


@dataclass(eq=False)
class Person:
    user: Any
    free_at: float
    is_waiting: bool = False
    since: float = 0.0
    declined: set[str] = field(default_factory=set)  # the codes of tables


@dataclass
class Crowd:
    rng: random.Random
    asks: bool
    people: list[Person]
    waits: list[float] = field(default_factory=list)
    apart_seconds: int = 0

    def run(self, seconds: int) -> None:
        for now in range(0, seconds, STEP_SECONDS):
            with time_machine.travel(BEGIN + timedelta(seconds=now), tick=False):
                self._step(now)

    def _step(self, now: float) -> None:
        from lobbies import services
        from lobbies.models import Sitting, Table

        Sitting.objects.filter(table__status=Table.Status.OPEN).update(seen_at=_now())
        for person in self.people:
            if not person.is_waiting and person.free_at <= now:
                person.is_waiting, person.since, person.declined = True, now, set()
                self._press(person)
            elif person.is_waiting and (self.asks or now - person.since >= OFFER_AFTER_SECONDS):
                self._look_around(person, any_game=now - person.since >= OFFER_AFTER_SECONDS)
        services.sweep(_now())
        self._begin_matches(now)
        self._count_apart()

    def _press(self, person: Person) -> None:
        from lobbies import seating, services
        from lobbies.offers import QuickGame, may_play_rated
        from lobbies.pairing import load_seeker

        _weight, preset, seats, clock = self.rng.choices(WISHES, [wish[0] for wish in WISHES])[0]
        wish = QuickGame(preset, seats, clock)
        offer = seating.find_offer(load_seeker(person.user, _now()), wish, seating.load_tables(), _now())
        if self.asks and offer.otherwise is not None and self._joins(person, offer.otherwise):
            services.sit(offer.otherwise, person.user)
        else:
            services.quick_play(person.user, wish.as_game(rated=may_play_rated(person.user)))

    def _joins(self, person: Person, table: Any) -> bool:
        if self.rng.random() < JOINS:
            return True
        person.declined.add(table.code)
        return False

    def _look_around(self, person: Person, *, any_game: bool) -> None:
        """Answer what the page of a waiting table offers to somebody who is alone there."""
        from lobbies import services

        if (own := _own_table(person)) is None or own.sittings.count() > 1:
            return
        others = sorted(_joinable(person), key=lambda other: other.preset != own.preset)
        for other in others:
            if (other.preset != own.preset and not any_game) or other.code in person.declined:
                continue
            if self._joins(person, other):
                services.sit(other, person.user)
                services.leave_queues(person.user, other)
            return

    def _begin_matches(self, now: float) -> None:
        from lobbies.models import Table

        for table in Table.objects.filter(status=Table.Status.OPEN, full_at__isnull=False):
            keys = set(table.sittings.values_list("user", flat=True))
            length = self.rng.uniform(*MATCH_SECONDS)
            for person in self.people:
                if person.user.pk in keys:
                    self.waits.append(now - person.since)
                    person.is_waiting = False
                    person.free_at = now + length + self.rng.uniform(*BREAK_SECONDS)
            Table.objects.filter(pk=table.pk).update(status=Table.Status.STARTED)

    def _count_apart(self) -> None:
        """Count who waits alone although somebody else waits for the same game."""
        for person in self.people:
            own = _own_table(person) if person.is_waiting else None
            if own is None or own.sittings.count() > 1:
                continue
            seen = _now() - timedelta(seconds=STEP_SECONDS)
            others = (table for table in _joinable(person) if table.preset == own.preset)
            if any(table.code not in person.declined and table.created_at <= seen for table in others):
                self.apart_seconds += STEP_SECONDS


def _now() -> datetime:
    return datetime.now(UTC)


def _own_table(person: Person) -> Any:
    from lobbies.models import Sitting

    return next((sitting.table for sitting in Sitting.objects.waiting(person.user.pk)), None)


def _joinable(person: Person) -> Sequence[Any]:
    from lobbies import seating
    from lobbies.pairing import load_seeker

    tables = seating.load_tables()
    return list(seating.find_joinable(load_seeker(person.user, _now()), tables))


def set_up(folder: Path) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "dominoes_site.settings",
        "VAR_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'bench.sqlite3'}",
        "SECRET_KEY": "of a bench that nobody else can reach",
    }
    import django
    from django.conf import settings
    from django.core.management import call_command

    django.setup()
    settings.LIMITS = False
    call_command("migrate", verbosity=0)


def make_people(rng: random.Random, number: int) -> list[Person]:
    from accounts.models import Rating, User
    from boneyard.engine.presets import PRESETS
    from lobbies.models import Table

    Table.objects.all().delete()
    User.objects.all().delete()
    people = []
    for index in range(number):
        user = User.objects.create(username=f"player{index}", is_guest=rng.random() < GUESTS)
        strength = rng.gauss(1500, RATING_DEVIATION)
        if not user.is_guest:
            pools = {PRESETS[preset].pool(seats) for _weight, preset, seats, _clock in WISHES}
            Rating.objects.bulk_create(
                Rating(user=user, pool=pool, value=strength, matches=40) for pool in pools
            )
        people.append(Person(user, free_at=rng.uniform(0, 300)))
    return people


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--minutes", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--without-questions", action="store_true")
    chosen = parser.parse_args()
    waits: list[float] = []
    apart = 0
    with tempfile.TemporaryDirectory() as folder:
        set_up(Path(folder))
        for seed in range(chosen.seeds):
            rng = random.Random(seed)  # noqa: S311 - repeatable on purpose
            crowd = Crowd(rng, not chosen.without_questions, make_people(rng, chosen.people))
            crowd.run(60 * chosen.minutes)
            waits += crowd.waits
            apart += crowd.apart_seconds
    waits.sort()
    share = 100 * sum(wait < 60 for wait in waits) / len(waits)
    print(
        f"{len(waits)} waits: median {waits[len(waits) // 2]:.0f} s, 95 % {waits[95 * len(waits) // 100]:.0f} s"
    )
    print(f"under 60 s: {share:.0f} %")
    print(f"alone while somebody else waits for the same game: {apart} s")


if __name__ == "__main__":
    main()
