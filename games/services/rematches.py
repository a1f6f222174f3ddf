"""Record the players' answers to a rematch; `lobbies` owns the tables."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Match, Seat
from live.broadcast import broadcast_page_changed


def record_rematch_offer(
    code: str, table: str, waiting: Collection[int] = (), until: datetime | None = None
) -> None:
    """Record that the users `waiting` (keys) wait for a rematch at `table` until `until`; "" withdraws the offer."""
    seats = Seat.objects.filter(match__code=code)
    with transaction.atomic():
        Match.objects.filter(code=code).update(rematch_code=table, rematch_until=until)
        seats.filter(rematch=Seat.Rematch.ASKED).exclude(user__in=waiting).update(rematch="")
        seats.filter(user__in=waiting).update(rematch=Seat.Rematch.ASKED)
        broadcast_page_changed(f"match.{code}", "rematch")


def record_rematch_decline(code: str, user: User) -> None:
    """Record that the user declines a rematch."""
    with transaction.atomic():
        Seat.objects.filter(match__code=code, user=user).update(rematch=Seat.Rematch.DECLINED)
        record_rematch_offer(code, "")
