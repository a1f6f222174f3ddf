"""Simulate the first week of a site with ten people: `python -m bench.week [--days 7]`.

Ten people sign up at a new site and come mostly in the evenings, some of them for the club nights. Their requests go
over HTTP to a server thread in this process, whose clock is moved (`time_machine`). They play rated matches by legal
moves, one every six seconds. Somebody who waits alone for 40 seconds starts a match with a computer, stays in the queue
meanwhile, and leaves after a quarter of an hour. Prints the waiting times and what each visit found; exits with 1 if a
leaderboard ever differs from a recomputation of the ratings from all moves.
"""

import argparse
import heapq
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

NAMES = "mara tiago hedvig ines pavlo yusra dogan amelie kato lindqvist".split()
MONDAY = datetime(2026, 11, 30, tzinfo=UTC)
EVENING_HOUR, EVENING_DEVIATION_HOURS = 19.5, 1.5
# Probabilities: of a visit in the evening and by day, of following club nights and of coming to one, of taking a
# suggestion, of another match.
EVENING_VISIT_PROBABILITY, DAY_VISIT_PROBABILITY = 0.8, 0.3
FOLLOW_PROBABILITY, NIGHT_VISIT_PROBABILITY = 0.5, 0.7
SUGGESTION_PROBABILITY = 0.9
MATCHES_PER_VISIT = 3
NEXT_MATCH_PROBABILITY = 0.7
SECONDS_PER_MOVE, SECONDS_PER_POLL = 6, 20
COMPUTER_AFTER_SECONDS, MAX_WAIT_SECONDS = 40, 900

Steps = Generator[float, None, None]  # yields seconds until the next step


def set_up(folder: Path) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "dominoes_site.settings",
        "VAR_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'week.sqlite3'}",
        "SECRET_KEY": "of a bench that nobody else can reach",
        "LIMITS": "off",
        "SHARED_NETWORKS": "127.0.0.0/8",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("setup")


class QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def serve() -> str:
    """Start a server of the site in a thread and return its address."""
    from threading import Thread

    from django.core.wsgi import get_wsgi_application

    server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=QuietHandler)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class Week:
    """The simulated site: its events in order of time, and what was measured."""

    def __init__(self, url: str, days: int, rng: random.Random) -> None:
        self.url, self.days, self.rng = url, days, rng
        self.waits: list[float] = []  # until a match with a person
        self.given_up = 0
        self.visits: list[dict[str, bool]] = []
        self.matches = self.checks = self.computer_matches = 0
        self.differences: list[str] = []
        self._events: list[tuple[float, int, Steps]] = []
        self._number = 0

    def run(self) -> None:
        import time_machine

        with time_machine.travel(MONDAY, tick=False) as clock:
            people = [Person(self, name) for name in NAMES]
            for person in people:
                for at in person.plan_visits():
                    self._schedule(at, person.visit())
            while self._events:
                at, _number, steps = heapq.heappop(self._events)
                clock.move_to(MONDAY + timedelta(seconds=at))
                self._advance()
                if (delay := next(steps, None)) is not None:
                    self._schedule(at + delay, steps)

    def _schedule(self, at: float, steps: Steps) -> None:
        self._number += 1
        heapq.heappush(self._events, (at, self._number, steps))

    @staticmethod
    def _advance() -> None:
        """Do what the referee does, but for the computers' moves."""
        from django.utils import timezone

        from lobbies import services
        from lobbies.models import Table

        if Table.objects.filter(status=Table.Status.OPEN).exists():
            services.sweep(timezone.now())

    def check_leaderboard(self, reader: Any, code: str) -> None:
        """Compare the pool's page with the ratings recomputed from all moves."""
        from accounts.models import Rating
        from core.numbers import display_rating
        from games.models import Match
        from games.services import rerating

        match = Match.objects.get(code=code)
        self.matches += 1
        if match.rating_order is None:
            return
        self.checks += 1
        page = reader.get(f"/leaderboard/{match.pool}/").text
        shown = re.findall(r'data-name="([^"]+)"\s+data-rating="(\d+)"', page)
        self.differences += rerating.recompute()
        ratings = Rating.objects.filter(pool=match.pool, matches__gt=0).select_related("user")
        expected = {rating.user.username: str(display_rating(rating.value)) for rating in ratings}
        if dict(shown) != expected:
            self.differences.append(f"{code}: the page shows {shown}, expected {expected}")
        values = [int(value) for _name, value in shown]
        if values != sorted(values, reverse=True):
            self.differences.append(f"{code}: not in order: {shown}")


class Person:
    """Somebody with an account who comes now and then."""

    def __init__(self, week: Week, name: str) -> None:
        from accounts.models import User
        from tests.http_client import HttpClient

        self.week, self.rng = week, week.rng
        self.client = HttpClient(week.url).sign_up(name)
        self.user = User.objects.get(username=name)
        self.follows = self.rng.random() < FOLLOW_PROBABILITY
        self._is_here = False
        if self.follows:
            page = self.client.get("/").text
            for address in dict.fromkeys(re.findall(r"/nights/\d+/follow", page)):
                self.client.post(address, on=1)

    def plan_visits(self) -> Iterator[float]:
        """Yield when this person comes, in seconds from the start of the week."""
        from lobbies.models import ClubNight

        for day in range(self.week.days):
            if self.rng.random() < EVENING_VISIT_PROBABILITY:
                yield 3600 * (24 * day + self.rng.gauss(EVENING_HOUR, EVENING_DEVIATION_HOURS))
            if self.rng.random() < DAY_VISIT_PROBABILITY:
                yield 3600 * (24 * day + self.rng.uniform(8, 18))
            for night in ClubNight.objects.filter(weekday=day % 7):
                if self.follows and self.rng.random() < NIGHT_VISIT_PROBABILITY:
                    yield 3600 * (24 * day + night.hour) + self.rng.uniform(0, 600)

    def visit(self) -> Steps:
        from django.utils import timezone

        if self._is_here:
            return
        self._is_here = True
        front = self.client.get("/").text
        found = {
            "somebody waits": bool(re.search(r"\d+ waits?<", front)),
            "a match to watch": 'class="game"' in front,
            "a club night is on": ">on now<" in front,
            "a puzzle": "/learn/puzzles/" in self.client.get("/learn/puzzles/").url,
        }
        played = 0
        for _match in range(MATCHES_PER_VISIT):
            code = yield from self._wait()
            if not code:
                break
            played += 1
            yield from self._play(code)
            if self.rng.random() > NEXT_MATCH_PROBABILITY:
                break
        self.week.visits.append(found | {"a match with a person": played > 0})
        self._is_here = False
        print(f"visit {len(self.week.visits)}, {timezone.now():%a %H:%M}", file=sys.stderr)

    def _wait(self) -> Generator[float, None, str]:
        """Wait at a table of quick play; return the code of the match, or "" after giving up."""
        from django.utils import timezone

        from games.models import Match, Seat
        from lobbies.models import Sitting

        began, computer = timezone.now(), ""
        own = Match.objects.filter(status=Match.Status.PLAYING, seats__user=self.user)
        preset = (
            ""
            if self.rng.random() < SUGGESTION_PROBABILITY
            else self.rng.choice(["draw/", "block/", "bones/"])
        )
        fields = {"seats": 2, "clock": "180+3"} if preset else {}
        self.client.post(f"/play/{preset}", **fields)
        while True:
            waited = (timezone.now() - began).total_seconds()
            match = own.exclude(seats__kind=Seat.Kind.COMPUTER).first()
            if match is not None:
                self.week.waits.append(waited)
                self._end_computer_match(computer)
                return match.code
            sitting = Sitting.objects.filter(user=self.user, table__status="open").first()
            if sitting is None or waited >= MAX_WAIT_SECONDS:
                self.week.given_up += 1
                if sitting is not None:
                    self.client.post(f"/tables/{sitting.table.code}/leave")
                self._end_computer_match(computer)
                return ""
            self.client.get(f"/tables/{sitting.table.code}/")
            if waited >= COMPUTER_AFTER_SECONDS and not computer:
                computer = self._start_computer_match()
            yield SECONDS_PER_POLL

    def _start_computer_match(self) -> str:
        from lobbies.models import Sitting

        before = set(Sitting.objects.filter(user=self.user).values_list("table__code", flat=True))
        self.client.post("/play/all-fives/", seats=2, clock="none", computer="club")
        after = set(Sitting.objects.filter(user=self.user).values_list("table__code", flat=True))
        self.week.computer_matches += bool(after - before)
        return next(iter(after - before), "")

    def _end_computer_match(self, code: str) -> None:
        from games.models import Match

        match = Match.objects.filter(code=code, status="playing").first()
        if match is not None:
            self.client.get(f"/games/{code}/")
            self.client.post(f"/games/{code}/move", move="abort", version=match.version)

    def _play(self, code: str) -> Steps:
        from games import repository
        from games.models import Match

        self.client.get(f"/games/{code}/")
        while True:
            match = Match.objects.get(code=code)
            if not match.playing:
                return
            value, seats = repository.get_value(match), list(match.seats.all())
            if value.turn is not None and seats[value.turn].user_id == self.user.pk:
                move = str(self.rng.choice(value.legal(value.turn)))
                self.client.post(f"/games/{code}/move", "application/json", move=move, version=match.version)
                if not Match.objects.get(code=code).playing:
                    self.week.check_leaderboard(self.client, code)
            yield SECONDS_PER_MOVE


def print_results(week: Week) -> None:
    waits = sorted(week.waits)
    visits = len(week.visits)
    print(
        f"{visits} visits of {len(NAMES)} people in {week.days} days, {week.matches} matches between people"
    )
    if waits:
        within = ", ".join(
            f"{100 * sum(wait <= limit for wait in waits) / (len(waits) + week.given_up):.0f} % within {limit} s"
            for limit in (10, 60, 90, MAX_WAIT_SECONDS)
        )
        print(f"waits for a person: median {waits[len(waits) // 2]:.0f} s; of all {within}")
    print(
        f"given up after {MAX_WAIT_SECONDS} s: {week.given_up}; matches with a computer: {week.computer_matches}"
    )
    found = Counter(what for visit in week.visits for what, holds in visit.items() if holds)
    for what, number in found.most_common():
        print(f"  {100 * number / visits:3.0f} % of the visits: {what}")
    with_something = sum(any(visit.values()) for visit in week.visits)
    print(f"  {100 * with_something / visits:3.0f} % of the visits: something to do")
    print(f"leaderboards compared after {week.checks} rated matches: {len(week.differences)} differences")
    for difference in week.differences[:10]:
        print(f"  {difference}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="boneyard-week-") as folder:
        set_up(Path(folder))
        week = Week(serve(), options.days, random.Random(options.seed))  # noqa: S311 - repeatable on purpose
        with suppress(KeyboardInterrupt):  # prints what has been measured so far
            week.run()
        print_results(week)
    return 1 if week.differences else 0


if __name__ == "__main__":
    sys.exit(main())
