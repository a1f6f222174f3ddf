"""User names: ASCII, case-insensitive, and no two that look alike."""

import re
from typing import Any

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Value
from django.db.models.functions import Lower, Replace
from django.db.models.lookups import BuiltinLookup
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

MAX_NAME_LENGTH = 20
NAME = RegexValidator(r"\A[A-Za-z0-9_-]{2,20}\Z", _("A name has 2 to 20 letters (a to z), digits, - or _."))
# Words that would pose as the site: as a part of a name, ...
RESERVED_PARTS = (
    "admin administrador administrator admins ajuda ayuda boneyard computer guest help helpdesk mod moderador moderator"
    " mods oficial official operador operator owner root security sitemod soporte staff suporte support supportteam"
    " sysop system webmaster"
).split()
# ... at either end of a name without its separators, ...
RESERVED_ENDS = (
    "admin admins administrador administrator administrators boneyard moderador moderadores moderator moderators"
    " official"
).split()
# ... or as a whole name, which programs or people would misread.
RESERVED_NAMES = (
    "all anonymous beginner casual club everybody everyone false master me nan new nobody none null strong true"
    " undefined"
).split()
# The shape of guests' names; digits may be letters that look like them.
GUEST_NAME = re.compile(r"\A[a-z]+[-_][a-z]+[-_](?=.*[0-9])[0-9oil]+\Z", re.IGNORECASE)
# The shape of replaced names, and of what records call the computers.
NUMBERED_NAME = re.compile(r"\A(?:player|beginner|casual|club|strong|master)[-_][0-9oil]+\Z", re.IGNORECASE)
DELETED_PREFIX = "deleted-"
LOOKALIKES = {"0": "o", "1": "l", "i": "l", "-": "_"}  # in one case or the other, in some typefaces
# More of them, for reserved words only: two different names may differ by these.
LOOSE_LOOKALIKES = {"rn": "m", "vv": "w", "cl": "d", "3": "e", "4": "a", "5": "s", "7": "t"}


def look_of(name: str) -> str:
    """Return a name's look: equal for names that can be mistaken for each other."""
    look = name.lower()
    for character, other in LOOKALIKES.items():
        look = look.replace(character, other)
    return look


def _skeleton(name: str) -> str:
    """Return `look_of` with `LOOSE_LOOKALIKES` replaced as well."""
    look = look_of(name)
    for characters, other in LOOSE_LOOKALIKES.items():
        look = look.replace(characters, other)
    return look


_PARTS = frozenset(map(_skeleton, RESERVED_PARTS))
_ENDS = tuple(map(_skeleton, RESERVED_ENDS))


def is_reserved(name: str) -> bool:
    """Return whether nobody may take this name: it would pose as the site, a guest or a deleted person."""
    if name.lower() in RESERVED_NAMES or not re.search("[A-Za-z0-9]", name):
        return True
    if GUEST_NAME.match(name) or NUMBERED_NAME.match(name):
        return True
    if look_of(name).startswith(look_of(DELETED_PREFIX)):
        return True
    # With and without digits around each part: `support1` and `5upport` both pose as support.
    parts = re.split("[-_]", name)
    return any(_poses_as_site(each) for each in (parts, [part.strip("0123456789") for part in parts]))


def _poses_as_site(parts: list[str]) -> bool:
    together = "".join(parts)
    words = {_skeleton(word.removeprefix("the")) for word in map(str.lower, [*parts, together])}
    return (
        not _PARTS.isdisjoint(words)
        or _skeleton(together).startswith(_ENDS)
        or _skeleton(together).endswith(_ENDS)
    )


def look_in_database(field: str) -> Replace | Lower:
    """Return `look_of` as a database expression."""
    look: Replace | Lower = Lower(field)
    for character, other in LOOKALIKES.items():
        look = Replace(look, Value(character), Value(other))
    return look


def label(name: str, *, is_bot: bool) -> str:
    """Return a name as people read it: a bot's says so at every place."""
    return gettext("%(name)s (bot)") % {"name": name} if is_bot else name


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
