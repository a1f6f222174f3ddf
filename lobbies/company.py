"""List the followed people who are on the site, for the account menu of every page."""

from collections.abc import Sequence
from typing import NamedTuple

from accounts import relations
from accounts.models import User
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS
from live.open_sockets import has_page_here
from lobbies.offers import QuickGame, own_and_usual_games

MAX_COMPANY = 8


class Friend(NamedTuple):
    """Somebody who is on the site; `match` is the address of the public match that they play, or ""."""

    name: str
    match: str
    avatar: str = ""
    public_name: str = ""


class Company(NamedTuple):
    """The people on the site, and the game to which one press challenges them."""

    people: tuple[Friend, ...] = ()
    game: QuickGame | None = None


def find_company(user: User) -> Company:
    """Return the followed people who are on the site and show it, those seen last first."""
    followed = relations.find_followed_in_view(user)
    here = [person for person in followed if person.on_line or has_page_here(person.pk)][:MAX_COMPANY]
    if not here:
        return Company()
    matches = _find_matches(here)
    people = tuple(
        Friend(person.username, matches.get(person.pk, ""), person.avatar, person.public_name)
        for person in here
    )
    own, usual = own_and_usual_games(user)
    games = [*own, *usual]
    return Company(people, next((game for game in games if game.seats == 2), games[0]))


def _find_matches(people: Sequence[User]) -> dict[int, str]:
    """Return the address of the last public match that each of them is playing, by the key of the person.

    Matches with a clock of days do not count: most of the time nobody plays there.
    """
    seats = Seat.objects.filter(user__in=people, left=False, taken_over=False, score__isnull=True)
    playing = seats.filter(
        match__status=Match.Status.PLAYING, match__private=False, match__concealed=False
    ).select_related("match")
    return {
        seat.user_id: seat.match.get_absolute_url()
        for seat in playing.exclude(match__clock_seconds__gte=DAY_SECONDS).order_by("match__started_at")
        if seat.user_id is not None
    }
