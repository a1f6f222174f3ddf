"""The fragments of a plate: what changes with every move, in an outline that is rendered for a new player alone."""

from functools import cache, lru_cache
from html import escape

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

from accounts.drawing import name_tile
from games.drawing.marks import breakable_name
from games.table.plates import BACKS, Plate, Player, format_tile_count
from games.templatetags.icons import emote_icon, icon
from games.wording import emote_name
from games.wording import gettext as _
from live.fragments.fragment import MAX_CACHED_FRAGMENTS, Fragment, element, render_fragment


def render_plate(plate: Plate, language: str | None) -> Fragment:
    """Return a plate."""
    children = [
        _render_fact(plate.seat, plate.fact, plate.lacks),
        _render_bubble(plate),
        _render_emote(plate),
    ]
    if not plate.mine:
        children.append(_render_backs(plate))
    if plate.seconds is not None:
        children.append(_render_clock(plate))
    outline = _render_outline(
        plate.player,
        plate.seat,
        plate.mark,
        plate.partner,
        plate.net,
        plate.net_word,
        plate.mine,
        plate.seconds is not None,
        language,
    )
    turn = " data-turn" if plate.on_turn else ""
    lacks = f' title="{escape(plate.lacks)}"' if plate.lacks else ""
    return outline.with_children(f' class="{plate.classes}"{turn}{lacks}', *children)


@lru_cache(MAX_CACHED_FRAGMENTS)
def _render_outline(
    player: Player,
    seat: int,
    mark: SafeString,
    partner: bool,
    net: str,
    net_word: str,
    mine: bool,
    has_clock: bool,
    language: str | None,
) -> Fragment:
    return render_fragment(
        "games/_plate.html",
        language,
        seat=seat,
        mark=mark,
        icon_name=player.icon,
        level=player.level,
        strength=player.strength,
        partner=partner,
        tile=name_tile(player.name, player.avatar),
        name=player.name,
        name_html=breakable_name(player.name),
        url=player.url,
        net=net,
        net_word=net_word,
        rating=player.rating,
        kind=player.kind,
        completion=player.completion,
        fact=_placeholder(f"fact-{seat}"),
        bubble=_placeholder(f"says-{seat}"),
        emote=_placeholder(f"emote-{seat}"),
        backs=None if mine else _placeholder(f"backs-{seat}"),
        clock=_placeholder(f"clock-{seat}") if has_clock else None,
    )


# Cache: key the id; bound five ids for each of four seats; invalidated by nothing.
@cache
def _placeholder(id: str) -> Fragment:
    """Return a child for `Fragment.with_children` to replace."""
    return Fragment(id, "i", "")


@lru_cache(MAX_CACHED_FRAGMENTS, typed=True)  # a SafeString equals the str of the same characters
def _render_fact(seat: int, fact: SafeString | str, lacks: str) -> Fragment:
    joint = "; " if fact else ""
    also = f'<span class="visually-hidden">{joint}{escape(lacks)}</span>' if lacks else ""
    return Fragment(f"fact-{seat}", "span", ' class="subline"', f"{conditional_escape(fact)}{also}")


def _render_bubble(plate: Plate) -> Fragment:
    if plate.bubble is None:
        return element(f"says-{plate.seat}", "span", " hidden", "")
    side, text, moment = plate.bubble
    if side is None:
        # A new element for each remark: it disappears by an animation.
        remark = format_html('<span class="remark" data-moment="{}">{}</span>', moment, text)
        return element(f"says-{plate.seat}", "span", "", remark)
    # Screen readers hear the same from the news.
    attributes = f' class="bubble bubble-{side}" aria-hidden="true"'
    return element(f"says-{plate.seat}", "span", attributes, escape(text))


def _render_emote(plate: Plate) -> Fragment:
    if plate.emote is None:
        return element(f"emote-{plate.seat}", "span", " hidden", "")
    number, name = plate.emote
    # A new element for each emote: it disappears by an animation.
    picture = format_html(
        '<span class="emote" data-emote="{}" role="img" aria-label="{}">{}</span>',
        number,
        emote_name(name),
        emote_icon(name),
    )
    return element(f"emote-{plate.seat}", "span", "", picture)


def _render_backs(plate: Plate) -> Fragment:
    label = escape(format_tile_count(plate.tiles))
    attributes = f' class="backs" role="img" data-held="{plate.tiles}" aria-label="{label}"'
    return element(f"backs-{plate.seat}", "span", attributes, BACKS)


def _render_clock(plate: Plate) -> Fragment:
    deadline = plate.deadline.isoformat() if plate.deadline else ""
    low = " is-low" if plate.low else ""
    attributes = format_html(
        ' class="clock{}" role="timer" aria-label="{}" data-seconds="{}"{}',
        low,
        _("Time left"),
        f"{plate.seconds:.1f}",
        format_html(' data-deadline="{}"', deadline) if deadline else "",
    )
    return _cached_clock(plate.seat, attributes, plate.clock)


@lru_cache(MAX_CACHED_FRAGMENTS)
def _cached_clock(seat: int, attributes: str, face: str) -> Fragment:
    return Fragment(
        f"clock-{seat}",
        "time",
        attributes,
        children=(icon("clock", "s"), element(f"face-{seat}", "span", "", face)),
        volatile=True,
    )
