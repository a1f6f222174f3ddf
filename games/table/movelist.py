"""The move list beside the table; the same for every viewer of a match."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape

from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

from boneyard.engine.moves import MUGGINS, Move, MoveKind
from boneyard.engine.terms import Terms
from boneyard.engine.tiles import NAMES
from games import wording
from games.drawing.marks import bold_suits, mark_reference
from games.table.move_log import MoveLine
from games.wording import gettext as _
from games.wording import ngettext, pgettext
from live.fragments.fragment import Fragment, parse

MAX_CACHED_ITEMS = 2048

_MOVE_NAMES: dict[MoveKind, Promise] = {
    "muggins": gettext_lazy("Muggins!"),
    "resign": gettext_lazy("resigned"),
    "time": gettext_lazy("time is up"),
    "left": gettext_lazy("left"),
    "takeover": gettext_lazy("a computer plays on"),
    "abort": gettext_lazy("match called off"),  # by the seat, or by time
    "close": gettext_lazy("no call"),
    "void": gettext_lazy("the moderators ended the match"),
}


def render_move_list(
    lines: Sequence[MoveLine],
    names: Sequence[str],
    terms: Terms,
    current: MoveLine | None,
    url_of: Callable[[MoveLine], str] | None = None,
) -> SafeString:
    """Return the lines as list items, `current` marked; with `url_of`, each move is a link."""
    items = render_items(lines, names, terms, current, url_of)
    return mark_safe("".join([item.html() for item in items]))  # noqa: S308 - of marked-up lines


def render_items(
    lines: Sequence[MoveLine],
    names: Sequence[str],
    terms: Terms,
    current: MoveLine | None,
    url_of: Callable[[MoveLine], str] | None = None,
    start: int = 0,
) -> list[Fragment]:
    """Return the lines from index `start` as list items."""
    all_names, language = tuple(names), wording.active_language()
    next_lines = [*lines[start + 1 :], None]
    return [
        _render_item(
            number,
            line,
            all_names,
            terms,
            line is current,
            next_line is not None and next_line.move is MUGGINS,
            url_of(line) if url_of else None,
            language,
        )
        for number, (line, next_line) in enumerate(zip(lines[start:], next_lines, strict=False), start + 1)
    ]


def render_newest_move(lines: Sequence[MoveLine], names: Sequence[str], terms: Terms) -> tuple[Fragment, ...]:
    """Return the mark and text of the last line for the bar on a phone.

    An open page derives both from its move list (static/js/match/rail.js).
    """
    if not lines:
        return ()
    line = lines[-1]
    number = f"{line.number}. " if line.number else ""
    text = f"{number}{conditional_escape(describe_move(line))} {render_points(line, names, terms)}"
    mark = parse(mark_reference(terms.side_of[line.seat], "newest-mark"))
    return (
        Fragment(mark.id, mark.tag, mark.attributes, mark.inner_html, client_rendered=True),
        Fragment("newest", "span", " data-client-rendered", text, client_rendered=True),
    )


# Cache: key the arguments; bound MAX_CACHED_ITEMS; invalidated by nothing.
@lru_cache(MAX_CACHED_ITEMS)
def _render_item(
    number: int,
    line: MoveLine,
    names: tuple[str, ...],
    terms: Terms,
    is_current: bool,
    was_called: bool,
    url: str | None,
    language: str | None,
) -> Fragment:
    place = f"{line.number}." if line.number else ""
    whose = f'<span class="whose">{escape(names[line.seat])}</span> ' if terms.seats > 2 else ""
    sentence = escape(_describe_line(line, names[line.seat]))
    move: str = conditional_escape(describe_move(line))
    said = f'<span class="visually-hidden">{sentence}</span>'
    if url:
        move = f'<a href="{escape(url)}">{said}<span aria-hidden="true">{move}</span></a>'
    points = render_points(line, names, terms, was_called)
    mark = mark_reference(terms.side_of[line.seat])
    html = f'<small>{place}</small>{mark}<span class="move-action">{whose}{move}</span>{points}'
    if not url:
        html = f'{said}<span class="move-line" aria-hidden="true">{html}</span>'
    return Fragment(f"move-{number}", "li", ' class="is-now" aria-current="true"' if is_current else "", html)


def _describe_line(line: MoveLine, name: str) -> str:
    """Return the line for screen readers, the same for every viewer: *mara: drew 2, 5-0 to the left, 10 points*."""
    parts = [ngettext("drew %(n)d", "drew %(n)d", line.drew) % {"n": line.drew}] if line.drew else []
    if line.move is not None and line.move.kind == "play":
        is_lead = line.move.plays[0][1] is None
        parts.append(_tiles(line.move, line) if is_lead else wording.play_phrase(line.move))
    elif line.move is not None:
        parts.append(_("passed") if line.move.kind == "pass" else str(_MOVE_NAMES[line.move.kind]))
    if line.scored:
        parts.append(ngettext("%(n)d point", "%(n)d points", line.scored) % {"n": line.scored})
    if line.award:
        parts.append(wording.award_sentence(line.award, line.move))
    return f"{name}: {', '.join(parts)}"


@wording.cached_by_language
def describe_move(line: MoveLine) -> SafeString | str:
    """Return what the line's seat did: drew 2 · 6-4 → 6."""
    drew = ngettext("drew %(n)d", "drew %(n)d", line.drew) % {"n": line.drew} if line.drew else ""
    if line.move is None:
        return drew
    kind = line.move.kind
    if kind == "play":
        played = _tiles(line.move, line)
        return format_html('<span class="lead-in">{} · </span>{}', drew, played) if drew else played
    if kind == "pass":
        passed = _("passed on %(suits)s") if line.lacked else _("passed")
        passed = mark_safe(passed % {"suits": bold_suits(line.lacked)})  # noqa: S308 - our own words and numbers
        before = f"{drew} · " if drew else ""
        return format_html('<span class="lead-in">{}{}</span>', before, passed)
    return str(_MOVE_NAMES[kind])


def _tiles(move: Move, line: MoveLine) -> SafeString | str:
    parts = []
    for (tile, _end), suit in zip(move.plays, line.matched, strict=True):
        if suit is None:
            return _("%(tile)s led") % {"tile": NAMES[tile]}
        parts.append(f'<span class="join">{NAMES[tile]} → {suit}</span>')
    return mark_safe(", ".join(parts))  # noqa: S308 - our own names and numbers


def render_points(line: MoveLine, names: Sequence[str], terms: Terms, was_called: bool = False) -> SafeString:
    """Return the points of a line with their sum, or why a play that was worth points scored none.

    `was_called`: the others called Muggins on the play.
    """
    if line.award:
        return _render_award(line.award, line.move, names, terms)
    if line.scored:
        why = (
            format_html('<span class="reason">{}</span>\N{NO-BREAK SPACE}', _explain_points(line))
            if line.sum or line.out
            else ""
        )
        return format_html('<span class="points">{}+{}</span>', why, line.scored)
    if line.move is not None and line.move.kind == "play" and line.points:
        return format_html('<span class="aside">{}</span>', _describe_unscored(line, terms, was_called))
    if line.claim:
        return format_html('<span class="aside">{}</span>', _("claimed %(n)d") % {"n": line.claim})
    return SafeString("")


def _render_award(award: Sequence[int], move: Move | None, names: Sequence[str], terms: Terms) -> SafeString:
    """Return points for passes, with the side that gets them: the line is that of the player who passed."""
    side = award.index(max(award))
    return format_html(
        '<span class="points">{} {}<span class="visually-hidden">{}</span></span>',
        wording.award_sentence(award, move),
        mark_reference(side),
        wording.side_names(terms.sides, names)[side],
    )


def _describe_unscored(line: MoveLine, terms: Terms, was_called: bool) -> str:
    if not terms.must_claim or line.claim == line.points:
        return _("%(n)d, past the target") % {"n": line.points}
    if line.claim:
        return _("claimed %(claim)d, not %(n)d") % {"claim": line.claim, "n": line.points}
    return _("not claimed") if was_called else _("%(n)d not claimed") % {"n": line.points}


def _explain_points(line: MoveLine) -> SafeString | str:
    """Return the sum of the count, and the last tile if it brings points beside or instead of it."""
    if not line.out:
        return format_points_sum(line)
    last_tile = pgettext("points of a play", "last tile")
    return format_html("{}, {}", format_points_sum(line), last_tile) if line.points != line.out else last_tile


def format_points_sum(line: MoveLine) -> SafeString:
    """Return 10+5+0, followed by the sum if the points differ from it; a long one may break after a sign."""
    text = "+".join(map(str, line.sum))
    if line.points != line.count or len(line.sum) < 2:
        text += f"={line.count}"
    return mark_safe(text if len(text) < 10 else re.sub("([+=])", r"\1<wbr>", text))  # noqa: S308 - of numbers
