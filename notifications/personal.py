"""Export and delete the data of a person that this app stores."""

from typing import Any

from accounts.models import User
from notifications.models import CHOSEN_KINDS, Choices, Notice, Subscription, find_choices

EXPORTED_CHOICES = (
    *(kind.value for kind in CHOSEN_KINDS),
    "quiet_from",
    "quiet_until",
    "time_zone",
    "mails",
    "calendar_token",
    "language",
)


def export(user: User) -> dict[str, Any]:
    """Return the person's choices, subscriptions and notices."""
    choices = find_choices(user)
    return {
        "choices": {name: getattr(choices, name) for name in EXPORTED_CHOICES},
        "subscriptions": [
            {
                "device": row.device,
                "endpoint": row.endpoint,
                "since": row.created_at.isoformat(),
                "removed": row.removed_at.isoformat() if row.removed_at else None,
            }
            for row in user.push_subscriptions.all()
        ],
        "notices": [
            {
                "kind": row.kind,
                "about": row.target,
                "at": row.created_at.isoformat(),
                "read": row.read_at.isoformat() if row.read_at else None,
            }
            for row in user.notices.order_by("pk")
        ],
    }


def forget(user: User) -> None:
    for model in (Notice, Subscription, Choices):
        model.objects.filter(user=user).delete()
