"""Render what all viewers of a match see, once for each version and language."""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from boneyard.engine.matches import Match as Value
from boneyard.engine.perspective import View, perspective
from boneyard.engine.round_ends import EndedRound
from core.numbers import format_points
from games import wording
from games.drawing.line import Drawing
from games.drawing.tiles import keep_figures_together
from games.drawing.track import Track, draw_track
from games.table.derived_cache import DerivedCache
from games.table.move_log import EMPTY_LOG, MoveLine, MoveLog, build_move_log, format_sum, last_lines_by_seat
from games.table.movelist import render_items, render_newest_move
from games.table.news import describe_ends, line_sentences, open_ends_sentence
from games.table.panels import SideScore, build_side_scores, points_at_end
from games.wording import gettext as _
from live.fragments.fragment import MAX_CACHED_FRAGMENTS, Fragment, element

MAX_CACHED_STARTS = 1_000  # of rounds, by match and viewer


class PublicView(NamedTuple):
    """The parts of a page that all viewers of a match see.

    move_log        the current round, move by move
    last_lines      each seat's last line of it
    view            the perspective of a spectator
    line_words      the line of play in words
    count           the count, or None where it is not displayed; `sum` says how it adds up
    scoring         whether the last play scored
    moves           the items of the move list
    newest_move     the last move for the bar on a phone
    previous_round  how the round before ended, in a sentence
    lead            who leads this round and why, in a sentence
    side_scores     the score of each side; `track` draws them on the way to the target, None without one
    scores          the scores and what they go to, in words
    ends            the open ends, in words
    """

    move_log: MoveLog
    last_lines: tuple[MoveLine | None, ...]
    view: View
    line_words: Fragment
    count: int | None  # type: ignore[assignment]
    sum: str
    scoring: bool
    moves: tuple[Fragment, ...]
    newest_move: tuple[Fragment, ...]
    previous_round: str
    lead: str
    side_scores: tuple[SideScore, ...]
    track: Fragment | None
    scores: str
    ends: str


# Cache: key code, language and names; bound MAX_CACHED_MATCHES; invalidated by another value of the match.
_public_views = DerivedCache[Value, PublicView]()


def get_public_view(code: str, value: Value, names: Sequence[str], preset: str | None) -> PublicView:
    """Return the public view of `value` in the active language, cached until the match has another value."""
    speech = wording.speech_of(preset)
    key = code, wording.active_language(), tuple(names)
    return _public_views.get(key, value, lambda before: build_public_view(value, names, speech, before))


def build_public_view(
    value: Value, names: Sequence[str], speech: wording.Speech, before: PublicView | None = None
) -> PublicView:
    """Return the public view of `value`; what has not changed is taken from `before`, an earlier view of the match."""
    view = perspective(value, None)
    move_log = build_move_log(view.log, view.terms, before.move_log if before else EMPTY_LOG)
    lines = move_log.all
    layout = view.layout()
    same_round = before if before and _is_same_round(before.view, view) else None
    if same_round:
        previous_round, lead = same_round.previous_round, same_round.lead
    else:
        previous_round, lead = _describe_round_start(view, names, speech)
    same_score = same_round if same_round and same_round.view.scores == view.scores else None
    sides, track = (same_score.side_scores, same_score.track) if same_score else _render_scores(view, names)
    return PublicView(
        move_log=move_log,
        last_lines=last_lines_by_seat(lines, view.seats),
        view=view,
        line_words=render_line_words(view),
        count=view.count,
        sum=format_sum(layout) if layout and view.count is not None else "",
        scoring=bool(view.log and view.log[-1].scored),
        moves=_render_moves(move_log, names, view, (previous_round, lead), same_round),
        newest_move=render_newest_move(lines, names, view.terms),
        previous_round=previous_round,
        lead=lead,
        side_scores=sides,
        track=track,
        scores=_describe_scores(view, names),
        ends=open_ends_sentence(view),
    )


# Cache: key code, language, names and what the sentences need of the view; bound MAX_CACHED_STARTS; invalidated by the
# end of another round.
_round_starts = DerivedCache[tuple[EndedRound, ...], tuple[str, str]](MAX_CACHED_STARTS)


def address_viewer(
    code: str, public: PublicView, view: View, names: Sequence[str], speech: wording.Speech
) -> PublicView:
    """Return `public` with the sentences about the start of the round in the second person; `view` is the viewer's."""
    seen = view.seat, view.terms, view.round, view.leader, view.lead_decision, view.result, not view.log
    key = code, wording.active_language(), names, seen
    sentences = _round_starts.get(
        key,
        view.ended,
        lambda _before: _describe_round_start(view, wording.names_for_seat(names, view.seat), speech),
    )
    first_move = len(list(filter(None, sentences)))
    moves = (*_render_sentences(sentences), *public.moves[first_move:])
    return public._replace(moves=moves, previous_round=sentences[0], lead=sentences[1])


def _is_same_round(before: View, view: View) -> bool:
    """Return whether both are of the same round, which has not ended the match."""
    return before.result is None and view.result is None and _round_key(before) == _round_key(view)


def _round_key(view: View) -> tuple[object, ...]:
    return view.terms, view.round, view.leader, view.lead_decision, view.ended


def _describe_round_start(view: View, names: Sequence[str], speech: wording.Speech) -> tuple[str, str]:
    """Return how the round before ended, and who leads this one and why; each may be empty."""
    ended = view.ended[-1] if view.ended and view.result is None else None
    previous_round = _describe_previous_round(ended, view, names, speech) if ended else ""
    lead = f"{wording.lead_sentence(view, names)}." if view.result is None or view.log else ""
    return previous_round, lead


def _render_scores(view: View, names: Sequence[str]) -> tuple[tuple[SideScore, ...], Fragment | None]:
    """Return the scores and their track."""
    sides = build_side_scores(view, names, view.scores)
    if view.rules.target is None:
        return sides, None
    return sides, _render_track(draw_track(view.rules.target, view.scores, _scores_before(view)))


# Cache: see MAX_CACHED_FRAGMENTS, here and below.
@lru_cache(MAX_CACHED_FRAGMENTS)
def render_drawing(drawing: Drawing, id_prefix: str = "", css_class: str = "") -> Fragment:
    """Return a line of play as a fragment.

    A page with several drawings needs an `id_prefix` for each, beginning with a letter, or the ids are no selectors.
    `css_class` is for a drawing that is the same on every screen; by default the class is the shape.
    """
    shape = drawing.shape
    threads = Fragment(f"{id_prefix}threads-{shape}", "g", "", drawing.threads)
    tiles = [element(f"{id_prefix}{id}", "g", attributes, art) for id, attributes, art in drawing.tiles]
    laid = Fragment(f"{id_prefix}laid-{shape}", "g", drawing.laid, children=(threads, *tiles))
    marks = [element(f"{id_prefix}{id}", "g", attributes, art) for id, attributes, art in drawing.marks]
    return Fragment(
        f"{id_prefix}line-{shape}",
        "svg",
        f' class="{css_class or shape}"{drawing.attributes}',
        children=(laid, Fragment(f"{id_prefix}marks-{shape}", "g", "", children=tuple(marks))),
    )


@lru_cache(MAX_CACHED_FRAGMENTS)
def _render_track(track: Track) -> Fragment:
    runs = [element(*mark, "") for mark in track.runs]
    pegs = [element(*mark, "") for mark in track.pegs]
    return Fragment("track", "svg", track.attributes, children=(track.wood, *runs, track.holes, *pegs))


def render_line_words(view: View) -> Fragment:
    """Return the line of play in words, a fragment for each arm: a play changes only one of them."""
    sentences = [
        element(f"words-{subject}", "span", "", escape(sentence))
        for subject, sentence in line_sentences(view)
    ]
    ends = element("ends", "span", f' data-ends="{" ".join(view.ends)}"', escape(describe_ends(view)))
    children = [child for sentence in sentences for child in (sentence, " ")]
    return Fragment("line-in-words", "p", ' class="visually-hidden"', children=(*children, ends))


def _render_moves(
    move_log: MoveLog, names: Sequence[str], view: View, sentences: Sequence[str], before: PublicView | None
) -> tuple[Fragment, ...]:
    """Return the items of the move list, after `sentences` about the start of the round.

    Unchanged items are taken from `before`, the view of an earlier moment of the same round.
    """
    sentence_count = len(list(filter(None, sentences)))
    unchanged = _count_unchanged_lines(move_log, before.move_log) if before else 0
    if before and unchanged:
        first = before.moves[: sentence_count + unchanged]
    else:
        first = _render_sentences(tuple(sentences))
    return *first, *render_items(move_log.all, names, view.terms, None, start=unchanged)


@lru_cache(MAX_CACHED_FRAGMENTS)
def _render_sentences(sentences: tuple[str, ...]) -> tuple[Fragment, ...]:
    return tuple(
        Fragment(f"before-{number}", "li", ' class="before"', keep_figures_together(sentence))
        for number, sentence in enumerate(sentences)
        if sentence
    )


def _count_unchanged_lines(move_log: MoveLog, before: MoveLog) -> int:
    """Return how many lines certainly look as before: all but the last one, which a call changes."""
    lines = before.lines
    return max(0, len(lines) - 1) if move_log.lines[: len(lines)] == lines else 0


def _describe_previous_round(
    ended: EndedRound, view: View, names: Sequence[str], speech: wording.Speech
) -> str:
    number = _("Round %(n)s") % {"n": ended.number}
    return f"{number}. {wording.round_sentence(ended.end, view.sides, names, view.rules, speech)}"


def _describe_scores(view: View, names: Sequence[str]) -> str:
    """Return the scores: *mara 75, tiago 80, of 100*; without a target *mara 75, tiago 80; 8 rounds*."""
    scores = ", ".join(
        f"{name} {wording.spell_signs(format_points(score))}"
        for name, score in zip(wording.side_names(view.sides, names), view.scores, strict=True)
    )
    if view.rules.target is None:
        return f"{scores}; {wording.goal_name(view.rules)}"
    return _("%(scores)s, of %(target)d") % {"scores": scores, "target": view.rules.target}


def _scores_before(view: View) -> tuple[int, ...]:
    """Return each side's score before its last points."""
    return tuple(max(0, score - _last_gain(view, side)) for side, score in enumerate(view.scores))


def _last_gain(view: View, side: int) -> int:
    rounds = [(ended.log, points_at_end(ended.end)[side]) for ended in view.ended]
    if view.result is None:
        rounds.append((view.log, 0))
    for log, points in reversed(rounds):
        if points:
            return points
        for entry in reversed(log):
            if entry.scored and view.terms.side_of[entry.seat] == side:
                return entry.scored
    return 0
