"""Measure the cost of pages, moves and frames: CPU milliseconds, queries and bytes, on a temporary SQLite database.

The cost of a move with its two frames is also printed by the number of moves in the round, which should not matter.
The figures are medians; compare only figures of the same run.
"""

import gzip
import os
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

from bench import own_site

own_site.set_up(ALLOWED_HOSTS="testserver")

from django.core.management import call_command  # noqa: E402
from django.db import connection, reset_queries  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import User  # noqa: E402
from boneyard.engine.presets import PRESETS  # noqa: E402
from games import repository, services  # noqa: E402
from games.models import Match, Seat  # noqa: E402
from games.services import SeatAssignment  # noqa: E402
from games.services.matches import play_as  # noqa: E402
from games.table.page_state import MatchPageState  # noqa: E402
from games.table.snapshot_cache import get_snapshot_view  # noqa: E402
from games.table.state_json import build_state  # noqa: E402
from games.table.table_view import build_table_view  # noqa: E402

REPETITIONS = 60
STAGE_MATCHES = 40  # for the cost by stage
STAGE_MOVES = 10


class Play:
    """A match of two people that is replaced by a new one when it ends."""

    def __init__(self, people: list[User]) -> None:
        self.people = people
        self.match = start_match(people)

    def next_move(self) -> tuple[int, str]:
        """Return the seat on turn and its first legal move."""
        if not self.match.playing:
            self.match = start_match(self.people)
        value = repository.get_value(self.match)
        return value.turn, str(value.legal(value.turn)[0])

    def by_service(self) -> None:
        turn, move = self.next_move()
        seat = self.match.seats.get(position=turn)
        self.match = services.play(match=self.match, seat=seat, move=move, seen_version=self.match.version)

    def by_request(self, clients: list[Client]) -> bytes:
        turn, move = self.next_move()
        address, form = f"{self.match.get_absolute_url()}move", {"move": move, "version": self.match.version}
        response = clients[turn].post(address, form, headers={"HX-Request": "true"})
        self.match = Match.objects.get(pk=self.match.pk)
        return response.content


def start_match(people: list[User]) -> Match:
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


def print_cost(name: str, function: Callable[[], str | bytes | None]) -> None:
    """Print the median CPU time of `function`, its queries, and the size of what it returns, plain and compressed."""
    times, result = [], None
    for _ in range(REPETITIONS):
        start = time.process_time()
        result = function()
        times.append((time.process_time() - start) * 1000)
    connection.force_debug_cursor = True
    reset_queries()
    function()
    queries = len(connection.queries)
    connection.force_debug_cursor = False
    body = result.encode() if isinstance(result, str) else result or b""
    size = f"{len(body):7} bytes {len(gzip.compress(body)):6} gzipped" if body else ""
    print(f"{name:34} {statistics.median(times):6.2f} ms CPU {queries:3} queries {size}")


def print_cost_by_stage(people: list[User]) -> None:
    """Print the median CPU time of a move with the frames for both pages, by the number of moves in its round."""
    times_by_stage = defaultdict(list)
    for _ in range(STAGE_MATCHES):
        for stage, seconds in _play_match(people):
            times_by_stage[stage].append(seconds * 1000)
    for stage, times in sorted(times_by_stage.items()):
        name = f"move {stage * STAGE_MOVES + 1} to {(stage + 1) * STAGE_MOVES} of a round, framed"
        print(f"{name:34} {statistics.median(times):6.2f} ms CPU, of {len(times)}")


def _play_match(people: list[User]) -> Iterator[tuple[int, float]]:
    """Play a match; yield the stage of the round and the CPU seconds of each move that does not end a round."""
    rng = random.Random(5)  # noqa: S311
    match = start_match(people)
    pages: dict[int, MatchPageState] = {}
    while match.playing:
        value = repository.get_value(match)
        move = str(rng.choice(value.legal(value.turn)))
        start = time.process_time()
        match = play_as(code=match.code, user=people[value.turn], move=move, seen_version=match.version).match
        for number, person in enumerate(people):
            snapshot = get_snapshot_view(match.code, version=match.version, since=0.0)
            page = snapshot.page_state_for(person, ("wide",))
            if number in pages:
                page.diff_from(pages[number])
            pages[number] = page
        seconds = time.process_time() - start
        if match.playing and repository.get_value(match).round.number == value.round.number:
            yield len(value.round.log) // STAGE_MOVES, seconds


def main() -> None:
    call_command("setup")  # migrates, and collects the static files that pages link to
    people = [User.objects.create_user(name) for name in ("alice", "bob")]
    clients = [Client() for _ in people]
    for client, person in zip(clients, people, strict=True):
        client.force_login(person)
    play = Play(people)
    address = play.match.get_absolute_url()
    for _ in range(12):
        play.by_service()
    match, now = Match.objects.get(pk=play.match.pk), timezone.now()
    seat = match.seats.get(user=people[0])
    snapshot = get_snapshot_view(match.code, version=0, since=0.0)

    def render_all() -> str:
        value = repository.get_value(match)
        view = build_table_view(
            match, value, seat=seat, user=people[0], now=now, steady=True, shapes=("wide",)
        )
        return MatchPageState(view).full_html()

    print_cost("first frame of a new socket", render_all)
    print_cost("the same, from the cache", lambda: snapshot.page_state_for(people[0], ("wide",)).full_html())
    print_cost("state.json for one viewer", lambda: str(build_state(match, seat, now)))
    print_cost("a move through services", play.by_service)
    print_cost("a move by POST", lambda: play.by_request(clients))
    print_cost("the table's page", lambda: clients[0].get(address).content)
    print_cost("the lobby", lambda: clients[0].get("/").content)
    print_cost("a leaderboard", lambda: clients[0].get("/leaderboard/muggins/").content)
    print_cost("the archive", lambda: clients[0].get("/archive/").content)
    print_cost_by_stage(people)


if __name__ == "__main__":
    main()
