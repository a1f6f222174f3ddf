"""Close the matches of a set of shared deals: end those in play, then show all."""

from games.locking import locked_match
from games.models import Match
from games.services.absence import end_by_time


def find_unfinished(deals: str) -> list[Match]:
    """Return the concealed matches of the set that are still being played."""
    return list(Match.objects.filter(deals=deals, concealed=True, status=Match.Status.PLAYING).order_by("pk"))


def end_at_close(match: Match) -> None:
    """End a match that is still being played when its set closes."""
    with locked_match(pk=match.pk) as (snapshot, now):
        end_by_time(snapshot, now)


def disclose(deals: str) -> int:
    """Show the finished matches of the set to everybody; return their number."""
    finished = Match.objects.filter(deals=deals, concealed=True, status=Match.Status.FINISHED)
    return finished.update(concealed=False)
