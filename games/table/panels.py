"""The end of a round on the page: the open hands, the bonus, the scores and who leads next."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from boneyard.engine.perspective import View
from boneyard.engine.round_ends import EndedRound, RoundEnd
from boneyard.engine.terms import Terms
from boneyard.engine.tiles import NAMES
from core.numbers import format_change
from games import wording
from games.drawing.marks import mark, mark_reference
from games.drawing.tiles import draw_hand_tile, keep_figures_together
from games.models import Match, Seat
from games.table.ledger import LedgerLine, build_ledger, explain_block, explain_nothing, scores_before
from games.table.partner import find_partner
from games.table.plates import corner_of
from games.wording import gettext as _
from games.wording import ngettext, pgettext
from live.fragments.fragment import Fragment, element, parse


class OpenHand(NamedTuple):
    """The tiles that a seat had left when the round ended, and the corner where they are displayed."""

    name: str
    corner: int
    mark: SafeString
    tiles: tuple[tuple[str, SafeString], ...]
    pips: str


class SideScore(NamedTuple):
    """A side's score."""

    mark: SafeString
    names: str
    score: int
    mine: bool
    won: bool


class RoundPanel(NamedTuple):
    """The panel after a round.

    how     which hands a block compared, or why nobody got points; "" where the sums say all
    ledger  what each side gained
    lead    who leads the next round
    until   when the pause ends
    ready   who has pressed Continue
    partner the name of the computer partner whose plays can be explained, or ""
    """

    number: int
    title: str
    how: SafeString
    hands: tuple[OpenHand, ...]
    ledger: tuple[LedgerLine, ...]
    lead: SafeString
    until: datetime | None
    ready: str
    partner: str


def build_round_panel(match: Match, view: View, seats: Sequence[Seat], lead: str) -> RoundPanel:
    """Return the panel of the last finished round; there must be one. `lead` says who leads the next."""
    ended, speech = view.ended[-1], wording.speech_of(match.preset)
    names = [seat.display_name for seat in seats]
    own_names = wording.names_for_seat(names, view.seat)
    partner = find_partner(match, seats, view.terms, view.seat)
    went_out = ended.end.winner if ended.end.how == "out" else None
    concealed = set(range(view.seats)) - {view.seat, went_out} if match.concealed else set()
    hands = tuple(
        OpenHand(
            names[seat],
            corner_of(match.preset, seat, view.seat or 0, view.seats),
            mark(view.terms.side_of[seat]),
            tuple((NAMES[tile], draw_hand_tile(tile)) for tile in held),
            _describe_hand(pips, is_out=seat not in concealed and not held),
        )
        for seat, (held, pips) in enumerate(zip(ended.remaining, ended.end.pips, strict=True))
    )
    return RoundPanel(
        ended.number,
        wording.round_end(ended.end, own_names, view.rules, speech),
        keep_figures_together(describe_round_points(view, ended, own_names, speech)),
        hands,
        build_ledger(ended, scores_before(view.ended), view.terms, names),
        keep_figures_together(lead),
        match.pause_until,
        _ready(seats, len(view.ended)),
        partner.display_name if partner else "",
    )


def _describe_hand(pips: int, *, is_out: bool) -> str:
    if is_out:
        return pgettext("a hand without tiles", "out")
    return ngettext("%(n)d pip", "%(n)d pips", pips) % {"n": pips}


def _ready(seats: Sequence[Seat], rounds: int) -> str:
    names = [seat.display_name for seat in seats if not seat.computer and seat.continued_round >= rounds]
    if not names:
        return ""
    return ngettext("%(names)s is ready", "%(names)s are ready", len(names)) % {"names": ", ".join(names)}


def render_round_result(
    ended: EndedRound, terms: Terms, names: Sequence[str], speech: wording.Speech
) -> tuple[Fragment, ...]:
    """Return who ended a round, and what that gave, for the bar on a phone in the form of `render_newest_move`."""
    side = terms.side_of[ended.end.winner] if ended.end.winner is not None else None
    # All that the round gave, as the panel says: what its end alone gave may be less than nothing.
    gained = sum(term.points for term in wording.explain_gain(ended, terms, side)) if side is not None else 0
    words = format_html(
        "{} {}",
        wording.round_end(ended.end, names, terms.rules, speech),
        format_html('<span class="points">{}</span>', format_change(gained)) if gained else "",
    )
    mark_element = (
        element("newest-mark", "i", "", "") if side is None else parse(mark_reference(side, "newest-mark"))
    )
    return mark_element, element("newest", "span", "", words)


def build_side_scores(view: View, names: Sequence[str], scores: Sequence[int]) -> tuple[SideScore, ...]:
    """Return the score of each side."""
    won = view.result.winners if view.result else ()
    return tuple(
        SideScore(mark(side), name, scores[side], view.seat in seats, side in won)
        for side, (seats, name) in enumerate(
            zip(view.sides, wording.side_names(view.sides, names), strict=True)
        )
    )


def describe_round_points(view: View, ended: EndedRound, names: Sequence[str], speech: wording.Speech) -> str:
    """Return what the ledger cannot say: which hands a block compared, or why the end of a round gave nothing."""
    compared = wording.comparison_sentence(ended.end, names, view.rules)
    parts = (explain_block(ended), compared and f"{compared}.", explain_nothing(view, ended, speech))
    return " ".join(filter(None, parts))


def points_at_end(end: RoundEnd) -> tuple[int, ...]:
    """Return what the end of a round added to each score: the bonus, less what was taken for it or fell back to 0."""
    nothing = (0,) * len(end.bonus)
    changes = zip(end.bonus, end.taken or nothing, end.reset or nothing, strict=True)
    return tuple([bonus - taken - lost - end.netted for bonus, taken, lost in changes])


def next_lead(view: View, names: Sequence[str]) -> str:
    """Return who leads the next round, for the panel of the last one; "" after the match."""
    own_names = wording.names_for_seat(names, view.seat)
    return f"{wording.next_lead_sentence(view, own_names)}." if view.result is None else ""


def annulment_notice(match: Match) -> str:
    """Return that a match was annulled, and when; otherwise ""."""
    if match.annulled_at is None:
        return ""
    day = date_format(match.annulled_at, "DATE_FORMAT")
    return _("Annulled on %(day)s by the moderators: it counts for nothing.") % {"day": day}
