"""What covers the table between rounds and after the match: hands open, bonus, score, what comes next."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.drawing.marks import mark, mark_used
from games.drawing.tiles import hand_tile, unbroken
from games.engine.perspective import View
from games.engine.round_ends import EndedRound
from games.engine.terms import Terms
from games.engine.tiles import NAMES
from games.models import Match, Seat
from games.table.plates import corner_of
from live.fragments.fragment import Part, element, read


class OpenHand(NamedTuple):
    """What a seat had left when the round ended, and where it lies open."""

    name: str
    corner: int
    mark: SafeString
    tiles: tuple[tuple[str, SafeString], ...]
    pips: str


class SideScore(NamedTuple):
    """A side's score: what the round or its bonus gave, and what it is now."""

    mark: SafeString
    names: str
    gained: int
    score: int
    mine: bool
    won: bool


class RoundPanel(NamedTuple):
    """How a round ended. `extras`: the points beside the pips, as they are called out; `sum` makes the bonus; `until`
    when the pause ends, and `ready` who has continued."""

    number: int
    title: str
    extras: str
    bonus: str
    sum: str
    hands: tuple[OpenHand, ...]
    side_scores: tuple[SideScore, ...]
    lead: SafeString
    until: datetime | None
    ready: str


def round_panel(match: Match, view: View, seats: Sequence[Seat], lead: str) -> RoundPanel:
    """The panel of the latest finished round; there must be one. `lead` says who leads the next."""
    ended, speech = view.ended[-1], wording.speech_of(match.preset)
    names = [seat.shown_name for seat in seats]
    told = wording.told_to(names, view.seat)
    hands = tuple(
        OpenHand(
            names[seat],
            corner_of(match.preset, seat, view.seat or 0, view.seats),
            mark(view.terms.side_of[seat]),
            tuple((NAMES[tile], hand_tile(tile)) for tile in held),
            ngettext("%(n)d pip", "%(n)d pips", pips) % {"n": pips},
        )
        for seat, (held, pips) in enumerate(zip(ended.remaining, ended.end.pips, strict=True))
    )
    before = view.ended[-2].scores if len(view.ended) > 1 else (0,) * len(ended.scores)
    gained = [now - was for now, was in zip(ended.scores, before, strict=True)]
    return RoundPanel(
        ended.number,
        wording.round_end(ended.end, told, view.rules, speech),
        wording.extras_called(ended.end),
        bonus_told(view, ended, told, speech),
        wording.bonus_sum(ended.end, view.terms),
        hands,
        side_scores(view, names, gained, ended.scores),
        unbroken(lead),
        match.pause_until,
        _ready(seats, len(view.ended)),
    )


def _ready(seats: Sequence[Seat], rounds: int) -> str:
    names = [seat.shown_name for seat in seats if not seat.computer and seat.continued_round >= rounds]
    if not names:
        return ""
    return ngettext("%(names)s is ready", "%(names)s are ready", len(names)) % {"names": ", ".join(names)}


def round_result(
    ended: EndedRound, terms: Terms, names: Sequence[str], speech: wording.Speech
) -> tuple[Part, ...]:
    """Who ended a round and what it gave, for the bar of a phone: as the newest move is shown there."""
    side = terms.side_of[ended.end.winner] if ended.end.winner is not None else None
    gained = ended.end.bonus[side] if side is not None else 0
    words = format_html(
        "{} {}",
        wording.round_end(ended.end, names, terms.rules, speech),
        format_html('<span class="points">+{}</span>', gained) if gained else "",
    )
    drawn = element("newest-mark", "i", "", "") if side is None else read(mark_used(side, "newest-mark"))
    return drawn, element("newest", "span", "", words)


def side_scores(
    view: View, names: Sequence[str], gained: Sequence[int], scores: Sequence[int]
) -> tuple[SideScore, ...]:
    """A line for each side."""
    won = view.result.winners if view.result else ()
    return tuple(
        SideScore(mark(side), name, gained[side], scores[side], view.seat in seats, side in won)
        for side, (seats, name) in enumerate(
            zip(view.sides, wording.side_names(view.sides, names), strict=True)
        )
    )


def bonus_told(view: View, ended: EndedRound, names: Sequence[str], speech: wording.Speech) -> str:
    """Who was given what when the round ended, or why nobody was."""
    given = wording.bonuses(ended.end, view.sides, names, view.rules)
    if given and view.rules.lowest_wins:
        return f"{wording.bonuses_told(ended.end, view.sides, names, view.rules)}."
    if given:
        return _("Bonus: %(given)s.") % {"given": given}
    if ended.end.how == "stopped":
        return ""
    with speech.at_home():
        return wording.no_bonus(ended.end, view.terms)


def annulled(match: Match) -> str:
    """That a match counts for nothing, and since when; "" of one that counts."""
    if match.annulled_at is None:
        return ""
    day = date_format(match.annulled_at, "DATE_FORMAT")
    return _("Annulled on %(day)s by the moderators: it counts for nothing.") % {"day": day}
