"""Render the rack: the hand, the boneyard and the buttons of a turn, and the places on the board.

A match shows them, and so do the pages that ask for a move in a prepared position.
"""

from collections.abc import Sequence
from functools import lru_cache
from html import escape

from boneyard.board import Shape
from boneyard.engine.perspective import View
from games.drawing.line import SHAPES, draw_shapes
from games.drawing.spots import draw_spots
from games.drawing.tiles import draw_boneyard
from games.table.buttons import Button
from games.table.hand import Hand, HandTile, makes
from games.table.public_view import render_drawing, render_line_words
from games.table.turn_news import describe_misfit
from games.wording import cached_by_language, ngettext
from games.wording import gettext as _
from live.fragments.fragment import MAX_CACHED_FRAGMENTS, Children, Fragment, element, render_fragment


def render_position(hand: Hand, overlay: str = "") -> Fragment:
    """Return the board of a position outside a match, in both shapes, with the places and an `overlay` of SVG."""
    view = hand.view
    lines = map(render_drawing, draw_shapes(view))
    return Fragment(
        "board",
        "div",
        board_attributes(SHAPES),
        children=(*lines, *render_places(hand), overlay, render_line_words(view)),
    )


def render_places(hand: Hand, shapes: Sequence[Shape] = SHAPES) -> Children:
    """Return the places where the tiles fit, a drawing for each shape."""
    return tuple(
        [
            element(id, "svg", attributes, art)
            for id, attributes, art in draw_spots(hand.view, hand.spots, shapes)
        ]
    )


@cached_by_language
def board_attributes(shapes: tuple[Shape, ...]) -> str:
    shape = f' data-shape="{shapes[0]}"' if len(shapes) == 1 else ""
    return f' class="board"{shape} role="group" aria-label="{_("The line of play")}"'


def render_hand(
    hand: Hand,
    seated: bool = True,
    automatic: str = "",
    turn_call: str = "",
    since: str = "",
    label: str = "",
) -> Fragment:
    """Return the hand.

    `automatic` is a move to make at once, `turn_call` calls the player to their turn, and `since` says the moves that
    led to it. `label` is the accessible name, if it is not the viewer's own hand.
    """
    label = f' role="group" aria-label="{escape(label or hand.label)}"' if seated else " hidden"
    legal = escape(" ".join([move.text for move in hand.view.legal]))
    moves = f' data-legal="{legal}" data-auto="{escape(automatic)}"'
    moves += f' data-wants="{hand.wants}"' if hand.wants else ""
    moves += " data-ahead" if hand.plays_ahead else ""
    if hand.counts_of_plans:
        moves += ' data-count="{}" data-lone="{}"'.format(*hand.counts_of_plans)
    moves += f' data-turn-call="{escape(turn_call)}"' if turn_call else ""
    moves += f' data-since="{escape(since)}"' if since else ""
    moves += f' data-misfit="{misfit}"' if (misfit := describe_misfit(hand.view)) else ""
    return Fragment(
        "hand",
        "div",
        f' class="{hand.classes}" tabindex="-1"{moves}{label}',
        children=tuple(map(_render_hand_tile, hand.tiles)),
    )


@lru_cache(MAX_CACHED_FRAGMENTS)
def _render_hand_tile(hand_tile: HandTile) -> Fragment:
    name = hand_tile.tile
    attributes = f' data-tile="{name}" aria-label="{name}"{hand_tile.own_attributes}'
    return Fragment(
        f"held-{name}", "button", attributes, hand_tile.art, shared_attributes=hand_tile.shared_attributes
    )


def render_boneyard(
    view: View, language: str | None, is_drawn_from: bool, draw: Button | None, until_fits: bool = False
) -> Fragment:
    """Return the boneyard, with the button `draw` if the viewer plays; `until_fits` is what one press does."""
    stay = min(view.reserve, view.boneyard)
    words = escape(_describe_boneyard(view.boneyard, stay))
    return render_fragment(
        "games/_bone.html",
        language,
        is_drawn_from=is_drawn_from,
        has_tiles=view.result is None and view.boneyard > 0,
        heap=element("heap", "span", ' class="pile"', draw_boneyard(view.boneyard)),
        tiles=element("boneyard-left", "b", "", str(view.boneyard)),
        stay=stay,
        in_words=element("boneyard-words", "span", ' class="visually-hidden"', words),
        draw=render_fragment("games/_draw.html", language, draw=draw) if draw else None,
        until_fits=until_fits,
    )


@cached_by_language
def _describe_boneyard(tiles: int, stay: int) -> str:
    """Return *14 tiles in the boneyard, 2 of them stay*."""
    lie = ngettext("%(n)s tile in the boneyard", "%(n)s tiles in the boneyard", tiles) % {"n": tiles}
    if not stay:
        return lie
    stays = ngettext("%(n)s of them stays", "%(n)s of them stay", stay) % {"n": stay}
    return f"{lie}, {stays}"


def render_actions(
    hand: Hand,
    language: str | None,
    call: Button | None,
    pass_: Button,
    playing: bool = True,
    watching: bool = False,
) -> Fragment:
    """Return the buttons beside the hand: a call, a play of several tiles, a pass."""
    return render_fragment(
        "games/_acts.html",
        language,
        playing=playing,
        watching=watching,
        call=render_fragment("games/_call.html", language, call=call) if playing and call else None,
        together=_render_together(hand, language) if playing and hand.may_combine else None,
        pass_=render_fragment("games/_pass.html", language, pass_=pass_)
        if playing and (pass_.legal or (_may_be_passed(hand.view) and not hand.may_combine))
        else None,
    )


def _may_be_passed(view: View) -> bool:
    """Return whether a pass can come now or later in this round without another tile drawn."""
    rules = view.rules
    return rules.pass_ != "stuck" or rules.draw == "none" or view.boneyard <= view.reserve


def _render_together(hand: Hand, language: str | None) -> Fragment:
    """Return the button for the planned play of several tiles, with its texts for 1 to 4 tiles."""
    why_not = _why_not_together(hand.view.rules.two_doubles)
    planned, layout = _together(max(1, len(hand.plan))), hand.planned_layout
    if hand.planned_move and layout:
        planned = f"{planned}, {makes(layout.count)}"
    return render_fragment(
        "games/_together.html",
        language,
        together=Button(hand.planned_move, bool(hand.planned_move), why_not),
        together_words="|".join(_together(n) for n in range(1, 5)),
        planned=planned,
        makes=makes(0),
        why_not_together=why_not,
    )


def _why_not_together(two_doubles: bool) -> str:
    if two_doubles:
        return _("Choose a tile and its end first. Two doubles may go down together, one at each end.")
    return _("Choose tiles and their ends first. Several tiles must make the count a multiple of five.")


def _together(n: int) -> str:
    return ngettext("Play %(n)d tile", "Play %(n)d tiles", n) % {"n": n}
