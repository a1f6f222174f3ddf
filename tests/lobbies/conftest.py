"""Fixtures of the tests of tables before play."""

import pytest

from lobbies import pairing


@pytest.fixture
def full_crowd(monkeypatch):
    """Pair by the reach of a large site."""
    monkeypatch.setattr(pairing, "count_people", lambda *_game: pairing.FULL_CROWD_PEOPLE)
