"""Record who sends requests for tables and matches; `events.middleware` records more by the same base class."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.addresses import address_of
from accounts.models import User
from core.database import WRITE_ERRORS
from lobbies.services import record_address
from lobbies.services.rows import CODE_LENGTH

Handler = Callable[[HttpRequest], HttpResponse]


class RecordSender:
    """Middleware that calls `record` before the view of a table or match, for people who are logged in."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Handler, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        # Longer codes exist nowhere, but would be keys of the cache.
        if len(kwargs.get("code", "")) == CODE_LENGTH and request.user.is_authenticated:
            try:
                self.record(request, request.user, kwargs["code"])
            except WRITE_ERRORS:
                pass  # a busy database must not refuse a read or a move

    def record(self, request: HttpRequest, user: User, code: str) -> None:
        raise NotImplementedError


class SeatAddresses(RecordSender):
    """Middleware that records the addresses of players at tables and at matches that have just started."""

    def record(self, request: HttpRequest, user: User, code: str) -> None:
        record_address(code, user, address_of(request))
