"""Demo data: people, ratings, tables and matches. Interrupted, it resumes; run twice, it adds nothing."""

import hashlib
from datetime import timedelta
from itertools import combinations
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction
from django.utils import timezone

import lobbies.services
import nights.services
from accounts import relations
from accounts.limits import NEW_ACCOUNT_AGE
from accounts.models import Relation, User
from boneyard.computer.players import Level, choose_move
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from core.time_zones import UTC_NAME
from dominoes_site import demo_crowd
from games import repository, services
from games.models import Match, Seat
from games.services import SeatAssignment
from lobbies.models import Sitting, Table
from lobbies.services import Game
from nights.models import Night
from study import puzzles
from study.models import Puzzle, PuzzleRun

NAMES = "mara tiago_r hedvig oyelaran ines-q pavlo b_marchetti yusra lindqvist dogan amelie_f kato".split()
PASSWORD = "ninety-nine bones"  # printed by the command
# Mostly short four-seat matches of one pool, so that its leaderboard fills.
FINISHED = [
    ("muggins-61-pairs", 4),
    ("all-fives", 2),
    ("muggins-61-pairs", 4),
    ("fives-and-threes", 2),
    ("muggins-61-pairs", 4),
    ("draw", 3),
    ("muggins-61-pairs", 4),
    ("muggins-200-pairs", 4),
    ("muggins-61-pairs", 4),
    ("sebastopol", 4),
]
SKILLS: tuple[Level, ...] = ("club", "casual", "beginner")
RUNNING = [
    ("all-fives", 2, 9),
    ("muggins-200", 2, 14),
    ("sebastopol", 4, 12),
    ("draw", 3, 8),
    ("gomuggins", 4, 17),
]
DEMO_NIGHT = "fives-and-threes"
PUZZLES_EACH = 12
DAY = timedelta(days=1)
PROGRESS_INTERVAL_MATCHES, COPIES_INTERVAL = 10, 100


def end_call_pause(match: Match) -> Match:
    """End a round whose last play may still be called, without the pause."""
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(wait_until=now, next_action_at=now)
    match.refresh_from_db()
    services.advance(match, now)
    match.refresh_from_db()
    return match


class Command(BaseCommand):
    help = "Fill the database with people, ratings, tables in every state and finished matches."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--size", type=int, default=0, help="so many matches, most of them copies")

    def handle(self, *args: Any, size: int = 0, **options: Any) -> None:
        settings.LIMITS = False
        # Older than the limit on gains from young accounts.
        joined = timezone.now() - 2 * NEW_ACCOUNT_AGE
        people = [
            User.objects.filter(username=name).first()
            or User.objects.create_user(name, password=PASSWORD, date_joined=joined)
            for name in NAMES
        ]
        pairs = list(combinations(people, 2))
        for number, (one, two) in enumerate(pairs):
            preset, seats = FINISHED[number % len(FINISHED)]
            others = [p for p in people if p not in (one, two)]
            self._play(preset, [one, two, *others[number % 8 :][: seats - 2]], f"finished {number}")
            self._report_progress(number + 1, len(pairs))
        for matches in demo_crowd.grow(size - len(RUNNING), timezone.now()):
            self._report_progress(matches, size - len(RUNNING), COPIES_INTERVAL)
        for number, (preset, seats, moves) in enumerate(RUNNING):
            self._play(preset, people[number : number + seats], f"running {number}", moves)
        # Keep them present for a day without open pages.
        Seat.objects.filter(match__status=Match.Status.PLAYING).update(page_at=timezone.now() + DAY)
        self._open_tables(people)
        self._bring_together(people)
        self._solve_puzzles(people)
        self.stdout.write(f"Log in as {', '.join(NAMES[:3])} … with the password “{PASSWORD}”.")

    def _report_progress(self, played: int, planned: int, interval: int = PROGRESS_INTERVAL_MATCHES) -> None:
        """Rewrite one line on a terminal; print a line now and then to a file."""
        if self.stdout.isatty():
            self.stdout.write(f"\r{played} of {planned} matches played", ending="\n" * (played == planned))
        elif played % interval == 0 or played == planned:
            self.stdout.write(f"{played} of {planned} matches played")
        self.stdout.flush()

    def _play(self, preset: str, people: list[User], seed: str, max_moves: int = 100_000) -> None:
        """Play a rated match to its end, or for `max_moves`, with computers' moves."""
        key = hashlib.sha256(seed.encode())
        code = key.hexdigest()[:10]
        match = Match.objects.filter(code=code).first() or self._start(code, key.digest(), preset, people)
        while match.playing and match.version < max_moves:
            match = self._play_move(match)

    @staticmethod
    @transaction.atomic
    def _start(code: str, secret: bytes, preset: str, people: list[User]) -> Match:
        services.seal(code, secret)
        return services.start(
            code=code,
            preset=preset,
            rules=PRESETS[preset].rules,
            rated=True,
            seats=[SeatAssignment(p.username, Seat.Kind.PLAYER, p) for p in people],
            entropy=".".join(p.username.replace("_", "").replace("-", "") for p in people),
        )

    @staticmethod
    def _play_move(match: Match) -> Match:
        turn = repository.get_value(match).turn
        if turn is None:
            return end_call_pause(match)
        view = perspective(repository.get_value(match), turn)
        seat = match.seats.get(position=turn)
        move, claim = choose_move(view, SKILLS[NAMES.index(seat.name) % len(SKILLS)], match.version)
        if match.wait_until:
            # Skip the pause for calls.
            Match.objects.filter(pk=match.pk).update(wait_until=None)
        return services.play(match=match, seat=seat, move=str(move), seen_version=match.version, claim=claim)

    @staticmethod
    @transaction.atomic
    def _open_tables(people: list[User]) -> None:
        if Sitting.objects.filter(user__in=people, table__status=Table.Status.OPEN).exists():
            return

        def game(preset: str, seats: int, clock: tuple[int, int] | None = (300, 5), **changes: Any) -> Game:
            rules = PRESETS[preset].rules
            return Game(preset, rules.replace(**changes) if changes else rules, seats, not changes, clock)

        lobbies.services.make_table(people[2], game("all-fives", 2))
        lobbies.services.make_table(
            people[3], game("muggins-200-pairs", 4, (600, 5)), levels=["", "", "club"]
        )
        lobbies.services.make_table(people[4], game("fives-and-threes", 2, None, target=61, exact=True))
        three = lobbies.services.make_table(people[5], game("draw", 3, (180, 3)))
        lobbies.services.sit(three, people[6])
        lobbies.services.make_table(people[7], game("sebastopol", 4, None))
        lobbies.services.make_table(people[8], game("block", 2), private=True)
        Sitting.objects.filter(table__status=Table.Status.OPEN).update(seen_at=timezone.now() + DAY)

    @staticmethod
    @transaction.atomic
    def _bring_together(people: list[User]) -> None:
        """Let the first person follow some others, who are here for a day, and everybody a club night in an hour."""
        now = timezone.now()
        for other in people[1:5]:
            relations.set_relation(people[0], other, Relation.Kind.FOLLOW, True)
        User.objects.filter(pk__in=[person.pk for person in people[1:5]]).update(seen_at=now + DAY)
        soon = now + timedelta(hours=1)
        night = Night.objects.filter(format="open", preset=DEMO_NIGHT).first()
        if night is None:
            start = soon.replace(minute=0, second=0, microsecond=0)
            night = Night(preset=DEMO_NIGHT, starts_at=start, zone=UTC_NAME, weekly=True)
            nights.services.save_for_site(night, now)
        for person in people[:6]:
            nights.services.follow_night(person, night, True)

    @staticmethod
    def _solve_puzzles(people: list[User]) -> None:
        """Give some people a puzzle rating and a run of ten minutes; the better ones solve more."""
        now = timezone.now()
        for skill, person in enumerate(people[:4], 2):
            if PuzzleRun.objects.filter(user=person).exists():
                continue
            for number, puzzle in enumerate(Puzzle.objects.order_by("pk")[:PUZZLES_EACH]):
                solved = number % skill > 0
                puzzles.answer(puzzle, person, puzzle.tried[0 if solved else -1][0], solved, now)
            PuzzleRun.objects.create(user=person, began_at=now - DAY, solved=4 * skill, missed=2)
