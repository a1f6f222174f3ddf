"""The end of a round as a scene on the felt: its line and its moves stay until its pause is over."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.html import format_html

from games import wording
from games.engine.matches import Match as Value
from games.engine.perspective import View
from games.engine.round_ends import EndedRound
from games.models import Match, Seat
from games.table.derived_cache import Latest
from games.table.news import News, news_of
from games.table.panels import round_result
from games.table.public_view import Common, made
from live.fragments.fragment import read

_kept = Latest[EndedRound, Common]()
_told = Latest[EndedRound, tuple[News, ...]](1_000)


def is_shown(match: Match, view: View, seat: Seat | None, now: datetime) -> bool:
    """Whether the viewer still looks at the end of the round before: until its pause is over, or they have continued
    or played on."""
    if not view.ended or not match.playing or match.pause_until is None or match.pause_until <= now:
        return False
    if seat is None:
        return True
    return seat.continued_round < len(view.ended) and all(entry.seat != seat.position for entry in view.log)


def common_at_the_end(
    code: str, value: Value, names: Sequence[str], preset: str | None, now: Common
) -> Common:
    """The public part of the table as the latest ended round left it, with the scores as they are `now`."""
    key, speech = (code, wording.spoken(), tuple(names)), wording.speech_of(preset)
    then = _kept.of(key, value.ended[-1], lambda _before: _at_the_end(value, names, speech))
    return then._replace(
        before=now.before,
        lead=now.lead,
        side_scores=now.side_scores,
        track=now.track,
        ends=now.ends,
    )


def _at_the_end(value: Value, names: Sequence[str], speech: wording.Speech) -> Common:
    ended = value.ended[-1]
    then = made(value._replace(round=ended.round, ended=value.ended[:-1]), names, speech)
    sentence = wording.round_sentence(ended.end, value.sides, names, value.rules, speech)
    over = read(format_html('<li id="round-over" class="before">{}</li>', sentence))
    return then._replace(moves=(*then.moves, over), newest=round_result(ended, value.terms, names, speech))


def round_news(code: str, view: View, names: Sequence[str], preset: str | None) -> tuple[News, ...]:
    """The moves that ended the round before the one in play, and how; made once for each seat and language."""
    if not view.ended or view.result is not None:
        return ()
    ended, speech = view.ended[-1], wording.speech_of(preset)
    key = code, view.seat, wording.spoken(), tuple(names)
    return _told.of(key, ended, lambda _: news_of(view, names, ended, speech))
