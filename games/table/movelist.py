"""The move list beside the table, as marked-up lines; the same for every viewer of a match."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape

from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import wording
from games.drawing.marks import bold_suits, mark_reference
from games.engine.moves import MUGGINS, Move, MoveKind
from games.engine.terms import Terms
from games.engine.tiles import NAMES
from games.table.move_log import MoveLine
from live.fragments.fragment import Part, read

_DEEDS: dict[MoveKind, Promise] = {
    "muggins": gettext_lazy("Muggins!"),
    "resign": gettext_lazy("resigned"),
    "time": gettext_lazy("ran out of time"),
    "left": gettext_lazy("left"),
    "takeover": gettext_lazy("a computer plays on"),
    "abort": gettext_lazy("called the match off"),
}


def move_list(
    told: Sequence[MoveLine],
    names: Sequence[str],
    terms: Terms,
    now: MoveLine | None,
    address: Callable[[MoveLine], str] | None = None,
) -> SafeString:
    """The lines as list items, `now` marked; with an `address` for each, the deed is a link."""
    listed = items(told, names, terms, now, address)
    return mark_safe("".join([item.html() for item in listed]))  # noqa: S308 - of marked-up lines


def items(
    told: Sequence[MoveLine],
    names: Sequence[str],
    terms: Terms,
    now: MoveLine | None,
    address: Callable[[MoveLine], str] | None = None,
    made: int = 0,
) -> list[Part]:
    """The same one by one, after the first ones that are `made` already. A line that stays as it was is made once."""
    whose, language = tuple(names), wording.active_language()
    following = [*told[made + 1 :], None]
    return [
        _item(
            number,
            line,
            whose,
            terms,
            line is now,
            after is not None and after.move is MUGGINS,
            address(line) if address else None,
            language,
        )
        for number, (line, after) in enumerate(zip(told[made:], following, strict=False), made + 1)
    ]


def newest(told: Sequence[MoveLine], terms: Terms) -> tuple[Part, ...]:
    """The latest line alone, for the bar of a phone: whose it is, and the deed. The page's script has it from the list
    (static/js/match/rail.js)."""
    if not told:
        return ()
    line = told[-1]
    number = f"{line.number}. " if line.number else ""
    words = f"{number}{conditional_escape(deed(line))} {worth(line, terms)}"
    whose = read(mark_reference(terms.side_of[line.seat], "newest-mark"))
    return (
        Part(whose.id, whose.tag, whose.attributes, whose.inner, follows=True),
        Part("newest", "span", " data-follows", words, follows=True),
    )


@lru_cache(maxsize=2048)
def _item(
    number: int,
    line: MoveLine,
    names: tuple[str, ...],
    terms: Terms,
    now: bool,
    called: bool,
    address: str | None,
    language: str | None,
) -> Part:
    place = f"{line.number}." if line.number else ""
    whose = f'<span class="whose">{escape(names[line.seat])}</span> ' if terms.seats > 2 else ""
    mark = mark_reference(terms.side_of[line.seat], name="" if whose else names[line.seat])
    what = conditional_escape(deed(line))
    if address:
        what = format_html('<a href="{}">{}</a>', address, what)
    points = worth(line, terms, called)
    told = f'<small>{place}</small>{mark}<span class="move-action">{whose}{what}</span>{points}'
    return Part(f"move-{number}", "li", ' class="is-now" aria-current="true"' if now else "", told)


@wording.cached_by_language
def deed(line: MoveLine) -> SafeString | str:
    """What was done: drew 2 · 6-4 → 6."""
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
    return str(_DEEDS[kind])


def _tiles(move: Move, line: MoveLine) -> SafeString | str:
    parts = []
    for (tile, _end), suit in zip(move.plays, line.matched, strict=True):
        if suit is None:
            return _("%(tile)s led") % {"tile": NAMES[tile]}
        parts.append(f'<span class="join">{NAMES[tile]} → {suit}</span>')
    return mark_safe(", ".join(parts))  # noqa: S308 - our own names and numbers


def worth(line: MoveLine, terms: Terms, called: bool = False) -> SafeString:
    """The points, on the right, with the sum that made them, or why none were scored; of a play that was `called`,
    that it was not claimed."""
    if line.award:
        return format_html('<span class="points">{}</span>', wording.award_sentence(line.award, line.move))
    if line.scored:
        why = format_html('<span class="reason">{}</span> ', sum_in_words(line)) if line.sum else ""
        return format_html('<span class="points">{}+{}</span>', why, line.scored)
    if line.move is not None and line.move.kind == "play" and line.points:
        return format_html('<span class="aside">{}</span>', _unscored(line, terms, called))
    if line.claim:
        return format_html('<span class="aside">{}</span>', _("claimed %(n)d") % {"n": line.claim})
    return SafeString("")


def _unscored(line: MoveLine, terms: Terms, called: bool) -> str:
    if not terms.must_claim or line.claim == line.points:
        return _("%(n)d, past the target") % {"n": line.points}
    if line.claim:
        return _("claimed %(claim)d, not %(n)d") % {"claim": line.claim, "n": line.points}
    return _("not claimed") if called else _("%(n)d not claimed") % {"n": line.points}


def sum_in_words(line: MoveLine) -> SafeString:
    """10+5+0, and what it makes where the points are another number; a line may end after a sign."""
    text = "+<wbr>".join(map(str, line.sum))
    made = "" if line.points == line.count and len(line.sum) > 1 else f"=<wbr>{line.count}"
    return mark_safe(text + made)  # noqa: S308 - of numbers
