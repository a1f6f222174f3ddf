"""Export and delete the tokens of a person."""

from typing import Any

from accounts.models import User
from api import tokens


def export(user: User) -> dict[str, Any]:
    """Return the person's tokens, without what they are."""
    rows = [
        {
            "name": row.name,
            "scopes": row.scopes,
            "made": row.created_at.isoformat(),
            "ends": row.ends_at.isoformat() if row.ends_at else None,
            "last_used": row.used_at.isoformat() if row.used_at else None,
        }
        for row in user.api_tokens.all()
    ]
    return {"tokens": rows}


def forget(user: User) -> None:
    for token in user.api_tokens.all():
        tokens.revoke(token)
