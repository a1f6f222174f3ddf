"""The plan of the service worker, which budgets.py lets anybody ask for."""

import pytest

from dominoes_site import offline
from study import shipped_puzzles
from study.models import Puzzle
from tests.games.playing import begin, play_and_resign


@pytest.fixture(params=["of a match", "shipped"])
def puzzles(request, alice, bob) -> None:
    if request.param == "shipped":
        shipped_puzzles.load()
    else:
        match = begin(alice, bob)
        play_and_resign(match)
        Puzzle.objects.create(match=match, number=1, tried=[])


@pytest.mark.django_db
def test_puzzles_of_the_plan_are_worked_out_once(puzzles, client, monkeypatch):
    first = client.get("/offline/plan.json?lang=en").json()
    monkeypatch.setattr(offline, "build_puzzle_page", None)
    assert client.get("/offline/plan.json?lang=en").json() == first
    assert len(first["puzzles"][0]["addresses"]) > 2
