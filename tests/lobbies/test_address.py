"""Two people from one address may play, but not for rating points."""

import pytest

from games.models import Match
from lobbies.models import Sitting, Table
from tests.games.playing import begin, play
from tests.lobbies.tables import make

pytestmark = pytest.mark.django_db
HOME, OFFICE = "203.0.113.7", "203.0.113.8"
SAID = "come from the same address: this match will be casual."


def started(alice, bob, browser_of, *addresses):
    """Start a match of both, each from an address; return it and the table's page."""
    table = make(alice, rated=True)
    pages = [browser_of(person) for person in (alice, bob)]
    pages[1].post(f"/tables/{table.code}/sit", {"seat": "1"})
    for page, address in zip(pages, addresses, strict=True):
        said = page.get(f"/tables/{table.code}/", REMOTE_ADDR=address).content.decode()
    for page, address in zip(pages, addresses, strict=True):
        page.post(f"/tables/{table.code}/nonce", {"nonce": "a1"}, REMOTE_ADDR=address)
    return Match.objects.get(code=table.code), said


def test_shared_address_plays_casual(alice, bob, browser_of):
    match, said = started(alice, bob, browser_of, HOME, HOME)
    assert SAID in said
    assert not match.rated


@pytest.mark.parametrize("addresses", [(HOME, OFFICE), ("127.0.0.1", "127.0.0.1"), ("::1", "::1")])
def test_different_or_loopback_addresses_stay_rated(alice, bob, browser_of, addresses):
    match, said = started(alice, bob, browser_of, *addresses)
    assert SAID not in said
    assert match.rated


def test_address_is_stored_hashed(alice, bob, browser_of):
    match, _said = started(alice, bob, browser_of, HOME, OFFICE)
    kept = set(Sitting.objects.filter(table__code=match.code).values_list("address", flat=True))
    assert len(kept) == 2
    assert HOME not in kept


@pytest.mark.parametrize("way", ["sit", "quick", "challenge"])
def test_address_is_stored_without_table_page(alice, bob, browser_of, way):
    ways = {"sit": "/tables/new", "quick": "/play/all-fives/", "challenge": "/players/bob/challenge"}
    fields = {"preset": "all-fives", "seats": "2", "clock": "300+5", "rated": "on"}
    browser_of(alice).post(ways[way], fields, REMOTE_ADDR=HOME)
    table = Table.objects.get()
    join = ways[way] if way == "quick" else f"/tables/{table.code}/sit"
    browser_of(bob).post(join, {"seats": "2", "clock": "300+5"}, REMOTE_ADDR=HOME)

    assert {sitting.user for sitting in table.sittings.all()} == {alice, bob}
    assert table.rated and table.shared_address


def test_rematch_checks_addresses(alice, bob, browser_of):
    match = play(play(begin(alice, bob, rated=True, clock=(300, 5))), "resign")
    for person in (alice, bob):
        browser_of(person).post(f"/tables/{match.code}/rematch", REMOTE_ADDR=HOME)

    assert Table.objects.get().shared_address
