"""Names as a list in a sentence."""

from collections.abc import Sequence

from .language_cache import gettext as _


def join_names(names: Sequence[str]) -> str:
    """Return *mara*, *mara and bob*, *mara, bob and zoe*."""
    if len(names) == 1:
        return names[0]
    return _("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}
