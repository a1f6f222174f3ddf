"""Record the networks from which entries are played by form."""

from django.http import HttpRequest

from accounts.addresses import network_of
from accounts.models import User
from events.services import record_network
from lobbies.middleware import RecordSender


class EntryNetworks(RecordSender):
    """Middleware that records the sender's network before each form of a match; sockets record theirs themselves."""

    def record(self, request: HttpRequest, user: User, code: str) -> None:
        if request.method == "POST":
            record_network(code, user, network_of(request))
