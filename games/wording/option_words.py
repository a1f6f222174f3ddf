"""What the site says about an option of the rules, in one object for each option.

The form, the rules page, house rules, refusals and variants are read from these objects; `RULES_PARTS` in options.py
lists them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from boneyard.engine.rules import OPTION

from .scope import Scope, Sentence

NO = _("no")


class Value(NamedTuple):
    """A value of an option.

    name    on the form
    clause  of house rules with it
    chip    the same in fewer words, where it is not the names of the option and of the value
    rule    its sentence on the rules page, where nothing else decides it than whether the option applies
    """

    name: Promise
    clause: Promise | str
    chip: Promise | None = None
    rule: Promise | None = None


def build_flag(
    on: Promise, off: Promise, chip: Promise | None = None, rule: Promise | None = None
) -> dict[Any, Value]:
    """Return the values of a flag: their clauses, and the chip and the rule of the one that is on."""
    return {True: Value(_("yes"), on, chip, rule), False: Value(NO, off)}


Sentences = Callable[[Scope], Iterator[Sentence]]


@dataclass(frozen=True, slots=True, eq=False)
class OptionWords:
    """An option in words.

    name        on the form
    sentences   its rules at a table, some for several options; None: the `rule` of its value
    values      the values of a choice or a flag
    clause      for options without `values`: the clause of house rules with a value as records write it, at this table
    chip        the same in fewer words; "" for its name and its value
    applies     whether the option has any effect at a table
    meaning     reduces a value to its effect: at some tables different values have the same one
    refusals    the faults of its values by their codes, beside `SHARED_REFUSALS`
    four_seats  whether the form offers it only for four seats
    """

    name: Promise
    sentences: Sentences | None = None
    values: Mapping[Any, Value] = field(default_factory=dict)
    clause: Callable[[Any], str] | None = None
    chip: Callable[[Any], str] = lambda value: ""
    applies: Callable[[Scope], bool] = lambda scope: True
    meaning: Callable[[Any, Scope], object] = lambda value, scope: value
    refusals: Mapping[str, Promise] = field(default_factory=dict)
    four_seats: bool = False


# The entries of a part of the rules page, in its order. The key is an option's name; for sentences that belong to no
# single option, a name of their own.
Part = Mapping[str, OptionWords | Sentences]


def iter_sentences(key: str, entry: OptionWords | Sentences, scope: Scope) -> Iterator[Sentence]:
    """Yield the sentences of an entry of a part."""
    if not isinstance(entry, OptionWords):
        yield from entry(scope)
    elif entry.sentences:
        yield from entry.sentences(scope)
    elif (
        entry.values
        and entry.applies(scope)
        and (rule := entry.values[getattr(scope.rules, OPTION[key].attribute)].rule)
    ):
        yield Sentence((key,), str(rule))


# The faults of several options.
SHARED_REFUSALS = {
    "needs_first_lead_tile": _("only where a named tile leads first"),
    "not_in_the_set": _("this tile is not in the set"),
    "needs_a_count": _("only in a game in which the ends are counted"),
    "needs_partners": _("only in pairs"),
    "not_with_fives_threes": _("not together with fives and threes"),
    "not_with_matching": _("not where matching ends score"),
    "one_not_with_chain": _("a round is not worth one where each scores over each heavier hand"),
    "not_with_team_difference": _("not where pairs score only the difference"),
    "not_with_bonus_unit_one": _("not where a round is worth one"),
    "not_with_exact": _("not together with an exact target"),
    "not_at_once": _("only where the match ends with a round"),
}
