"""Matches among computers or random players, as records.

The secret, the nonces and every choice derive from the seed, so the same seed gives the same bytes. Random players
choose uniformly among the legal moves. Where points are claimed they mostly claim correctly and call open points, and
sometimes not, so that every branch of a match is covered.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Literal

from boneyard.engine.matches import Match, begin
from boneyard.engine.moves import MUGGINS, Move
from boneyard.engine.perspective import perspective
from boneyard.engine.records import record
from boneyard.engine.rules import Rules

from .players import LEVELS, Level, choose_move, should_call

Player = Literal["random"] | Level
RANDOM: Literal["random"] = "random"
PLAYERS: tuple[Player, ...] = (RANDOM, *LEVELS)
_CODE_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


def selfplay(
    rules: Rules,
    *,
    preset: str | None,
    players: Sequence[Player],
    matches: int,
    seed: str,
    legal: bool = False,
) -> Iterator[dict[str, Any]]:
    """Yield the records, without times, of `matches` matches; `players` are `random` or a level, by seat.

    Raise `InvalidRules` if the rules do not allow this many seats.
    """
    seats = [
        {"name": f"{player} {seat}", "kind": "computer", "level": None if player == RANDOM else player}
        for seat, player in enumerate(players, 1)
    ]
    for number in range(1, matches + 1):
        match = play_match(rules, players, f"{seed}:{number}")
        yield record(
            match,
            code=_code(f"{seed}:{number}"),
            preset=preset,
            seats=seats,
            rated=False,
            started=None,
            ended=None,
            times=None,
            legal=legal,
        )


def begin_seeded(rules: Rules, seats: int, seed: str) -> Match:
    """Return a match before its first lead."""
    nonces = [_digest(f"{seed}:nonce:{seat}").hex()[:16] for seat in range(seats)]
    return begin(rules, seats, _digest(f"{seed}:secret"), ".".join(nonces))


def play_match(rules: Rules, players: Sequence[Player], seed: str) -> Match:
    """Play a match among these players and return it finished."""
    rng = Random(seed)  # noqa: S311 - repeatable on purpose; not a secret
    match = begin_seeded(rules, len(players), seed)
    while match.turn is not None:
        seat = match.turn
        move, claim = _choice(match, seat, players[seat], rng)
        match = match.play(seat, move, claim)
        if match.result is None and match.terms.must_claim:
            match = _called(match, players, rng).after_calls()
    return match


def _choice(match: Match, seat: int, player: Player, rng: Random) -> tuple[Move, int | None]:
    if player != RANDOM:
        move, claim = choose_move(perspective(match, seat), player, rng.getrandbits(32))
        assert move is not None  # a seat on turn always has a move
        return move, claim
    move = rng.choice(match.legal(seat))
    if move.kind != "play" or not match.terms.must_claim:
        return move, None
    return move, _random_claim(perspective(match, seat).points(move), rng)


def _random_claim(points: int, rng: Random) -> int | None:
    chance = rng.random()
    if chance < 0.7:
        return points or None
    return None if chance < 0.85 else rng.choice((1, 2, 5, 10, 15))


def _called(match: Match, players: Sequence[Player], rng: Random) -> Match:
    """Return the match after somebody called the open points, if anybody did."""
    for seat in rng.sample(range(match.seats), match.seats):
        if not match.may_call(seat):
            continue
        player = players[seat]
        if player == RANDOM:
            called = match.can_call_points(seat) and rng.random() < 0.5
        else:
            called = should_call(perspective(match, seat), player)
        if called:
            return match.play(seat, MUGGINS)
    return match


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()


def _code(seed: str) -> str:
    number = int.from_bytes(_digest(f"{seed}:code"), "big")
    letters = []
    for _ in range(10):
        number, letter = divmod(number, len(_CODE_LETTERS))
        letters.append(_CODE_LETTERS[letter])
    return "".join(letters)
