"""Tests that answers of computers reveal neither forced moves nor what they will overlook."""

import time

import pytest
from asgiref.sync import sync_to_async

from boneyard.computer.players import open_points, should_call
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from games import referee as refereeing
from games import repository
from games.referee import ComputerTurn, Referee
from tests.computer.tables import positions
from tests.games.playing import begin, legal, play


def views_with_open_points():
    """Yield views of a third seat that may call points."""
    for match in positions(PRESETS["muggins-200"].rules, 3, "3", rounds=20):
        for move in match.legal(match.turn)[:3]:
            if move.kind == "play" and (played := match.play(match.turn, move)).may_call(2):
                view = perspective(played, 2)
                if open_points(view):
                    yield view


def test_overlooked_points_depend_on_the_secret():
    views = list(views_with_open_points())

    patterns = {
        tuple(should_call(view, "casual", secret) for view in views) for secret in ("one", "another", "third")
    }

    assert len(views) > 20
    assert len(patterns) == 3


@pytest.mark.django_db(transaction=True)
async def test_forced_move_takes_as_long_as_a_choice(alice, monkeypatch):
    monkeypatch.setattr(refereeing, "MIN_SEARCH_SECONDS", 1.5)
    referee = Referee()
    took = {}
    try:
        for seed in range(60):
            match = await sync_to_async(begin)(alice, "strong", seed=f"forced {seed}")
            choices = await sync_to_async(_count_moves_on_computers_turn)(match)
            if choices is None or (forced := choices == 1) in took:
                continue
            asked = await sync_to_async(_task)(match)
            began = time.monotonic()
            await referee._run_task(*asked)
            took[forced] = time.monotonic() - began
            if len(took) == 2:
                break
    finally:
        await referee._workers.close()

    assert len(took) == 2
    assert all(1.5 <= seconds for seconds in took.values()), took


def _count_moves_on_computers_turn(match):
    """Play until the computer is on turn and return its number of moves; None if it never is."""
    for _ in range(6):
        match.refresh_from_db()
        value = repository.get_value(match)
        if value.turn == 1:
            return len(legal(match))
        if value.turn is None:
            return None
        play(match)
    return None


def _task(match):
    match.refresh_from_db()
    view = perspective(repository.get_value(match), 1)
    return match, [ComputerTurn(1, view, "strong", None, "")], False
