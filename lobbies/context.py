"""What every page shows of tables: who challenges the viewer, and where the viewer waits."""

from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from lobbies import lists


def challenges(request: HttpRequest) -> dict[str, Any]:
    """Asked of the database only by pages that show it."""
    user = request.user
    return {
        "challenges": SimpleLazyObject(lambda: lists.challenges(user) if user.is_authenticated else []),
        "waits": SimpleLazyObject(lambda: lists.waits(user) if user.is_authenticated else []),
    }


def notices(user: User, csrf_token: str) -> str:
    """The same as a fragment, for pages that are open."""
    found = {"challenges": lists.challenges(user), "csrf_token": csrf_token, "swap": True}
    return render_to_string("lobbies/_challenges.html", found)
