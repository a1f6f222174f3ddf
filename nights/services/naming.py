"""Names and secrets of the people of a night."""

import secrets
from collections.abc import Collection

from lobbies.services.rows import ALPHABET
from nights.models import MAX_NAME_LENGTH, SECRET_LENGTH
from nights.refusals import NightRefused


def make_secret() -> str:
    """Return the secret of a personal link."""
    return "".join(secrets.choice(ALPHABET) for _ in range(SECRET_LENGTH))


def clean_name(name: str) -> str:
    """Return the name without needless spaces. Raise `NightRefused` if it is too long."""
    name = " ".join(name.replace("\0", "").split())
    if len(name) > MAX_NAME_LENGTH:
        raise NightRefused("name_too_long")
    return name


def find_free_name(name: str, taken: Collection[str]) -> str:
    """Return the name, or *José 2* where another José is there already."""
    if name not in taken:
        return name
    number = 2
    while True:
        ending = f" {number}"
        candidate = name[: MAX_NAME_LENGTH - len(ending)] + ending
        if candidate not in taken:
            return candidate
        number += 1
