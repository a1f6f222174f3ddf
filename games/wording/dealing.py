"""Sentences about the deal and the lead (docs/rules.md, the deal and the lead)."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boneyard.engine.tiles import NAMES

from .scope import Scope, Sentence


def deal(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of the set, partners, hands and boneyard."""
    yield Sentence(
        ("set",),
        {
            6: _("The set is the double-six: 28 tiles."),
            9: _("The set is the double-nine: 55 tiles."),
            12: _("The set is the double-twelve: 91 tiles."),
        }[scope.rules.set],
    )
    if scope.in_pairs:
        yield Sentence(("partners",), _("Those who sit opposite are partners and share one score."))
    elif scope.seats == 4:
        yield Sentence(("partners",), _("Each of the four plays alone."))
    dealt = ngettext("Each hand is dealt %(n)s tile.", "Each hand is dealt %(n)s tiles.", scope.hand)
    yield Sentence(("hand_size", "players"), dealt % {"n": scope.hand})
    if scope.boneyard:
        left = ngettext(
            "The %(n)s tile that is left is the boneyard.",
            "The %(n)s tiles that are left are the boneyard.",
            scope.boneyard,
        )
        yield Sentence(("hand_size",), left % {"n": scope.boneyard})
    else:
        yield Sentence(("hand_size",), _("All tiles are dealt."))
    most = scope.rules.max_same_suit
    if most is not None and most < min(scope.hand, scope.rules.set):
        text = _(
            "A deal in which a hand has more than %(n)s tiles of one suit, not counting its double, is shuffled again."
        )
        yield Sentence(("max_same_suit",), text % {"n": most})
    doubles = scope.rules.max_doubles
    if doubles is not None and doubles < min(scope.hand, scope.rules.set + 1):
        text = _("A deal in which a hand has more than %(n)s doubles is shuffled again.")
        yield Sentence(("max_doubles",), text % {"n": doubles})


def lead(scope: Scope) -> Iterator[Sentence]:
    """Yield the rules of the lead."""
    yield from _first_lead(scope)
    if scope.rules.lead_with == "any":
        yield Sentence(("lead_with",), _("Any tile may be led."))
    elif scope.rules.lead_with == "scoring":
        text = _("A tile whose pips score (5, 10 and so on) must be led; a hand without one leads any tile.")
        yield Sentence(("lead_with",), text)
    else:
        always = scope.rules.next_lead == scope.rules.next_lead_after_block == "first"
        yield Sentence(
            ("lead_with",),
            _("The tile that won the lead must be led.")
            if always
            else _("Where a tile has won the lead, it must be led; in other rounds any tile may be led."),
        )
        if scope.sides > 2:
            text = _("If its holder leaves the match before that, the next seat leads any tile.")
            yield Sentence(("lead_with",), text)
    yield from _next_lead(scope)


def _first_lead(scope: Scope) -> Iterator[Sentence]:
    tile = NAMES[scope.rules.lead_tile] if scope.rules.lead_tile is not None else ""
    option = ("first_lead", "lead_tile") if tile else ("first_lead",)
    if scope.rules.first_lead == "lot":
        text = _(
            "For the lead of the first round each seat draws a tile as its lot. The heaviest leads; of equally heavy"
            " ones that with the higher half. The lots go back before the deal."
        )
    elif scope.rules.first_lead == "highest_double":
        text = _("The holder of the highest double leads the first round.")
    elif scope.rules.first_lead == "lowest_double":
        text = _("The holder of the lowest double leads the first round.")
    elif scope.rules.first_lead == "double_from_1":
        text = _(
            "The holder of 1-1 leads the first round; if nobody has it, of 2-2 and so on upwards, and of 0-0 last of"
            " all."
        )
    else:
        text = _("The holder of %(tile)s leads the first round.") % {"tile": tile}
    yield Sentence(option, text)
    if scope.rules.first_lead in ("highest_double", "double_from_1") and scope.may_lack_doubles:
        text = _(
            "If no hand has a double, the holder of the heaviest tile leads; of equally heavy ones that with the"
            " higher half."
        )
        yield Sentence(option, text)
    elif scope.rules.first_lead == "lowest_double" and scope.may_lack_doubles:
        text = _(
            "If no hand has a double, the holder of the lightest tile leads; of equally light ones that with the"
            " lower high half."
        )
        yield Sentence(option, text)
    elif scope.rules.first_lead == "tile" and scope.boneyard:
        yield from _lead_tile_undealt(scope)


def _lead_tile_undealt(scope: Scope) -> Iterator[Sentence]:
    option = ("first_lead", "lead_tile")
    if not scope.draws_for_lead:
        yield Sentence(option, _("If nobody holds it, the first seat leads any tile."))
        return
    text = _("If nobody holds it, the seats draw a tile each in turn until somebody has it.")
    yield Sentence(option, text)
    if scope.rules.lead_draws == "all":
        text = _(
            "Such draws may take the whole boneyard; while there is a tile for every seat, each draws before the hands"
            " are looked at."
        )
        yield Sentence(("first_lead", "lead_draws"), text)
        return
    if scope.reserve:
        text = ngettext(
            "A turn of such draws is made only if it leaves at least %(n)s tile in the boneyard.",
            "A turn of such draws is made only if it leaves at least %(n)s tiles in the boneyard.",
            scope.reserve,
        )
        yield Sentence(("first_lead", "reserve"), text % {"n": scope.reserve})
    else:
        yield Sentence(option, _("A turn of such draws is made only if there is a tile for every seat."))
    yield Sentence(option, _("If nobody has it then, the first seat leads any tile."))


def _next_lead(scope: Scope) -> Iterator[Sentence]:
    after_out, after_block = scope.rules.next_lead, scope.rules.next_lead_after_block
    both = ("next_lead", "next_lead_after_block")
    if after_out == after_block == "first":
        yield Sentence(both, _("The lead of each later round is found in the same way."))
        return
    if after_out == after_block == "rotate":
        yield Sentence(both, _("Each later round is led by the seat after the one that led before."))
        return
    out = {
        "winner": _("Whoever went out leads the next round."),
        "first": _("After somebody went out, the next lead is found as in the first round."),
        "rotate": _("After somebody went out, the seat after the one that led leads the next round."),
    }
    blocked = {
        "winner": _(
            "The winner of a blocked round leads the next; if nobody won it, the lead is found as in the first round."
        ),
        "first": _("After a blocked round the lead is found as in the first round."),
        "rotate": _("After a blocked round the seat after the one that led leads the next."),
    }
    yield Sentence(("next_lead",), out[after_out])
    yield Sentence(("next_lead_after_block",), blocked[after_block])
    if scope.in_pairs and after_block == "winner":
        text = (
            _("Of the pair that won a blocked round the one whose hand was compared leads.")
            if scope.rules.blocked_winner == "closer"
            else _(
                "Of the pair that won a blocked round the one with the lighter hand leads; of equally light ones the"
                " one who sits first."
            )
        )
        yield Sentence(("next_lead_after_block", "partners"), text)
