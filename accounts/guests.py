"""Guests: one press, and a person has a name, a session and a seat."""

import secrets

from django.conf import settings
from django.contrib.auth import login
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts.models import User
from accounts.preferences import KEY

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
    """More guests came from this address in an hour than people do."""


def become_guest(request: HttpRequest) -> User:
    """Sign the visitor in as a new guest with a made-up name; the same guest if they are one. TooManyGuests."""
    if request.user.is_authenticated:
        return request.user
    _count(request.META.get("REMOTE_ADDR", ""))
    guest = _new_guest(request.session.get(KEY, {}))
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    return guest


def _count(address: str) -> None:
    key = f"guests:{address}"
    cache.add(key, 0, AN_HOUR)
    if settings.LIMITS and cache.incr(key) > GUESTS_AN_HOUR:
        raise TooManyGuests


def _new_guest(preferences: dict) -> User:
    while True:
        name = f"{secrets.choice(QUALITIES)}-{secrets.choice(ANIMALS)}-{secrets.randbelow(1000)}"
        guest = User(username=name, is_guest=True, **preferences)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            continue
        return guest
