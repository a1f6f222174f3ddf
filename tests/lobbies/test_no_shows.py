"""People who sit down, commit and never reveal: quick play closes to them, and those who waited keep their place."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from boneyard.engine.shuffle import commitment_to
from lobbies import no_shows, services
from lobbies.models import NoShow, Table
from lobbies.refusals import TableRefused
from lobbies.services.starting import MAX_WAIT
from tests.lobbies.tables import game, make, names
from tests.times import later

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


def keep_from_beginning(table: Table, absent: User, other: User) -> None:
    """Commit both, reveal for the other alone, and let the time for it pass."""
    services.commit(table, absent, commitment_to("never"))
    services.commit(table, other, commitment_to("b"))
    services.give_nonce(table, other, "b")
    with later(seconds=MAX_WAIT.total_seconds() + 1):
        services.advance(table, timezone.now())


def act(absent: User, number: int, when: float = 0.0) -> User:
    """Have somebody wait, and the absent person keep their match from beginning; return who waited."""
    victim = User.objects.create_user(f"victim{number}")
    with later(seconds=when):
        table = services.quick_play(victim, game(rated=True))
        services.sit(table, absent)
        keep_from_beginning(table, absent, victim)
        services.leave(table, victim)
    return victim


def closure(user: User, when: float = 0.0) -> float:
    """Return for how many seconds quick play is closed, 0 if it is open."""
    with later(seconds=when):
        until = no_shows.find_consequences(user.pk, timezone.now()).closed_until
        return 0.0 if until is None else (until - timezone.now()).total_seconds()


def test_second_time_within_an_hour_closes_quick_play(alice, browser_of):
    act(alice, 1)
    with later(seconds=30):
        services.leave(services.quick_play(alice, game(rated=True)), alice)
    act(alice, 2, when=60)
    with later(seconds=90):
        with pytest.raises(TableRefused) as refused:
            services.quick_play(alice, game(rated=True))
        assert (refused.value.reason, refused.value.status) == ("no_shows", 429)
        assert "in 2 minutes" in refused.value.sentence
        table = services.quick_play(User.objects.create_user("erna"), game(rated=True))
        with pytest.raises(TableRefused):
            services.sit(table, alice)
    with later(seconds=60 + MAX_WAIT.total_seconds() + 122):
        assert services.sit(table, alice).full_at


def test_closure_doubles_up_to_a_day(alice):
    when = 0.0
    lasts = []
    for number in range(14):
        act(alice, number, when)
        when += MAX_WAIT.total_seconds() + 1
        lasts.append(round(closure(alice, when)))
        when += lasts[-1] + 1
    assert lasts[:5] == [0, 120, 240, 480, 960]
    assert lasts[-1] == timedelta(days=1).total_seconds()


def test_hour_of_order_is_forgiven(alice):
    act(alice, 1)
    act(alice, 2, when=3700)
    assert closure(alice, 3725) == 0


def test_who_waited_keeps_the_place_and_is_told(alice, bob, browser_of):
    table = services.quick_play(bob, game(rated=True))
    services.sit(table, alice)
    created_at = Table.objects.get().created_at
    keep_from_beginning(table, alice, bob)
    table.refresh_from_db()
    assert (names(table), table.open, table.created_at) == (["bob", ""], True, created_at)
    page = browser_of(bob).get(f"/tables/{table.code}/").content.decode()
    assert "alice sat down, and the match could not begin. You keep your place at the head" in page


def test_who_waited_keeps_the_place_at_the_absent_hosts_table(alice, bob):
    table = make(alice, rated=True)
    services.sit(table, bob)
    keep_from_beginning(table, alice, bob)
    table.refresh_from_db()
    assert (names(table), table.open, table.host) == (["", "bob"], True, bob)


def test_both_do_not_meet_again_that_day(alice, bob):
    table = services.quick_play(bob, game(rated=True))
    services.sit(table, alice)
    keep_from_beginning(table, alice, bob)
    with later(seconds=30):
        other = services.quick_play(alice, game(rated=True))
        assert other != table
        with pytest.raises(TableRefused) as refused:
            services.sit(table, alice)
    assert refused.value.reason == "not_together"
    with later(seconds=50):
        services.sweep(timezone.now())
    assert [names(each) for each in (table, other)] == [["bob", ""], ["alice", ""]]
    with later(seconds=timedelta(hours=25).total_seconds()):
        assert no_shows.find_consequences(bob.pk, timezone.now()).apart == frozenset()


def test_private_tables_and_days_have_no_consequences(alice, bob):
    for table in (make(alice, private=True), make(alice, clock=(3 * 86_400, 0))):
        services.sit(table, bob)
        keep_from_beginning(table, bob, alice)
    assert not NoShow.objects.exists()


def test_leaving_after_committing_counts(alice, bob):
    table = services.quick_play(bob, game(rated=True))
    services.sit(table, alice)
    for person in (alice, bob):
        services.commit(table, person, commitment_to(person.username))
    services.leave(table, alice)
    assert NoShow.objects.get().other == bob
