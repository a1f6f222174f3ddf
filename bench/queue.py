"""Simulate one queue: how long people wait on a site with few of them.

    python -m bench.queue

People arrive at random, play three matches of two and leave. Nine in ten take the game that the site suggests (the one
that most people wait for), the others a game of their own choice. Somebody who waits alone is offered, after 20
seconds, what others wait for, and after 40 seconds a computer, which keeps them company while they stay in the queue;
nine in ten take each offer. Pairing is that of `lobbies.pairing`.
"""

import os
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
django.setup()

from lobbies.pairing import compute_reach  # noqa: E402

PRESENT = (2, 5, 10, 20, 50)
MATCHES_PER_VISIT = 3
MATCH_SECONDS = 360
TAKES_OFFER = 0.9
OFFER_AFTER_SECONDS = 20
COMPUTER_AFTER_SECONDS = 40
GAMES = 8  # that people choose from
RATING_DEVIATION = 200.0
SIMULATED_SECONDS = 400_000


@dataclass(eq=False)
class Person:
    rating: float
    matches_left: int = MATCHES_PER_VISIT
    game: int = 0
    waits_since: int = 0
    plays_until: int = 0  # 0 while they wait
    has_computer: bool = False
    is_offered: bool = False


@dataclass
class Site:
    """A site with `present` people on average. `waits` has (until a person, until anything to play) in seconds."""

    present: int
    rng: random.Random
    people: list[Person] = field(default_factory=list)
    waits: list[tuple[int, int]] = field(default_factory=list)

    def run(self) -> None:
        # A visit takes its matches and some waiting.
        arrivals_per_second = self.present / (MATCHES_PER_VISIT * (MATCH_SECONDS + 20))
        for now in range(SIMULATED_SECONDS):
            for person in self.people:
                if person.plays_until == now:
                    self._end_match(person, now)
            self.people = [person for person in self.people if person.matches_left]
            if self.rng.random() < arrivals_per_second:
                person = Person(self.rng.gauss(1500, RATING_DEVIATION))
                self._join_queue(person, now)
                self.people.append(person)
            waiting = [person for person in self.people if not person.plays_until]
            self._make_offers(waiting, now)
            self._pair(waiting, now)

    def _end_match(self, person: Person, now: int) -> None:
        person.matches_left -= 1
        person.plays_until = 0
        if person.matches_left:
            self._join_queue(person, now)

    def _join_queue(self, person: Person, now: int) -> None:
        takes_suggestion = self.rng.random() < TAKES_OFFER
        person.game = self._suggest() if takes_suggestion else self.rng.randrange(GAMES)
        person.waits_since, person.has_computer, person.is_offered = now, False, False

    def _suggest(self) -> int:
        waiting = Counter(person.game for person in self.people if not person.plays_until)
        return max(range(GAMES), key=lambda game: (waiting[game], -game))

    def _make_offers(self, waiting: Sequence[Person], now: int) -> None:
        for person in waiting:
            wait = now - person.waits_since
            alone = all(other.game != person.game for other in waiting if other is not person)
            if wait >= OFFER_AFTER_SECONDS and alone and not person.is_offered and len(waiting) > 1:
                person.is_offered = True
                if self.rng.random() < TAKES_OFFER:
                    others = Counter(other.game for other in waiting if other is not person)
                    person.game = others.most_common(1)[0][0]
            if wait == COMPUTER_AFTER_SECONDS:
                person.has_computer = self.rng.random() < TAKES_OFFER

    def _pair(self, waiting: Sequence[Person], now: int) -> None:
        crowd = Counter(person.game for person in self.people)
        for older in sorted(waiting, key=lambda person: person.waits_since):
            if older.plays_until:
                continue
            reach = compute_reach(now - older.waits_since, crowd[older.game])
            fitting = [
                other
                for other in waiting
                if other is not older
                and not other.plays_until
                and other.game == older.game
                and abs(other.rating - older.rating) <= reach
            ]
            if fitting:
                nearest = min(fitting, key=lambda other: abs(other.rating - older.rating))
                for person in (older, nearest):
                    self._start(person, now)

    def _start(self, person: Person, now: int) -> None:
        wait = now - person.waits_since
        self.waits.append((wait, min(wait, COMPUTER_AFTER_SECONDS) if person.has_computer else wait))
        person.plays_until = now + MATCH_SECONDS


def percentile(values: Sequence[int], percent: int) -> int:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def main() -> None:
    print("people present · until a person: median, 95 %, within 60 s, within 90 s · until anything: 95 %")
    for present in PRESENT:
        site = Site(present, random.Random(present))  # noqa: S311 - repeatable on purpose
        site.run()
        person, anything = zip(*site.waits, strict=True)
        shares = (100 * sum(wait <= limit for wait in person) / len(person) for limit in (60, 90))
        print(
            f"{present:3} · {percentile(person, 50):4} s {percentile(person, 95):5} s "
            + " ".join(f"{share:5.1f} %" for share in shares)
            + f" · {percentile(anything, 95):4} s"
        )


if __name__ == "__main__":
    main()
