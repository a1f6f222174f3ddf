"""The options of the end of the match in words (docs/rules.md, "The end of the match")."""

from collections.abc import Iterator

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from boneyard.engine.matches import MAX_ROUNDS

from .option_words import OptionWords, Part, Value, build_flag
from .round_ending import has_one_award
from .scope import Scope, Sentence


def _exact(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.exact:
        text = gettext(
            "%(n)s must be hit exactly: points or a bonus that would carry a score past it are not scored at all."
        )
        yield Sentence(("exact", "target"), text % {"n": scope.rules.target})


def _target(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.target is not None:
        text = _reached(scope) % {"n": scope.rules.target}
        yield Sentence(("target", "finish", "lowest_wins", "goal"), text)


def _reached(scope: Scope) -> str:
    extras = scope.rules.extras
    within_rounds = scope.rules.count != "none" or bool(
        scope.rules.out_points or extras.pass_lead or extras.pass_round
    )
    if scope.rules.goal == "exceed":
        return _exceeded(scope)
    if scope.charged:
        return gettext(
            "When a round ends and somebody has %(n)s or more, the lowest score wins and the highest is the goat."
        )
    if scope.rules.lowest_wins:
        return gettext("When a round ends and somebody has %(n)s or more, the lowest score wins.")
    if scope.rules.finish == "round_end":
        return gettext("When a round ends and somebody has %(n)s or more, the best score wins.")
    if not within_rounds:
        return gettext("The match ends with the round whose bonus brings somebody to %(n)s.")
    if not scope.bonuses:
        return gettext("The match ends the moment points bring somebody to %(n)s, even within a round.")
    return gettext(
        "The match ends the moment points bring somebody to %(n)s, even within a round and before any bonus; or with"
        " a round whose bonus does."
    )


def _exceeded(scope: Scope) -> str:
    if scope.rules.lowest_wins:
        return gettext("When a round ends and somebody has more than %(n)s, the lowest score wins.")
    if scope.rules.finish == "round_end":
        return gettext("When a round ends and somebody has more than %(n)s, the best score wins.")
    return gettext(
        "The match ends the moment points bring somebody to more than %(n)s, even within a round; or with a round whose"
        " bonus does."
    )


def _target_clause(n: int | None) -> str:
    return gettext("to no target") if n is None else gettext("to %(n)s") % {"n": n}


def _tie(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of ties: several sides can reach the target at the end of a round or by a chain of bonuses."""
    if scope.rules.target is None:
        return
    if scope.rules.finish == "at_once":
        if scope.rules.blocked_bonus == "chain":
            text = gettext(
                "If several reach it together, the best score wins; if the best are equal, one more round is played."
            )
            yield Sentence(("extra_rounds", "blocked_bonus"), text)
        return
    if scope.rules.extra_rounds == "players":
        text = ngettext(
            "If the best are equal, %(n)s more round is played, then the scores are looked at again.",
            "If the best are equal, %(n)s more rounds are played, then the scores are looked at again.",
            scope.seats,
        )
        yield Sentence(("extra_rounds",), text % {"n": scope.seats})
    else:
        text = gettext(
            "If the best are equal, one more round is played, then the scores are looked at again."
        )
        yield Sentence(("extra_rounds",), text)


def _reset(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.reset == "none":
        return
    text = gettext(
        "When a round leaves every side with points, all scores go back to 0 and the next round is led like the first."
    )
    yield Sentence(("reset",), text)
    if scope.rules.reset == "one_all":
        text = gettext(
            "At one all they stay, and the next round is led like the first: whoever scores then keeps it, and the"
            " others go back to 0."
        )
        yield Sentence(("reset",), text)


def _leaving(scope: Scope) -> Iterator[Sentence]:
    if scope.in_pairs:
        text = gettext(
            "If somebody resigns, runs out of time, or is away and the others claim the match, the other pair wins."
        )
    elif scope.sides == 2:
        text = gettext(
            "Whoever resigns, runs out of time, or is away while the other claims the match, loses the match at once."
        )
    else:
        text = gettext(
            "Whoever resigns, runs out of time, or is away while the others claim the seat, can no longer win and is"
            " passed over. Their tiles stay out of play and count as their hand. The last one left wins."
        )
    yield Sentence((), text)
    yield Sentence(
        (), gettext("Before their own first play anybody may call the match off; then nobody wins.")
    )


def _rounds(scope: Scope) -> Iterator[Sentence]:
    yield Sentence(("rounds",), _last_round(scope))


def _last_round(scope: Scope) -> str:
    """Return the rule of the last round."""
    rules = scope.rules
    if rules.target is None:
        text = (
            ngettext(
                "The match has %(n)s round: the lowest score wins, equal ones share it.",
                "The match has %(n)s rounds: the lowest score wins, equal ones share it.",
                rules.rounds or MAX_ROUNDS,
            )
            if rules.lowest_wins
            else ngettext(
                "The match has %(n)s round: the best score wins, equal ones share it.",
                "The match has %(n)s rounds: the best score wins, equal ones share it.",
                rules.rounds or MAX_ROUNDS,
            )
        )
    elif rules.lowest_wins:
        text = gettext("After round %(n)s the match ends anyway: the lowest score wins, equal ones share it.")
    else:
        text = gettext("After round %(n)s the match ends anyway: the best score wins, equal ones share it.")
    return text % {"n": rules.rounds or MAX_ROUNDS}


def _rounds_clause(n: int | None) -> str:
    if n is None:
        return gettext("the match has no fixed number of rounds")
    return ngettext("the match has %(n)s round", "the match has %(n)s rounds", n) % {"n": n}


MATCH: Part = {
    "exact": OptionWords(
        _("The target must be hit exactly"),
        sentences=_exact,
        values=build_flag(
            _("the target must be hit exactly"),
            _("the target may be passed"),
            pgettext_lazy("house rule", "exact"),
        ),
        refusals={
            "not_with_round_end": _("only where the match ends at once"),
            "not_with_bonus_ceiling": _("not together with a ceiling for bonuses"),
        },
    ),
    "past_target": OptionWords(
        _("After points past the target"),
        values={
            "award": Value(_("only those are refused"), _("points past the target cost nothing more")),
            "round": Value(
                _("nothing more in that round"),
                _("points past the target cost the rest of the round"),
                rule=_(
                    "A side that has been refused points so is given nothing more until the round has ended."
                ),
            ),
        },
        refusals={"needs_exact": _("only where the target must be hit exactly")},
    ),
    "target": OptionWords(
        _("First to"),
        sentences=_target,
        clause=_target_clause,
        chip=_target_clause,
        refusals={
            "needed_without_rounds": _("give a target, or a number of rounds"),
            "needed_by_exact": _("an exact target needs a number"),
            "needed_by_bonus_ceiling": _("a ceiling for bonuses needs a target"),
            "needed_by_opening": _("points to open with need a target"),
            "needed_at_once": _("without a target the match cannot end at once"),
        },
    ),
    "goal": OptionWords(
        _("What a score needs"),
        values={
            "reach": Value(_("reaching the target"), _("reaching the target is enough")),
            "exceed": Value(_("exceeding the target"), _("the target must be exceeded")),
        },
        applies=lambda scope: scope.rules.target is not None,
    ),
    "finish": OptionWords(
        _("When the match ends"),
        values={
            "at_once": Value(_("at once"), _("the match ends the moment the target is reached")),
            "round_end": Value(_("when a round ends"), _("the match ends with a round")),
        },
        applies=lambda scope: not has_one_award(scope),
    ),
    "lowest_wins": OptionWords(
        _("The lowest score wins"),
        values=build_flag(
            _("the lowest score wins"), _("the best score wins"), pgettext_lazy("house rule", "lowest wins")
        ),
    ),
    "reset": OptionWords(
        _("When scores go back to 0"),
        sentences=_reset,
        values={
            "none": Value(_("never"), _("scores never go back to 0")),
            "all_scored": Value(
                _("when all have points"),
                _("all scores go back to 0 when every side has points"),
                pgettext_lazy("house rule", "six love"),
            ),
            "one_all": Value(
                _("when all have points, but not at one all"),
                _("all scores go back to 0 when every side has points, but not at one all"),
                pgettext_lazy("house rule", "six love, one all plays two"),
            ),
        },
        refusals={
            "not_with_lowest_wins": _("not where the lowest score wins"),
            "not_with_opening": _("not together with points to open with"),
            "not_with_partner_pips": _("not where the partner's pips are taken from the score"),
        },
    ),
    "extra_rounds": OptionWords(
        _("Rounds after a tie"),
        sentences=_tie,
        values={
            "one": Value(_("one more"), _("a tie takes one more round")),
            "players": Value(_("one for each seat"), _("a tie takes as many rounds as there are seats")),
        },
        applies=lambda scope: (
            scope.rules.finish == "round_end" and scope.rules.target is not None and not has_one_award(scope)
        ),
    ),
    "leaving": _leaving,
    "rounds": OptionWords(
        _("Rounds of the match"),
        sentences=_rounds,
        clause=_rounds_clause,
        chip=_rounds_clause,
    ),
}
