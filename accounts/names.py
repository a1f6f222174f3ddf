"""The names by which people are known: ASCII, alike whatever their case, and none that looks like another."""

from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Value
from django.db.models.functions import Lower, Replace
from django.db.models.lookups import BuiltinLookup
from django.utils.translation import gettext_lazy as _

LONGEST = 20
NAME = RegexValidator(r"\A[A-Za-z0-9_-]{2,20}\Z", _("A name has 2 to 20 letters (a to z), digits, - or _."))
# Names by which somebody could pass for us. In `look_of`'s spelling.
RESERVED = set("admln admlnlstrator boneyard computer guest moderator root staff support system".split())
OF_THE_DELETED = "deleted-"
ALIKE = {"0": "o", "1": "l", "i": "l", "-": "_"}  # in one case or the other, and in some typeface


def look_of(name: str) -> str:
    """What of a name the eye goes by: equal for names that can be taken for each other."""
    look = name.lower()
    for character, other in ALIKE.items():
        look = look.replace(character, other)
    return look


def is_reserved(name: str) -> bool:
    """Whether people may not call themselves so."""
    look = look_of(name)
    return look in RESERVED or look.startswith(look_of(OF_THE_DELETED))


def look_in_database(field: str) -> Replace | Lower:
    """`look_of` as an expression."""
    look: Replace | Lower = Lower(field)
    for character, other in ALIKE.items():
        look = Replace(look, Value(character), Value(other))
    return look


class NameField(models.CharField):
    """A name, found whatever its case by way of the index on LOWER(…)."""


@NameField.register_lookup
class SameName(BuiltinLookup):
    """`iexact` as the databases can look it up: Django's LIKE and UPPER would read the whole table."""

    lookup_name = "iexact"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str | int, ...]]:
        lhs, lhs_params = self.process_lhs(compiler, connection)
        rhs, rhs_params = self.process_rhs(compiler, connection)
        return f"LOWER({lhs}) = LOWER({rhs})", (*lhs_params, *rhs_params)
