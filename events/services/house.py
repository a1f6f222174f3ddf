"""The house field: each of the site's computers plays a set in the person's seat, so the first has a comparison.

They begin when the first person does: a day that nobody plays costs nothing.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import cast

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q

from boneyard.computer.players import LEVELS, Level, choose_move
from boneyard.engine.matches import Match as Value
from boneyard.engine.matches import begin
from boneyard.engine.moves import MUGGINS, Move
from boneyard.engine.perspective import View, perspective
from boneyard.engine.shared_deals import compute_seed, isolate_round
from events.lines import format_line
from events.models import GRACE, HOUSE_SIZE, OWN_SEAT, DealSet, Entry, HouseResult
from events.services.scoring import compute_last_margin
from games.repository import get_sealed_secret
from games.wording.personas import PERSONAS_PER_LEVEL

Answer = tuple[Move | None, int | None]


def has_waiting_house(now: datetime) -> bool:
    """Return whether an open set that somebody plays lacks results of the house field."""
    return next(_find_waiting(now), None) is not None


def _find_waiting(now: datetime) -> Iterator[DealSet]:
    played = Entry.objects.filter(deals=OuterRef("pk"), practice=False)
    is_open = Q(closed_at=None, cancelled_at=None, closes_at__gt=now - GRACE)
    for deals in DealSet.objects.filter(is_open, Exists(played)).order_by("opens_at"):
        if needs_house(deals):
            yield deals


def needs_house(deals: DealSet) -> bool:
    """Return whether the set lacks results of the house, though somebody plays it and this release can."""
    played = deals.entries.filter(practice=False).exists()
    return (
        played and not deals.fault and deals.house_results.filter(number__lt=HOUSE_SIZE).count() < HOUSE_SIZE
    )


def play_house(now: datetime) -> int:
    """Play the missing results of the house field of all open sets; return how many were stored."""
    return sum(_play_missing(deals) for deals in _find_waiting(now))


def _play_missing(deals: DealSet) -> int:
    player = SetPlayer(deals, bytes.fromhex(get_sealed_secret(deals.name).secret))
    return sum(
        _store(deals, number, player)
        for number in range(HOUSE_SIZE)
        if not deals.house_results.filter(number=number).exists()
    )


def _store(deals: DealSet, number: int, player: "SetPlayer") -> bool:
    level, figure = LEVELS[number // PERSONAS_PER_LEVEL], number % PERSONAS_PER_LEVEL
    margins, lines = player.play(level, figure, f"house-{number}")
    try:
        with transaction.atomic():
            HouseResult.objects.create(
                deals=deals,
                number=number,
                level=level,
                figure=figure,
                margins=margins,
                lines=lines,
            )
    except IntegrityError:  # stored by another process at the same time
        return False
    return True


class SetPlayer:
    """A player of a set, any number of times; it caches the answers of the table's computers by position."""

    def __init__(self, deals: DealSet, secret: bytes) -> None:
        self._level: Level = cast(Level, deals.level)
        self._figures: list[int] = deals.figures
        self._beginning = begin(deals.parsed_rules, deals.seats, secret, deals.name)
        self._answers: dict[tuple[Level, str], Answer] = {}

    def play(self, level: Level, figure: int | None, role: str) -> tuple[list[int], list[str]]:
        """Let a computer play in the person's seat; return the margins and the lines by round.

        `figure` is the number of its persona, None for one without a style.
        """
        value, margins, lines = self._beginning, [], []
        while value.result is None:
            rounds = len(value.ended)
            value = self._play_turn(value, level, figure, role)
            if len(value.ended) > rounds:
                margins.append(compute_last_margin(value))
                lines.append(format_line(value.ended[-1]))
        return margins, lines

    def _play_turn(self, value: Value, level: Level, figure: int | None, role: str) -> Value:
        """Return the match after the next move and the calls that follow it."""
        seat = value.turn
        assert seat is not None  # calls end within a turn, below
        move, claim = self._choose(value, seat, level, figure, role)
        assert move is not None  # the seat on turn always moves
        value = value.play(seat, move, claim)
        if value.result is not None or not value.terms.must_claim:
            return value
        for caller in range(value.seats):
            if value.may_call(caller) and caller != seat:
                call, _claim = self._choose(value, caller, level, figure, role)
                if call is MUGGINS:
                    value = value.play(caller, call)
                    break
        return value.after_calls()

    def _choose(self, value: Value, seat: int, level: Level, figure: int | None, role: str) -> Answer:
        view, key = isolate_round(perspective(value, seat)), value.round.deal.key
        if seat == OWN_SEAT:
            return _answer(view, level, figure, compute_seed(key, view, role))
        seed = compute_seed(key, view)
        if (self._level, seed) not in self._answers:
            self._answers[self._level, seed] = _answer(view, self._level, self._figures[seat], seed)
        return self._answers[self._level, seed]


def _answer(view: View, level: Level, figure: int | None, seed: str) -> Answer:
    return choose_move(view, level, int(seed, 16), secret=seed, figure=figure)
