"""Simultaneous moves from two tabs."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from games import repository, services
from games.models import Match
from tests.games.playing import begin, legal, on_turn

MOVES = 150


@pytest.mark.django_db(transaction=True)
def test_one_of_two_simultaneous_moves_is_played(alice, bob):
    match = begin(alice, bob)
    played = 0
    with ThreadPoolExecutor(2) as tabs:
        for number in range(MOVES):
            if not match.playing:
                match = begin(alice, bob, seed=f"again {number}")
            version, seat, move = match.version, on_turn(match), legal(match)[0]
            together = Barrier(2)

            def send(match=match, seat=seat, move=move, version=version, together=together):
                try:
                    together.wait()
                    services.play(match=match, seat=seat, move=move, seen_version=version)
                    return "played"
                except services.MoveRefused as refused:
                    return refused.reason
                finally:
                    connection.close()

            outcomes = sorted(f.result() for f in [tabs.submit(send), tabs.submit(send)])
            assert outcomes == ["played", "stale"]
            played += 1
            match = Match.objects.get(pk=match.pk)
            assert match.version == match.moves.count() == version + 1
    repository.clear_caches()
    assert repository.get_value(match).move_count == match.version
    assert played == MOVES
