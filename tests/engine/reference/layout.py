"""The layout as a graph of laid tiles joined at their places."""

from collections.abc import Callable

from tests.engine.reference.tiles import Tile, is_double, pips

# The maximum, when each of the thirteen doubles of the largest set branches.
ENDS = ["L", "R", "U", "D"] + [f"{side}{number}" for number in range(2, 14) for side in "UD"]
LINE_SIDES = ["one", "other"]
FREE_SIDES = ["up", "down"]


class Node:
    """A laid tile with places: "high" and "low", or for a double "one", "other", "up" and "down"."""

    def __init__(self, tile: Tile):
        self.tile = tile
        self.joined: dict[str, Node] = {}

    def shows(self, place: str) -> int:
        return self.tile[1] if place == "low" else self.tile[0]

    def place_for(self, suit: int) -> str:
        """Return the place by which this tile joins an end of this suit."""
        if is_double(self.tile):
            return "one"
        return "high" if self.tile[0] == suit else "low"

    def across(self, place: str) -> str:
        return {"high": "low", "low": "high", "one": "other"}[place]

    def enclosed(self) -> bool:
        return all(side in self.joined for side in LINE_SIDES)

    def surrounded(self) -> bool:
        return all(side in self.joined for side in LINE_SIDES + FREE_SIDES)


class Layout:
    """The tiles on the table, under one value of the option `spinner`."""

    def __init__(self, spinner_rule: str):
        self.rule = spinner_rule
        self.nodes: list[Node] = []
        self.laid: list[tuple[Tile, str | None]] = []
        self.ends: dict[str, tuple[Node, str]] = {}
        self.branched: list[Node] = []

    def lead(self, tile: Tile) -> None:
        node = Node(tile)
        self.nodes.append(node)
        self.laid.append((tile, None))
        left, right = LINE_SIDES if is_double(tile) else ["high", "low"]
        self.ends = {"L": (node, left), "R": (node, right)}
        self._open_free_sides()

    def lay(self, tile: Tile, end: str) -> None:
        """Join a tile that fits to an end."""
        neighbour, place = self.ends[end]
        node = Node(tile)
        near = node.place_for(neighbour.shows(place))
        neighbour.joined[place] = node
        node.joined[near] = neighbour
        self.nodes.append(node)
        self.laid.append((tile, end))
        self.ends[end] = (node, node.across(near))
        self._open_free_sides()

    def _open_free_sides(self) -> None:
        """Name the free sides of doubles that now branch."""
        for node in self.nodes:
            if is_double(node.tile) and node not in self.branched and BRANCHES[self.rule](self, node):
                self.branched.append(node)
                number = len(self.branched) if len(self.branched) > 1 else ""
                self.ends[f"U{number}"] = (node, "up")
                self.ends[f"D{number}"] = (node, "down")

    def is_first_double(self, node: Node) -> bool:
        return [each for each in self.nodes if is_double(each.tile)][0] is node

    def open_ends(self) -> dict[str, int]:
        """Return the suit of every open end, in the order L R U D U2 D2 …"""
        shown = {}
        for end in ENDS:
            if end in self.ends:
                node, place = self.ends[end]
                shown[end] = node.shows(place)
        if self.rule != "cross" or not self.branched or self.branched[0].surrounded():
            return shown
        return {end: suit for end, suit in shown.items() if self.ends[end][0] is self.branched[0]}

    def count(self) -> int:
        """Return the sum of the open ends (docs/rules.md, "The count"), or 0 before the lead."""
        total = 0
        doubles: list[Node] = []
        for node, place in self.ends.values():
            if place in FREE_SIDES:
                continue
            if not is_double(node.tile):
                total += node.shows(place)
            elif node not in doubles:
                doubles.append(node)
        return total + sum(pips(node.tile) for node in doubles)

    def matching(self) -> int:
        """Return the points under `count: matching`, for a line with two ends."""
        (one, place), (other, other_place) = self.ends.values()
        if one.shows(place) != other.shows(other_place):
            return 0
        if one is not other and (is_double(one.tile) or is_double(other.tile)):
            return 3
        return 2

    def copy(self) -> "Layout":
        """Return an independent copy with the same tiles."""
        again = Layout(self.rule)
        for tile, end in self.laid:
            if end is None:
                again.lead(tile)
            else:
                again.lay(tile, end)
        return again


# For each value of `spinner`: whether this double has free sides now.
BRANCHES: dict[str, Callable[[Layout, Node], bool]] = {
    "none": lambda layout, double: False,
    "first": lambda layout, double: layout.is_first_double(double) and double.enclosed(),
    "first_enclosed": lambda layout, double: not layout.branched and double.enclosed(),
    "first_open": lambda layout, double: layout.is_first_double(double),
    "cross": lambda layout, double: double is layout.nodes[0],
    "every": lambda layout, double: double.enclosed(),
}
