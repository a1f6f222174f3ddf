"""The turn, and the points of a play, in words (docs/rules.md: the turn, the count, claims)."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .scope import Scope, Sentence


def turn(at: Scope) -> Iterator[Sentence]:
    """The line, playing, drawing and passing."""
    yield Sentence(
        (), _("Turns go round clockwise. A tile is played to an open end that shows one of its halves.")
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
            "cross": _(
                "The lead is open on all four sides at once. Until a tile lies on each of them, tiles can only be"
                " played there. Later doubles do not branch."
            ),
        }[at.rules.spinner],
    )
    if at.rules.many_ends:
        text = _(
            "One turn may lay several tiles, each on a different end that was open when the turn began, if the count"
            " is then a multiple of five (0 is none). It is one play with one count."
        )
        yield Sentence(("many_ends",), text)
    yield from _drawing(at)
    yield from _passing(at)


def _drawing(at: Scope) -> Iterator[Sentence]:
    if at.can_draw and at.rules.draw == "until_playable":
        text = _(
            "While no tile in hand fits, tiles are drawn from the boneyard one by one; the first that fits is played,"
            " to any end that it fits."
        )
        yield Sentence(("draw",), text)
    elif at.can_draw:
        text = _(
            "Before playing, any number of tiles may be drawn, even when one fits, but not before the lead."
        )
        yield Sentence(("draw",), text)
    elif at.boneyard:
        text = _("After the lead nobody draws.") if at.draws_for_lead else _("Nobody draws.")
        yield Sentence(("draw", "reserve"), text)
    if at.can_draw and at.reserve:
        text = ngettext(
            "The last tile of the boneyard is never drawn.",
            "The last %(n)s tiles of the boneyard are never drawn.",
            at.reserve,
        )
        yield Sentence(("reserve",), text % {"n": at.reserve})


def _passing(at: Scope) -> Iterator[Sentence]:
    by_choice = at.rules.pass_ == "free"  # noqa: S105 - no password
    texts = {
        (False, False): _("One passes only when no tile fits."),
        (False, True): _("One passes only when no tile fits and none can be drawn."),
        (True, False): _("One may pass even when a tile fits, but not the lead."),
        (True, True): _("Once no tile can be drawn, one may pass even when a tile fits."),
    }
    yield Sentence(("pass",), texts[by_choice, at.can_draw])


def points(at: Scope) -> Iterator[Sentence]:
    """What a play is worth, and who is given it."""
    if at.rules.count == "none":
        if not at.rules.out_points:
            yield Sentence(("count",), _("Plays score nothing."))
    else:
        yield from _counted(at)
    if at.rules.out_points:
        extra = ngettext(
            "The play of one's last tile scores %(n)s point more.",
            "The play of one's last tile scores %(n)s points more.",
            at.rules.out_points,
        )
        alone = ngettext(
            "Plays score nothing, but the play of one's last tile scores %(n)s point.",
            "Plays score nothing, but the play of one's last tile scores %(n)s points.",
            at.rules.out_points,
        )
        text = alone if at.rules.count == "none" else extra
        yield Sentence(("out_points", "count"), text % {"n": at.rules.out_points})
    if at.rules.claims == "muggins":
        yield from _claims(at)
    elif at.rules.count != "none":
        yield Sentence(("claims",), _("Points are scored automatically as the play is made."))


def _counted(at: Scope) -> Iterator[Sentence]:
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
        }[at.rules.count],
    )
    text = _("A double at an end counts both halves. A lead that lies alone counts its pips once.")
    yield Sentence(("count",), text)
    if at.rules.spinner == "first_enclosed":
        yield Sentence(
            ("count", "spinner"), _("The two other sides of the spinner count once a tile lies there.")
        )
    elif at.rules.spinner != "none":
        text = _(
            "The spinner counts both halves until both its line sides are covered, then nothing; its two other sides"
            " count once a tile lies there."
        )
        yield Sentence(("count", "spinner"), text)


def _claims(at: Scope) -> Iterator[Sentence]:
    text = _("Points must be claimed: the player says how many, and scores them if that is right.")
    yield Sentence(("claims",), text)
    opponents = (
        _(
            "Otherwise they lie open until the next play, draw or pass, and the first of the other pair to call"
            " Muggins! scores them."
        )
        if at.in_pairs
        else _(
            "Otherwise they lie open until the next play, draw or pass, and the first of the others to call Muggins!"
            " scores them."
        )
    )
    yield Sentence(("claims",), opponents)
    text = _("A wrong claim costs nothing more. Points still open when a round ends are lost.")
    yield Sentence(("claims",), text)
    if at.seats > 2:
        text = _("After each play nobody may move for a moment, so that it can be called.")
        yield Sentence(("claims",), text)
