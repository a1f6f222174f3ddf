"""Whether the session that opened a socket is still valid, and the token for its forms."""

import re
import time
from collections.abc import Mapping
from importlib import import_module
from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.middleware.csrf import get_token

CSRF_SECRET = re.compile(r"[A-Za-z0-9]{32}")
SESSION_TRUST_SECONDS = 5.0  # how long a valid session is trusted without another check


class SessionCheck:
    """The session of a socket's scope, which may end while the socket is open."""

    __slots__ = ("_distrusted_until", "_scope", "_valid_at")

    def __init__(self, scope: dict[str, Any]) -> None:
        self._scope = scope
        self._valid_at = 0.0  # when the session was last found valid (time.monotonic)
        self._distrusted_until = time.monotonic()

    def distrust(self, seconds: float) -> None:
        """Trust no check made before `seconds` from now."""
        self._distrusted_until = time.monotonic() + seconds

    def is_trusted(self) -> bool:
        """Return whether the session was found valid a moment ago, so that another check can be skipped."""
        return self._valid_at > max(self._distrusted_until, time.monotonic() - SESSION_TRUST_SECONDS)

    def is_valid(self) -> bool:
        """Return whether the session in the database still belongs to the socket's user, and refresh that user.

        Always True for a socket without a user.
        """
        checked_at = time.monotonic()
        if not self._scope["user"].is_authenticated:
            return True
        if "session" not in self._scope:
            return False
        sessions = import_module(settings.SESSION_ENGINE)
        session = sessions.SessionStore(session_key=self._scope["session"].session_key)
        user = get_user(cast(HttpRequest, SimpleNamespace(session=session)))
        if user.pk != self._scope["user"].pk or getattr(user, "banned", False):
            return False
        self._scope["user"] = user
        self._valid_at = checked_at
        return True


def build_csrf_token(scope: Mapping[str, Any]) -> str:
    """Return a token for fragments with forms; "" without a valid CSRF cookie."""
    secret = scope.get("cookies", {}).get(settings.CSRF_COOKIE_NAME, "")
    if not CSRF_SECRET.fullmatch(secret):
        return ""
    request = HttpRequest()
    request.META["CSRF_COOKIE"] = secret
    return get_token(request)
