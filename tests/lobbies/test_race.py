"""Several presses in the same instant: each seat is taken once, and a match starts once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from boneyard.engine.shuffle import commitment_to
from games.models import Match
from lobbies import services
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused
from tests.games.playing import begin
from tests.lobbies.tables import game, make

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 25


def at_once(*deeds: Callable[[], object]) -> list[str]:
    """Run the actions concurrently; return each result or refusal."""
    together = Barrier(len(deeds))

    def do(deed: Callable[[], object]) -> str:
        try:
            together.wait()
            deed()
            return "done"
        except TableRefused as refused:
            return refused.reason
        finally:
            connection.close()

    with ThreadPoolExecutor(len(deeds)) as people:
        return sorted(people.map(do, deeds))


@pytest.fixture(autouse=True)
def without_limits(settings):
    settings.LIMITS = False


def test_seat_is_taken_once(alice, bob, charlie):
    for _ in range(TIMES):
        table = make(alice)
        assert at_once(
            lambda t=table: services.sit(t, bob, 1), lambda t=table: services.sit(t, charlie, 1)
        ) == [
            "done",
            "full",
        ]
        assert table.sittings.count() == 2


def test_person_sits_once(alice, bob):
    for _ in range(TIMES):
        table = make(alice, seats=3)
        assert at_once(lambda t=table: services.sit(t, bob, 1), lambda t=table: services.sit(t, bob, 2)) == [
            "done",
            "seated",
        ]


def test_match_starts_once(alice, bob):
    for _ in range(TIMES):
        table = make(alice)
        services.sit(table, bob)
        for person, nonce in ((alice, "a"), (bob, "b")):
            services.commit(table, person, commitment_to(nonce))
        services.give_nonce(table, alice, "a")
        at_once(
            lambda t=table: services.give_nonce(t, bob, "b"),
            lambda t=table: services.advance(t, timezone.now()),
            lambda: services.sweep(timezone.now()),
        )
        assert Match.objects.filter(code=table.code).count() == 1
        assert Match.objects.get(code=table.code).seats.count() == 2


def test_rematch_has_one_table(alice, bob):
    for number in range(TIMES):
        match = begin(alice, bob, seed=f"again {number}")
        Match.objects.filter(pk=match.pk).update(status="finished", ended_at=timezone.now())
        match.refresh_from_db()
        assert at_once(
            lambda m=match: services.offer_rematch(m, alice), lambda m=match: services.offer_rematch(m, bob)
        ) == ["done", "done"]
        table = Table.objects.get(rematch_of=match.code)
        assert sorted(table.sittings.values_list("user__username", flat=True)) == ["alice", "bob"]


def test_quick_play_never_seats_twice(alice, bob, charlie):
    people = [alice, bob, charlie, User.objects.create_user("dora")]
    for _ in range(TIMES):
        assert set(at_once(*(lambda p=p: services.quick_play(p, game(rated=True)) for p in people))) == {
            "done"
        }
        services.sweep(timezone.now())
        services.sweep(timezone.now())
        seats = Sitting.objects.filter(table__status="open")
        assert sorted(seats.values_list("user__username", flat=True)) == ["alice", "bob", "charlie", "dora"]
        full = [table for table in Table.objects.filter(status="open") if table.sittings.count() == 2]
        assert len(full) == 2
        assert all(table.full_at for table in full)
        Table.objects.all().delete()


def test_double_quick_play_waits_at_one_table(alice):
    for _ in range(TIMES):
        assert at_once(*(lambda: services.quick_play(alice, game(rated=True)) for _ in range(2))) == [
            "done",
            "done",
        ]
        assert Sitting.objects.filter(table__status="open").count() == 1
        Table.objects.all().delete()


def test_concurrent_tables_hit_the_limit(alice, settings):
    settings.LIMITS = True
    outcomes = at_once(*(lambda: make(alice) for _ in range(6)))
    assert outcomes == ["done"] * 3 + ["too_many_tables"] * 3


def test_concurrent_sits_stop_at_three(alice, bob, settings):
    tables = [make(alice, seats=3) for _ in range(6)]
    settings.LIMITS = True
    outcomes = at_once(*(lambda t=table: services.sit(t, bob) for table in tables))
    assert outcomes == ["done"] * 3 + ["too_many_tables"] * 3


def test_concurrent_sit_make_and_play_stop_at_three(alice, bob, settings):
    tables = [make(alice, seats=3) for _ in range(3)]
    settings.LIMITS = True
    outcomes = at_once(
        *(lambda t=table: services.sit(t, bob) for table in tables),
        *(lambda: make(bob) for _ in range(3)),
        lambda: services.quick_play(bob, game(rated=True)),
    )
    assert outcomes == ["done"] * 3 + ["too_many_tables"] * 4
