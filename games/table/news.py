"""The latest moves as sentences, each with its number, so that a page can announce each of them once."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games import wording
from games.engine.moves import MUGGINS
from games.engine.perspective import View
from games.engine.round_ends import EndedRound
from games.engine.rounds import Entry
from games.engine.tiles import DOUBLE, NAMES, Tile

MAIN_ARMS = ("L", "R", "U", "D")  # told in this order, before those of branches
# Sentences about the line that name one tile; the others are about an arm.
_OF_A_TILE: dict[str, Promise] = {
    "lead": gettext_lazy("Lead: %(tile)s."),
    "spinner": gettext_lazy("Spinner: %(tile)s."),
    "last": gettext_lazy("Laid last: %(tile)s."),
}
_LETS_LAPSE = ("play", "draw", "pass")  # what was not claimed before
KEPT = 6  # a page that missed more than these announces only the latest


class News(NamedTuple):
    """`number` counts the moves of the match from 1; `ends` are said after the latest play: the open ends as it has
    left them."""

    number: int
    sentence: str
    ends: str = ""

    @property
    def told(self) -> str:
        return f"{self.sentence}: {self.ends}" if self.ends else self.sentence


def news_of(
    view: View,
    names: Sequence[str],
    ended: EndedRound | None = None,
    speech: wording.Speech = wording.PLAIN,
    ends: str = "",
) -> tuple[News, ...]:
    """The latest moves of the round in play, or of the `ended` one before it with how that one ended, as the last one
    of a match is told. `ends`: what `ends_told` says, where it is at hand."""
    log = view.log if ended is None else ended.log
    last = view.move_count if ended is None else view.move_count - len(view.log)
    over = ended is not None or view.result is not None
    ended = ended or _last_round(view)
    sentences = _sentences(log, view, names, over=over)
    told = [News(last - back, sentence) for back, sentence in enumerate(sentences)]
    if told and ended is not None:
        told_so = wording.told_to(names, view.seat)
        ended_so = wording.round_sentence(ended.end, view.sides, told_so, view.rules, speech)
        told[0] = News(last, f"{told[0].sentence}. {ended_so}")
    elif view.ends:
        # Draws and passes leave the ends as they are; the play may be news together with them, or be no news any more.
        kept = enumerate(reversed(log[-KEPT:]))
        latest = next((back for back, entry in kept if entry.move.kind == "play"), 0)
        told[latest] = told[latest]._replace(ends=ends or ends_told(view))
    return tuple(reversed(told))


def _last_round(view: View) -> EndedRound | None:
    """The round that ended the match, where one did."""
    if view.result is None or not view.ended or view.ended[-1].number != view.round:
        return None
    return view.ended[-1] if view.ended[-1].end.how != "stopped" else None


def _sentences(log: Sequence[Entry], view: View, names: Sequence[str], *, over: bool) -> list[str]:
    """Of the latest moves, the last first."""
    language = wording.spoken()
    told = [
        _sentence(entry, "" if entry.seat == view.seat else names[entry.seat], language)
        for entry in reversed(log[-KEPT:])
    ]
    if view.rules.claims != "muggins":
        return told
    whose = wording.told_to(names, view.seat)
    after = f". {lapsed}" if over and (lapsed := _lapsed(log, whose)) else ""
    told[:1] = [f"{sentence}{after}" for sentence in told[:1]]
    return [_after_lapsed(log[: len(log) - back], sentence, whose) for back, sentence in enumerate(told)]


def _after_lapsed(log: Sequence[Entry], sentence: str, whose: Sequence[str]) -> str:
    """The sentence of the last of these moves, after what was not claimed before it and can be called no more."""
    lapsed = _lapsed(log[:-1], whose) if log[-1].move.kind in _LETS_LAPSE else ""
    return f"{lapsed}. {sentence}" if lapsed else sentence


def _lapsed(log: Sequence[Entry], whose: Sequence[str]) -> str:
    """What the last play of this log was worth, if nobody claimed or called it."""
    for entry in reversed(log):
        if entry.move.kind == "play":
            counts = entry.points and not entry.scored and not wording.is_past_target(entry)
            return wording.unclaimed(entry, whose[entry.seat]) if counts else ""
        if entry.move is MUGGINS or entry.move.kind in _LETS_LAPSE:
            return ""
    return ""


@lru_cache(8_192)
def _sentence(entry: Entry, name: str, language: str | None) -> str:
    return wording.move_sentence(entry, name, shown=entry.scored is not None)


def ends_told(view: View) -> str:
    """What is open now, with the count where that is shown: *open 5 and 0, count 10*."""
    return wording.open_ends(_open(view), view.count) if view.ends else ""


def _open(view: View) -> tuple[str, ...]:
    """The suit wanted at each open end; where the ends are added up, also which is a double, of which both halves
    count, or a side of the spinner that nobody has begun."""
    if view.rules.count in ("none", "matching"):
        return tuple(map(str, view.ends.values()))
    last = {laid.end: laid.tile for laid in view.laid}
    if len(view.laid) == 1 and DOUBLE[view.laid[0].tile]:
        return (_("double %(suit)d") % {"suit": view.ends["L"]},)
    lead = view.laid[0].tile
    return tuple(_counted_end(end, suit, last.get(end, lead), end in last) for end, suit in view.ends.items())


@wording.remembered
def _counted_end(end: str, suit: int, tile: Tile, begun: bool) -> str:
    if not begun and end not in ("L", "R"):
        return _("free side %(suit)d") % {"suit": suit}
    return _("double %(suit)d") % {"suit": suit} if DOUBLE[tile] else str(suit)


def opening(view: View, lead: str) -> str:
    """A round that has just begun, with the sentence about its lead: *Round 2. tiago drew 6-4, the highest, and leads.
    Your hand: 6-4, 3-0.* Of who has moved since the hand is not told any more."""
    begun = f"{_number(view.round)}. {lead}"
    if not view.hand or any(entry.seat == view.seat for entry in view.log):
        return begun
    hand = _("Your hand: %(tiles)s") % {"tiles": ", ".join(NAMES[tile] for tile in view.hand)}
    return f"{begun} {hand}."


@wording.remembered
def _number(round: int) -> str:
    return _("Round %(n)s") % {"n": round}


def ends_in_words(view: View) -> str:
    """The open ends for screen readers: left end, 6; right end, 0."""
    return "; ".join(wording.spot_name(end, suit) for end, suit in view.ends.items())


def line_in_words(view: View) -> str:
    """The line for screen readers: the lead, then each arm outward."""
    return " ".join(sentence for _about, sentence in line_told(view))


def line_told(view: View) -> list[tuple[str, str]]:
    """The same, each sentence with what it is about: lead, spinner, an arm, last; or nothing."""
    if not view.laid:
        return [("nothing", _("Nothing lies on the table."))]
    told = [("lead", NAMES[view.laid[0].tile])]
    if view.spinner is not None:
        told.append(("spinner", NAMES[view.spinner]))
    arms: dict[str, list[str]] = {end: [] for end in MAIN_ARMS}
    for laid in view.laid:
        if laid.end is not None:
            arms.setdefault(laid.end, []).append(NAMES[laid.tile])
    told += [(arm, ", ".join(tiles)) for arm, tiles in arms.items() if tiles]
    told.append(("last", NAMES[view.laid[-1].tile]))
    return [(about, _line_sentence(about, tiles)) for about, tiles in told]


@wording.remembered
def _line_sentence(about: str, tiles: str) -> str:
    if about in _OF_A_TILE:
        return _OF_A_TILE[about] % {"tile": tiles}
    name = _arm_names().get(about) or capfirst(wording.end_name(about))
    return _("%(arm)s: %(tiles)s.") % {"arm": name, "tiles": tiles}


@wording.remembered
def _arm_names() -> dict[str, str]:
    return {
        "L": pgettext("of the line", "Left arm"),
        "R": pgettext("of the line", "Right arm"),
        "U": pgettext("of the line", "Upper arm"),
        "D": pgettext("of the line", "Lower arm"),
    }
