"""Record the networks from which entries are played by form, and let browsers remember who plays a set."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.addresses import network_of
from accounts.models import User
from events.browsers import note_player
from events.services import record_network
from lobbies.middleware import RecordSender


class EntrySenders(RecordSender):
    """Middleware that records the sender's network before each form of a match; sockets record theirs themselves.

    A browser that shows somebody's match of an open set has played that set, wherever the match was begun.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = super().__call__(request)
        if deals := getattr(request, "deals_shown", ""):
            user: Any = request.user
            note_player(request, response, deals, user.pk)
        return response

    def record(self, request: HttpRequest, user: User, code: str) -> None:
        if request.method == "POST":
            record_network(code, user, network_of(request))
