"""The options of the points of a play in words (docs/rules.md, "Scoring")."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from .option_words import OptionWords, Part, Value, build_flag
from .scope import Scope, Sentence


def _count(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.count == "none":
        if not scope.rules.out_points:
            yield Sentence(("count",), gettext("Plays score nothing."))
    elif scope.rules.count == "matching":
        yield from _matching()
    else:
        yield from _counted(scope)


def _matching() -> Iterator[Sentence]:
    text = gettext(
        "After each play the two ends are compared. If both show the same number, the play is worth 2 points, or 3 if"
        " a double lies at one of them. A double that is led is worth 2."
    )
    yield Sentence(("count",), text)


def _counted(scope: Scope) -> Iterator[Sentence]:
    yield Sentence(
        ("count",),
        {
            "fives": gettext(
                "After each play, the lead too, the open ends are added up. If this count is divisible by five, the"
                " play is worth the count in points."
            ),
            "fives_by_one": gettext(
                "After each play, the lead too, the open ends are added up. If this count is divisible by five, the"
                " play is worth a point for each five in it."
            ),
            "fives_threes": gettext(
                "After each play, the lead too, the open ends are added up. If this count is divisible by five, the"
                " play is worth a point for each five in it; if divisible by three, a point for each three. 15 is"
                " worth 3 + 5 = 8."
            ),
        }[scope.rules.count],
    )
    text = gettext("A double at an end counts both halves. A lead that lies alone counts its pips once.")
    yield Sentence(("count",), text)
    if scope.rules.spinner == "first_enclosed":
        yield Sentence(
            ("count", "spinner"), gettext("The two other sides of the spinner count once a tile lies there.")
        )
    elif scope.rules.spinner == "every":
        text = gettext(
            "A double counts both halves until both its line sides are covered, then nothing; its two other sides"
            " count once a tile lies there."
        )
        yield Sentence(("count", "spinner"), text)
    elif scope.rules.spinner != "none":
        text = gettext(
            "The spinner counts both halves until both its line sides are covered, then nothing; its two other sides"
            " count once a tile lies there."
        )
        yield Sentence(("count", "spinner"), text)


def _out_points(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.out_points:
        extra = ngettext(
            "The play of one's last tile scores %(n)s point more.",
            "The play of one's last tile scores %(n)s points more.",
            scope.rules.out_points,
        )
        alone = ngettext(
            "Plays score nothing, but the play of one's last tile scores %(n)s point.",
            "Plays score nothing, but the play of one's last tile scores %(n)s points.",
            scope.rules.out_points,
        )
        text = alone if scope.rules.count == "none" else extra
        yield Sentence(("out_points", "count"), text % {"n": scope.rules.out_points})
        if scope.both_out:
            text = gettext(
                "That is the tile with which both partners are out; the first partner's last tile earns its count."
            )
            yield Sentence(("out_points", "partners_out"), text)


def _for_passes(scope: Scope) -> Iterator[Sentence]:
    extras = scope.rules.extras
    if extras.pass_lead and scope.seats > 2:
        text = gettext(
            "If the seat after the leader has to pass and the one after that plays, the leader scores %(n)s at once."
        )
        yield Sentence(("extras",), text % {"n": extras.pass_lead})
    if extras.pass_round:
        text = gettext(
            "If all the others have to pass one after the other, whoever played last scores %(n)s at once."
        )
        yield Sentence(("extras",), text % {"n": extras.pass_round})


def _opening(scope: Scope) -> Iterator[Sentence]:
    opening = scope.rules.opening
    if opening is None:
        return
    if scope.charged:
        text = (
            gettext(
                "A score of 0 is opened by %(n)s at the least: fewer are remembered and added to the next."
            )
            if opening.kept
            else gettext("Whoever has 0 writes nothing until it is %(n)s or more at once.")
        )
    else:
        text = (
            gettext("Whoever has 0 needs %(n)s to get in: fewer are remembered and added to the next.")
            if opening.kept
            else gettext("Whoever has 0 needs %(n)s at once to get in: fewer, a bonus too, are lost.")
        )
    yield Sentence(("opening",), text % {"n": opening.points})


def _opening_clause(opening: Mapping[str, Any] | None) -> str:
    if opening is None:
        return gettext("any points open a score")
    if opening["kept"]:
        return gettext("a score opens with %(points)s, less is kept") % opening
    return gettext("a score opens with %(points)s, less is lost") % opening


def _claims(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.claims != "muggins":
        if scope.rules.count != "none":
            yield Sentence(("claims",), gettext("Points are scored automatically as the play is made."))
        return
    text = gettext("Points must be claimed: the player says how many, and scores them if that is right.")
    yield Sentence(("claims",), text)
    opponents = (
        gettext(
            "Otherwise they lie open until the next play, draw or pass, and the first of the other pair to call"
            " Muggins! scores them."
        )
        if scope.in_pairs
        else gettext(
            "Otherwise they lie open until the next play, draw or pass, and the first of the others to call Muggins!"
            " scores them."
        )
    )
    yield Sentence(("claims",), opponents)
    if scope.rules.call_last:
        text = gettext(
            "A wrong claim costs nothing more. The play that ends a round can be called, too: then nobody plays for a"
            " moment, whatever it was worth."
        )
    else:
        text = gettext("A wrong claim costs nothing more. Points still open when a round ends are lost.")
    yield Sentence(("claims", "call_last"), text)
    if scope.seats > 2:
        text = gettext("After each play nobody may move for a moment, so that it can be called.")
        yield Sentence(("claims",), text)


POINTS: Part = {
    "count": OptionWords(
        _("Points of a play"),
        sentences=_count,
        values={
            "none": Value(pgettext_lazy("points", "none"), _("plays score nothing")),
            "fives": Value(_("the count, if a multiple of five"), _("plays score multiples of five")),
            "fives_by_one": Value(_("a point for each five"), _("plays score a point for each five")),
            "fives_threes": Value(
                _("a point for each five and each three"),
                _("plays score a point for each five and each three"),
            ),
            "matching": Value(_("two or three when both ends match"), _("plays score when both ends match")),
        },
        refusals={
            "matching_needs_two_ends": _("matching ends need a line of two ends: no spinner"),
            "nobody_can_score": _("by these rules nobody could ever score"),
        },
    ),
    "out_points": OptionWords(
        _("Points for the last tile"),
        sentences=_out_points,
        clause=lambda n: (
            ngettext("the last tile scores %(n)s point", "the last tile scores %(n)s points", n) % {"n": n}
        ),
    ),
    "for_passes": _for_passes,
    "opening": OptionWords(
        _("Points to open with"),
        sentences=_opening,
        clause=_opening_clause,
        chip=_opening_clause,
        refusals={
            "above_the_target": _("more than the target"),
            "kept_not_called": _("what is kept could not be called: not where points are claimed"),
        },
    ),
    "claims": OptionWords(
        _("Claiming points"),
        sentences=_claims,
        values={
            "automatic": Value(_("scored automatically"), _("points are scored automatically")),
            "muggins": Value(
                _("claimed, or called by others"),
                _("points count only when claimed"),
                pgettext_lazy("house rule", "points are called"),
            ),
        },
    ),
    "call_last": OptionWords(
        _("The points of the last tile can be called"),
        values=build_flag(_("the last tile can be called"), _("the last tile cannot be called")),
        refusals={"needs_claims": _("only where points are claimed")},
    ),
}
