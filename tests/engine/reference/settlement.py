"""The winner of a round and its bonuses: docs/rules.md, "The end of a round"."""

from dataclasses import dataclass

from tests.engine.reference.tiles import Tile, pips, tile_text, weight


@dataclass
class Table:
    """The hands and seats at the end of a round.

    `playing` are the seats that have not left; `closer` is the seat that laid the last tile.
    """

    rules: dict
    hands: list[list[Tile]]
    sides: list[list[int]]
    playing: list[int]
    leader: int
    closer: int

    def side_of(self, seat: int) -> int:
        return side_of(seat, self.sides)

    def sides_able_to_win(self) -> list[int]:
        """Return the sides that can win: those of which no seat has left."""
        return [
            number for number, side in enumerate(self.sides) if all(seat in self.playing for seat in side)
        ]

    def hand(self, seat: int) -> int:
        return hand_pips(self.hands[seat], self.rules)

    def side(self, number: int) -> int:
        return sum(self.hand(seat) for seat in self.sides[number])

    def everything(self) -> int:
        return sum(self.hand(seat) for seat in range(len(self.hands)))

    def from_on(self, first: int) -> list[int]:
        """Return the seats that play, in playing order from this one on."""
        order = [(first + step) % len(self.hands) for step in range(len(self.hands))]
        return [seat for seat in order if seat in self.playing]


def side_of(seat: int, sides: list[list[int]]) -> int:
    return [number for number, side in enumerate(sides) if seat in side][0]


def hand_pips(hand: list[Tile], rules: dict) -> int:
    """Return what a hand counts: its pips, or the value in `lone_pips` of its only tile."""
    if len(hand) == 1:
        return rules["lone_pips"].get(tile_text(hand[0]), weight(hand))
    return weight(hand)


# Who wins a block


def block_winner(table: Table) -> int | None:
    """Return the seat that wins a blocked round, or None."""
    compared = _compared_seats(table)
    best = _lightest_sides(table, compared)
    if len(best) > 1:
        best = _break_tie(table, best)
    if len(best) != 1:
        return None
    own = [seat for seat in compared if table.side_of(seat) == best[0]]
    return min(own, key=lambda seat: (table.hand(seat), seat))


def _compared_seats(table: Table) -> list[int]:
    if table.rules["blocked_winner"] == "closer":
        return table.from_on(table.closer)[:2]
    return [seat for number in table.sides_able_to_win() for seat in table.sides[number]]


def _lightest_sides(table: Table, compared: list[int]) -> list[int]:
    if table.rules["blocked_winner"] == "side":
        least = min(table.side(number) for number in table.sides_able_to_win())
        return [number for number in table.sides_able_to_win() if table.side(number) == least]
    least = min(table.hand(seat) for seat in compared)
    return sorted({table.side_of(seat) for seat in compared if table.hand(seat) == least})


def _break_tie(table: Table, tied: list[int]) -> list[int]:
    """Return the sides that are still tied; none if nobody may win."""
    how = table.rules["blocked_tie"]
    if how in ("nobody", "carry"):
        return []
    if how == "lightest_tile":
        singles = {
            number: min(pips(tile) for seat in table.sides[number] for tile in table.hands[seat])
            for number in tied
        }
        return [number for number in tied if singles[number] == min(singles.values())]
    order = table.from_on(table.leader if how == "leader" else table.closer)
    return [table.side_of(seat) for seat in order if table.side_of(seat) in tied][:1]


# What for


def out_pips(winner: int, table: Table) -> list[int]:
    """Return the pips for each side when `winner` has gone out, before `bonus_unit`."""
    side = table.side_of(winner)
    others = table.everything() - table.side(side)
    how = table.rules["out_bonus"]
    if how == "own":
        return _own(side, table)
    if how == "opponents" and partner_seats(winner, table) and table.rules["partner_pips"] != "bonus":
        how = "losers"
    worth = {
        "none": 0,
        "opponents": max(0, others - table.side(side)),
        "losers": others,
        "table": table.everything(),
    }
    return [worth[how] if number == side else 0 for number in range(len(table.sides))]


def blocked_pips(winner: int, table: Table) -> list[int]:
    """Return the pips for each side after a block with a winner, before `bonus_unit`."""
    side = table.side_of(winner)
    others = table.everything() - table.side(side)
    how = table.rules["blocked_bonus"]
    if how == "own":
        return _own(side, table)
    if how == "chain":
        return _chain(table)
    worth = {
        "none": 0,
        "total": others,
        "difference": max(0, others - table.side(side)),
        "table": table.everything(),
    }
    return [worth[how] if number == side else 0 for number in range(len(table.sides))]


def _own(winning: int, table: Table) -> list[int]:
    charged = [number for number in table.sides_able_to_win() if number != winning]
    return [table.side(number) if number in charged else 0 for number in range(len(table.sides))]


def _chain(table: Table) -> list[int]:
    weights = [table.side(number) for number in range(len(table.sides))]
    return [
        sum(other - own for other in weights if other > own) if number in table.sides_able_to_win() else 0
        for number, own in enumerate(weights)
    ]


def awards(winner: int, blocked: bool, carried: int, extras: int, table: Table) -> list[int]:
    """Return the bonus of each side for a round with a winner, in `bonus_unit` or `blocked_unit`.

    It includes `carried` and the winner's extras; `opening`, `bonus_ceiling` and `exact` are applied later.
    """
    how = table.rules["blocked_bonus" if blocked else "out_bonus"]
    given = blocked_pips(winner, table) if blocked else out_pips(winner, table)
    side = table.side_of(winner)
    unit = unit_of(blocked, table.rules)
    if unit == "one":
        given = [0 for _ in table.sides]
        given[side] = carried + (0 if how == "none" else 1)
    else:
        heirs = [number for number in table.sides_able_to_win() if (number == side) != (how == "own")]
        given = [pips + carried if number in heirs else pips for number, pips in enumerate(given)]
        given = [in_unit(pips, unit) for pips in given]
    if blocked and table.rules["blocked_double"]:
        given[side] *= 2
    given[side] += extras
    return given


def carried(table: Table) -> int:
    """Return what a block without a winner carries to the next winner."""
    if table.rules["blocked_tie"] != "carry":
        return 0
    return 1 if unit_of(True, table.rules) == "one" else table.everything()


def unit_of(blocked: bool, rules: dict) -> str:
    """Return the unit of what a round gives."""
    if blocked and rules["blocked_unit"] is not None:
        return rules["blocked_unit"]
    return rules["bonus_unit"]


def partner_seats(seat: int, table: Table) -> list[int]:
    return [each for each in table.sides[table.side_of(seat)] if each != seat]


def taken_for_partner(winner: int, table: Table) -> int:
    """Return what the tiles of the winner's partner cost the score of the pair when the winner goes out."""
    pips = sum(table.hand(seat) for seat in partner_seats(winner, table))
    if table.rules["partner_pips"] == "score":
        return pips
    return in_unit(pips, table.rules["bonus_unit"]) if table.rules["partner_pips"] == "score_unit" else 0


def in_unit(bonus: int, unit: str) -> int:
    """Return a bonus of this many pips in `bonus_unit`, which is not `one`."""
    if unit == "pips":
        return bonus
    if unit == "fifths_up":
        return -(-bonus // 5)
    fifths = bonus // 5 if bonus % 5 <= 2 else bonus // 5 + 1
    return fifths * 5 if unit == "nearest_five" else fifths
