"""The manager of people."""

from typing import TypeVar

from django.contrib.auth.models import AbstractUser, UserManager

Person = TypeVar("Person", bound=AbstractUser)


class People(UserManager[Person]):
    """The manager of people."""

    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(username__iexact=username)
