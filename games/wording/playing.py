"""The options of the turn in words (docs/rules.md, "Play")."""

from collections.abc import Iterator

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from .option_words import OptionWords, Part, Value, build_flag
from .scope import Scope, Sentence


def _turns(scope: Scope) -> Iterator[Sentence]:
    text = gettext("Turns go round the table. A tile is played to an open end that shows one of its halves.")
    yield Sentence((), text)


def _lead_without_double(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.spinner == "cross" and scope.may_lack_doubles:
        yield Sentence(("spinner",), gettext("A round that is led with no double has two ends."))


def _drawing(scope: Scope) -> Iterator[Sentence]:
    if scope.can_draw and scope.rules.draw == "until_playable":
        text = gettext(
            "While no tile in hand fits, tiles are drawn from the boneyard one by one; the first that fits is played,"
            " to any end that it fits."
        )
        yield Sentence(("draw",), text)
    elif scope.can_draw:
        text = gettext(
            "Before playing, any number of tiles may be drawn, even when one fits, but not before the lead."
        )
        yield Sentence(("draw",), text)
    elif scope.boneyard:
        text = gettext("After the lead nobody draws.") if scope.draws_for_lead else gettext("Nobody draws.")
        yield Sentence(("draw", "reserve"), text)


def _reserve(scope: Scope) -> Iterator[Sentence]:
    if scope.can_draw and scope.reserve:
        text = ngettext(
            "The last tile of the boneyard is never drawn.",
            "The last %(n)s tiles of the boneyard are never drawn.",
            scope.reserve,
        )
        yield Sentence(("reserve",), text % {"n": scope.reserve})


def _meaning_of_reserve(value: int, scope: Scope) -> tuple[int, int]:
    """Return how many tiles can be drawn during a round, and how many times all seats can draw for its lead."""
    left, rules = max(scope.boneyard - value, 0), scope.rules
    has_draws_for_lead = rules.first_lead == "tile" and rules.lead_draws == "reserve"
    return left if rules.draw != "none" else 0, left // scope.seats if has_draws_for_lead else 0


def _reserve_clause(n: int) -> str:
    if not n:
        return gettext("every tile can be drawn")
    return ngettext("the last tile is never drawn", "the last %(n)s tiles are never drawn", n) % {"n": n}


def _reserve_chip(n: int) -> str:
    return ngettext("%(n)s kept back", "%(n)s kept back", n) % {"n": n} if n else ""


def _passing(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.pass_ == "always":
        text = gettext(
            "One may pass at any moment of one's turn, even when a tile fits or can be drawn, but not the lead."
        )
        yield Sentence(("pass",), text)
        return
    by_choice = scope.rules.pass_ == "free"
    texts = {
        (False, False): gettext("You pass only when no tile fits."),
        (False, True): gettext("You pass only when no tile fits and none can be drawn."),
        (True, False): gettext("One may pass even when a tile fits, but not the lead."),
        (True, True): gettext("Once no tile can be drawn, you may pass even when a tile fits."),
    }
    yield Sentence(("pass",), texts[by_choice, scope.can_draw])


TURN: Part = {
    "turns": _turns,
    "spinner": OptionWords(
        _("Spinner"),
        values={
            "none": Value(
                pgettext_lazy("spinner", "none"),
                _("there is no spinner"),
                pgettext_lazy("house rule", "no spinner"),
                rule=_("The line has two ends; doubles do not branch it."),
            ),
            "first": Value(
                _("the first double"),
                _("the first double is the spinner"),
                rule=_(
                    "The first double laid in a round is the spinner. Once a tile lies on both its line sides, its two"
                    " other sides open as well. Later doubles do not branch."
                ),
            ),
            "first_enclosed": Value(
                _("the first double enclosed"),
                _("the first enclosed double is the spinner"),
                rule=_(
                    "The first double with a tile on both its line sides is the spinner; its two other sides open then."
                    " Later doubles do not branch."
                ),
            ),
            "first_open": Value(
                _("the first double, open at once"),
                _("the first double is open on all four sides"),
                pgettext_lazy("house rule", "spinner, open at once"),
                rule=_(
                    "The first double laid in a round is the spinner: it is open on all four sides as soon as it lies."
                    " Later doubles do not branch."
                ),
            ),
            "cross": Value(
                _("the lead, all four sides at once"),
                _("the lead is open on all four sides"),
                rule=_(
                    "The lead is open on all four sides at once. Until a tile lies on each of them, tiles can only be"
                    " played there. Later doubles do not branch."
                ),
            ),
            "every": Value(
                _("every double"),
                _("every double branches"),
                pgettext_lazy("house rule", "every double branches"),
                rule=_(
                    "Every double branches: once a tile lies on both its line sides, its two other sides open as well,"
                    " so that the line can have many ends."
                ),
            ),
        },
        refusals={
            "cross_needs_a_named_double": _("a cross needs a double that is found and led in every round")
        },
    ),
    "lead_without_double": _lead_without_double,
    "two_doubles": OptionWords(
        _("Two doubles in one turn"),
        values=build_flag(
            _("two doubles may be laid in one turn"),
            _("two doubles take two turns"),
            pgettext_lazy("house rule", "two doubles at once"),
            _(
                "One turn may lay two doubles, one at each end, if both fit when the turn begins; the lead may not."
            ),
        ),
        applies=lambda scope: scope.rules.spinner == "none",
        refusals={
            "needs_two_ends": _("only with a line of two ends: no spinner"),
            "not_with_a_count": _("only where plays score nothing"),
        },
    ),
    "many_ends": OptionWords(
        _("Several tiles in one turn"),
        values=build_flag(
            _("several tiles may be laid in one turn"),
            _("one tile is laid in a turn"),
            rule=_(
                "One turn may lay several tiles, each on a different end that was open when the turn began, if the"
                " count is then a multiple of five (0 is none). It is one play with one count."
            ),
        ),
        refusals={"not_with_every": _("not where every double branches")},
    ),
    "draw": OptionWords(
        _("Drawing"),
        sentences=_drawing,
        values={
            "none": Value(
                pgettext_lazy("drawing", "never"),
                _("nobody draws"),
                pgettext_lazy("house rule", "no drawing"),
            ),
            "until_playable": Value(_("until a tile fits"), _("one draws until a tile fits")),
            "free": Value(
                _("at will"), _("one draws at will"), pgettext_lazy("house rule", "drawing at will")
            ),
        },
        applies=lambda scope: scope.boneyard > scope.reserve,
    ),
    "reserve": OptionWords(
        _("Tiles that stay in the boneyard"),
        sentences=_reserve,
        clause=_reserve_clause,
        chip=_reserve_chip,
        meaning=_meaning_of_reserve,
        refusals={"larger_than_boneyard": _("more tiles than the boneyard has")},
    ),
    "pass": OptionWords(
        _("Passing"),
        sentences=_passing,
        values={
            "stuck": Value(_("only when stuck"), _("one passes only when stuck")),
            "free": Value(_("at will, when nothing can be drawn"), _("one may pass at will")),
            "always": Value(_("at will, at any moment"), _("one may pass at any moment")),
        },
    ),
}
