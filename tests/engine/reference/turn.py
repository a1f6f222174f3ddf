"""The legal moves: docs/rules.md, "The turn"."""

from itertools import product

from tests.engine.reference.deal import Round
from tests.engine.reference.layout import ENDS, Layout
from tests.engine.reference.points import counted
from tests.engine.reference.tiles import Tile, pips, tile_text


def legal_moves(hand: list[Tile], layout: Layout, dealt: Round, rules: dict) -> list[str]:
    """Return every legal move of the seat with this hand, as sorted text."""
    if not layout.nodes:
        return sorted(tile_text(tile) for tile in leads(hand, dealt.must_lead, rules))
    moves = [f"{tile_text(tile)}@{end}" for tile, end in fitting(hand, layout)]
    stuck = not moves
    if rules["many_ends"]:
        moves += several(hand, layout)
    if rules["two_doubles"]:
        moves += two_doubles(hand, layout)
    left_to_draw = drawable(dealt, rules)
    if left_to_draw and (rules["draw"] == "free" or stuck):
        moves.append("draw")
    if rules["pass"] == "always" or (not left_to_draw and (rules["pass"] == "free" or stuck)):
        moves.append("pass")
    return sorted(moves)


def leads(hand: list[Tile], must_lead: Tile | None, rules: dict) -> list[Tile]:
    if must_lead is not None:
        return [must_lead]
    if rules["lead_with"] == "scoring":
        scoring = [tile for tile in hand if counted(pips(tile), rules) > 0]
        return scoring or hand
    return hand


def fitting(hand: list[Tile], layout: Layout) -> list[tuple[Tile, str]]:
    return [(tile, end) for tile in hand for end, suit in layout.open_ends().items() if suit in tile]


def several(hand: list[Tile], layout: Layout) -> list[str]:
    """Return the plays of two or more tiles at different ends that make a positive multiple of five."""
    suits = layout.open_ends()
    choices = [[None, *(tile for tile in hand if suit in tile)] for suit in suits.values()]
    moves = []
    for chosen in product(*choices):
        plays = [(tile, end) for tile, end in zip(chosen, suits, strict=True) if tile is not None]
        tiles = [tile for tile, _ in plays]
        if len(plays) < 2 or len(set(tiles)) < len(tiles):
            continue
        count = count_after(plays, layout)
        if count > 0 and count % 5 == 0:
            moves.append("+".join(f"{tile_text(tile)}@{end}" for tile, end in plays))
    return moves


def two_doubles(hand: list[Tile], layout: Layout) -> list[str]:
    """Return the play of two doubles, one at each end of the line, if possible."""
    left, right = ((suit, suit) for suit in layout.open_ends().values())
    if left == right or left not in hand or right not in hand:
        return []
    return [f"{tile_text(left)}@L+{tile_text(right)}@R"]


def count_after(plays: list[tuple[Tile, str]], layout: Layout) -> int:
    return layout_after(plays, layout).count()


def layout_after(plays: list[tuple[Tile, str]], layout: Layout) -> Layout:
    tried = layout.copy()
    for tile, end in sorted(plays, key=lambda play: ENDS.index(play[1])):
        tried.lay(tile, end)
    return tried


def drawable(dealt: Round, rules: dict) -> int:
    """Return the number of tiles that can still be drawn."""
    if rules["draw"] == "none":
        return 0
    reserve = rules["reserve"][str(len(dealt.hands))]
    return max(0, len(dealt.boneyard) - reserve)
