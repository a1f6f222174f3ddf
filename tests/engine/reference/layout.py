"""The layout as a graph: each laid tile is a node that has places, and a place may be joined to a node."""

from tests.engine.reference.tiles import Tile, is_double, pips

ENDS = ["L", "R", "U", "D"]
LINE_SIDES = ["one", "other"]
FREE_SIDES = ["up", "down"]


class Node:
    """A laid tile. A plain tile has the places "high" and "low", a double "one", "other", "up" and "down"."""

    def __init__(self, tile: Tile):
        self.tile = tile
        self.joined: dict[str, Node] = {}

    def shows(self, place: str) -> int:
        return self.tile[1] if place == "low" else self.tile[0]

    def place_for(self, suit: int) -> str:
        """The place by which this tile is joined to an end of that suit."""
        if is_double(self.tile):
            return "one"
        return "high" if self.tile[0] == suit else "low"

    def across(self, place: str) -> str:
        return {"high": "low", "low": "high", "one": "other"}[place]

    def enclosed(self) -> bool:
        return is_double(self.tile) and all(side in self.joined for side in LINE_SIDES)

    def surrounded(self) -> bool:
        return all(side in self.joined for side in LINE_SIDES + FREE_SIDES)


class Layout:
    """What lies on the table, under one value of the option `spinner`."""

    def __init__(self, spinner_rule: str):
        self.rule = spinner_rule
        self.nodes: list[Node] = []
        self.laid: list[tuple[Tile, str | None]] = []
        self.ends: dict[str, tuple[Node, str]] = {}
        self.spinner: Node | None = None

    def lead(self, tile: Tile) -> None:
        node = Node(tile)
        self.nodes.append(node)
        self.laid.append((tile, None))
        left, right = LINE_SIDES if is_double(tile) else ["high", "low"]
        self.ends = {"L": (node, left), "R": (node, right)}
        if is_double(tile) and self.rule in ("first", "cross"):
            self.spinner = node
        if is_double(tile) and self.rule == "cross":
            self._open_free_sides()

    def lay(self, tile: Tile, end: str) -> None:
        """Join the tile to the end. The caller has made sure that it fits."""
        neighbour, place = self.ends[end]
        node = Node(tile)
        near = node.place_for(neighbour.shows(place))
        neighbour.joined[place] = node
        node.joined[near] = neighbour
        self.nodes.append(node)
        self.laid.append((tile, end))
        self.ends[end] = (node, node.across(near))
        self._find_spinner(node)
        if self.spinner is not None and self.spinner.enclosed() and "U" not in self.ends:
            self._open_free_sides()

    def _find_spinner(self, latest: Node) -> None:
        if self.spinner is not None:
            return
        if self.rule == "first" and is_double(latest.tile):
            self.spinner = latest
        if self.rule == "first_enclosed":
            for node in self.nodes:
                if node.enclosed():
                    self.spinner = node

    def _open_free_sides(self) -> None:
        self.ends["U"] = (self.spinner, "up")
        self.ends["D"] = (self.spinner, "down")

    def open_ends(self) -> dict[str, int]:
        """The suit of every end at which a tile may be joined now, in the order L R U D."""
        shown = {}
        for end in ENDS:
            if end in self.ends:
                node, place = self.ends[end]
                shown[end] = node.shows(place)
        if self.rule != "cross" or self.spinner is None or self.spinner.surrounded():
            return shown
        return {end: suit for end, suit in shown.items() if self.ends[end][0] is self.spinner}

    def count(self) -> int:
        """The sum of the open ends, by §2.3. Zero when nothing lies."""
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

    def copy(self) -> "Layout":
        """The same tiles laid again, so that something can be tried on them."""
        again = Layout(self.rule)
        for tile, end in self.laid:
            if end is None:
                again.lead(tile)
            else:
                again.lay(tile, end)
        return again
