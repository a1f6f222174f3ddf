"""Why this seat has the lead of a round: what everybody at a real table would have seen."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.perspective import View
from games.engine.tiles import DOUBLE, NAMES, SET_SIZES, Tile


def lead_sentence(view: View, names: Sequence[str]) -> str:
    """Who has the lead of the round in play, and by what: *bob drew 6-4, the highest, and leads (mara 5-1)*."""
    name = names[view.leader]
    if view.lots is not None:
        return _by_lot(view, view.lots, names)
    if passed_on := _by_the_round_before(view):
        return passed_on % {"name": name}
    if view.rules.first_lead == "tile" and view.rules.lead_tile is not None:
        return _by_tile(view, view.rules.lead_tile, name)
    return _by_rank(view, name)


def _by_lot(view: View, lots: Sequence[Tile], names: Sequence[str]) -> str:
    drew = _("%(name)s drew %(tile)s, the highest, and leads") % {
        "name": names[view.leader],
        "tile": NAMES[lots[view.leader]],
    }
    others = ", ".join(f"{names[seat]} {NAMES[lot]}" for seat, lot in enumerate(lots) if seat != view.leader)
    return f"{drew} ({others})"


def _by_the_round_before(view: View) -> str:
    """The sentence where the round before decides; "" where the lead is found as in the first round."""
    before = next((ended for ended in view.ended if ended.number == view.round - 1), None)
    if before is None:
        return ""
    end, rules = before.end, view.rules
    how = rules.next_lead_after_block if end.how == "blocked" else rules.next_lead
    if how == "rotate":
        return _("The lead passes to %(name)s")
    if how == "winner" and end.winner == view.leader:
        return _("%(name)s won the round before and leads")
    return ""


def _by_tile(view: View, tile: Tile, name: str) -> str:
    drawn = _drawn_for_the_lead(view)
    told = {"name": name, "tile": NAMES[tile], "n": drawn}
    found = _found(view, drawn)
    if drawn and found:
        text = ngettext(
            "Nobody was dealt %(tile)s: each drew %(n)s tile, %(name)s found it and leads",
            "Nobody was dealt %(tile)s: each drew %(n)s tiles until %(name)s had it and leads",
            drawn,
        )
    elif drawn:
        text = ngettext(
            "Nobody was dealt %(tile)s: each drew %(n)s tile for it, and %(name)s leads",
            "Nobody was dealt %(tile)s: each drew %(n)s tiles for it, and %(name)s leads",
            drawn,
        )
    else:
        text = _("%(name)s holds %(tile)s and leads") if found else _("%(name)s has the lead")
    return text % told


def _found(view: View, drawn: int) -> bool:
    """Whether everybody knows that the leader got the tile: the drawing stopped early, or led away from seat 0,
    which leads where nobody has it."""
    if view.rules.lead_with == "named":
        return view.named is not None
    turns = (
        SET_SIZES[view.rules.set] - view.seats * view.rules.hand_size.at(view.seats) - view.reserve
    ) // view.seats
    return drawn < turns or view.leader != 0


def _by_rank(view: View, name: str) -> str:
    if view.named is None:
        return _("%(name)s has the lead") % {"name": name}
    told = {"name": name, "tile": NAMES[view.named]}
    if view.rules.first_lead == "highest_double":
        if DOUBLE[view.named]:
            return _("%(name)s holds %(tile)s, the highest double, and leads") % told
        return _("Nobody has a double: %(name)s holds %(tile)s, the heaviest tile, and leads") % told
    if not DOUBLE[view.named]:
        return _("Nobody has a double: %(name)s holds %(tile)s and leads") % told
    if view.rules.first_lead == "lowest_double":
        return _("%(name)s holds %(tile)s, the lowest double, and leads") % told
    return _("%(name)s holds %(tile)s and leads") % told


def _drawn_for_the_lead(view: View) -> int:
    """How many tiles each seat drew before the lead: what was in the leader's hand beyond the deal."""
    seat = view.leader
    laid = sum(1 for laid in view.laid if laid.seat == seat)
    drawn = sum(1 for entry in view.log if entry.seat == seat and entry.move.kind == "draw")
    return view.tiles[seat] + laid - drawn - view.rules.hand_size.at(view.seats)
