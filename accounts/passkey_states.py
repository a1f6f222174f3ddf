"""The ceremonies with passkeys that a browser has begun, and may end in any order: several tabs may be open.

allauth keeps one state a session. Here the session keeps a few, each found again by the challenge that the browser's
answer names, and used once.
"""

import base64
import json
from collections.abc import Callable
from typing import Any

from allauth.mfa.webauthn.internal.auth import STATE_SESSION_KEY
from django.http import HttpRequest, HttpResponse

STATES_KEY = "passkey_states"
MAX_STATES = 8

State = dict[str, Any]
View = Callable[..., HttpResponse]


def keep_states(view: View) -> View:
    """Decorate a view that begins or ends ceremonies."""

    def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST":
            restore(request)
        response = view(request, *args, **kwargs)
        remember(request)
        return response

    return kept


def remember(request: HttpRequest) -> None:
    """Keep the state of the ceremony that the browser has just begun."""
    state = request.session.get(STATE_SESSION_KEY)
    states: list[State] = request.session.get(STATES_KEY, [])
    if state and state not in states:
        request.session[STATES_KEY] = [*states, state][-MAX_STATES:]


def restore(request: HttpRequest) -> State | None:
    """Make the ceremony that the browser answers the present one, and return its state; None if there is none."""
    challenge = _read_challenge(request.POST.get("credential", ""))
    states: list[State] = request.session.get(STATES_KEY, [])
    found = next((state for state in states if challenge and state.get("challenge") == challenge), None)
    if found is None:
        request.session.pop(STATE_SESSION_KEY, None)
        return None
    request.session[STATES_KEY] = [state for state in states if state != found]
    request.session[STATE_SESSION_KEY] = found
    return found


def _read_challenge(credential: str) -> str:
    """Return the challenge in a browser's answer; "" if it is malformed."""
    try:
        text = json.loads(credential)["response"]["clientDataJSON"]
        client_data = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        return str(client_data["challenge"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return ""
