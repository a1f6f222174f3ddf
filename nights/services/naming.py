"""Names and secrets of the people of a night."""

import secrets
import unicodedata
from collections.abc import Collection

from django.db.models import F, Value
from django.db.models.functions import Replace

from lobbies.services.rows import ALPHABET
from nights.models import MAX_NAME_LENGTH, SECRET_LENGTH, Act, Entry
from nights.refusals import NightRefused


def make_secret() -> str:
    """Return the secret of a personal link."""
    return "".join(secrets.choice(ALPHABET) for _ in range(SECRET_LENGTH))


def clean_name(name: str) -> str:
    """Return the name without needless spaces and control characters. Raise `NightRefused` if it is too long."""
    name = "".join(" " if each.isspace() else each for each in name)
    name = " ".join("".join(each for each in name if unicodedata.category(each)[0] != "C").split())
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


def find_initials(name: str) -> str:
    """Return *J. P.* for *José Pérez*."""
    return " ".join(f"{word[0]}." for word in name.split())[:MAX_NAME_LENGTH].strip()


def rename(entry: Entry, name: str) -> None:
    """Give an entry another name, in the log of its night, too."""
    replace_in_log(entry.night_id, entry.name, name)
    entry.name = name
    entry.save(update_fields=["name"])


def replace_in_log(night_id: int, name: str, other: str) -> None:
    acts = Act.objects.filter(night=night_id, about__contains=name)
    acts.update(about=Replace(F("about"), Value(name), Value(other)))
