"""Tables wait on where they were when the site comes back."""

from django.utils import timezone

from games.time import outages
from lobbies import services
from lobbies.models import Table
from tests.lobbies.tables import make
from tests.times import later


def test_table_survives_outage(alice):
    table = make(alice)
    outages.record_beat()
    with later(seconds=300):
        outages.record_beat()
        services.sweep(timezone.now())
        assert Table.objects.get(pk=table.pk).open
    with later(seconds=361):
        services.sweep(timezone.now())
    assert not Table.objects.get(pk=table.pk).open


def test_nonce_wait_restarts_after_outage(alice, bob):
    table = make(alice)
    services.sit(table, bob)
    outages.record_beat()
    with later(seconds=300):
        outages.record_beat()
        services.sweep(timezone.now())
        assert Table.objects.get(pk=table.pk).open
