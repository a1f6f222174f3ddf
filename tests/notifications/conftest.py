"""A push service, and people who subscribe at it."""

from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone

from accounts.models import User
from notifications import outbox, services
from notifications.models import Subscription
from tests.push_service import PushService

TEST_KEY = bytes(range(1, 33))


@pytest.fixture
def push(settings) -> Iterator[PushService]:
    service = PushService()
    settings.PUSH_TEST_ORIGIN, settings.VAPID_KEY = service.origin, TEST_KEY
    yield service
    service.close()


@pytest.fixture
def subscribe(push) -> Callable[..., Subscription]:
    """Return a function that subscribes a browser of a person."""

    def subscribe(user: User, name: str = "", language: str = "en") -> Subscription:
        browser = push.add_browser(name or user.username)
        return services.subscribe(user, browser.fields, language)

    return subscribe


@pytest.fixture
def send_due() -> Callable[[], None]:
    return lambda: outbox.run(timezone.now())
