"""What a match knows of its night: the names of its people, its place in the night, and where they play next."""

from __future__ import annotations

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Match
from games.table.evening import Evening
from lobbies.models import Table
from nights.models import Entry, Night, NightTable


def find_names(table: Table) -> dict[int, str]:
    """Return the night's names of the accounts at a table that it has drawn, by key of the account."""
    people = [sitting.user_id for sitting in table.sittings.all() if sitting.user_id]
    entries = Entry.objects.filter(night__code=table.night, user__in=people)
    return {entry.user_id: entry.name for entry in entries if entry.user_id is not None}


def find(match: Match, user: int | None) -> Evening | None:
    """Return the night of a match, as the account with this key sees it."""
    night = Night.objects.filter(code=match.night).first()
    if night is None:
        return None
    entry = night.entries.filter(user=user).first() if user is not None else None
    rows = NightTable.objects.filter(drawn_round__night=night, drawn_round__undone_at=None)
    rows = rows.select_related("drawn_round").order_by("-drawn_round__number")
    own = rows.filter(Q(match_code=match.code) | Q(waiting_code=match.code)).first()
    words = night.name
    if own is not None:
        place = {"round": own.drawn_round.number, "table": own.number}
        words = f"{night.name} · {_('Round %(round)d, table %(table)d') % place}"
    if entry is None:
        return Evening(words, night.get_absolute_url())
    page = reverse("night-me", args=[night.code, entry.secret])
    return Evening(words, page, _find_next(night, entry, match))


def _find_next(night: Night, entry: Entry, match: Match) -> str:
    """Return the address of the match in which the person plays now, or "" if that is this one, or none."""
    playing = NightTable.objects.filter(
        drawn_round__night=night, drawn_round__undone_at=None, status=NightTable.Status.PLAYING
    )
    for table in playing.exclude(match_code__in=("", match.code)).order_by("-drawn_round__number"):
        if any(entry.number in side for side in table.sides) and entry.number not in table.replaced:
            return reverse("match", args=[table.match_code])
    return ""
