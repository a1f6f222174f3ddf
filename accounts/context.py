from typing import Any

from django.http import HttpRequest

from accounts.preferences import preferences_of


def preferences(request: HttpRequest) -> dict[str, Any]:
    """How the viewer wants pages: of the user row, or of the session before there is one."""
    return {"preferences": preferences_of(request)}
