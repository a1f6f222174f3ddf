"""Moves, rounds and results: in the list beside the table, and spoken."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.engine.rounds import Entry, RoundEnd
from games.engine.tiles import NAMES


def end_name(end: str) -> str:
    return {"L": _("left end"), "R": _("right end"), "U": _("upper end"), "D": _("lower end")}[end]


def move_line(entry: Entry, matched: Sequence[int | None] = ()) -> str:
    """A move in the list: `6-4 → 6`; `matched` are the values of the ends that its tiles joined."""
    kind = entry.move.kind
    if kind == "play":
        parts = []
        for i, (tile, end) in enumerate(entry.move.plays):
            value = matched[i] if i < len(matched) else None
            parts.append(f"{NAMES[tile]} → {value}" if end and value is not None else NAMES[tile])
        text = " + ".join(parts)
        return _("%(tile)s led") % {"tile": text} if entry.move.plays[0][1] is None else text
    return {
        "draw": pgettext("move", "drew"),
        "pass": pgettext("move", "passed"),
        "muggins": _("Muggins!"),
        "resign": pgettext("move", "resigned"),
        "time": _("out of time"),
        "left": pgettext("move", "left"),
        "takeover": _("a computer plays on"),
        "abort": _("called off"),
    }[kind]


def move_sentence(entry: Entry, name: str, *, shown: bool = True) -> str:
    """A move as it is spoken: *tiago played 5-0, 10 points*. `shown` False: its worth is not told yet."""
    kind = entry.move.kind
    if kind == "play":
        return _played(entry, name, shown)
    if kind == "draw":
        if entry.tile is not None:
            return _("%(name)s drew %(tile)s") % {"name": name, "tile": NAMES[entry.tile]}
        return _("%(name)s drew a tile") % {"name": name}
    if kind == "muggins":
        return ngettext(
            "%(name)s called muggins, %(points)s point",
            "%(name)s called muggins, %(points)s points",
            entry.scored or 0,
        ) % {"name": name, "points": entry.scored or 0}
    sentences = {
        "pass": _("%(name)s passed"),
        "resign": _("%(name)s resigned"),
        "time": _("%(name)s ran out of time"),
        "left": _("%(name)s left the match"),
        "takeover": _("a computer plays on for %(name)s"),
        "abort": _("%(name)s called the match off"),
    }
    return sentences[kind] % {"name": name}


def _played(entry: Entry, name: str, shown: bool) -> str:
    tiles = " + ".join(NAMES[tile] for tile, _end in entry.move.plays)
    ends = {end for _tile, end in entry.move.plays}
    if ends == {None}:
        what = _("%(name)s led %(tiles)s") % {"name": name, "tiles": tiles}
    else:
        what = _("%(name)s played %(tiles)s") % {"name": name, "tiles": tiles}
    if shown and entry.scored:
        return ngettext("%(what)s, %(points)s point", "%(what)s, %(points)s points", entry.scored) % {
            "what": what,
            "points": entry.scored,
        }
    return what


def round_sentence(end: RoundEnd, names: Sequence[str]) -> str:
    """How a round ended: who went out or that it was blocked, and the bonus."""
    if end.how == "stopped":
        return _("The match ended within the round.")
    name = "" if end.winner is None else names[end.winner]
    bonus = max(end.bonus)
    if end.how == "out":
        said = _("%(name)s went out.") % {"name": name}
    elif name:
        said = _("Nobody could play. %(name)s has the lightest hand.") % {"name": name}
    else:
        said = _("Nobody could play, and nobody has the lightest hand alone.")
    if not bonus:
        return said
    return " ".join((said, ngettext("Bonus: %(n)s point.", "Bonus: %(n)s points.", bonus) % {"n": bonus}))


def outcome(how: str, winners: Sequence[str]) -> str:
    """A finished match in a few words: *mara won by resignation*."""
    names = _(" and ").join(winners)
    if how == "aborted" or not winners:
        return _("called off")
    sentences = {
        "target": _("%(names)s won"),
        "rounds": _("%(names)s had the best score after the last round"),
        "resigned": _("%(names)s won by resignation"),
        "time": _("%(names)s won on time"),
        "left": _("%(names)s won, the others left"),
    }
    return sentences[how] % {"names": names}
