"""One address opens so many sockets; people at a table come first, whichever process has noted their seat."""

import pytest

from accounts.addresses import normalize_address
from dominoes_site.balances import Balances, Payer
from dominoes_site.budgets import HANDSHAKES, SocketBudgets
from dominoes_site.threads import AT_TABLE
from live import open_sockets, seated
from live.bus import BUS
from live.rate_limits import NETWORK
from tests.site.test_budgets import CODE, cookie
from tests.waiting import until_async

LOBBY, MATCH = "/ws/lobby/", f"/ws/games/{CODE}/"
PAYER = Payer("203.0.113.7", "pages", 30.0)
PAYERS = [PAYER]


@pytest.fixture
def clock(monkeypatch):
    """Stand the monotonic clock still; return its reading, which the test moves."""
    now = [1000.0]
    monkeypatch.setattr("dominoes_site.balances.monotonic", lambda: now[0])
    return now


class Sockets:
    """An application with budgets for sockets; `opened` are the scopes that reached it."""

    def __init__(self) -> None:
        self.opened: list[dict] = []
        self.app = SocketBudgets(self._open)

    async def _open(self, scope, receive, send) -> None:
        self.opened.append(scope)

    async def count_opened(self, number: int, path: str = LOBBY, *headers, address="203.0.113.7") -> int:
        before, refused = len(self.opened), []

        async def send(message) -> None:
            refused.append(message)

        for _ in range(number):
            scope = {"type": "websocket", "path": path, "client": [address, 1], "headers": [*headers]}
            await self.app(scope, None, send)
        opened = len(self.opened) - before
        assert refused == [{"type": "websocket.close"}] * (number - opened)
        return opened


async def test_address_opens_a_burst_of_sockets_and_then_ten_a_second(clock):
    site = Sockets()
    assert await site.count_opened(200) == HANDSHAKES == 60
    assert await site.count_opened(200, "/ws/none/") == 0, "at any path"
    assert await site.count_opened(1, address="198.51.100.1") == 1, "another address"
    clock[0] += 2
    assert await site.count_opened(200) == 20


async def test_network_of_a_customer_opens_as_many_as_one_address(clock):
    site = Sockets()
    assert sum([await site.count_opened(1, address=f"2001:db8:1:2::{n}") for n in range(99)]) == HANDSHAKES


async def test_people_at_a_table_reconnect_while_strangers_take_all(clock):
    seated.note("alices", CODE)
    site = Sockets()
    await site.count_opened(200)
    assert await site.count_opened(40, MATCH, cookie("alices")) == 40
    assert await site.count_opened(1, MATCH, cookie("strangers")) == 0
    assert await site.count_opened(1, LOBBY, cookie("alices")) == 0, "the socket of their table alone"
    assert (site.opened[0][NETWORK], site.opened[-1][NETWORK]) == ("203.0.113.7", "")


async def test_limits_of_sockets_can_be_lifted(clock, settings):
    settings.LIMITS = False
    assert await Sockets().count_opened(100) == 100


def test_seat_noted_by_another_process_is_found_when_it_matters(monkeypatch):
    monkeypatch.setattr(seated, "IS_SHARED", True)
    seated.note("alices", CODE)
    seated.clear()  # another process has none of it
    assert not seated.is_noted("alices", CODE)
    assert not seated.find_shared("alices", CODE[::-1]) and not seated.find_shared("bobs", CODE)
    assert seated.find_shared("alices", CODE) and seated.is_noted("alices", CODE)
    assert "alices" not in seated._build_key("alices", CODE), "a session's key opens the account"


async def test_people_at_a_table_come_first_at_a_process_that_has_not_seen_them(clock, monkeypatch):
    monkeypatch.setattr(seated, "IS_SHARED", True)
    seated.note("alices", CODE)
    seated.clear()
    site = Sockets()
    await site.count_opened(200)
    assert await site.count_opened(1, MATCH, cookie("strangers")) == 0
    assert await site.count_opened(1, MATCH, cookie("alices")) == 1
    assert site.opened[-1][AT_TABLE]


async def test_budget_of_an_address_is_one_for_all_processes(processes, clock):
    one, two = (Balances(each.read().bus, 2) for each in processes)
    assert [one.pay(PAYERS, 1.0) for _ in range(40)].count(True) == 30
    await until_async(lambda: two._refill(PAYER) == 0)
    clock[0] += 1
    assert [two.pay(PAYERS, 1.0) for _ in range(40)].count(True) == 10


async def test_what_is_taken_at_once_at_two_processes_is_owed(processes, clock):
    one, two = both = [Balances(each.read().bus, 2) for each in processes]
    taken = [[each.pay(PAYERS, 1.0) for _ in range(40)].count(True) for each in both]
    assert taken == [30, 30]
    await until_async(lambda: all(each._refill(PAYER) == -30 for each in both))
    clock[0] += 3.5
    assert one.pay(PAYERS, 5.0) and not one.pay(PAYERS, 1.0)


async def test_what_is_given_back_is_given_back_at_all_processes(processes, clock):
    one, two = (Balances(each.read().bus, 2) for each in processes)
    for _ in range(30):
        one.pay(PAYERS, 1.0)
        one.give_back(PAYERS, 1.0)
    one.pay(PAYERS, 5.0)
    await until_async(lambda: two._refill(PAYER) == 25)


def test_open_sockets_of_an_address_are_limited_whoever_has_them(monkeypatch):
    monkeypatch.setitem(open_sockets.MAX_SOCKETS, "network", 3)
    opened = [(f"user {n}", "network 203.0.113.7") for n in range(4)]
    assert [open_sockets.register(*each) for each in opened] == [True, True, True, False]
    assert open_sockets.register("user 9", ""), "somebody at a table"
    for each in [*opened, ("user 9", "")]:
        open_sockets.unregister(*each)
    assert not open_sockets._open_sockets


def test_open_sockets_in_other_processes_count(monkeypatch):
    monkeypatch.setattr(BUS, "count_pages", {"user 1": 19}.get)
    opened = [open_sockets.register("user 1") for _ in range(2)]
    for _ in opened:
        open_sockets.unregister("user 1")
    assert opened == [True, False]


def test_visitors_of_a_network_count_as_one():
    class Nobody:
        is_authenticated = False

    scope = {"user": Nobody, NETWORK: normalize_address("2001:db8:1:2::5"), "headers": []}
    assert open_sockets.get_owner(scope) == "address 2001:db8:1:2::"
    assert open_sockets.get_network(scope) == "network 2001:db8:1:2::"
    assert open_sockets.get_network({}) == ""
