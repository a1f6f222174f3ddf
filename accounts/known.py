"""Browsers in which a person has logged in before: these have a log-in limit of their own."""

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
COOKIE_AGE_SECONDS = 31_536_000
MAX_PEOPLE_PER_BROWSER = 5


def remember(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Store in a cookie, and for moderators in the database, that this person logged in with the browser."""
    browser, people = _browser(request)
    KnownBrowser.objects.update_or_create(
        key=_hashed(browser), user=user, defaults={"seen_at": timezone.now()}
    )
    people = [user.pk, *(pk for pk in people if pk != user.pk)][:MAX_PEOPLE_PER_BROWSER]
    cookie = signing.dumps({"browser": browser, "people": people}, salt=SALT)
    response.set_cookie(
        COOKIE, cookie, COOKIE_AGE_SECONDS, httponly=True, samesite="Lax", secure=settings.HTTPS
    )


def known_as(request: HttpRequest, login: str) -> str:
    """Return the browser's key if the owner of this name or address has logged in with it before, else ""."""
    browser, people = _browser(request)
    if not people:
        return ""
    named = User.objects.filter(username__iexact=login, pk__in=people)
    addressed = EmailAddress.objects.filter(email=login, user__in=people)
    return browser if named.exists() or addressed.exists() else ""


def sharing(person: User) -> QuerySet[User]:
    """Return the other people who have logged in with one of this person's browsers."""
    keys = KnownBrowser.objects.filter(user=person).values("key")
    others = KnownBrowser.objects.filter(key__in=keys).exclude(user=person)
    return User.objects.filter(pk__in=others.values("user")).order_by("username")


def _hashed(browser: str) -> str:
    return salted_hmac(SALT, browser, algorithm="sha256").hexdigest()


def _browser(request: HttpRequest) -> tuple[str, list[int]]:
    try:
        data = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=COOKIE_AGE_SECONDS)
    except signing.BadSignature:
        return secrets.token_hex(16), []
    return data["browser"], data["people"]
