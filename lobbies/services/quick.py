"""Quick play: down at a fitting table at once, or wait until somebody fits."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from lobbies import pairing
from lobbies.game import Game, game_of
from lobbies.models import Table

from . import rows
from .tables import make_table, sit


def quick_play(user: User, game: Game, level: str = "") -> Table:
    """Sit down at a fitting open table, else make one and wait; with `level` the others are computers.

    Who waits in quick play already is moved: nobody waits in it twice.
    """
    if level:
        return make_table(user, game, levels=["", *[level] * (game.seats - 1)], private=True, quick=True)
    rows.refuse_person(user, rated=game.rated)
    return _sit_at_fitting(user, game) or make_table(user, game, quick=True)


def _sit_at_fitting(user: User, game: Game) -> Table | None:
    """The table at which the person sits now; None if there is none, and they wait nowhere."""
    own = list(Table.objects.filter(status=Table.Status.OPEN, quick=True, rematch_of="", sittings__user=user))
    fitting = pairing.fitting(user, game, timezone.now())
    with transaction.atomic():
        open_rows = rows.locked_together([*own, *fitting])
        waiting = [open_rows[table.pk] for table in own if table.pk in open_rows]
        for row in waiting:
            if row.full_at:
                return row  # somebody came meanwhile, and it begins
        found = next(
            (table for table in fitting if table.pk in open_rows and not open_rows[table.pk].full_at), None
        )
        if found is None:
            same = next((row for row in waiting if game_of(row) == game), None)
            if same is not None:
                return same
        for row in waiting:
            rows.stand_up(row, row.sittings.get(user=user))
        return None if found is None else sit(found, user)


def join(older: Table, younger: Table, now: datetime) -> None:
    """Lead the people of one quick-play table to another that has waited longer, if they still fit there."""
    with transaction.atomic():
        open_rows = rows.locked_together([older, younger])
        if len(open_rows) < 2:
            return
        row, left = open_rows[older.pk], open_rows[younger.pk]
        if row.full_at or left.full_at or not pairing.joinable(row, left, now):
            return
        taken = {sitting.position for sitting in row.sittings.all()}
        free = (position for position in range(row.seats) if position not in taken)
        for sitting, position in zip(list(left.sittings.all()), free, strict=False):
            # What they added was for the other seal; their pages will add to this one's.
            sitting.table, sitting.position, sitting.nonce = row, position, None
            sitting.save(update_fields=["table", "position", "nonce"])
        left.moved_to = row.code
        left.save(update_fields=["moved_to"])
        rows.close(left)
        rows.note_if_full(row)
        rows.tell(row)
