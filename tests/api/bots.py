"""Bots in tests, and programs that act for them."""

from collections.abc import Iterable

from django.test import Client

from accounts.models import User
from api import bots, tokens
from api.scopes import Scope


def make_bot(name: str) -> User:
    """Return a new account that has become a bot."""
    user = User.objects.create_user(name)
    bots.become_bot(user)
    return user


class Program:
    """A program with a token of an account; it asks for JSON."""

    def __init__(self, user: User, scopes: Iterable[Scope] = tuple(Scope), language: str = "en") -> None:
        self.client = Client()
        self.headers = {
            "Authorization": f"Bearer {tokens.make(user, 'a test', scopes, None)}",
            "Accept": "application/json",
            "Accept-Language": language,
        }

    def post(self, path: str, **fields: object):
        return self.client.post(path, fields, headers=self.headers)

    def get(self, path: str):
        return self.client.get(path, headers=self.headers)

    def reason(self, path: str, **fields: object) -> tuple[int, str]:
        """Return the status and the reason of a refusal, which has a sentence."""
        response = self.post(path, **fields)
        assert response.json()["error"]
        return response.status_code, response.json()["reason"]
