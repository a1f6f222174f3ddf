"""What an analysis draws over the line and beside it: the best move, the one made, the chances."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.board import Board, Placed, lay
from games.drawing.line import SHAPES, UNIT
from games.engine.moves import Move
from games.engine.perspective import View
from games.engine.tiles import NAMES

_WIDTH, _HEIGHT = 900, 58


def ghosts(view: View, best: Move, made: Move | None) -> SafeString:
    """Where the best move would have lain, and where the one made does, over the line in both shapes."""
    boards = [lay(view.line, shape) for shape in SHAPES]
    return mark_safe("".join(_ghosts(board, best, made) for board in boards))  # noqa: S308  of marked-up parts


def _ghosts(board: Board, best: Move, made: Move | None) -> SafeString:
    shown = [("best", best, _("best"))]
    if made is not None and made != best:
        shown.append(("made", made, _("played")))
    plays = [each for each in shown if each[1].kind == "play"]
    together = len({move.plays[0][1] for _name, move, _word in plays}) < len(plays)
    if together:
        # One ghost, the best move's; the words name the tiles.
        best_tile, made_tile = (NAMES[move.plays[0][0]] for _name, move, _word in plays)
        above, below = _("best %(tile)s") % {"tile": best_tile}, _("played %(tile)s") % {"tile": made_tile}
        parts = [_ghost(board, "best", best, above, below)]
    else:
        parts = [_ghost(board, name, move, "", word) for name, move, word in plays]
    width, height = board.half_width * UNIT, board.half_height * UNIT
    return format_html(
        '<svg class="judged {}" viewBox="{} {} {} {}" preserveAspectRatio="xMidYMid meet" aria-hidden="true">{}</svg>',
        board.shape,
        f"{-width:g}",
        f"{-height:g}",
        f"{2 * width:g}",
        f"{2 * height:g}",
        mark_safe("".join(parts)),  # noqa: S308  marked up below
    )


def _ghost(board: Board, name: str, move: Move, above: str, below: str) -> SafeString:
    ((tile, end), *_more) = move.plays
    placed = board.ghost(tile, end)
    x, y = placed.x * UNIT, placed.y * UNIT
    across, down = (18, 38) if placed.upright else (38, 18)
    return format_html(
        '<g class="ghost-{}"><rect class="ghost" x="{}" y="{}" width="{}" height="{}" rx="4"/>{}'
        '<text x="{}" y="{}">{}</text><text x="{}" y="{}">{}</text></g>',
        name,
        f"{x - across:g}",
        f"{y - down:g}",
        2 * across,
        2 * down,
        _halves(placed),
        f"{x:g}",
        f"{y - down - 6:g}",
        above,
        f"{x:g}",
        f"{y + down + 18:g}",
        below,
    )


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
