"""Read the table, the user and the commitment from requests to this app."""

from django.http import Http404

from accounts import guests
from accounts.models import User
from core.http import HtmxHttpRequest
from lobbies import services
from lobbies.models import Table
from lobbies.refusals import TableRefused


def parse_commitment(request: HtmxHttpRequest) -> str | None:
    """Return the commitment to a nonce, None without one. Raise `TableRefused`."""
    return services.parse_commitment(request.POST.get("commitment", ""))


def get_table(code: str) -> Table:
    """Return the table. Raise `Http404`."""
    try:
        return Table.objects.with_code(code)
    except Table.DoesNotExist:
        raise Http404 from None


def get_or_create_user(request: HtmxHttpRequest) -> User:
    """Return the user; make an anonymous visitor a guest. Raise `TableRefused`."""
    try:
        return guests.become_guest(request)
    except guests.NoGuests:
        raise TableRefused("no_guests", 403) from None
    except guests.TooManyGuests:
        raise TableRefused("too_many_guests", 429) from None


def require_user(request: HtmxHttpRequest) -> User:
    """Return the user. Raise `TableRefused` for an anonymous visitor."""
    if not request.user.is_authenticated:
        raise TableRefused("not_seated", 403)
    return request.user


def may_rate(request: HtmxHttpRequest, other: User | None = None) -> bool:
    """Return whether the user may play rated matches, with `other` if there is one."""
    me = request.user
    if not me.is_authenticated or me.is_guest:
        return False
    return other is None or (not other.is_guest and me.is_bot == other.is_bot)
