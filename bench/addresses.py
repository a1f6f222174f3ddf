"""Measure what one request to each address of the site costs, with demo data, the largest sets and a busy player.

Prints the CPU milliseconds of a first request with empty caches and the median of the following ones, dearest first.
Every address of the URL configuration is measured or named in `SKIPPED` with the reason; a new one fails until it is.
"""

import os
import random
import statistics
import time
from collections.abc import Iterator
from typing import Any

from bench import own_site

own_site.set_up(ALLOWED_HOSTS="testserver", LIMITS="off")

from django.core.cache import cache  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import URLPattern, URLResolver, get_resolver, reverse  # noqa: E402

from accounts.models import User  # noqa: E402
from boneyard.engine.presets import PRESETS  # noqa: E402
from boneyard.engine.rules import Rules  # noqa: E402
from dominoes_site.management.commands.demo import end_call_pause  # noqa: E402
from games import repository, services  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.services import SeatAssignment  # noqa: E402
from games.table import snapshot_cache  # noqa: E402
from lobbies.models import Table  # noqa: E402
from study.models import Puzzle, SealLink  # noqa: E402

LIMIT_MS = 200
REPETITIONS = 5
RESIGNED_MATCHES = 300  # of the busy player
LINKS = 100_000  # of the chain of seals
PASSWORD = "ninety-nine bones"  # noqa: S105  of this database only
SKIPPED = {
    "account_confirm_email": "needs the key of a mail",
    "account_email_verification_sent": "a fixed page",
    "account_reset_password_from_key": "needs the key of a mail",
    "account_inactive": "a fixed page",
    "jsi18n": "a fixed script",
    "healthz": "in a thread of its own, with one write in five seconds",
    "account-delete": "ends the account that measures",
    "account_logout": "ends the session that measures",
}


class World:
    """The rows that addresses name: a late and a finished match of the largest set, a table, a busy player."""

    def __init__(self) -> None:
        call_command("setup", verbosity=0)
        call_command("demo", verbosity=0)
        self.people = [User.objects.create_user(f"busy-{n}", password=PASSWORD) for n in range(4)]
        self.boss = User.objects.create_superuser("the-boss", password=PASSWORD)
        rules = PRESETS["gomuggins"].rules.replace(set=12)
        self.late = self._play(rules, 70)
        self.finished = self._play(rules, 100_000)
        SealLink.objects.bulk_create(
            [
                SealLink(number=n, code=f"s{n:09}", seal="0" * 64, hash="0" * 64)
                for n in range(10**6, 10**6 + LINKS)
            ],
            batch_size=5_000,
        )
        self.table = Table.objects.filter(status=Table.Status.OPEN).first()
        for number in range(RESIGNED_MATCHES):
            match = self._start(PRESETS["all-fives"].rules, self.people[:2], rated=True, code=f"r{number:09}")
            services.leave(match=match, user=self.people[number % 2])

    def _start(self, rules: Rules, people: list[User | None], *, rated: bool, code: str) -> Match:
        services.seal(code)
        seats = [
            SeatAssignment(person.username, Seat.Kind.PLAYER, person)
            if person
            else SeatAssignment("computer", Seat.Kind.COMPUTER, level="casual")
            for person in people
        ]
        return services.start(
            code=code,
            preset="all-fives" if rated else None,
            rules=rules,
            rated=rated,
            seats=seats,
            entropy=".".join("a" for _ in seats),
        )

    def _play(self, rules: Rules, moves: int) -> Match:
        """Play a match of one person against three computers for this many moves, then on to the person's turn."""
        rng = random.Random(5)  # noqa: S311
        match = self._start(rules, [self.people[0], None, None, None], rated=False, code=os.urandom(5).hex())
        while match.playing:
            value = repository.get_value(match)
            if value.turn is None:
                match = end_call_pause(match)
                continue
            if value.move_count >= moves and value.turn == 0 and len(value.legal(0)) > 1:
                break
            move = rng.choice(value.legal(value.turn))
            seat = match.seats.get(position=value.turn)
            match = services.play(match=match, seat=seat, move=str(move), seen_version=match.version)
        return match


def find_addresses(
    patterns: Any = None, inherited: tuple[str, ...] = ()
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name and the parameters of every address but the admin's."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            if pattern.app_name != "admin":
                yield from find_addresses(pattern.url_patterns, (*inherited, *pattern.pattern.converters))
        elif isinstance(pattern, URLPattern) and pattern.name:
            own = tuple(pattern.pattern.converters) or tuple(pattern.pattern.regex.groupindex)
            yield pattern.name, (*inherited, *own)


def list_requests(world: World) -> Iterator[tuple[str, str, str, dict[str, Any] | None]]:
    """Yield the label, the kind of client, the address, and the form of a POST or None."""
    puzzle = Puzzle.objects.create(match=world.finished, number=20, tried=[])
    words = {
        "preset": "gomuggins",
        "name": "busy-0",
        "pool": "all-fives",
        "pk": puzzle.pk,
        "slug": "moves",
        "number": 1,
    }
    for name, parameters in sorted(set(find_addresses())):
        if name in SKIPPED:
            continue
        codes = {"late": world.late.code, "finished": world.finished.code, "table": world.table.code}
        for label, code in codes.items() if "code" in parameters else [("", "")]:
            if label and (label == "table") != name.startswith("table"):
                continue
            try:
                address = reverse(name, kwargs={key: (words | {"code": code})[key] for key in parameters})
            except KeyError as missing:
                raise SystemExit(
                    f"{name}: give a value for {missing} in `words`, or name it in SKIPPED"
                ) from None
            yield f"{name} {label}".strip(), "player", address, None
            yield f"POST {name} {label}".strip(), "player", address, FORMS.get(name, {})
    yield "archive of a player", "player", "/archive/?player=busy-0", None
    yield "players' search", "player", "/players/?q=a", None
    for url in ("admin:index", "admin:games_match_changelist", "admin:accounts_user_changelist"):
        yield url, "boss", reverse(url), None
    yield "admin: search", "boss", reverse("admin:games_match_changelist") + "?q=busy", None
    yield "admin: match", "boss", reverse("admin:games_match_change", args=[world.finished.pk]), None
    yield "admin: case", "boss", reverse("admin:games_case", args=[world.people[0].pk]), None


FORMS: dict[str, dict[str, Any]] = {
    "account_login": {"login": "busy-1", "password": "wrong"},
    "account_signup": {"username": "somebody", "password1": PASSWORD, "password2": PASSWORD},
    "account_change_password": {"oldpassword": "wrong", "password1": PASSWORD, "password2": PASSWORD},
    "account_reauthenticate": {"password": "wrong"},
    "table-preview": {"preset": "gomuggins", "rule-set": 12, "seats": 4},
    "table-new": {"preset": "gomuggins", "rule-set": 12, "seats": 4},
    "match-say": {"text": "hello"},
}


def measure(client: Client, address: str, form: dict[str, Any] | None) -> tuple[float, float, int]:
    """Return the CPU milliseconds of a first request, the median of the next ones, and the status."""
    times, status = [], 0
    cache.clear()
    repository.clear_caches()
    snapshot_cache.clear()
    for _ in range(1 + REPETITIONS):
        start = time.process_time()
        response = client.get(address) if form is None else client.post(address, form)
        if response.streaming:
            response.getvalue()
        times.append((time.process_time() - start) * 1000)
        status = response.status_code
    return times[0], statistics.median(times[1:]), status


def main() -> None:
    world = World()
    clients = {"player": Client(), "boss": Client()}
    clients["boss"].force_login(world.boss)
    rows = []
    for label, who, address, form in list_requests(world):
        clients["player"].force_login(world.people[0])
        first, usual, status = measure(clients[who], address, form)
        rows.append((max(first, usual), label, first, usual, status))
    for dearest, label, first, usual, status in sorted(rows, reverse=True):
        mark = "*" if dearest > LIMIT_MS else " "
        print(f"{mark} {label:44} first {first:7.1f} ms CPU, then {usual:7.1f}   {status}")


if __name__ == "__main__":
    main()
