"""Sentences that explain who leads a round."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.perspective import LeadDecision, View
from games.engine.tiles import DOUBLE, NAMES


def lead_sentence(view: View, names: Sequence[str]) -> str:
    """Return who leads this round and why: *bob drew 6-4, the highest, and leads (mara 5-1)*."""
    name = names[view.leader]
    if view.lead_decision is None:
        return _by_previous_round(view) % {"name": name}
    if view.lead_decision.how == "lot":
        return _by_lot(view.lead_decision, names)
    if view.lead_decision.tile is None and not view.lead_decision.draws:
        return _("%(name)s has the lead") % {"name": name}
    if view.lead_decision.how == "tile":
        return _by_tile(view, view.lead_decision, name)
    return _by_rank(view.lead_decision) % {"name": name, "tile": _name_of(view.lead_decision)}


def _by_previous_round(view: View) -> str:
    previous = next(ended for ended in view.ended if ended.number == view.round - 1)
    if previous.end.winner == view.leader:
        return _("%(name)s won the round before and leads")
    return _("The lead passes to %(name)s")


def _by_lot(decided: LeadDecision, names: Sequence[str]) -> str:
    drew = _("%(name)s drew %(tile)s, the highest, and leads")
    others = ", ".join(
        f"{names[seat]} {NAMES[lot]}"
        for seat, lot in decided.draws
        if seat != decided.seat and lot is not None
    )
    return f"{drew} ({others})" % {"name": names[decided.seat], "tile": _name_of(decided)}


def _by_tile(view: View, decided: LeadDecision, name: str) -> str:
    if not decided.draws:
        return _("%(name)s holds %(tile)s and leads") % {"name": name, "tile": _name_of(decided)}
    looked_for = view.rules.lead_tile
    each = -(-len(decided.draws) // len({seat for seat, _tile in decided.draws}))
    params = {"name": name, "tile": "" if looked_for is None else NAMES[looked_for], "n": each}
    if decided.tile is not None:
        text = ngettext(
            "Nobody was dealt %(tile)s: each drew %(n)s tile, %(name)s found it and leads",
            "Nobody was dealt %(tile)s: each drew %(n)s tiles until %(name)s had it and leads",
            each,
        )
    else:
        text = ngettext(
            "Nobody was dealt %(tile)s: each drew %(n)s tile for it, and %(name)s leads",
            "Nobody was dealt %(tile)s: each drew %(n)s tiles for it, and %(name)s leads",
            each,
        )
    return text % params


def _by_rank(decided: LeadDecision) -> str:
    double = decided.tile is not None and DOUBLE[decided.tile]
    if decided.how == "lowest_double":
        if double:
            return _("%(name)s holds %(tile)s, the lowest double, and leads")
        return _("Nobody has a double: %(name)s holds %(tile)s and leads")
    if not double:
        return _("Nobody has a double: %(name)s holds %(tile)s, the heaviest tile, and leads")
    if decided.how == "highest_double":
        return _("%(name)s holds %(tile)s, the highest double, and leads")
    return _("%(name)s holds %(tile)s and leads")


def _name_of(decided: LeadDecision) -> str:
    return "" if decided.tile is None else NAMES[decided.tile]
