"""Close the matches of a set of shared deals: end those in play, then show all."""

from collections.abc import Callable
from contextlib import suppress

from accounts.models import User
from games.locking import locked_match
from games.models import Match
from games.services.matches import end_by_time
from games.services.refusals import MoveRefused
from games.services.voiding import void

NetworkHandler = Callable[[str, User, str], None]

_network_handlers: list[NetworkHandler] = []


def register_network_handler(handler: NetworkHandler) -> None:
    """Call `handler` with the code of a concealed match, its player, and a network from which they use it."""
    _network_handlers.append(handler)


def note_network(code: str, user: User, network: str) -> None:
    """Tell the registered handlers from which network (hashed, "" for one that counts for nothing) somebody plays."""
    for handler in _network_handlers:
        handler(code, user, network)


def find_unfinished(deals: str) -> list[Match]:
    """Return the concealed matches of the set that are still being played."""
    return list(Match.objects.filter(deals=deals, concealed=True, status=Match.Status.PLAYING).order_by("pk"))


def end_at_close(match: Match) -> None:
    """End a match that is still being played when its set closes."""
    with locked_match(pk=match.pk) as (snapshot, now):
        end_by_time(snapshot, now)


def void_unfinished(deals: str) -> None:
    """End the matches of a set that is cancelled, without results."""
    for match in find_unfinished(deals):
        with suppress(MoveRefused):  # its last move came first
            void(match)


def disclose(deals: str) -> int:
    """Show the finished matches of the set to everybody; return their number."""
    finished = Match.objects.filter(deals=deals, concealed=True, status=Match.Status.FINISHED)
    return finished.update(concealed=False)
