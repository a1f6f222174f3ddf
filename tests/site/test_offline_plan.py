"""The plan of the service worker, which budgets.py lets anybody ask for."""

import pytest

from dominoes_site import offline
from study.models import Puzzle
from tests.games.playing import begin, play_and_resign

pytestmark = pytest.mark.django_db


def test_puzzles_of_the_plan_are_worked_out_once(alice, bob, client, monkeypatch):
    match = begin(alice, bob)
    play_and_resign(match)
    Puzzle.objects.create(match=match, number=1, tried=[])
    first = client.get("/offline/plan.json?lang=en").json()
    monkeypatch.setattr(offline, "build_puzzle_page", None)
    assert client.get("/offline/plan.json?lang=en").json() == first
    assert len(first["puzzles"][0]["addresses"]) > 2
