"""What a page, a move and a push cost: CPU milliseconds, queries and bytes, in this process on a database of its own.

A move with its two frames is told by how many moves the round had: that should not matter. Medians of many; the machine
is noisy, so compare within one run.
"""

import gzip
import os
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="boneyard-bench-"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
os.environ["ALLOWED_HOSTS"] = "testserver"

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, reset_queries  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from games import repository, services  # noqa: E402
from games.engine.presets import PRESETS  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.services import SeatAssignment  # noqa: E402
from games.services.matches import play_as  # noqa: E402
from games.table.page_state import Shown  # noqa: E402
from games.table.snapshot_cache import reading  # noqa: E402
from games.table.state_json import state_for  # noqa: E402
from games.table.table_view import table_for  # noqa: E402

TIMES = 60
MATCHES = 40  # played through
STAGE = 10  # moves of a round


def cost(name: str, deed: Callable[[], str | bytes | None], times: int = TIMES) -> None:
    """Print the median CPU time of `deed`, its queries, and the bytes it answers, plain and compressed."""
    spent, answer = [], None
    for _ in range(times):
        began = time.process_time()
        answer = deed()
        spent.append((time.process_time() - began) * 1000)
    connection.force_debug_cursor = True
    reset_queries()
    deed()
    queries = len(connection.queries)
    connection.force_debug_cursor = False
    body = answer.encode() if isinstance(answer, str) else answer or b""
    size = f"{len(body):7} bytes {len(gzip.compress(body)):6} gzipped" if body else ""
    print(f"{name:34} {statistics.median(spent):6.2f} ms CPU {queries:3} queries {size}")


def main() -> None:
    call_command("migrate", verbosity=0)
    people = [User.objects.create_user(name) for name in ("alice", "bob")]
    match = _match(people)
    browsers = [Client() for _ in people]
    for client, person in zip(browsers, people, strict=True):
        client.force_login(person)
    browser = browsers[0]
    turn = {"match": match}

    def move() -> None:
        if not turn["match"].playing:
            turn["match"] = _match(people)
        value = repository.get_value(turn["match"])
        seat = turn["match"].seats.get(position=value.turn)
        legal = str(value.legal(value.turn)[0])
        turn["match"] = services.play(
            match=turn["match"], seat=seat, move=legal, seen_version=turn["match"].version
        )

    def post() -> bytes:
        if not turn["match"].playing:
            turn["match"] = _match(people)
        value = repository.get_value(turn["match"])
        form = {"move": str(value.legal(value.turn)[0]), "version": turn["match"].version}
        address = f"{turn['match'].get_absolute_url()}move"
        answer = browsers[value.turn].post(address, form, headers={"HX-Request": "true"})
        turn["match"] = Match.objects.get(pk=turn["match"].pk)
        return answer.content

    for _ in range(12):
        move()
    now, seat = timezone.now(), match.seats.get(user=people[0])
    shown = Match.objects.get(pk=match.pk)
    shared = reading(match.code, version=0, since=0.0)

    def whole() -> str:
        table = table_for(
            shown, repository.get_value(shown), seat=seat, user=people[0], now=now, steady=True, shapes=("wide",)
        )
        return Shown(table).whole()

    cost("all that a new socket is sent", whole)
    cost("the same, from what is at hand", lambda: shared.shown_to(people[0], ("wide",)).whole())
    cost("state.json for one viewer", lambda: str(state_for(shown, seat, now)))
    cost("a move through services", move)
    cost("a move sent and answered", post)
    cost("the table's page", lambda: browser.get(match.get_absolute_url()).content)
    cost("the lobby", lambda: browser.get("/").content)
    cost("a leaderboard", lambda: browser.get("/leaderboard/muggins/").content)
    cost("the archive", lambda: browser.get("/archive/").content)
    tell_by_stage(people)


def tell_by_stage(people: list[User]) -> None:
    """Print the median CPU time of a move with the frames for both pages, by the moves that its round has had."""
    spent = defaultdict(list)
    for _ in range(MATCHES):
        for stage, seconds in _played_through(people):
            spent[stage].append(seconds * 1000)
    for stage, times in sorted(spent.items()):
        name = f"move {stage * STAGE + 1} to {(stage + 1) * STAGE} of a round, framed"
        print(f"{name:34} {statistics.median(times):6.2f} ms CPU, of {len(times)}")


def _played_through(people: list[User]) -> Iterator[tuple[int, float]]:
    """The stage of the round and the CPU seconds of each move of a match, but for those that end a round."""
    chance = random.Random(5)  # noqa: S311
    match = _match(people)
    pages: dict[int, Shown] = {}
    while match.playing:
        value = repository.get_value(match)
        move = str(chance.choice(value.legal(value.turn)))
        began = time.process_time()
        match = play_as(code=match.code, user=people[value.turn], move=move, seen_version=match.version).match
        for number, person in enumerate(people):
            shown = reading(match.code, version=match.version, since=0.0).shown_to(person, ("wide",))
            if number in pages:
                shown.after(pages[number])
            pages[number] = shown
        took = time.process_time() - began
        if match.playing and repository.get_value(match).round.number == value.round.number:
            yield len(value.round.log) // STAGE, took


def _match(people: list[User]) -> Match:
    code = os.urandom(5).hex()
    services.seal(code)
    return services.start(
        code=code,
        preset="all-fives",
        rules=PRESETS["all-fives"].rules,
        rated=False,
        seats=[SeatAssignment(person.username, Seat.Kind.PLAYER, person) for person in people],
        entropy="a.b",
    )


if __name__ == "__main__":
    main()
