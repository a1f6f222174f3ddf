"""Names and secrets of the people of a night."""

import re
import secrets
import unicodedata
from collections.abc import Collection

from django.utils.translation import gettext as _

from lobbies.services.rows import ALPHABET
from nights.models import MAX_NAME_LENGTH, SECRET_LENGTH, Act, Entry
from nights.refusals import NightRefused

# *1. Ana*, *2) Luis*, *- Rosa*, *• Eva*: as lists are pasted.
LIST_MARK = re.compile(r"^\s*(?:[-–—*•·▪]|\(?\d{1,3}[.):]|#?\d{1,3}\s*[-–—])\s*")
SHOWN_OF_LINE = 40
MAX_ABOUT = 100  # characters of what an act is about


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


def read_names(names: str) -> list[str]:
    """Return the names, one a line, without the numbers and marks of a list. Raise `NightRefused`, with the line."""
    read = [_read_line(number, line) for number, line in enumerate(names.splitlines(), start=1)]
    found = [name for name in read if name]
    if not found:
        raise NightRefused("no_names")
    return found


def _read_line(number: int, line: str) -> str:
    try:
        return clean_name(LIST_MARK.sub("", line))
    except NightRefused as refusal:
        about = _("Line %(n)d, “%(text)s”") % {"n": number, "text": line.strip()[:SHOWN_OF_LINE]}
        raise NightRefused(refusal.reason, refusal.status, about=about) from None


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
    """Write a name otherwise wherever the log has it as a whole."""
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for act in Act.objects.filter(night=night_id, about__contains=name):
        act.about = whole.sub(lambda _match: other, act.about)[:MAX_ABOUT]
        act.save(update_fields=["about"])
