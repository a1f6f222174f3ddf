"""Browsers in which somebody has logged in before: a stranger who guesses at their name does not lock them out."""

import secrets

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import KnownBrowser, User

COOKIE = "known"
SALT = "accounts.known"
A_YEAR = 31_536_000  # seconds
PEOPLE = 5  # the latest that a browser is known for


def remember(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Remember, in the browser and for the moderators' desk, that this person has logged in with it."""
    browser, people = _browser(request)
    KnownBrowser.objects.update_or_create(
        key=_hashed(browser), user=user, defaults={"seen_at": timezone.now()}
    )
    people = [user.pk, *(pk for pk in people if pk != user.pk)][:PEOPLE]
    kept = signing.dumps({"browser": browser, "people": people}, salt=SALT)
    response.set_cookie(COOKIE, kept, A_YEAR, httponly=True, samesite="Lax", secure=settings.HTTPS)


def known_as(request: HttpRequest, login: str) -> str:
    """The browser's key if whoever goes by this name or address has logged in with it before, else ""."""
    browser, people = _browser(request)
    if not people:
        return ""
    named = User.objects.filter(username__iexact=login, pk__in=people)
    addressed = EmailAddress.objects.filter(email=login, user__in=people)
    return browser if named.exists() or addressed.exists() else ""


def sharing(person: User) -> QuerySet[User]:
    """The others who have logged in with a browser that this person logged in with."""
    keys = KnownBrowser.objects.filter(user=person).values("key")
    others = KnownBrowser.objects.filter(key__in=keys).exclude(user=person)
    return User.objects.filter(pk__in=others.values("user")).order_by("username")


def _hashed(browser: str) -> str:
    return salted_hmac(SALT, browser, algorithm="sha256").hexdigest()


def _browser(request: HttpRequest) -> tuple[str, list[int]]:
    try:
        kept = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=A_YEAR)
    except signing.BadSignature:
        return secrets.token_hex(16), []
    return kept["browser"], kept["people"]
