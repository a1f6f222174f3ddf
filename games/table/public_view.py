"""What all viewers of a match see alike, rendered once for each version and language and kept."""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django.utils.translation import gettext as _

from games import wording
from games.drawing.line import Drawing
from games.drawing.tiles import unbroken
from games.drawing.track import Track, track
from games.engine.matches import Match as Value
from games.engine.perspective import View, perspective
from games.engine.round_ends import EndedRound
from games.table.derived_cache import KEPT, Latest
from games.table.move_log import NOTHING, MoveLine, Told, latest, sum_shown, tell
from games.table.movelist import items, newest
from games.table.news import ends_in_words, ends_told, line_told
from games.table.panels import SideScore, side_scores
from live.fragments.fragment import Part, element


class Common(NamedTuple):
    """The public part of a table.

    told        this round in lines; `latest` each seat's latest
    view        the match as anybody sees it; `words` the line of play for those who do not see it
    count       the count with its sum and whether the last play scored; None where it is not shown
    moves       the move list's items; `newest` the last of them alone; `before` how the round before went,
                `lead` who leads this one and why
    side_scores   a side each; `track` their race
    ends        what is open, in words
    """

    told: Told
    latest: tuple[MoveLine | None, ...]
    view: View
    words: Part
    count: int | None  # type: ignore[assignment]
    sum: str
    scoring: bool
    moves: tuple[Part, ...]
    newest: tuple[Part, ...]
    before: str
    lead: str
    side_scores: tuple[SideScore, ...]
    track: Part
    ends: str


_kept = Latest[Value, Common]()


def common(code: str, value: Value, names: Sequence[str], preset: str | None) -> Common:
    """The public part of a match as `value` stands; the latest one is kept for each language."""
    speech = wording.speech_of(preset)
    key = code, wording.spoken(), tuple(names)
    return _kept.of(key, value, lambda before: made(value, names, speech, before))


def made(value: Value, names: Sequence[str], speech: wording.Speech, before: Common | None = None) -> Common:
    """The public part of a match as `value` stands, made anew; what was told in the one `before` it is told on."""
    view = perspective(value, None)
    told = tell(view.log, view.terms, before.told if before else NOTHING)
    lines = told.all
    layout = view.layout()
    same_round = before if before and _are_of_one_round(before.view, view) else None
    how_before, lead = (same_round.before, same_round.lead) if same_round else _beginning(view, names, speech)
    same_score = same_round if same_round and same_round.view.scores == view.scores else None
    sides, race = (same_score.side_scores, same_score.track) if same_score else _race(view, names)
    return Common(
        told=told,
        latest=latest(lines, view.seats),
        view=view,
        words=_in_words(view),
        count=view.count,
        sum=sum_shown(layout) if layout and view.count is not None else "",
        scoring=bool(view.log and view.log[-1].scored),
        moves=_moves(told, names, view, (how_before, lead), same_round),
        newest=newest(lines, view.terms),
        before=how_before,
        lead=lead,
        side_scores=sides,
        track=race,
        ends=ends_told(view),
    )


def _are_of_one_round(before: View, now: View) -> bool:
    """Whether both are of a round in play, and the same: it began in the same way, after the same ones."""
    return before.result is None and now.result is None and _began(before) == _began(now)


def _began(view: View) -> tuple[object, ...]:
    return view.terms, view.round, view.leader, view.decided, view.ended


def _beginning(view: View, names: Sequence[str], speech: wording.Speech) -> tuple[str, str]:
    """How the round before went, and who leads this one and why; "" for what there is not."""
    ended = view.ended[-1] if view.ended and view.result is None else None
    how_before = _round_before(ended, view, names, speech) if ended else ""
    lead = f"{wording.lead_sentence(view, names)}." if view.result is None or view.log else ""
    return how_before, lead


def _race(view: View, names: Sequence[str]) -> tuple[tuple[SideScore, ...], Part]:
    """The scores, and the track with them."""
    sides = side_scores(view, names, [0] * len(view.scores), view.scores)
    race = track(view.rules.target, view.scores, _before(view), _race_in_words(view, names))
    return sides, _raced(race)


@lru_cache(KEPT)
def drawn(drawing: Drawing, of: str = "", name: str = "") -> Part:
    """A line of play as a part. Where a page shows several, `of` is put before their ids (a letter first, or they are
    no selectors); `name` is the class of one that is the same on every screen."""
    shape = drawing.shape
    threads = Part(f"{of}threads-{shape}", "g", "", drawing.threads)
    tiles = (element(f"{of}{id}", "g", attributes, art) for id, attributes, art in drawing.tiles)
    laid = Part(f"{of}laid-{shape}", "g", drawing.laid, children=(threads, *tiles))
    marks = Part(
        f"{of}marks-{shape}",
        "g",
        "",
        children=tuple(element(f"{of}{id}", "g", attributes, art) for id, attributes, art in drawing.marks),
    )
    return Part(
        f"{of}line-{shape}", "svg", f' class="{name or shape}"{drawing.attributes}', children=(laid, marks)
    )


@lru_cache(KEPT)
def _raced(track: Track) -> Part:
    """The race as a part. A score changes its pegs and how far they have run."""
    runs = (element(*mark, "") for mark in track.runs)
    pegs = (element(*mark, "") for mark in track.pegs)
    return Part("track", "svg", track.attributes, children=(track.wood, *runs, track.holes, *pegs))


def _in_words(view: View) -> Part:
    """A tile more is told with its arm's sentence alone."""
    told = (element(f"words-{name}", "span", "", escape(sentence)) for name, sentence in line_told(view))
    which = f' data-ends="{" ".join(view.ends)}"'
    ends = element("ends", "span", which, escape(ends_in_words(view)))
    pieces = (piece for part in told for piece in (part, " "))
    return Part("line-in-words", "p", ' class="visually-hidden"', children=(*pieces, ends))


def _moves(
    told: Told, names: Sequence[str], view: View, sentences: Sequence[str], before: Common | None
) -> tuple[Part, ...]:
    """The move list's items, after the sentences about what was before the first of them; those that were there
    `before`, in the same round, are there still."""
    first = list(filter(None, sentences))
    still = _still(told, before.told) if before else 0
    kept = before.moves[: len(first) + still] if before and still else _told_before(tuple(sentences))
    return *kept, *items(told.all, names, view.terms, None, made=still)  # the last of them is the newest


@lru_cache(KEPT)
def _told_before(sentences: tuple[str, ...]) -> tuple[Part, ...]:
    return tuple(
        Part(f"before-{number}", "li", ' class="before"', unbroken(sentence))
        for number, sentence in enumerate(sentences)
        if sentence
    )


def _still(told: Told, before: Told) -> int:
    """How many lines stay as they were. A call changes the last one."""
    lines = before.lines
    return max(0, len(lines) - 1) if told.lines[: len(lines)] == lines else 0


def _round_before(ended: EndedRound, view: View, names: Sequence[str], speech: wording.Speech) -> str:
    number = _("Round %(n)s") % {"n": ended.number}
    return f"{number}. {wording.round_sentence(ended.end, view.sides, names, view.rules, speech)}"


def _race_in_words(view: View, names: Sequence[str]) -> str:
    each = ", ".join(
        f"{name} {score}"
        for name, score in zip(wording.side_names(view.sides, names), view.scores, strict=True)
    )
    return _("%(scores)s, of %(target)d") % {"scores": each, "target": view.rules.target}


def _before(view: View) -> tuple[int, ...]:
    """Each side's score before its last points."""
    return tuple(max(0, score - _last_gain(view, side)) for side, score in enumerate(view.scores))


def _last_gain(view: View, side: int) -> int:
    played = [(ended.log, ended.end.bonus[side]) for ended in view.ended]
    if view.result is None:
        played.append((view.log, 0))
    for log, bonus in reversed(played):
        if bonus:
            return bonus
        for entry in reversed(log):
            if entry.scored and view.terms.side_of[entry.seat] == side:
                return entry.scored
    return 0
