"""Simulate rating farming, and the cost to honest players of the rules against it (docs/ratings.md).

Farming: one player beats n new accounts ten times each within a day. Honest play: 2,000 players of known strength play
a hundred matches each against opponents of similar rating; prints the distance of ratings from strengths, and the
drift of the mean.
"""

import math
import os
import random
from datetime import UTC, datetime, timedelta

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
django.setup()

from accounts.limits import History  # noqa: E402
from accounts.models import Rating  # noqa: E402
from accounts.ratings import Player, Rated, apply  # noqa: E402

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
HONEST_PLAYERS, MATCHES_PER_PLAYER = 2000, 100
WINS_PER_ACCOUNT = 10


def simulate_farm(accounts: int, *, matches: int, value: float = 1500.0, limited: bool = True) -> float:
    """Return the rating of a player with `matches` rated matches after beating each of `accounts` new accounts."""
    ratings = {0: Rating(user_id=0, value=value, matches=matches)}
    history = History()
    for account in range(1, accounts + 1):
        ratings[account] = Rating(user_id=account, matches=0)
        for time in range(WINS_PER_ACCOUNT):
            _play(
                ratings,
                history,
                0,
                account,
                START + timedelta(minutes=account),
                is_new=limited,
                order=account * WINS_PER_ACCOUNT + time,
            )
    return ratings[0].value


def simulate_honest_players(*, all_new: bool, seed: int = 1) -> tuple[float, float]:
    """Return the root mean square distance of ratings from strengths, and the drift of the mean.

    `all_new`: all accounts were created on the first day, as on a new site.
    """
    rng = random.Random(seed)  # noqa: S311
    strengths = [rng.gauss(1500, 250) for _ in range(HONEST_PLAYERS)]
    ratings = {user: Rating(user_id=user) for user in range(HONEST_PLAYERS)}
    history = History()
    for day in range(MATCHES_PER_PLAYER):
        order = sorted(ratings, key=lambda user: ratings[user].value + rng.gauss(0, 80))
        for one, other in zip(order[::2], order[1::2], strict=True):
            chance = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
            winner, loser = (one, other) if rng.random() < chance else (other, one)
            # Three matches a day.
            at, is_new = START + timedelta(days=day / 3), all_new and day < 21
            _play(ratings, history, winner, loser, at, is_new=is_new, order=day)
    mean = sum(rating.value for rating in ratings.values()) / HONEST_PLAYERS
    shift = mean - sum(strengths) / HONEST_PLAYERS
    squares = sum((ratings[user].value - shift - strengths[user]) ** 2 for user in ratings)
    return math.sqrt(squares / HONEST_PLAYERS), mean - 1500


def _play(
    ratings: dict[int, Rating],
    history: History,
    winner: int,
    loser: int,
    at: datetime,
    *,
    is_new: bool,
    order: int,
) -> None:
    sides = [[Player(winner, young=is_new and winner != 0)], [Player(loser, young=is_new)]]
    apply(Rated(order, f"{winner}-{loser}", sides, [1, 2], at), ratings, history)


def main() -> None:
    print("A player beats n fresh accounts ten times each, n = 3, 10, 30:")
    for name, matches in (("new, 1500", 0), ("40 matches, 1500", 40)):
        print(f"  {name}: {', '.join(f'{simulate_farm(n, matches=matches):.0f}' for n in (3, 10, 30))}")
    print(f"{HONEST_PLAYERS} honest players after {MATCHES_PER_PLAYER} matches each:")
    for name, all_new in (("accounts older than a week", False), ("all accounts new on the first day", True)):
        distance, drift = simulate_honest_players(all_new=all_new)
        print(f"  {name}: {distance:.0f} points from their strength, the mean moved by {drift:+.1f}")


if __name__ == "__main__":
    main()
