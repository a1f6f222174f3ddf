"""User names: ASCII, case-insensitive, and no two that look alike."""

from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Value
from django.db.models.functions import Lower, Replace
from django.db.models.lookups import BuiltinLookup
from django.utils.translation import gettext_lazy as _

LONGEST = 20
NAME = RegexValidator(r"\A[A-Za-z0-9_-]{2,20}\Z", _("A name has 2 to 20 letters (a to z), digits, - or _."))
# Words that would pose as the site, as `look_of` spells them: as a part of a name of its own, ...
RESERVED = set(
    "admln admlnlstrator ayuda boneyard computer guest help mod moderador moderator mods offlclal root soporte staff"
    " support sysop system webmaster".split()
)
# ... or at either end of it.
STAFF = ("admln", "admlnlstrator", "boneyard", "moderador", "moderator", "offlclal")
DELETED_PREFIX = "deleted-"
LOOKALIKES = {"0": "o", "1": "l", "i": "l", "-": "_"}  # in one case or the other, in some typefaces


def look_of(name: str) -> str:
    """Return a name's look: equal for names that can be mistaken for each other."""
    look = name.lower()
    for character, other in LOOKALIKES.items():
        look = look.replace(character, other)
    return look


def is_reserved(name: str) -> bool:
    """Return whether nobody may take this name."""
    look = look_of(name)
    parts = [part.strip("23456789") for part in look.split("_")]
    together = "".join(parts)
    return (
        not RESERVED.isdisjoint([*parts, together])
        or together.startswith(STAFF)
        or together.endswith(STAFF)
        or look.startswith(look_of(DELETED_PREFIX))
    )


def look_in_database(field: str) -> Replace | Lower:
    """Return `look_of` as a database expression."""
    look: Replace | Lower = Lower(field)
    for character, other in LOOKALIKES.items():
        look = Replace(look, Value(character), Value(other))
    return look


class NameField(models.CharField):
    """A name, looked up case-insensitively through the index on LOWER(…)."""


@NameField.register_lookup
class SameName(BuiltinLookup):
    """`iexact` as LOWER(…) = LOWER(…), which uses the index; Django's LIKE and UPPER would scan the table."""

    lookup_name = "iexact"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str | int, ...]]:
        lhs, lhs_params = self.process_lhs(compiler, connection)
        rhs, rhs_params = self.process_rhs(compiler, connection)
        return f"LOWER({lhs}) = LOWER({rhs})", (*lhs_params, *rhs_params)
