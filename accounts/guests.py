"""Guests: a name, a session and a seat at the press of a button."""

import secrets
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts import address_counts
from accounts.models import User
from accounts.preferences import session_preferences
from operators.site_settings import get_site

QUALITIES = (
    "amber brisk calm clever dapper early fair gentle happy humble jolly keen "
    "lucky merry mild nimble plucky quiet rapid sunny tidy witty"
).split()
ANIMALS = (
    "badger beaver cricket dormouse ferret finch gecko heron lark lynx marten mole newt "
    "otter owl plover quail raven robin seal shrew stoat swift vole wren"
).split()


class NoGuests(Exception):
    """Raised where the site takes no guests."""


class TooManyGuests(Exception):
    """Raised when an address has made more guests in an hour than the site allows."""


def become_guest(request: HttpRequest, *, signs_up: bool = False) -> User:
    """Return the user; log an anonymous visitor in as a new guest. Raise `TooManyGuests` or `NoGuests`.

    `signs_up`: the guest is about to sign up, which needs no guests on this site.
    """
    if request.user.is_authenticated:
        return request.user
    if not signs_up and not get_site().guests:
        raise NoGuests
    if settings.LIMITS:
        guests = address_counts.count(request, "guests", address_counts.HOUR_SECONDS)
        if guests > get_site().guests_limit:
            raise TooManyGuests
    guest = _create_guest(session_preferences(request))
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    return guest


def _create_guest(preferences: dict[str, Any]) -> User:
    while True:
        number = 1000 + secrets.randbelow(9000)
        name = f"{secrets.choice(QUALITIES)}-{secrets.choice(ANIMALS)}-{number}"
        guest = User(username=name, is_guest=True, **preferences)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            continue  # the name is taken
        return guest
