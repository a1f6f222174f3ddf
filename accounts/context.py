from typing import Any

from django.http import HttpRequest

from accounts.preferences import preferences_of


def preferences(request: HttpRequest) -> dict[str, Any]:
    """Add the viewer's preferences, from the user row or the session."""
    return {"preferences": preferences_of(request)}
