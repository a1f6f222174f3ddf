"""Record the addresses of players at tables and at matches that have just started."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.addresses import address_of
from core.database import WRITE_ERRORS
from lobbies.services import record_address
from lobbies.services.rows import CODE_LENGTH

Handler = Callable[[HttpRequest], HttpResponse]


class SeatAddresses:
    """Middleware that records the sender's address before every view of a table or match."""

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
                record_address(kwargs["code"], request.user, address_of(request))
            except WRITE_ERRORS:
                pass  # a busy database must not refuse a read
