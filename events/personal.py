"""Export and delete the data of a person that this app stores."""

from typing import Any

from accounts.models import User
from events.models import Entry


def export(user: User) -> dict[str, Any]:
    """Return the person's results. The moves of a set that is open are theirs alone, as in the export of matches."""
    entries = Entry.objects.filter(user=user).select_related("deals", "match").order_by("pk")
    return {
        "entries": [
            {
                "deals": entry.deals.name,
                "match": entry.match.code,
                "practice": entry.practice,
                "standing": entry.standing,
                "margins": entry.margins,
                "lines": entry.lines if entry.deals.closed else [],
                "score": entry.score,
                "started": entry.started_at.isoformat(),
                "finished": entry.finished_at.isoformat() if entry.finished_at else None,
            }
            for entry in entries
        ]
    }


def forget(user: User) -> None:
    """Delete the person's practice; their results stay, without a name, as others were compared with them.

    So do the networks, hashed, until their age deletes them: else a scout who deletes an account lets the next count.
    """
    Entry.objects.filter(user=user, practice=True).delete()
