"""Guests: at the press of a button somebody has a name, a session and a seat."""

import secrets
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.auth import login
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts.models import User
from accounts.preferences import kept_in_session

QUALITIES = (
    "amber brisk calm clever dapper early fair gentle happy humble jolly keen "
    "lucky merry mild nimble plucky quiet rapid sunny tidy witty"
).split()
ANIMALS = (
    "badger beaver cricket dormouse ferret finch gecko heron lark lynx marten mole newt "
    "otter owl plover quail raven robin seal shrew stoat swift vole wren"
).split()
AN_HOUR = 3600
GUESTS_AN_HOUR = 60  # from one address


class TooManyGuests(Exception):
    """More guests have come from this address in an hour than a household would send."""


def become_guest(request: HttpRequest) -> User:
    """Sign the visitor in as a new guest with a made-up name; somebody who is signed in stays who they are.

    Raises TooManyGuests.
    """
    if request.user.is_authenticated:
        return request.user
    if settings.LIMITS and _came_from(get_adapter().get_client_ip(request)) > GUESTS_AN_HOUR:
        raise TooManyGuests
    guest = _new_guest(kept_in_session(request))
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    return guest


def _came_from(address: str) -> int:
    """How many guests this address has made in the hour that began with the first, this one included."""
    key = f"guests:{address}"
    if cache.add(key, 1, AN_HOUR):
        return 1
    try:
        return cache.incr(key)
    except ValueError:  # the hour ended between the two calls
        return 1


def _new_guest(preferences: dict[str, Any]) -> User:
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
