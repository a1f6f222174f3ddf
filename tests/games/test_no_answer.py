"""A failing computer worker is replaced by the fallback level."""

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from boneyard.computer.pool import NoAnswer, WorkerPool
from games import referee as refereeing
from games import repository
from games.models import Match
from games.referee import Referee
from tests.games.playing import begin, play

pytestmark = pytest.mark.django_db(transaction=True)


def start_on_computers_turn(person):
    """Return a match on a master's turn, and its task."""
    for seed in range(20):
        match = begin(person, "master", seed=f"no answer {seed}")
        while repository.get_value(match).turn == 0:
            play(match)
        if repository.get_value(match).turn == 1:
            return match, refereeing.process_match(match, timezone.now())
    raise AssertionError


async def test_failed_worker_is_replaced_by_fallback_move(alice, monkeypatch):
    questions = []

    async def fails(_pool, *question):
        questions.append(question)
        raise NoAnswer

    monkeypatch.setattr(refereeing, "MIN_SEARCH_SECONDS", 0)
    monkeypatch.setattr(WorkerPool, "ask", fails)
    match, task = await sync_to_async(start_on_computers_turn)(alice)

    await Referee()._run_task(*task)

    after = await sync_to_async(Match.objects.get)(pk=match.pk)
    assert after.version == match.version + 1
    assert len(questions) == 1
