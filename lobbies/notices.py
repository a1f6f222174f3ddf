"""What waits for the reader of any page: challenges, tables where they wait, and the nights that they follow."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, Q

from accounts.models import User
from core.prepared import PreparedQuery
from games.seats import Viewer, find_running_seats
from games.time.day_clocks import DAY_SECONDS
from lobbies.lists import OPEN, OwnPlace, filter_challenges, find_challenges, list_own_places
from lobbies.models import Sitting
from lobbies.nights import get_source

# The user, if there is anything: nothing waits for most readers. Django's EXISTS selects a parameter, 1.
_awaited = PreparedQuery(
    lambda user, _1, sitting_status, sitter, _2, follower, _3, kept_for, _4, player, days, status: (
        User.objects.filter(pk=user)
        .filter(
            Q(Exists(Sitting.objects.filter(user=sitter, table__status=sitting_status)))
            | Q(Exists(get_source().filter_followers(follower)))
            | Q(Exists(filter_challenges(kept_for, player, days, status)))
        )
        .only("pk")
    )
)


class Notices(NamedTuple):
    """The rows; `sittings` are those at open tables."""

    sittings: Sequence[Sitting] = ()
    challenges: Sequence[OwnPlace] = ()
    followed: Sequence[Any] = ()  # rows of `lobbies.nights`


NOTHING = Notices()


def find_notices(user: Viewer) -> Notices:
    """Return what waits for the user; nothing for somebody without an account."""
    if not user.is_authenticated:
        return NOTHING
    pk = user.pk
    if not _awaited.rows(pk, 1, OPEN, pk, 1, pk, 1, pk, 1, pk, DAY_SECONDS, OPEN):
        return NOTHING
    return Notices(Sitting.objects.waiting(pk), find_challenges(user), get_source().find_followed(user))


def find_own_places(user: Viewer) -> list[OwnPlace]:
    """Return the matches that a person plays, the challenges to them and the tables where they wait."""
    found = find_notices(user)
    return list_own_places(find_running_seats(user), found.challenges, found.sittings)
