"""The options of a blocked round in words (docs/rules.md, "The end of a round")."""

from collections.abc import Iterator

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from .option_words import OptionWords, Part, Value, build_flag
from .scope import Scope, Sentence


def _winner(scope: Scope) -> Iterator[Sentence]:
    if scope.block_is_won:
        yield Sentence(("blocked_bonus", "blocked_winner"), _winner_text(scope))


def _winner_text(scope: Scope) -> str:
    if scope.rules.blocked_winner == "closer":
        return (
            gettext(
                "A block is between whoever laid the last tile and the next seat: the lighter of these two hands"
                " wins it for its pair."
            )
            if scope.in_pairs
            else gettext(
                "A block is between whoever laid the last tile and the next seat: the lighter of these two hands wins."
            )
        )
    if not scope.in_pairs:
        return gettext("The lightest hand wins a block.")
    if scope.rules.blocked_winner == "hand":
        return gettext("The pair with the lightest single hand wins a block.")
    return gettext("The pair whose two hands together are lightest wins a block.")


def _meaning_of_blocked_winner(value: str, scope: Scope) -> str:
    if scope.in_pairs or (value == "closer" and scope.seats > 2):
        return value
    return "side"


def _tie(scope: Scope) -> Iterator[Sentence]:
    if scope.block_is_won:
        yield Sentence(("blocked_tie",), _tie_text(scope))


def _tie_text(scope: Scope) -> str:
    carried = (
        gettext("If they are equally light, nobody wins, and the next round won is worth one more.")
        if scope.rules.unit_of_block == "one"
        else gettext(
            "If they are equally light, nobody writes anything yet: the pips of all hands are added to what the"
            " next losers write."
        )
        if scope.charged
        else gettext(
            "If they are equally light, nobody wins, and the pips of all hands wait for the next winner."
        )
    )
    return {
        ("lightest_tile", False): gettext(
            "If hands are equally light, the one with the lightest tile wins; if these are equally light too, nobody."
        ),
        ("lightest_tile", True): gettext(
            "If the pairs are equally light, the one with the lightest tile wins; if these are equally light too,"
            " nobody."
        ),
        ("nobody", False): gettext("If hands are equally light, nobody wins."),
        ("nobody", True): gettext("If the pairs are equally light, nobody wins."),
        ("leader", False): gettext("If hands are equally light, the first of them from the leader on wins."),
        ("leader", True): gettext("If they are equally light, the pair that led the round wins."),
        ("closer", False): gettext(
            "If hands are equally light, whoever laid the last tile wins, or the first of them after."
        ),
        ("closer", True): gettext("If they are equally light, the pair that laid the last tile wins."),
        ("carry", False): carried,
        ("carry", True): carried,
    }[scope.rules.blocked_tie, scope.in_pairs]


def _bonus(scope: Scope) -> Iterator[Sentence]:
    yield Sentence(("blocked_bonus",), _bonus_text(scope))


def _bonus_text(scope: Scope) -> str:
    rule = scope.rules.blocked_bonus
    if rule != "none" and scope.rules.unit_of_block == "one":
        if scope.rules.bonus_unit == "one":
            return gettext("A block won is worth one point as well.")
        return gettext("A block won is worth one point, whatever the pips.")
    own = {
        "total": gettext("The winner scores the pips in the other hands."),
        "difference": gettext(
            "The winner scores the pips in the other hands, less those in the winning hand (but not less than 0)."
        ),
        "chain": gettext("If somebody wins, every hand scores, over each heavier one, the difference."),
        "table": gettext("The winner scores the pips in all hands, its own too."),
        "own": gettext("The winner writes nothing; every other hand writes its own pips."),
        "none": gettext("A blocked round brings no bonus."),
    }
    by_weight = gettext("The winners score the pips by which the other pair is heavier.")
    pairs = {
        "total": gettext("The winners score the pips in the hands of the other pair."),
        "difference": by_weight,
        "chain": by_weight
        if meaning_of_blocked_bonus("chain", scope) == "difference"
        else gettext("If a pair wins, the lighter pair scores the pips by which the other is heavier."),
        "table": gettext("The winners score the pips in all four hands, their own too."),
        "own": gettext("The winners write nothing; the other pair writes the pips in its two hands."),
        "none": gettext("A blocked round brings no bonus."),
    }
    return (pairs if scope.in_pairs else own)[rule]


def meaning_of_blocked_bonus(value: str, scope: Scope) -> str:
    if value in ("none", "own"):
        return value
    if scope.rules.unit_of_block == "one":
        return "one"
    if (
        value == "chain"
        and scope.sides == 2
        and _meaning_of_blocked_winner(scope.rules.blocked_winner, scope) == "side"
    ):
        return "difference"
    return value


def has_bonus_unit(scope: Scope) -> bool:
    """Return whether a bonus is counted in the unit of going out."""
    rules = scope.rules
    return rules.out_bonus != "none" or (rules.blocked_bonus != "none" and rules.blocked_unit is None)


def _unit(scope: Scope) -> Iterator[Sentence]:
    rules = scope.rules
    is_of_its_own = rules.unit_of_block != rules.bonus_unit or not has_bonus_unit(scope)
    if is_of_its_own and rules.blocked_bonus != "none":
        of_block = {
            "pips": gettext("A bonus for a block counts pip for pip."),
            "nearest_five": gettext("A bonus for a block is rounded to the nearest multiple of five."),
            "fifths_nearest": gettext(
                "A bonus for a block is rounded to the nearest multiple of five and divided by five."
            ),
            "fifths_up": gettext("A bonus for a block is divided by five and rounded up."),
            "one": "",
        }[rules.unit_of_block]
        if of_block:
            yield Sentence(("blocked_unit",), of_block)


BLOCK: Part = {
    "blocked_winner": OptionWords(
        _("Who wins a block"),
        sentences=_winner,
        values={
            "side": Value(
                _("the lightest hands together"),
                _("the lightest hand wins a block, in pairs both hands together"),
            ),
            "hand": Value(_("the lightest single hand"), _("the lightest single hand wins a block")),
            "closer": Value(
                _("whoever closed it, or the next seat"),
                _("a block is between whoever closed it and the next seat"),
            ),
        },
        applies=lambda scope: scope.block_is_won,
        meaning=_meaning_of_blocked_winner,
        refusals={"not_with_lightest_tile": _("not where the lightest tile breaks a tie")},
    ),
    "blocked_tie": OptionWords(
        _("A tie after a block"),
        sentences=_tie,
        values={
            "lightest_tile": Value(
                _("the lightest tile wins"), _("the lightest tile breaks a tie in a block")
            ),
            "nobody": Value(_("nobody wins"), _("nobody wins a tied block")),
            "leader": Value(_("whoever led wins"), _("whoever led wins a tied block")),
            "closer": Value(_("whoever closed it wins"), _("whoever closed a tied block wins it")),
            "carry": Value(_("kept for the next winner"), _("a tied block is kept for the next winner")),
        },
        applies=lambda scope: scope.block_is_won,
        refusals={
            "nothing_to_carry": _("only a bonus for a block can be kept, and not one of each over each")
        },
    ),
    "blocked_bonus": OptionWords(
        _("Bonus after a block"),
        sentences=_bonus,
        values={
            "total": Value(_("the pips of the others"), _("a block scores the pips of the others")),
            "difference": Value(
                _("those less one's own"), _("a block scores the pips of the others less one's own")
            ),
            "chain": Value(_("each over each heavier"), _("in a block each scores over each heavier hand")),
            "table": Value(_("the pips in all hands"), _("a block scores the pips in all hands")),
            "own": Value(
                _("the others write their own pips"), _("in a block the losers write their own pips")
            ),
            "none": Value(pgettext_lazy("bonus", "none"), _("a block brings no bonus")),
        },
        meaning=meaning_of_blocked_bonus,
        refusals={
            "own_needs_both": _(
                "going out and winning a block must be treated alike: both times the others write their own pips"
            )
        },
    ),
    "blocked_double": OptionWords(
        _("A block scores double"),
        values=build_flag(
            _("the winner of a block scores double"),
            _("a block does not score double"),
            rule=_("The winner of a blocked round scores double."),
        ),
        refusals={"no_single_winner": _("only where a block brings a bonus to its winner alone")},
    ),
}
BLOCKED_UNIT = OptionWords(
    _("How a bonus for a block is counted"),
    sentences=_unit,
    values={
        None: Value(_("as other bonuses"), _("a bonus for a block counts as others do")),
        "pips": Value(_("pip for pip"), _("a bonus for a block counts pip for pip")),
        "nearest_five": Value(
            _("to the nearest five"), _("a bonus for a block is rounded to the nearest five")
        ),
        "fifths_nearest": Value(
            _("to the nearest five, divided by five"),
            _("a bonus for a block is rounded to the nearest five and divided by five"),
        ),
        "fifths_up": Value(
            _("divided by five, rounded up"), _("a bonus for a block is divided by five and rounded up")
        ),
        "one": Value(_("a round is worth one"), _("a block is worth one")),
    },
    applies=lambda scope: scope.rules.blocked_bonus != "none",
    meaning=lambda value, scope: value or scope.rules.bonus_unit,
    refusals={
        "no_bonus_to_count": _("only where a block brings a bonus to whoever wins it"),
        "carry_in_two_units": _("a tied block is not kept where one bonus is worth one and the other is not"),
    },
)
