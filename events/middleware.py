"""Record the networks from which entries are played by form."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.addresses import network_of
from core.database import WRITE_ERRORS
from events.services import record_network
from lobbies.services.rows import CODE_LENGTH

Handler = Callable[[HttpRequest], HttpResponse]


class EntryNetworks:
    """Middleware that records the sender's network before every form of a match; sockets record theirs themselves."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Handler, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        is_form = request.method == "POST" and len(kwargs.get("code", "")) == CODE_LENGTH
        if is_form and request.user.is_authenticated:
            try:
                record_network(kwargs["code"], request.user, network_of(request))
            except WRITE_ERRORS:
                pass  # a busy database must not refuse a move
