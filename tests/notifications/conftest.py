"""A push service, and people who subscribe at it."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Match
from notifications import outbox, services
from notifications.models import Subscription
from tests.games.playing import on_turn, play
from tests.push_service import PushService

TEST_KEY = bytes(range(1, 33))
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)  # a Wednesday, outside the quiet hours


@pytest.fixture
def noon():
    """Let the clock stand at NOON; its `shift` moves it."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def push(settings) -> Iterator[PushService]:
    service = PushService()
    settings.PUSH_TEST_ORIGIN, settings.VAPID_KEY = service.origin, TEST_KEY
    yield service
    service.close()


@pytest.fixture
def subscribe(push) -> Callable[..., Subscription]:
    """Return a function that subscribes a browser of a person who logs in there, without visiting a page."""

    def subscribe(
        user: User, name: str = "", language: str = "en", browser: Client | None = None
    ) -> Subscription:
        client = browser or Client()
        if browser is None:
            client.force_login(user)
        fields = push.add_browser(name or user.username).fields
        return services.subscribe(user, fields, language, session=client.session.session_key)

    return subscribe


@pytest.fixture
def send_due() -> Callable[[], None]:
    return lambda: outbox.run(timezone.now())


def pass_the_turn_around(match: Match, user: User) -> Match:
    """Play until it is the turn of `user` again, and return the match then."""
    others_had_turn = False
    for _ in range(40):
        match = play(match)
        is_own = on_turn(match).user == user
        others_had_turn = others_had_turn or not is_own
        if others_had_turn and is_own:
            return match
    raise AssertionError("never")
