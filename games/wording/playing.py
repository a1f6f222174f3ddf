"""Sentences about the turn and the points of a play (docs/rules.md, the turn, the count, claims)."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .scope import Scope, Sentence


def turn(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of the line, playing, drawing and passing."""
    yield Sentence(
        (), _("Turns go round the table. A tile is played to an open end that shows one of its halves.")
    )
    yield Sentence(
        ("spinner",),
        {
            "none": _("The line has two ends; doubles do not branch it."),
            "first": _(
                "The first double laid in a round is the spinner. Once a tile lies on both its line sides, its two"
                " other sides open as well. Later doubles do not branch."
            ),
            "first_enclosed": _(
                "The first double with a tile on both its line sides is the spinner; its two other sides open then."
                " Later doubles do not branch."
            ),
            "first_open": _(
                "The first double laid in a round is the spinner: it is open on all four sides as soon as it lies."
                " Later doubles do not branch."
            ),
            "every": _(
                "Every double branches: once a tile lies on both its line sides, its two other sides open as well, so"
                " that the line can have many ends."
            ),
            "cross": _(
                "The lead is open on all four sides at once. Until a tile lies on each of them, tiles can only be"
                " played there. Later doubles do not branch."
            ),
        }[scope.rules.spinner],
    )
    if scope.rules.spinner == "cross" and scope.may_lack_doubles:
        yield Sentence(("spinner",), _("A round that is led with no double has two ends."))
    if scope.rules.two_doubles:
        text = _(
            "One turn may lay two doubles, one at each end, if both fit when the turn begins; the lead may not."
        )
        yield Sentence(("two_doubles",), text)
    if scope.rules.many_ends:
        text = _(
            "One turn may lay several tiles, each on a different end that was open when the turn began, if the count"
            " is then a multiple of five (0 is none). It is one play with one count."
        )
        yield Sentence(("many_ends",), text)
    yield from _drawing(scope)
    yield from _passing(scope)


def _drawing(scope: Scope) -> Iterator[Sentence]:
    if scope.can_draw and scope.rules.draw == "until_playable":
        text = _(
            "While no tile in hand fits, tiles are drawn from the boneyard one by one; the first that fits is played,"
            " to any end that it fits."
        )
        yield Sentence(("draw",), text)
    elif scope.can_draw:
        text = _(
            "Before playing, any number of tiles may be drawn, even when one fits, but not before the lead."
        )
        yield Sentence(("draw",), text)
    elif scope.boneyard:
        text = _("After the lead nobody draws.") if scope.draws_for_lead else _("Nobody draws.")
        yield Sentence(("draw", "reserve"), text)
    if scope.can_draw and scope.reserve:
        text = ngettext(
            "The last tile of the boneyard is never drawn.",
            "The last %(n)s tiles of the boneyard are never drawn.",
            scope.reserve,
        )
        yield Sentence(("reserve",), text % {"n": scope.reserve})


def _passing(scope: Scope) -> Iterator[Sentence]:
    if scope.rules.pass_ == "always":
        text = _(
            "One may pass at any moment of one's turn, even when a tile fits or can be drawn, but not the lead."
        )
        yield Sentence(("pass",), text)
        return
    by_choice = scope.rules.pass_ == "free"
    texts = {
        (False, False): _("You pass only when no tile fits."),
        (False, True): _("You pass only when no tile fits and none can be drawn."),
        (True, False): _("One may pass even when a tile fits, but not the lead."),
        (True, True): _("Once no tile can be drawn, you may pass even when a tile fits."),
    }
    yield Sentence(("pass",), texts[by_choice, scope.can_draw])


def points(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of the points of a play and of claims."""
    if scope.rules.count == "none":
        if not scope.rules.out_points:
            yield Sentence(("count",), _("Plays score nothing."))
    elif scope.rules.count == "matching":
        yield from _matching()
    else:
        yield from _counted(scope)
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
            text = _(
                "That is the tile with which both partners are out; the first partner's last tile earns its count."
            )
            yield Sentence(("out_points", "partners_out"), text)
    yield from _for_passes(scope)
    yield from _opening(scope)
    if scope.rules.claims == "muggins":
        yield from _claims(scope)
    elif scope.rules.count != "none":
        yield Sentence(("claims",), _("Points are scored automatically as the play is made."))


def _matching() -> Iterator[Sentence]:
    text = _(
        "After each play the two ends are compared. If both show the same number, the play is worth 2 points, or 3 if"
        " a double lies at one of them. A double that is led is worth 2."
    )
    yield Sentence(("count",), text)


def _for_passes(scope: Scope) -> Iterator[Sentence]:
    extras = scope.rules.extras
    if extras.pass_lead and scope.seats > 2:
        text = _(
            "If the seat after the leader has to pass and the one after that plays, the leader scores %(n)s at once."
        )
        yield Sentence(("extras",), text % {"n": extras.pass_lead})
    if extras.pass_round:
        text = _(
            "If all the others have to pass one after the other, whoever played last scores %(n)s at once."
        )
        yield Sentence(("extras",), text % {"n": extras.pass_round})


def _opening(scope: Scope) -> Iterator[Sentence]:
    opening = scope.rules.opening
    if opening is None:
        return
    if scope.charged:
        text = (
            _("A score of 0 is opened by %(n)s at the least: fewer are remembered and added to the next.")
            if opening.kept
            else _("Whoever has 0 writes nothing until it is %(n)s or more at once.")
        )
    else:
        text = (
            _("Whoever has 0 needs %(n)s to get in: fewer are remembered and added to the next.")
            if opening.kept
            else _("Whoever has 0 needs %(n)s at once to get in: fewer, a bonus too, are lost.")
        )
    yield Sentence(("opening",), text % {"n": opening.points})


def _counted(scope: Scope) -> Iterator[Sentence]:
    yield Sentence(
        ("count",),
        {
            "fives": _(
                "After each play, the lead too, the open ends are added up. If this count is divisible by five, the"
                " play is worth the count in points."
            ),
            "fives_by_one": _(
                "After each play, the lead too, the open ends are added up. If this count is divisible by five, the"
                " play is worth a point for each five in it."
            ),
            "fives_threes": _(
                "After each play, the lead too, the open ends are added up. If this count is divisible by five, the"
                " play is worth a point for each five in it; if divisible by three, a point for each three. 15 is"
                " worth 3 + 5 = 8."
            ),
        }[scope.rules.count],
    )
    text = _("A double at an end counts both halves. A lead that lies alone counts its pips once.")
    yield Sentence(("count",), text)
    if scope.rules.spinner == "first_enclosed":
        yield Sentence(
            ("count", "spinner"), _("The two other sides of the spinner count once a tile lies there.")
        )
    elif scope.rules.spinner == "every":
        text = _(
            "A double counts both halves until both its line sides are covered, then nothing; its two other sides"
            " count once a tile lies there."
        )
        yield Sentence(("count", "spinner"), text)
    elif scope.rules.spinner != "none":
        text = _(
            "The spinner counts both halves until both its line sides are covered, then nothing; its two other sides"
            " count once a tile lies there."
        )
        yield Sentence(("count", "spinner"), text)


def _claims(scope: Scope) -> Iterator[Sentence]:
    text = _("Points must be claimed: the player says how many, and scores them if that is right.")
    yield Sentence(("claims",), text)
    opponents = (
        _(
            "Otherwise they lie open until the next play, draw or pass, and the first of the other pair to call"
            " Muggins! scores them."
        )
        if scope.in_pairs
        else _(
            "Otherwise they lie open until the next play, draw or pass, and the first of the others to call Muggins!"
            " scores them."
        )
    )
    yield Sentence(("claims",), opponents)
    if scope.rules.call_last:
        text = _(
            "A wrong claim costs nothing more. The play that ends a round can be called, too: then nobody plays for a"
            " moment, whatever it was worth."
        )
    else:
        text = _("A wrong claim costs nothing more. Points still open when a round ends are lost.")
    yield Sentence(("claims", "call_last"), text)
    if scope.seats > 2:
        text = _("After each play nobody may move for a moment, so that it can be called.")
        yield Sentence(("claims",), text)
