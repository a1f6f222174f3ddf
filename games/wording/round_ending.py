"""The options of the end of a round in words, except those of a block (docs/rules.md, "The end of a round")."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from boneyard.engine.tiles import NAMES

from .blocking import BLOCK, BLOCKED_UNIT, has_bonus_unit, meaning_of_blocked_bonus
from .option_words import OptionWords, Part, Value, build_flag
from .scope import Scope, Sentence
from .speech import extra_word


def _partners_out(scope: Scope) -> Iterator[Sentence]:
    if scope.both_out:
        text = gettext(
            "A round ends when both partners of a pair have played their last tile, or when it is blocked. Whoever is"
            " out before the partner is passed over."
        )
    else:
        text = gettext("A round ends when somebody plays their last tile, or when it is blocked.")
    yield Sentence(("partners_out",), text)


def _blocked_when(scope: Scope) -> Iterator[Sentence]:
    by_choice = scope.rules.pass_ != "stuck"
    blocked = {
        (False, False): gettext("It is blocked as soon as nobody holds a tile that fits."),
        (False, True): gettext(
            "It is blocked as soon as nobody holds a tile that fits and none can be drawn."
        ),
        (True, False): gettext(
            "It is blocked as soon as nobody holds a tile that fits, or when all have passed one after the other."
        ),
        (True, True): gettext(
            "It is blocked as soon as no tile can be drawn and nobody holds one that fits, or when all have passed"
            " one after the other."
        ),
    }
    if scope.rules.pass_ == "always" and scope.can_draw:
        yield Sentence(
            ("pass", "draw"),
            gettext("It is blocked when all have passed one after the other, and nobody drew."),
        )
    else:
        yield Sentence(("pass", "draw"), blocked[by_choice, scope.can_draw])


def _out_bonus(scope: Scope) -> Iterator[Sentence]:
    yield Sentence(("out_bonus", "partner_pips"), _out(scope))


def _out(scope: Scope) -> str:
    rule = scope.rules.out_bonus
    if rule == "none":
        return gettext("Going out brings no bonus.")
    if scope.rules.bonus_unit == "one":
        return gettext("Going out wins the round, which is worth one point whatever the pips.")
    if rule == "own":
        return gettext("Whoever goes out writes nothing; every other side writes the pips in its own hands.")
    if scope.partner_pays and rule == "opponents":
        return gettext(
            "Whoever goes out scores the pips left in the hands of the other pair. The pips in the partner's hand are"
            " then taken from the pair's score, which may fall below 0."
        )
    if scope.in_pairs:
        return {
            "opponents": gettext(
                "Whoever goes out scores the pips left in the hands of the other pair, less those in the partner's"
                " hand (but not less than 0)."
            ),
            "losers": gettext("Whoever goes out scores the pips left in the hands of the other pair."),
            "table": gettext("Whoever goes out scores the pips left in all hands, the partner's too."),
        }[rule]
    if scope.seats == 2:
        return gettext("Whoever goes out scores the pips left in the other hand.")
    return gettext("Whoever goes out scores the pips left in the other hands.")


def _meaning_of_out_bonus(value: str, scope: Scope) -> str:
    if value in ("none", "own"):
        return value
    if scope.rules.bonus_unit == "one":
        return "one"
    return value if scope.in_pairs else "losers"


def _lone(scope: Scope) -> Iterator[Sentence]:
    for tile, worth in scope.rules.lone_pips:
        text = gettext("A hand that is %(tile)s alone counts %(n)s.")
        yield Sentence(("lone_pips",), text % {"tile": NAMES[tile], "n": worth})


def _lone_pips_clause(lone: Mapping[str, int]) -> str:
    if not lone:
        return gettext("every hand counts its pips")
    return ", ".join(
        gettext("%(tile)s alone counts %(n)s") % {"tile": tile, "n": n} for tile, n in lone.items()
    )


def _extras(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of points beside the pips."""
    extras = scope.rules.extras
    for worth, text in (
        (extras.capicua, _capicua(bool(extras.capicua_blank))),
        (extras.capicua_blank, gettext("Capicúa with a blank half brings %(n)s more.")),
        (
            extras.capicua_double,
            gettext("Double capicúa: going out with a double that both ends show brings %(n)s more."),
        ),
        (
            extras.double,
            gettext("Going out with a double at one end brings %(n)s more.")
            if extras.capicua_double
            else gettext("Going out with a double brings %(n)s more."),
        ),
        (extras.chucha, gettext("Chuchazo: going out with 0-0 brings %(n)s more.")),
        (extras.block, gettext("Winning a block brings %(n)s more.")),
    ):
        if worth:
            yield Sentence(("extras",), text % {"n": worth})
    if extras.rounds:
        text = (
            gettext("The first round of the match that somebody wins brings %(points)s more.")
            if len(extras.rounds) == 1
            else gettext(
                "The first rounds of the match that somebody wins bring %(points)s more, in this order; later ones"
                " bring nothing more."
            )
        )
        yield Sentence(("extras",), text % {"points": ", ".join(map(str, extras.rounds))})


def _capicua(with_blank: bool) -> str:
    if with_blank:
        return gettext(
            "Capicúa: going out with a tile that fits both ends brings %(n)s more. A double does not count."
        )
    return gettext(
        "Capicúa: going out with a tile that fits both ends brings %(n)s more. A double does not count, nor a blank."
    )


def _extras_clause(extras: Mapping[str, Any]) -> str:
    """Return *points beside the pips: capicúa 25, …*."""
    if not extras:
        return gettext("no points beside the pips")
    return gettext("points beside the pips: %(extras)s") % {"extras": _list_extras(extras)}


def _list_extras(extras: Mapping[str, Any]) -> str:
    """Return the values of the option `extras` as a list in words."""
    words = {"capicua_blank": gettext("Capicúa with a blank")}  # both are called out as *Capicúa!*
    return ", ".join(
        f"{words.get(name) or extra_word(name)} {'/'.join(map(str, worth)) if isinstance(worth, list) else worth}"
        for name, worth in extras.items()
    )


def _order_of_bonus(scope: Scope) -> Iterator[Sentence]:
    """Yield what a bonus is rounded before, and what is rounded where each hand scores over each heavier one."""
    rules = scope.rules
    units = {rules.bonus_unit} if has_bonus_unit(scope) else set()
    block_unit = rules.unit_of_block if rules.blocked_bonus != "none" else "pips"
    if not {*units, block_unit} - {"pips", "one"}:
        return
    if block_unit != "pips" and meaning_of_blocked_bonus(rules.blocked_bonus, scope) == "chain":
        text = gettext("After a block each hand's differences are added up first, and their sum is rounded.")
        yield Sentence(("blocked_bonus", "blocked_unit"), text)
    is_doubled = rules.blocked_double and block_unit not in ("pips", "one")
    has_extras = any(rules.extras._replace(pass_lead=0, pass_round=0))
    if is_doubled or has_extras:
        text = {
            (True, False): gettext("Rounding comes first, then a block is doubled."),
            (False, True): gettext("Rounding comes first, then points beside the pips are added."),
            (True, True): gettext(
                "Rounding comes first; then a block is doubled, and points beside the pips are added."
            ),
        }[is_doubled, has_extras]
        yield Sentence(("bonus_unit", "blocked_unit", "blocked_double", "extras"), text)


def _meaning_of_partner_pips(value: str, scope: Scope) -> str:
    return "score" if value == "score_unit" and scope.rules.bonus_unit == "pips" else value


def _partner_pips(scope: Scope) -> Iterator[Sentence]:
    if scope.partner_pays and _meaning_of_partner_pips(scope.rules.partner_pips, scope) == "score_unit":
        yield Sentence(
            ("partner_pips", "bonus_unit"), gettext("The partner's pips are put into the same measure.")
        )


def _has_capped_points(scope: Scope) -> bool:
    """Return whether the end of a round can give points that a ceiling cuts."""
    return scope.bonuses or any(scope.rules.extras._replace(pass_lead=0, pass_round=0))


def _ceiling(scope: Scope) -> Iterator[Sentence]:
    if _has_capped_points(scope) and scope.rules.bonus_ceiling is not None:
        text = gettext("A bonus lifts a score to %(n)s at the most, and never lowers it.")
        yield Sentence(("bonus_ceiling",), text % {"n": scope.rules.bonus_ceiling})


def _ceiling_clause(n: int | None) -> str:
    if n is None:
        return gettext("bonuses have no ceiling")
    return gettext("a bonus lifts a score to %(n)s at the most") % {"n": n}


def _team_difference(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.team_difference and scope.in_pairs:
        text = gettext(
            "At the end of a round its points and bonuses are netted: only the pair that made more scores, and it"
            " scores the difference."
        )
        yield Sentence(("team_difference",), text)


def has_one_award(scope: Scope) -> bool:
    """Return whether a round gives points only when it ends and only to its winner.

    Then one side alone reaches the target, and only with the end of a round.
    """
    rules = scope.rules
    given_in_play = (
        rules.count != "none" or rules.out_points or rules.extras.pass_lead or rules.extras.pass_round
    )
    given_to_several = "own" in (rules.out_bonus, rules.blocked_bonus) or (
        rules.blocked_bonus == "chain" and meaning_of_blocked_bonus("chain", scope) == "chain"
    )
    return not (given_in_play or given_to_several or rules.lowest_wins)


EXTRA_NAMES = {
    "capicua": _("Out with a tile that fits both ends (capicúa)"),
    "capicua_blank": _("The same with a blank half"),
    "capicua_double": _("Out with a double that both ends show"),
    "double": _("Out with another double"),
    "chucha": _("Out with 0-0 (chuchazo)"),
    "pass_lead": _("The seat after the leader passes"),
    "pass_round": _("All others pass"),
    "block": _("Winning a block"),
    "rounds": _("For the first rounds won, by number"),
}
ROUND: Part = {
    "partners_out": OptionWords(
        _("When a pair is out"),
        sentences=_partners_out,
        four_seats=True,
        values={
            "one": Value(_("when one partner is out"), _("one partner who is out ends the round")),
            "both": Value(_("when both partners are out"), _("a pair is out when both partners are")),
        },
        applies=lambda scope: scope.in_pairs,
    ),
    "blocked_when": _blocked_when,
    "out_bonus": OptionWords(
        _("Bonus for going out"),
        sentences=_out_bonus,
        values={
            "opponents": Value(
                _("the pips of the others, less the partner's"),
                _("going out scores the pips of the others, less the partner's"),
            ),
            "losers": Value(_("the pips of the others"), _("going out scores the pips of the others")),
            "table": Value(_("the pips in all hands"), _("going out scores the pips in all hands")),
            "own": Value(
                _("the others write their own pips"),
                _("when somebody goes out the others write their own pips"),
            ),
            "none": Value(pgettext_lazy("bonus", "none"), _("going out brings no bonus")),
        },
        meaning=_meaning_of_out_bonus,
        refusals={
            "own_or_none": _(
                "where the losers write their pips after a block, they do so after going out, too, or it brings nothing"
            ),
            "own_needs_lowest_wins": _("where the losers write their own pips the lowest score must win"),
            "own_not_with_a_count": _("where the losers write their own pips plays score nothing"),
            "own_not_with_extras": _("where the losers write their own pips there are no other points"),
            "own_not_with_out_points": _(
                "where the losers write their own pips the last tile scores nothing"
            ),
            "own_not_with_bonus_unit": _("where the losers write their own pips these are not rounded"),
        },
    ),
    **BLOCK,
    "lone_pips": OptionWords(
        _("What a tile counts that is left alone"),
        sentences=_lone,
        clause=_lone_pips_clause,
        chip=_lone_pips_clause,
    ),
    "extras": OptionWords(
        _("Points beside the pips"),
        sentences=_extras,
        clause=_extras_clause,
        chip=_extras_clause,
        # With two seats a pass on the lead is a `pass_round`.
        meaning=lambda value, scope: value._replace(pass_lead=0) if scope.seats == 2 else value,
        refusals={
            "capicua_needs_two_ends": _("a capicúa needs a line of two ends: no spinner"),
            "passes_need_no_choice": _("passes bring points only where nobody draws or passes by choice"),
        },
    ),
    "bonus_unit": OptionWords(
        _("How bonuses are counted"),
        values={
            "pips": Value(_("pip for pip"), _("bonuses count pip for pip")),
            "nearest_five": Value(
                _("to the nearest five"),
                _("bonuses are rounded to the nearest five"),
                rule=_("A bonus is rounded to the nearest multiple of five."),
            ),
            "fifths_nearest": Value(
                _("to the nearest five, divided by five"),
                _("bonuses are rounded to the nearest five and divided by five"),
                rule=_("A bonus is rounded to the nearest multiple of five and divided by five."),
            ),
            "fifths_up": Value(
                _("divided by five, rounded up"),
                _("bonuses are divided by five and rounded up"),
                rule=_("A bonus is divided by five and rounded up."),
            ),
            "one": Value(_("a round is worth one"), _("a round is worth one")),
        },
        applies=has_bonus_unit,
    ),
    "partner_pips": OptionWords(
        _("The partner's pips"),
        sentences=_partner_pips,
        four_seats=True,
        values={
            "bonus": Value(_("less in the bonus"), _("the partner's pips lessen the bonus")),
            "score": Value(_("taken from the score"), _("the partner's pips are taken from the score")),
            "score_unit": Value(
                _("taken from the score, counted as bonuses are"),
                _("the partner's pips are taken from the score, counted as bonuses are"),
            ),
        },
        applies=lambda scope: scope.in_pairs,
        meaning=_meaning_of_partner_pips,
        refusals={
            "needs_opponents": _("only where going out brings the pips of the others, less the partner's"),
            "not_with_opening": _("not where points are needed to open"),
            "not_with_partners_out": _("not where a pair is out only when both partners are"),
        },
    ),
    "blocked_unit": BLOCKED_UNIT,
    "order_of_bonus": _order_of_bonus,
    "bonus_ceiling": OptionWords(
        _("Ceiling for bonuses"),
        sentences=_ceiling,
        clause=_ceiling_clause,
        applies=_has_capped_points,
        refusals={
            "below_the_target": _("under the target, and nothing else is scored: nobody could ever win")
        },
    ),
    "team_difference": OptionWords(
        _("Pairs score only the difference"),
        sentences=_team_difference,
        four_seats=True,
        values=build_flag(_("only the difference of a round is scored"), _("both pairs score")),
        applies=lambda scope: scope.in_pairs and not has_one_award(scope),
        refusals={"needs_four_players": _("only for tables of four alone")},
    ),
}
