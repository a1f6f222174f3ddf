"""The messages of the verify page by key. Its script fills in the {placeholders}."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.wording.record_faults import fault_sentences

# A number for each plural category that Intl.PluralRules selects in a language of the site.
_PLURAL_EXAMPLES = {"one": 1, "few": 2, "many": 5, "other": 5}


def messages_by_key() -> dict[str, str]:
    return {
        "sound": _("{match}: sound. Checked: {rounds}, {moves}; scores {scores}."),
        "unsound": _("{match}: not sound. {fault}"),
        **dict(_plural_messages()),
        "all_sound": _(
            "Every record is sound: deals, moves, counts and scores follow from the seal and the rules. Whether a seal "
            "is the one of the table is for you to compare."
        ),
        "in_chain": _("In this site's chain of seals: yes, line {line}."),
        "set_in_chain": _(
            "In this site's chain of seals: yes, line {line}, of this set of deals. It does not say whether this match "
            "was played here."
        ),
        "pending_in_chain": _(
            "In this site's chain of seals: it is this site's, and gets its line within the hour."
        ),
        "other_in_chain": _(
            "In this site's chain of seals: it is a seal of this site, but of another match. This record is not "
            "genuine."
        ),
        "not_in_chain": _("In this site's chain of seals: no. Somebody else made it."),
        "chain_not_asked": _("In this site's chain of seals: not known, as the site does not answer."),
        "chain_too_many": _("In this site's chain of seals: look for it in the whole chain."),
        "not_sound": _("Not everything is sound: {good} of {all}."),
        "progress": _("{done} of {all} checked…"),
        "no_json": _("This file holds no JSON."),
        "twice": _(
            "A key appears twice in this file: one program would read the first value, another the last."
        ),
        "no_records": _("This file holds no record."),
        "no_crypto": _("This browser only checks over a secure connection, or from a saved file."),
        **fault_sentences(),
    }


def _plural_messages() -> Iterator[tuple[str, str]]:
    for form, n in _PLURAL_EXAMPLES.items():
        yield f"rounds-{form}", ngettext("{n} round", "{n} rounds", n)
        yield f"moves-{form}", ngettext("{n} move", "{n} moves", n)
