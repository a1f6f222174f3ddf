"""Sentences that explain who leads a round."""

from collections.abc import Sequence

from boneyard.engine.perspective import LeadDecision, View
from boneyard.engine.tiles import DOUBLE, NAMES, Tile

from .language_cache import cached_by_language, ngettext
from .language_cache import gettext as _


def lead_sentence(view: View, names: Sequence[str]) -> str:
    """Return who leads this round and why: *Before the deal bob drew 6-4, the highest, and leads (mara 5-1)*.

    If the leader's name is empty: *Before the deal you drew the highest tile (6-4) and lead*.
    """
    decided = view.lead_decision
    if decided is None:
        return _by_previous_round(view.leader, _previous_winner(view), tuple(names))
    return _by_decision(decided, view.rules.lead_tile, tuple(names))


def next_lead_sentence(view: View, names: Sequence[str]) -> str:
    """Return who leads the next round, and why, for the panel of the round that has just ended."""
    if view.lead_decision is None and _previous_winner(view) == view.leader:
        return _next_lead_of_winner(names[view.leader])
    sentence = lead_sentence(view, names)
    return sentence if view.lead_decision is None else _("Next round · %(lead)s") % {"lead": sentence}


def lead_instruction(view: View) -> str:
    """Return what the viewer may lead, if they are on turn to lead: *Play any tile.*"""
    if view.laid or not view.legal:
        return ""
    if view.named is not None:
        return _("Play %(tile)s.") % {"tile": NAMES[view.named]}
    leads = {tile for move in view.legal for tile, _end in move.plays}
    return _("Play any tile.") if len(leads) == len(view.hand) else _("Play a tile that scores.")


def _previous_winner(view: View) -> int | None:
    """Return who leads for having won the round before; None where the lead goes round or is found anew."""
    end = next(ended for ended in view.ended if ended.number == view.round - 1).end
    blocked, rules = end.how == "blocked", view.rules
    return end.winner if (rules.next_lead_after_block if blocked else rules.next_lead) == "winner" else None


@cached_by_language
def _next_lead_of_winner(name: str) -> str:
    text = (
        _("%(name)s won the round and leads the next one")
        if name
        else _("You won the round and lead the next one")
    )
    return text % {"name": name}


@cached_by_language
def _by_previous_round(leader: int, winner: int | None, names: tuple[str, ...]) -> str:
    name = names[leader]
    if winner == leader:
        text = (
            _("%(name)s won the round before and leads") if name else _("You won the round before and lead")
        )
    else:
        text = _("The lead passes to %(name)s") if name else _("The lead passes to you")
    return text % {"name": name}


@cached_by_language
def _by_decision(decided: LeadDecision, looked_for: Tile | None, names: tuple[str, ...]) -> str:
    name = names[decided.seat]
    if decided.how == "lot":
        return _by_lot(decided, names)
    if decided.tile is None and not decided.draws:
        return _("%(name)s has the lead") % {"name": name} if name else _("You lead")
    if decided.how == "tile":
        return _by_tile(decided, looked_for, name)
    text = _by_rank(decided) if name else _your_lead_by_rank(decided)
    return text % {"name": name, "tile": _name_of(decided)}


def _by_lot(decided: LeadDecision, names: Sequence[str]) -> str:
    if not names[decided.seat]:
        return _("Before the deal you drew the highest tile (%(tile)s) and lead") % {
            "tile": _name_of(decided)
        }
    drew = _("Before the deal %(name)s drew %(tile)s, the highest, and leads")
    others = ", ".join(
        f"{names[seat]} {NAMES[lot]}" if names[seat] else _("you %(tile)s") % {"tile": NAMES[lot]}
        for seat, lot in decided.draws
        if seat != decided.seat and lot is not None
    )
    return f"{drew} ({others})" % {"name": names[decided.seat], "tile": _name_of(decided)}


def _by_tile(decided: LeadDecision, looked_for: Tile | None, name: str) -> str:
    if not decided.draws:
        text = _("%(name)s holds %(tile)s and leads") if name else _("You hold %(tile)s and lead")
        return text % {"name": name, "tile": _name_of(decided)}
    each = -(-len(decided.draws) // len({seat for seat, _tile in decided.draws}))
    params = {"name": name, "tile": "" if looked_for is None else NAMES[looked_for], "n": each}
    found = decided.tile is not None
    if found and name:
        text = ngettext(
            "Nobody was dealt %(tile)s: each drew %(n)s tile, %(name)s found it and leads",
            "Nobody was dealt %(tile)s: each drew %(n)s tiles until %(name)s had it and leads",
            each,
        )
    elif found:
        text = ngettext(
            "Nobody was dealt %(tile)s: each drew %(n)s tile, you found it and lead",
            "Nobody was dealt %(tile)s: each drew %(n)s tiles until you had it and lead",
            each,
        )
    elif name:
        text = ngettext(
            "Nobody was dealt %(tile)s: each drew %(n)s tile for it, and %(name)s leads",
            "Nobody was dealt %(tile)s: each drew %(n)s tiles for it, and %(name)s leads",
            each,
        )
    else:
        text = ngettext(
            "Nobody was dealt %(tile)s: each drew %(n)s tile for it, and you lead",
            "Nobody was dealt %(tile)s: each drew %(n)s tiles for it, and you lead",
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


def _your_lead_by_rank(decided: LeadDecision) -> str:
    double = decided.tile is not None and DOUBLE[decided.tile]
    if decided.how == "lowest_double":
        if double:
            return _("You hold %(tile)s, the lowest double, and lead")
        return _("Nobody has a double: you hold %(tile)s and lead")
    if not double:
        return _("Nobody has a double: you hold %(tile)s, the heaviest tile, and lead")
    if decided.how == "highest_double":
        return _("You hold %(tile)s, the highest double, and lead")
    return _("You hold %(tile)s and lead")


def _name_of(decided: LeadDecision) -> str:
    return "" if decided.tile is None else NAMES[decided.tile]
