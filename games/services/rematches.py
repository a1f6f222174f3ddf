"""What the players of an ended match say to another one; the tables for it belong to `lobbies`."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Match, Seat
from live.broadcast import broadcast_page_changed


def record_rematch_offer(code: str, table: str, asked: Collection[int] = (), until: datetime | None = None) -> None:
    """The people `asked`, by key, wait for a rematch of the match `code` at `table` until then; "" and nobody: no more.
    The pages of the match say so."""
    said = Seat.objects.filter(match__code=code)
    with transaction.atomic():
        Match.objects.filter(code=code).update(rematch_code=table, rematch_until=until)
        said.filter(rematch=Seat.Rematch.ASKED).exclude(user__in=asked).update(rematch="")
        said.filter(user__in=asked).update(rematch=Seat.Rematch.ASKED)
        broadcast_page_changed(f"match.{code}", "rematch")


def record_rematch_decline(code: str, user: User) -> None:
    """This person declines a rematch of the match `code`."""
    with transaction.atomic():
        Seat.objects.filter(match__code=code, user=user).update(rematch=Seat.Rematch.DECLINED)
        record_rematch_offer(code, "")
