"""Random lines of play, and checks that hold for every board."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from random import Random

from boneyard.board import Board, Box, Half, Placed, Shape, build_board, frame_size
from boneyard.engine.layout import Laid, lead, line, tip_table
from boneyard.engine.options import SpinnerRule
from boneyard.engine.tiles import HIGH, LOW, PIPS, SET_SIZES, SUITS, Tile, members, tile

CLEARANCE = 0.3
TINY = 1e-9


def board_of(laid: tuple[Laid, ...], spinner: SpinnerRule, shape: Shape) -> Board:
    """Return the board of tiles laid with this value of the option `spinner`."""
    return build_board(line(tip_table(spinner, 12), laid), shape)


def random_line(
    rng: Random, highest: int, spinner: str, length: int, loyalty: float = 0.0
) -> tuple[Laid, ...]:
    """Return a line of at most this length; `loyalty` is the probability to stay at the same end."""
    unlaid = (1 << SET_SIZES[highest]) - 1
    first = tile(highest, highest) if spinner == "cross" else rng.randrange(SET_SIZES[highest])
    layout = lead(tip_table(spinner, highest), first)
    laid, end = [Laid(first, None, 0)], "R"
    unlaid &= ~(1 << first)
    while len(laid) < length:
        fitting = {name: members(SUITS[suit] & unlaid) for name, suit in layout.ends.items()}
        choices = [name for name, tiles in fitting.items() if tiles]
        if not choices:
            break
        end = end if end in choices and rng.random() < loyalty else rng.choice(choices)
        next_tile = rng.choice(fitting[end])
        layout = layout.joined(next_tile, end)
        laid.append(Laid(next_tile, end, len(laid) % 2))
        unlaid &= ~(1 << next_tile)
    return tuple(laid)


def longest_line(rng: Random, highest: int) -> tuple[Laid, ...]:
    """Return a two-ended line of the whole set; of double-nine all but four tiles, the maximum."""
    suits = list(range(highest + 1))
    rng.shuffle(suits)
    odd = (
        set()
        if highest % 2 == 0
        else {frozenset(pair) for pair in zip(suits[2::2], suits[3::2], strict=True)}
    )
    unused = {suit: [other for other in suits if {suit, other} not in odd] for suit in suits}
    for others in unused.values():
        rng.shuffle(others)
    # Hierholzer's algorithm, starting from a suit with an odd number of tiles if there is one.
    walk, stack = [], [suits[0]]
    while stack:
        suit = stack[-1]
        if unused[suit]:
            other = unused[suit].pop()
            if other != suit:
                unused[other].remove(suit)
            stack.append(other)
        else:
            walk.append(stack.pop())
    return _lay_outward(rng, [tile(one, other) for one, other in pairwise(walk)], walk)


def _lay_outward(rng: Random, tiles: list[Tile], walk: list[int]) -> tuple[Laid, ...]:
    """Lay a row of tiles outward from a random one; L is the side of the lead's higher half."""
    start = rng.randrange(len(tiles))
    before, after = tiles[:start][::-1], tiles[start + 1 :]
    left, right = ("L", "R") if walk[start] == HIGH[tiles[start]] else ("R", "L")
    laid = [Laid(tiles[start], None, 0)]
    while before or after:
        end, row = (left, before) if before and (not after or rng.random() < 0.5) else (right, after)
        laid.append(Laid(row.pop(0), end, len(laid) % 2))
    return tuple(laid)


def beginnings(line: tuple[Laid, ...]) -> Iterator[tuple[Laid, ...]]:
    return (line[:length] for length in range(1, len(line) + 1))


def gap_between(one: Box, other: Box) -> float:
    """Return the gap between two boxes: 0 if they touch, negative if they overlap."""
    return max(
        abs(one.x - other.x) - one.half_width - other.half_width,
        abs(one.y - other.y) - one.half_height - other.half_height,
    )


def is_inside(box: Box, half_width: float, half_height: float) -> bool:
    """Return whether a box lies inside a frame around the middle of the board."""
    return abs(box.x) + box.half_width <= half_width and abs(box.y) + box.half_height <= half_height


def joining_suits(board: Board) -> dict[frozenset[int], int]:
    """Return the joining suit by pair of neighbours (numbers in the order laid)."""
    pairs = {}
    for arm, numbers in board.outward.items():
        middle = board.placed[board.middle]
        suit = LOW[middle.tile] if arm == "R" else HIGH[middle.tile]
        for inner, outer in pairwise((board.middle, *numbers)):
            pairs[frozenset((inner, outer))] = suit
            suit = PIPS[board.placed[outer].tile] - suit
    return pairs


def check_tiles(board: Board) -> None:
    """Check that tiles stay in the frame, and that only neighbours touch, by equal halves."""
    neighbours = joining_suits(board)
    boxes = [placed.box for placed in board.placed]
    for one, other in combinations(range(len(boxes)), 2):
        gap = gap_between(boxes[one], boxes[other])
        suit = neighbours.get(frozenset((one, other)))
        if suit is None:
            assert gap >= CLEARANCE, (board.placed[one], board.placed[other])
        else:
            assert abs(gap) < TINY
            check_contact(board.placed[one], board.placed[other], suit)
    for placed in board.placed:
        assert {placed.first.suit, placed.second.suit} == {HIGH[placed.tile], LOW[placed.tile]}
        assert is_inside(placed.box, *frame_size(board.shape, board.step))


def check_contact(one: Placed, other: Placed, suit: int) -> None:
    """Check that halves sharing an edge have the joining suit, and that at least one pair does."""
    touching = [
        (mine.suit, theirs.suit)
        for mine in (one.first, one.second)
        for theirs in (other.first, other.second)
        if shared_edge(mine, theirs) > TINY
    ]
    assert touching and set(touching) == {(suit, suit)}, (one, other)


def shared_edge(one: Half, other: Half) -> float:
    """Return the length of the edge that two halves share."""
    across, down = abs(one.x - other.x), abs(one.y - other.y)
    if abs(max(across, down) - 1) > TINY:
        return 0.0
    return 1 - min(across, down)


def check_beside(board: Board) -> None:
    """Check that chips, next tiles and the flash are visible and overlap neither tiles nor each other."""
    tiles = [placed.box for placed in board.placed]
    ends = board.ends.values()
    chips = [chip_box(board, end.chip) for end in ends if end.open or end.played]
    nexts = [(end.name, box) for end in ends for box in (end.plain, end.double) if box]
    shown = board.half_width, board.half_height
    for box in (*chips, *(box for _, box in nexts), board.flash):
        assert is_inside(box, *shown), box
        assert all(gap_between(box, tile) > -TINY for tile in tiles)
    for (one, box), (other, next_box) in combinations(nexts, 2):
        assert one == other or gap_between(box, next_box) >= CLEARANCE
    for chip, next_chip in combinations(chips, 2):
        assert gap_between(chip, next_chip) > 0
    for end, chip in zip((end for end in ends if end.open or end.played), chips, strict=True):
        assert all(gap_between(chip, box) > 0 for name, box in nexts if name != end.name)
    assert all(gap_between(board.flash, box) > 0 for box in chips)


def chip_box(board: Board, chip: tuple[float, float]) -> Box:
    return Box(*chip, board.chip_radius, board.chip_radius)
