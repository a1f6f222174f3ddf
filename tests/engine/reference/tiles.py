"""Tiles as (higher half, lower half)."""

Tile = tuple[int, int]


def whole_set(highest: int) -> list[Tile]:
    """Every tile in the order 0-0, 1-0, 1-1, 2-0 …"""
    return [(high, low) for high in range(highest + 1) for low in range(high + 1)]


def named(text: str) -> Tile:
    """The tile written "6-4". Raises ValueError for anything else."""
    high, low = text.split("-")
    tile = (int(high), int(low))
    if write(tile) != text or tile[0] < tile[1]:
        raise ValueError(f"{text!r} is no tile")
    return tile


def write(tile: Tile) -> str:
    return f"{tile[0]}-{tile[1]}"


def write_all(tiles: list[Tile]) -> list[str]:
    return [write(tile) for tile in tiles]


def pips(tile: Tile) -> int:
    return tile[0] + tile[1]


def weight(tiles: list[Tile]) -> int:
    """The pips of a whole hand."""
    return sum(pips(tile) for tile in tiles)


def is_double(tile: Tile) -> bool:
    return tile[0] == tile[1]


def by_weight(tile: Tile) -> tuple[int, int]:
    """A key under which the heavier tile, and of equal ones that with the higher half, is larger."""
    return (pips(tile), tile[0])
