"""What an analysis draws over the line and beside it: the best move, the one made, the chances."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.board import Board, Box, Placed, around, first_clear, lay
from games.drawing.line import SHAPES, UNIT
from games.engine.moves import Move
from games.engine.perspective import View
from games.engine.tiles import NAMES

_WIDTH, _HEIGHT = 900, 58
# Of a label, in tile widths: a line, where its letters stand in it, a wide letter, what is between it and its ghost.
_LINE, _BASELINE, _LETTER, _GAP = 0.5, 0.38, 0.28, 0.08


def ghosts(view: View, best: Move, made: Move | None) -> SafeString:
    """Where the best move would have lain, and where the one made does, over the line in both shapes."""
    boards = [lay(view.line, shape) for shape in SHAPES]
    return mark_safe("".join(_ghosts(board, best, made) for board in boards))  # noqa: S308  of marked-up parts


def _ghosts(board: Board, best: Move, made: Move | None) -> SafeString:
    moves = [("best", best)] if made is None or made == best else [("best", best), ("made", made)]
    plays = [(name, *move.plays[0]) for name, move in moves if move.kind == "play"]
    words = {"best": _("best"), "made": _("played")}
    if len({end for _name, _tile, end in plays}) < len(plays):
        # One ghost, the best move's; the words name the tiles.
        named = {"best": _("best %(tile)s"), "made": _("played %(tile)s")}
        lines = [named[name] % {"tile": NAMES[tile]} for name, tile, _end in plays]
        shown = [("best", board.ghost(*plays[0][1:]), lines)]
    else:
        shown = [(name, board.ghost(tile, end), [words[name]]) for name, tile, end in plays]
    taken = [placed.box for placed in board.placed] + [ghost.box for _name, ghost, _lines in shown]
    width, height = board.half_width * UNIT, board.half_height * UNIT
    return format_html(
        '<svg class="judged {}" viewBox="{} {} {} {}" aria-hidden="true">{}</svg>',
        board.shape,
        f"{-width:g}",
        f"{-height:g}",
        f"{2 * width:g}",
        f"{2 * height:g}",
        format_html_join("", "{}", ((_ghost(board, *each, taken),) for each in shown)),
    )


def _ghost(board: Board, name: str, ghost: Placed, lines: Sequence[str], taken: list[Box]) -> SafeString:
    """A ghost with what is said of it; where that lies is `taken` from then on."""
    x, y = ghost.x * UNIT, ghost.y * UNIT
    across, down = (18, 38) if ghost.upright else (38, 18)
    label = _label(board, ghost.box, lines, taken)
    taken.append(label)
    top = label.y - label.half_height + _BASELINE
    return format_html(
        '<g class="ghost-{}"><rect class="ghost" x="{}" y="{}" width="{}" height="{}" rx="4"/>{}{}</g>',
        name,
        f"{x - across:g}",
        f"{y - down:g}",
        2 * across,
        2 * down,
        _halves(ghost),
        format_html_join(
            "",
            '<text x="{}" y="{}">{}</text>',
            (
                (f"{label.x * UNIT:g}", f"{(top + number * _LINE) * UNIT:g}", line)
                for number, line in enumerate(lines)
            ),
        ),
    )


def _label(board: Board, ghost: Box, lines: Sequence[str], taken: Sequence[Box]) -> Box:
    """Where words about a ghost stand: below it, above, beside it, or as near as there is room."""
    width, height = max(map(len, lines)) * _LETTER / 2, len(lines) * _LINE / 2
    down, across = ghost.half_height + height + _GAP, ghost.half_width + width + _GAP
    beside = [
        ghost._replace(x=ghost.x + dx, y=ghost.y + dy, half_width=width, half_height=height)
        for dx, dy in ((0, down), (0, -down), (across, 0), (-across, 0))
    ]
    near = around(ghost.x, ghost.y, width, height, _LINE)
    return first_clear([*beside, *near], taken, (board.half_width, board.half_height)) or beside[0]


def _halves(placed: Placed) -> SafeString:
    way = "v" if placed.upright else "h"
    return format_html_join(
        "",
        '<use href="#{}{}" x="{}" y="{}"/>',
        (
            (way, half.suit, f"{half.x * UNIT:g}", f"{half.y * UNIT:g}")
            for half in (placed.first, placed.second)
        ),
    )


def chance_graph(
    points: Sequence[tuple[int, float]], last: int, opened: Sequence[int], moments: Sequence[int], now: int
) -> SafeString:
    """A side's chance to win after each decision, by the move's number; moves that `opened` a round, and the numbered
    moments. It is stretched to the width there is; the numbers stand below it, in per cent of the width."""
    across = _WIDTH / max(1, last)
    line = " ".join(f"{number * across:.1f} {_HEIGHT * (1 - chance):.1f}" for number, chance in points)
    rounds = "".join(f"M{(number - 1) * across:.1f} 0V{_HEIGHT}" for number in opened)
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


def bar(figure: float, most: float) -> SafeString:
    """A figure to the right or left of the middle line, `most` at the edge."""
    length = min(1.0, abs(figure) / most) * 100 if most else 0
    start = 100 if figure >= 0 else 100 - length
    return format_html(
        '<svg class="scale" viewBox="0 0 200 14" preserveAspectRatio="none" aria-hidden="true">'
        '<path d="M100 0v14"/><rect x="{}" y="2" width="{}" height="10" rx="2"/></svg>',
        f"{start:.1f}",
        f"{length:.1f}",
    )


def likelihood(chance: float) -> SafeString:
    """A bar that is as high as something is likely."""
    height = round(24 * chance, 1)
    return format_html(
        '<svg class="likelihood" viewBox="0 0 20 24" aria-hidden="true">'
        '<rect class="whole" width="20" height="24" rx="2"/>'
        '<rect class="part" y="{}" width="20" height="{}" rx="2"/></svg>',
        24 - height,
        height,
    )
