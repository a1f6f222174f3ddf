"""Measure how well ratings predicted results, with and without the scale of the matches' length."""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from accounts import elo
from accounts.limits import History
from accounts.models import Rating
from accounts.ratings import Rated, apply


class LogLoss(NamedTuple):
    """The mean log-loss of predicted results, and their number."""

    mean: float
    predictions: int


def compute_log_loss(pool: str, matches: Iterable[Rated], *, is_scaled: bool) -> LogLoss:
    """Rate a pool's matches in memory and return the log-loss of their results as predicted before each.

    Matches that somebody left are rated, but do not count.
    """
    ratings: dict[int, Rating] = {}
    history = History(pool)
    losses: list[float] = []
    for match in matches:
        match = match if is_scaled else replace(match, scale=1.0)
        for player in (player for side in match.sides for player in side):
            ratings.setdefault(player.user_id, Rating(user_id=player.user_id, pool=pool))
        if not any(player.left for side in match.sides for player in side):
            losses += _compute_losses(match, ratings)
        apply(match, ratings, history)
    return LogLoss(math.fsum(losses) / max(1, len(losses)), len(losses))


def _compute_losses(match: Rated, ratings: dict[int, Rating]) -> Iterable[float]:
    """Yield the loss of each pair of sides."""
    means = [math.fsum(ratings[player.user_id].value for player in side) / len(side) for side in match.sides]
    for i in range(len(means)):
        for j in range(i):
            predicted = elo.expected(means[i], means[j], match.scale)
            score = (match.ranks[i] < match.ranks[j]) + 0.5 * (match.ranks[i] == match.ranks[j])
            yield -(score * math.log(predicted) + (1 - score) * math.log(1 - predicted))
