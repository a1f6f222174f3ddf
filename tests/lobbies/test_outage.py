"""Tables wait on where they were when the site comes back."""

from datetime import timedelta

import time_machine
from django.utils import timezone

from games import outage
from lobbies import services
from lobbies.models import Table
from tests.lobbies.tables import make


def at(seconds: float):
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False)


def test_a_table_does_not_vanish_with_its_hosts_page(alice):
    table = make(alice)
    outage.beat()
    with at(300):
        outage.beat()
        services.sweep(timezone.now())
        assert Table.objects.get(pk=table.pk).open
    with at(361):
        services.sweep(timezone.now())
    assert not Table.objects.get(pk=table.pk).open


def test_what_others_add_to_the_shuffle_is_waited_for_anew(alice, bob):
    table = make(alice)
    services.sit(table, bob)
    outage.beat()
    with at(300):
        outage.beat()
        services.sweep(timezone.now())
        assert Table.objects.get(pk=table.pk).open
