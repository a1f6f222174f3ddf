"""Tables wait on where they were when the site comes back."""

from django.utils import timezone

from games import outages
from lobbies import services
from lobbies.models import Table
from tests.lobbies.tables import make
from tests.times import later


def test_a_table_does_not_vanish_with_its_hosts_page(alice):
    table = make(alice)
    outages.record_beat()
    with later(seconds=300):
        outages.record_beat()
        services.sweep(timezone.now())
        assert Table.objects.get(pk=table.pk).open
    with later(seconds=361):
        services.sweep(timezone.now())
    assert not Table.objects.get(pk=table.pk).open


def test_what_others_add_to_the_shuffle_is_waited_for_anew(alice, bob):
    table = make(alice)
    services.sit(table, bob)
    outages.record_beat()
    with later(seconds=300):
        outages.record_beat()
        services.sweep(timezone.now())
        assert Table.objects.get(pk=table.pk).open
