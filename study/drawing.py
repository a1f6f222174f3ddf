"""Draw the SVG of an analysis: ghosts of moves over the line of play, likelihoods and the chance graph."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from boneyard.board import Board, Box, Placed, boxes_around, build_board, first_clear
from boneyard.engine.moves import Move
from boneyard.engine.perspective import View
from boneyard.engine.tiles import NAMES
from games.drawing.line import SHAPES, UNIT, halves, transform, use, view_box

_WIDTH, _HEIGHT = 900, 58
_TICK, _CROSS = '<path d="M-7 1l5 5 9-11"/>', '<path d="M-6-6l12 12m0-12L-6 6"/>'
# Metrics of a label, in tile widths.
_LINE_HEIGHT, _BASELINE, _LETTER_WIDTH, _LABEL_GAP = 0.5, 0.38, 0.28, 0.08


def draw_ghosts(view: View, best: Move, made: Move | None) -> SafeString:
    """Draw the best move and the move made over the line of play, in both board shapes."""
    boards = [build_board(view.line, shape) for shape in SHAPES]
    return mark_safe("".join(_draw_ghosts(board, best, made) for board in boards))  # noqa: S308 - each part is escaped


def _draw_ghosts(board: Board, best: Move, made: Move | None) -> SafeString:
    moves = [("best", best)] if made is None or made == best else [("best", best), ("made", made)]
    plays = [(name, *move.plays[0]) for name, move in moves if move.kind == "play"]
    labels = {"best": _("best"), "made": _("played")}
    if len({end for _name, _tile, end in plays}) < len(plays):
        # Both at one end: draw one ghost, and name both tiles.
        tile_labels = {"best": _("best %(tile)s"), "made": _("played %(tile)s")}
        lines = [tile_labels[name] % {"tile": NAMES[tile]} for name, tile, _end in plays]
        ghosts_shown = [("best", board.ghost(*plays[0][1:]), lines)]
    else:
        ghosts_shown = [(name, board.ghost(tile, end), [labels[name]]) for name, tile, end in plays]
    occupied = [placed.box for placed in board.placed] + [ghost.box for _name, ghost, _lines in ghosts_shown]
    width, height = board.half_width * UNIT, board.half_height * UNIT
    return format_html(
        '<svg class="places judged {}" viewBox="{} {} {} {}" aria-hidden="true">{}</svg>',
        board.shape,
        f"{-width:g}",
        f"{-height:g}",
        f"{2 * width:g}",
        f"{2 * height:g}",
        format_html_join("", "{}", ((_draw_ghost(board, *each, occupied),) for each in ghosts_shown)),
    )


def draw_wrong_play(view: View, move: Move) -> SafeString | str:
    """Draw a play of one tile as a ghost with a cross, in both board shapes; "" for another move."""
    if move.kind != "play" or len(move.plays) > 1:
        return ""
    boards = [build_board(view.line, shape) for shape in SHAPES]
    return mark_safe("".join(_draw_crossed(board, board.ghost(*move.plays[0])) for board in boards))  # noqa: S308


def _draw_crossed(board: Board, ghost: Placed) -> str:
    body = use("gv" if ghost.upright else "gh", ghost.box.x * UNIT, ghost.box.y * UNIT, ' class="ghost"')
    crossed = f'<g class="ghost-made">{body}{halves(ghost)}</g>'
    return _answered(board, f"{crossed}{_result(ghost.box, 'wrong', _CROSS)}")


def draw_last_play(view: View) -> SafeString | str:
    """Draw the points, or a tick, over the tile that the viewer laid last, in both board shapes; "" if none is laid."""
    plays = [entry for entry in view.log if entry.move.kind == "play"]
    place = max((number for number, entry in enumerate(plays) if entry.seat == view.seat), default=None)
    if place is None:
        return ""
    laid = sum(len(entry.move.plays) for entry in plays[:place])
    scored = plays[place].scored
    worth = f'<text y="5.4">+{scored}</text>' if scored else _TICK
    boards = [build_board(view.line, shape) for shape in SHAPES]
    drawings = [_answered(board, _result(board.placed[laid].box, "right", worth)) for board in boards]
    return mark_safe("".join(drawings))  # noqa: S308


def _result(box: Box, name: str, worth: str) -> str:
    return f'<g{transform(box.x, box.y, 1)}><g class="result is-{name}"><circle r="18"/>{worth}</g></g>'


def _answered(board: Board, art: str) -> str:
    return f'<svg class="places answered {board.shape}" {view_box(board)} aria-hidden="true">{art}</svg>'


def _draw_ghost(
    board: Board, name: str, ghost: Placed, lines: Sequence[str], occupied: list[Box]
) -> SafeString:
    """Draw a ghost with its label, and add the box of the label to `occupied`."""
    x, y = ghost.x * UNIT, ghost.y * UNIT
    across, down = (18, 38) if ghost.upright else (38, 18)
    label = _place_label(board, ghost.box, lines, occupied)
    occupied.append(label)
    top = label.y - label.half_height + _BASELINE
    return format_html(
        '<g class="ghost-{}"><rect class="ghost" x="{}" y="{}" width="{}" height="{}" rx="4"/>{}{}</g>',
        name,
        f"{x - across:g}",
        f"{y - down:g}",
        2 * across,
        2 * down,
        _draw_halves(ghost),
        format_html_join(
            "",
            '<text x="{}" y="{}">{}</text>',
            (
                (f"{label.x * UNIT:g}", f"{(top + number * _LINE_HEIGHT) * UNIT:g}", line)
                for number, line in enumerate(lines)
            ),
        ),
    )


def _place_label(board: Board, ghost: Box, lines: Sequence[str], occupied: Sequence[Box]) -> Box:
    """Place a label below, above or beside its ghost, or at the nearest free place."""
    width, height = max(map(len, lines)) * _LETTER_WIDTH / 2, len(lines) * _LINE_HEIGHT / 2
    down, across = ghost.half_height + height + _LABEL_GAP, ghost.half_width + width + _LABEL_GAP
    adjacent = [
        ghost._replace(x=ghost.x + dx, y=ghost.y + dy, half_width=width, half_height=height)
        for dx, dy in ((0, down), (0, -down), (across, 0), (-across, 0))
    ]
    nearby = boxes_around(ghost.x, ghost.y, width, height, _LINE_HEIGHT)
    return first_clear([*adjacent, *nearby], occupied, (board.half_width, board.half_height)) or adjacent[0]


def _draw_halves(placed: Placed) -> SafeString:
    orientation = "v" if placed.upright else "h"
    return format_html_join(
        "",
        '<use href="#{}{}" x="{}" y="{}"/>',
        (
            (orientation, half.suit, f"{half.x * UNIT:g}", f"{half.y * UNIT:g}")
            for half in (placed.first, placed.second)
        ),
    )


def draw_chance_graph(
    points: Sequence[tuple[int, float]],
    last: int,
    round_starts: Sequence[int],
    moments: Sequence[int],
    now: int,
) -> SafeString:
    """Draw a side's chance to win after each decision.

    points        move number and chance, 0 to 1
    last          number of the last move
    round_starts  moves that begin a round, marked by vertical lines
    moments       moves to mark with their index; `now` is the current one
    """
    across = _WIDTH / max(1, last)
    line = " ".join(f"{number * across:.1f} {_HEIGHT * (1 - chance):.1f}" for number, chance in points)
    rounds = "".join(f"M{(number - 1) * across:.1f} 0V{_HEIGHT}" for number in round_starts)
    marks = format_html_join(
        "",
        '<g class="{}"><circle cx="{}%" cy="9" r="8"/><text x="{}%" y="13">{}</text></g>',
        (
            (
                "is-now" if number == now else "",
                f"{100 * number / last:.1f}",
                f"{100 * number / last:.1f}",
                nth,
            )
            for nth, number in enumerate(moments, 1)
        ),
    )
    return format_html(
        '<svg class="chances" viewBox="0 0 {} {}" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="chart-rounds" d="{}M0 {}H{}"/><path class="chart-line" d="M{}"/></svg>'
        '<svg class="moment-marks" aria-hidden="true">{}</svg>',
        _WIDTH,
        _HEIGHT,
        rounds,
        _HEIGHT / 2,
        _WIDTH,
        line or "0 0",
        marks,
    )


def draw_likelihood(chance: float) -> SafeString:
    """Draw a probability as a vertical bar."""
    height = round(24 * chance, 1)
    return format_html(
        '<svg class="likelihood" viewBox="0 0 20 24" aria-hidden="true">'
        '<rect class="whole" width="20" height="24" rx="2"/>'
        '<rect class="part" y="{}" width="20" height="{}" rx="2"/></svg>',
        24 - height,
        height,
    )
