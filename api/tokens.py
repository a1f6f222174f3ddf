"""Make, find and revoke tokens."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from api.models import Token
from api.scopes import Scope
from core.database import WRITE_ERRORS
from core.http import Refusal
from live.broadcast import broadcast

MAX_TOKENS = 10  # of an account
USED_INTERVAL = timedelta(minutes=1)  # between two notes of the use of a token
PREFIX = "boneyard_"  # by which a search for published secrets knows one


class TokenRefused(Refusal):
    """Raised for a token that cannot be made."""

    @property
    def sentence(self) -> str:
        return {
            "too_many_tokens": _("You have ten tokens. Revoke one of them first."),
            "no_account": _("Sign up first: a token belongs to an account."),
        }[self.reason]


def make(user: User, name: str, scopes: Iterable[Scope], ends_at: datetime | None) -> str:
    """Make a token and return its text, which is stored nowhere. Raise `TokenRefused`."""
    if user.is_guest:
        raise TokenRefused("no_account", 403)
    text = f"{PREFIX}{secrets.token_urlsafe(32)}"
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two forms at once
        if user.api_tokens.count() >= MAX_TOKENS:
            raise TokenRefused("too_many_tokens", 429)
        Token.objects.create(
            user=user, name=name, digest=digest(text), scopes=[*map(str, scopes)], ends_at=ends_at
        )
    return text


def revoke(token: Token) -> None:
    """Delete a token; its streams end."""
    group = token.group
    token.delete()
    broadcast(group, {"type": "token.revoked"})


def find(text: str) -> Token | None:
    """Return the token with this text if it may be used, and note its use."""
    token = Token.objects.select_related("user").filter(digest=digest(text)).first()
    now = timezone.now()
    if token is None or not token.is_valid(now) or not token.user.is_active or token.user.banned:
        return None
    if token.used_at is None or token.used_at < now - USED_INTERVAL:
        try:
            Token.objects.filter(pk=token.pk).update(used_at=now)
        except WRITE_ERRORS:
            pass  # a read must not fail because the database is busy
    return token


def digest(text: str) -> str:
    """Return what is stored of a token. It is random, so that a slow hash would add nothing."""
    return sha256(text.encode()).hexdigest()
