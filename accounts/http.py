"""Requests with a signed-in person."""

from accounts.models import User
from core.http import HtmxHttpRequest


class AuthenticatedHttpRequest(HtmxHttpRequest):
    """A request behind `login_required`."""

    user: User
