"""The manager of people."""

from typing import TYPE_CHECKING

from django.contrib.auth.models import UserManager

if TYPE_CHECKING:
    from accounts.models import User


class People(UserManager["User"]):
    """The manager of people."""

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(username__iexact=username)
