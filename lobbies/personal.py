"""Export and delete the data of a person that this app stores."""

from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from lobbies.models import NoShow, Sitting, Table
from lobbies.services import rows


def export(user: User) -> dict[str, Any]:
    """Return the tables the person made, the seats they took, challenges, club nights, and matches not begun."""
    return {
        "tables": [
            {
                "table": table.code,
                "preset": table.preset,
                "status": table.status,
                "made": table.created_at.isoformat(),
            }
            for table in user.tables.order_by("pk")
        ],
        "seats": [
            {
                "table": sitting.table.code,
                "seat": sitting.position,
                "commitment": sitting.commitment,
                "nonce": sitting.nonce,
                "seen_at": sitting.seen_at.isoformat(),
            }
            for sitting in user.sittings.select_related("table").order_by("pk")
        ],
        "challenges": [
            {"table": table.code, "from": table.host.username}
            for table in user.challenges.select_related("host").order_by("pk")
        ],
        "club_nights": [
            {
                "day": row.night.weekday,
                "hour": row.night.hour,
                "game": row.night.preset,
                "name": row.night.name,
            }
            for row in user.followed_nights.select_related("night").order_by("pk")
        ],
        "not_begun": [{"table": row.table, "at": row.at.isoformat()} for row in user.no_shows.order_by("pk")],
    }


def forget(user: User) -> None:
    """Free the person's seats at open tables, close their tables and challenges, and forget their club nights."""
    with transaction.atomic():
        waiting = Table.objects.filter(Q(sittings__user=user) | Q(kept_for=user) | Q(host=user))
        for row in rows.lock_all_open(waiting.distinct()).values():
            if row.kept_for_id == user.pk:
                rows.close(row)
            elif sitting := row.sittings.filter(user=user).first():
                rows.free_seat(row, sitting)
            else:
                rows.close(row)
        Sitting.objects.filter(user=user).update(commitment=None, nonce=None)
        Table.objects.filter(kept_for=user).update(kept_for=None)
        user.followed_nights.all().delete()
        NoShow.objects.filter(Q(user=user) | Q(other=user)).delete()
