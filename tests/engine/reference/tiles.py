"""Tiles as (higher half, lower half)."""

Tile = tuple[int, int]


def whole_set(highest: int) -> list[Tile]:
    """Return every tile in the order 0-0, 1-0, 1-1, 2-0 …"""
    return [(high, low) for high in range(highest + 1) for low in range(high + 1)]


def parse_tile(text: str) -> Tile:
    """Return the tile written like "6-4". Raise `ValueError` for anything else."""
    high, low = text.split("-")
    tile = (int(high), int(low))
    if tile_text(tile) != text or tile[0] < tile[1]:
        raise ValueError(f"{text!r} is no tile")
    return tile


def tile_text(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def tile_texts(tiles: list[Tile]) -> list[str]:
    return [tile_text(tile) for tile in tiles]


def pips(tile: Tile) -> int:
    return tile[0] + tile[1]


def weight(tiles: list[Tile]) -> int:
    """Return the pips of a hand."""
    return sum(pips(tile) for tile in tiles)


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def by_weight(tile: Tile) -> tuple[int, int]:
    """Return the sort key of "heavier": pips, then the higher half."""
    return (pips(tile), tile[0])
