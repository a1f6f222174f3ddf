"""The end of a round: its line and moves stay on the page until the pause after it is over."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.html import format_html

from boneyard.engine.matches import Match as Value
from boneyard.engine.perspective import View, perspective
from boneyard.engine.round_ends import EndedRound
from games import wording
from games.models import Match, Seat
from games.table.derived_cache import DerivedCache
from games.table.news import News, build_news
from games.table.panels import render_round_result
from games.table.public_view import PublicView, address_viewer, build_public_view
from live.fragments.fragment import parse

MAX_CACHED_NEWS = 1_000  # by match, seat, language and names

# Cache: key code, language and names; bound MAX_CACHED_MATCHES; invalidated by the end of another round.
_round_end_views = DerivedCache[EndedRound, PublicView]()
# Cache: key code, seat, language and names; bound MAX_CACHED_NEWS; invalidated by the end of another round.
_round_news = DerivedCache[EndedRound, tuple[News, ...]](MAX_CACHED_NEWS)


def is_round_end_displayed(match: Match, view: View, seat: Seat | None, now: datetime) -> bool:
    """Return whether the viewer's page still displays the round before.

    It does until the pause is over, or a player has pressed Continue or made a move in the new round.
    """
    if not view.ended or not match.playing or match.pause_until is None or match.pause_until <= now:
        return False
    if seat is None:
        return True
    return seat.continued_round < len(view.ended) and all(entry.seat != seat.position for entry in view.log)


def get_round_end_view(
    code: str, value: Value, seat: int | None, names: Sequence[str], preset: str | None, current: PublicView
) -> PublicView:
    """Return the public view of the last ended round, with scores and sentences of the `current` one.

    Its sentences are in the second person for the viewer in `seat`.
    """
    ended, speech = value.ended[-1], wording.speech_of(preset)
    before = value._replace(round=ended.round, ended=value.ended[:-1])
    key = code, wording.active_language(), tuple(names)
    public = _round_end_views.get(key, ended, lambda _before: build_public_view(before, names, speech))
    if seat is not None:
        public = address_viewer(code, public, perspective(before, seat, public.view), names, speech)
    own_names = wording.names_for_seat(names, seat)
    sentence = wording.round_sentence(ended.end, value.sides, own_names, value.rules, speech)
    item = parse(format_html('<li id="round-over" class="before">{}</li>', sentence))
    return public._replace(
        moves=(*public.moves, item),
        newest_move=render_round_result(ended, value.terms, own_names, speech),
        previous_round=current.previous_round,
        lead=current.lead,
        side_scores=current.side_scores,
        track=current.track,
        scores=current.scores,
        ends=current.ends,
    )


def get_round_news(code: str, view: View, names: Sequence[str], preset: str | None) -> tuple[News, ...]:
    """Return the last moves of the round before the current one, and how it ended."""
    if not view.ended or view.result is not None:
        return ()
    ended, speech = view.ended[-1], wording.speech_of(preset)
    key = code, view.seat, wording.active_language(), tuple(names)
    return _round_news.get(key, ended, lambda _before: build_news(view, names, ended, speech))
