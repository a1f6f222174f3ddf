"""People, ratings, tables in every state and finished matches, to look at. Run again, it goes on where it was
interrupted and makes nothing twice."""

import hashlib
from datetime import timedelta
from itertools import combinations
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

import lobbies.services
from accounts.models import User
from accounts.ratings import YOUNG
from games import repository, services
from games.computer.players import Level, choose_move
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from games.models import Match, Seat
from games.services import SeatAssignment
from lobbies.models import Sitting, Table
from lobbies.services import Game

NAMES = "mara tiago_r hedvig oyelaran ines-q pavlo b_marchetti yusra lindqvist dogan amelie_f kato".split()
PASSWORD = "ninety-nine bones"  # printed for whoever runs the command
# Mostly a short game for four of one pool, so that people get there the ten matches that make a rank.
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
DAY = timedelta(days=1)
TOLD_EVERY = 10  # matches


class Command(BaseCommand):
    help = "Fill the database with people, ratings, tables in every state and finished matches."

    def handle(self, *args: Any, **options: Any) -> None:
        settings.LIMITS = False
        # What is gained from young accounts is limited: these ratings must look like those of a grown site.
        joined = timezone.now() - 2 * YOUNG
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
            self._tell(number + 1, len(pairs))
        for number, (preset, seats, moves) in enumerate(RUNNING):
            self._play(preset, people[number : number + seats], f"running {number}", moves)
        # Nobody sits at their pages, nor at those of the open tables: they are there for a day all the same.
        Seat.objects.filter(match__status=Match.Status.PLAYING).update(page_at=timezone.now() + DAY)
        self._open_tables(people)
        self.stdout.write(f"Log in as {', '.join(NAMES[:3])} … with the password “{PASSWORD}”.")

    def _tell(self, played: int, planned: int) -> None:
        """One line that counts up; in a file, now and then a line."""
        if self.stdout.isatty():
            self.stdout.write(f"\r{played} of {planned} matches played", ending="\n" * (played == planned))
        elif played % TOLD_EVERY == 0 or played == planned:
            self.stdout.write(f"{played} of {planned} matches played")
        self.stdout.flush()

    def _play(self, preset: str, people: list[User], seed: str, most: int = 100_000) -> None:
        """A rated match, played to its end or for `most` moves, as computers of these skills would play it."""
        key = hashlib.sha256(seed.encode())
        code = key.hexdigest()[:10]
        match = Match.objects.filter(code=code).first() or self._begin(code, key.digest(), preset, people)
        while match.playing and match.version < most:
            match = self._one_move(match)

    @staticmethod
    @transaction.atomic
    def _begin(code: str, secret: bytes, preset: str, people: list[User]) -> Match:
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
    def _one_move(match: Match) -> Match:
        turn = repository.get_value(match).turn
        assert turn is not None  # a match that is playing has somebody on turn
        view = perspective(repository.get_value(match), turn)
        seat = match.seats.get(position=turn)
        move, claim = choose_move(view, SKILLS[NAMES.index(seat.name) % len(SKILLS)], match.version)
        if match.wait_until:
            # These people do not wait to call one another.
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
