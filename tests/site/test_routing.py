"""The choice of the process that serves a connection."""

import pytest

from core.siblings import Siblings
from dominoes_site import routing


@pytest.fixture(autouse=True)
def _three_processes(monkeypatch):
    monkeypatch.setattr(routing, "SIBLINGS", Siblings("group", outboxes=(3, 4, 5, 6)))


def choose(path: str, method: str = "GET") -> int | None:
    return routing.choose_process(f"{method} {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())


def test_sockets_of_a_match_are_at_one_process():
    chosen = {code: choose(f"/ws/games/{code}/") for code in map(str, range(100))}
    assert set(chosen.values()) == {0, 1, 2}
    assert all(choose(f"/ws/games/{code}/?page=1") == number for code, number in chosen.items())


@pytest.mark.parametrize(
    "path", ["/", "/ws/lobby/", "/games/ABC/", "/metrics", "/metrics?process=x", "/ws/games//"]
)
def test_other_requests_are_served_anywhere(path):
    assert choose(path) is None


def test_operators_choose_a_process():
    assert (choose("/metrics?process=2"), choose("/healthz?process=0")) == (2, 0)


def test_only_whole_request_lines_count():
    assert routing.choose_process(b"GET /ws/ga") is None
    assert choose("/ws/games/ABC/", method="POST") is None


def test_shares_of_processes_add_up():
    place = Siblings("group", outboxes=(3, 4, 5, 6))
    for total in (1, 2, 3, 5, 64):
        shares = [Siblings("group", number, -1, place.outboxes).get_share(total) for number in range(3)]
        assert sum(shares) == total and max(shares) - min(shares) <= 1
    assert Siblings("alone").get_share(2) == 2
