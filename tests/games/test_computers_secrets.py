"""What a computer's answer does not tell: how much there was to think about, and what it will overlook."""

import time

import pytest
from asgiref.sync import sync_to_async

from games import referee as refereeing
from games import repository
from games.computer.players import calls, open_points
from games.engine.perspective import perspective
from games.engine.presets import PRESETS
from games.referee import Referee
from tests.computer.tables import positions
from tests.games.playing import begin, legal, play


def open_to_calls():
    """The views of a third seat that may call points."""
    for match in positions(PRESETS["muggins-200"].rules, 3, "3", rounds=20):
        for move in match.legal(match.turn)[:3]:
            if move.kind == "play" and (played := match.play(match.turn, move)).may_call(2):
                view = perspective(played, 2)
                if open_points(view):
                    yield view


def test_what_a_computer_overlooks_does_not_follow_from_what_everybody_sees():
    views = list(open_to_calls())

    patterns = {
        tuple(calls(view, "casual", secret) for view in views) for secret in ("one", "another", "third")
    }

    assert len(views) > 20
    assert len(patterns) == 3


@pytest.mark.django_db(transaction=True)
async def test_a_forced_move_takes_as_long_as_a_chosen_one(alice, monkeypatch):
    monkeypatch.setattr(refereeing, "HELD", 1.5)
    referee = Referee()
    took = {}
    try:
        for seed in range(60):
            match = await sync_to_async(begin)(alice, "strong", seed=f"forced {seed}")
            choices = await sync_to_async(_on_computers_turn)(match)
            if choices is None or (forced := choices == 1) in took:
                continue
            asked = await sync_to_async(_asked)(match)
            began = time.monotonic()
            await referee._think(*asked)
            took[forced] = time.monotonic() - began
            if len(took) == 2:
                break
    finally:
        await referee._thinkers.close()

    assert len(took) == 2
    assert all(1.5 <= seconds for seconds in took.values()), took


def _on_computers_turn(match):
    """How many moves the computer may choose from; None if the person is on turn for good."""
    for _ in range(6):
        match.refresh_from_db()
        value = repository.get_value(match)
        if value.turn == 1:
            return len(legal(match))
        if value.turn is None:
            return None
        play(match)
    return None


def _asked(match):
    match.refresh_from_db()
    return match, [(1, perspective(repository.get_value(match), 1), "strong")], False
