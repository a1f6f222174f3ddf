"""Datagrams between the web processes of one `manage.py serve`."""

import socket

from live import bus
from live.layers import local
from tests.waiting import until_async


async def test_message_reaches_sibling_alone(processes):
    one, two = (each.read() for each in processes)
    one.bus.send("match.ABC", {"type": "match.changed", "version": 3})
    await until_async(lambda: two.messages)
    assert two.messages == [("match.ABC", {"type": "match.changed", "version": 3})]
    assert not one.messages


async def test_sibling_is_notified_of_missed_messages(processes):
    one, two = processes
    for number in range(5000):  # does not fit into an inbox that nobody reads
        one.bus.send("lobby", {"type": "page.changed", "number": number})
    two.read()
    await until_async(lambda: two.messages)
    received = len(two.messages)
    assert received < 5000 and not two.missed
    one.bus.send("lobby", {"type": "page.changed", "topic": "lobby"})
    await until_async(lambda: len(two.messages) > received)
    assert two.missed == 1


async def test_siblings_know_how_many_pages_a_crowd_has(processes):
    one, two = (each.read() for each in processes)
    one.bus.beat([], {"network 203.0.113.7": 50})
    await until_async(lambda: two.bus.count_pages("network 203.0.113.7"))
    assert [two.bus.count_pages(f"network 203.0.113.{n}") for n in (7, 8)] == [50, 0]


async def test_crowds_are_told_where_the_list_of_people_is_too_long(processes):
    one, two = (each.read() for each in processes)
    one.bus.beat([f"user {n}" for n in range(9000)], {"user 1": 15})
    await until_async(lambda: two.bus.count_pages("user 1"))
    assert list(two.bus.get_owners()) == [set()]


async def test_siblings_know_who_has_pages_elsewhere(processes):
    one, two = (each.read() for each in processes)
    one.bus.beat(["user 1", "user 2"], {})
    await until_async(lambda: list(two.bus.get_owners()))
    assert list(two.bus.get_owners()) == [{"user 1", "user 2"}]
    assert not list(one.bus.get_owners())


async def test_silent_sibling_counts_as_away(processes, monkeypatch):
    one, two = (each.read() for each in processes)
    one.bus.beat(["user 1"], {})
    await until_async(lambda: list(two.bus.get_owners()))
    monkeypatch.setattr(bus, "BEAT_TTL_SECONDS", 0.0)
    assert not list(two.bus.get_owners())


async def test_connection_is_handed_over_to_living_sibling(processes):
    one, two = (each.read() for each in processes)
    ours, browsers = socket.socketpair()
    assert not one.bus.hand_over(1, ours, b"GET / ")  # nothing heard of it yet
    two.bus.beat([], {})
    await until_async(lambda: list(one.bus.get_owners()))
    assert one.bus.hand_over(1, ours, b"GET / ")
    ours.close()
    await until_async(lambda: two.connections)
    connection, data = two.connections[0]
    assert data == b"GET / "
    connection.sendall(b"answered")
    assert browsers.recv(100) == b"answered"
    connection.close()
    browsers.close()


async def test_connections_of_an_ended_process_close(processes):
    one, two = processes[0].read(), processes[1]
    two.bus.beat(["user 1"], {})
    await until_async(lambda: list(one.bus.get_owners()))
    ours, browsers = socket.socketpair()
    assert one.bus.hand_over(1, ours, b"GET / ")
    ours.close()
    bus.note_end(1, one.pairs[1][0], [outbox for _, outbox in one.pairs[:-1]])
    assert browsers.recv(100) == b""
    await until_async(lambda: not list(one.bus.get_owners()))
    browsers.close()


async def test_layer_sends_to_siblings_and_its_own_pages(processes, monkeypatch):
    one, two = (each.read() for each in processes)
    monkeypatch.setattr(local, "BUS", one.bus)
    layer = local.ChannelLayer()
    await layer.group_add("lobby", "page")
    await layer.group_send("lobby", {"type": "page.changed"})
    assert await layer.receive("page") == {"type": "page.changed"}
    await until_async(lambda: two.messages)
    layer.deliver_from_sibling(*two.messages[0])
    assert await layer.receive("page") == {"type": "page.changed"}


async def test_all_pages_learn_that_messages_were_missed():
    layer = local.ChannelLayer()
    await layer.group_add("lobby", "page")
    await layer.group_add("match.ABC", "other")
    layer.deliver_missed()
    assert [await layer.receive(channel) for channel in ("page", "other")] == [
        {"type": "messages.missed"}
    ] * 2
