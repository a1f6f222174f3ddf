"""The moderators' desk on every page of the site, for staff."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from games.past.desk import count_open_cases


def desk(request: HttpRequest) -> dict[str, Any]:
    """Add `desk` to the context: None, or for moderators `open`, the number of open cases; queried only if used."""
    user = request.user
    if not user.is_authenticated or not user.is_staff:
        return {"desk": None}
    return {"desk": SimpleLazyObject(lambda: _load_desk(user))}


def _load_desk(user: User) -> dict[str, int]:
    return {"open": count_open_cases(user)} if user.has_perm("games.view_report") else {}
