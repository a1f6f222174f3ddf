"""Check of names and passwords."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email  # the public one has no `for_login`
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.models import User
from core.prepared import PreparedQuery

_by_pk = PreparedQuery(lambda pk: User.objects.filter(pk=pk))  # for every request with a session


class SingleCheckBackend(AuthenticationBackend):
    """allauth's backend with exactly one check of a password for each attempt.

    Its own checks once by name and once by each address, and Django's `ModelBackend` once more: the time of an answer
    told whether there is an account with an address.
    """

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return the person. Raise `PermissionDenied` if there is none, so that no other backend is tried."""
        user: User | None = super().authenticate(request, **credentials)
        if user is None:
            raise PermissionDenied
        return user

    def get_user(self, user_id: int) -> User | None:
        """Return the user of a session; None if the account is closed or banned."""
        user = next(iter(_by_pk.rows(user_id)), None)
        return user if user is not None and self.user_can_authenticate(user) else None

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        login = credentials.get("username") or credentials.get("email") or ""
        return self._check_password(_find_person(login), credentials["password"])


def _find_person(login: str) -> User | None:
    """Return the one person with this name or address; a verified address goes before others."""
    if "@" in login:
        people = filter_users_by_email(login, prefer_verified=True, for_login=True)
    else:
        people = list(User.objects.filter(username__iexact=login))
    return people[0] if len(people) == 1 else None
