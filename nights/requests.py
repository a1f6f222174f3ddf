"""Read from a request which night it is about, and who sends it."""

import hashlib
import secrets
from collections.abc import Mapping

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpResponse

import lobbies.services
from accounts.addresses import address_of
from accounts.models import User
from core.database import WRITE_ERRORS
from core.http import HtmxHttpRequest, get_text
from core.numbers import parse_whole_number
from lobbies.models import Sitting
from nights.codes import is_table_code
from nights.models import Entry, Night
from nights.refusals import NightRefused
from nights.services import Sender

DEVICE_COOKIE = "night-device"  # tells apart the browsers that enter and confirm results
OWN_COOKIE = "night-me"  # the secret of the entry added in this browser; its path is the night's
COOKIE_AGE_SECONDS = 31 * 86_400


def get_night(code: str) -> Night:
    """Return the night. Raise `Http404`."""
    night = Night.objects.filter(code=code).select_related("host", "club").first()
    if night is None:
        raise Http404
    return night


def get_visible_night(request: HtmxHttpRequest, code: str) -> Night:
    """Return the night, if it is open to this reader. Raise `Http404`."""
    night = get_night(code)
    if not may_see(night, request.user, request.COOKIES):
        raise Http404
    return night


def get_drawn_night(request: HtmxHttpRequest, code: str) -> Night:
    """Return the night, if it is open to this reader and has draws. Raise `Http404`."""
    night = get_visible_night(request, code)
    if night.is_open_format:
        raise Http404
    return night


def get_open_night(request: HtmxHttpRequest, code: str) -> Night:
    """Return the night of format `open`, if it is open to this reader. Raise `Http404`."""
    night = get_visible_night(request, code)
    if not night.is_open_format:
        raise Http404
    return night


def may_see(night: Night, user: User | AnonymousUser, cookies: Mapping[str, str]) -> bool:
    """Return whether a reader may see a night without a personal link or a table's code."""
    return night.is_open_to(user.pk) or find_entry_of(night, user, cookies) is not None


def get_entry(night: Night, secret: str) -> Entry:
    """Return whose personal link this is. Raise `Http404`."""
    entry = night.entries.filter(secret=secret).first() if secret else None
    if entry is None:
        raise Http404
    return entry


def require_director(request: HtmxHttpRequest, night: Night) -> User:
    """Return the user. Raise `NightRefused` for everybody but the host and the directors."""
    if not night.is_directed_by(request.user.pk):
        raise NightRefused("not_yours", 403)
    assert isinstance(request.user, User)
    return request.user


def parse_number(request: HtmxHttpRequest, name: str, default: int | None = None) -> int:
    """Return a whole number of the form or of the pressed button's address. Raise `NightRefused`."""
    number = parse_whole_number(request.POST.get(name) or request.GET.get(name, ""))
    if number is None:
        number = default
    if number is None:
        raise NightRefused("incomplete")
    return number


def find_sender(request: HtmxHttpRequest, night: Night, table: int) -> Sender:
    """Return who sends a result of this table, by `me` (a personal link), `code` (of the table) or the account.

    A director counts as one unless the personal link is used. Raise `NightRefused`.
    """
    device = hash_device(request)
    secret, code = get_text(request.POST, "me"), get_text(request.POST, "code")
    if secret:
        entry = night.entries.filter(secret=secret).first()
        if entry is None:
            raise NightRefused("no_such_code", 403)
        return Sender(entry=entry, device=device)
    if night.is_directed_by(request.user.pk):
        assert isinstance(request.user, User)
        return Sender(director=request.user)
    entry = find_own_entry(request, night)
    if entry is None and not is_table_code(night, table, code):
        raise NightRefused("no_such_code", 403)
    return Sender(entry=entry, device=device)


def find_own_entry(request: HtmxHttpRequest, night: Night) -> Entry | None:
    """Return the entry of the reader's account, or of who added themselves with this browser."""
    return find_entry_of(night, request.user, request.COOKIES)


def find_entry_of(night: Night, user: User | AnonymousUser, cookies: Mapping[str, str]) -> Entry | None:
    """Return the entry of an account, or of who added themselves with the browser of these cookies."""
    if user.is_authenticated:
        entry = night.entries.filter(user=user).first()
        if entry is not None:
            return entry
    secret = cookies.get(OWN_COOKIE, "").replace("\0", "")
    return night.entries.filter(secret=secret).first() if secret else None


def note_presence(request: HtmxHttpRequest, night: Night) -> None:
    """Note that a page of the reader is open who waits at a table of this night; pages without scripts say no more."""
    if night.is_wood or not isinstance(request.user, User):
        return
    try:
        for sitting in Sitting.objects.waiting(request.user.pk):
            if sitting.table.night == night.code:
                lobbies.services.seen(sitting.table, request.user, address_of(request))
    except WRITE_ERRORS:
        pass  # a busy database must not refuse a read


def hash_device(request: HtmxHttpRequest) -> str:
    """Return a digest of the browser's cookie, "" without one."""
    device = request.COOKIES.get(DEVICE_COOKIE, "")
    return hashlib.sha256(device.encode()).hexdigest() if device else ""


def mark_device(request: HtmxHttpRequest, response: HttpResponse) -> HttpResponse:
    """Give the browser its cookie unless it has one."""
    if not request.COOKIES.get(DEVICE_COOKIE):
        _set_cookie(response, DEVICE_COOKIE, secrets.token_urlsafe(16), "/nights/")
    return response


def remember_own(response: HttpResponse, entry: Entry, night: Night) -> None:
    """Let this browser find the personal page again from the night's page."""
    _set_cookie(response, OWN_COOKIE, entry.secret, night.get_absolute_url())


def _set_cookie(response: HttpResponse, name: str, value: str, path: str) -> None:
    response.set_cookie(
        name, value, COOKIE_AGE_SECONDS, path=path, httponly=True, samesite="Lax", secure=settings.HTTPS
    )
