"""The deal and the lead: docs/rules.md, "The deal and the lead"."""

from tests.engine.reference.shuffle import shuffled
from tests.engine.reference.tiles import Tile, by_weight, is_double, parse_tile, tile_text, tile_texts


class Round:
    """A mutable round: the deal, and the current hands and boneyard."""

    def __init__(self, number: int, key: bytes, entropy: str, rules: dict, seats: int):
        self.number = number
        self.key = key
        self.attempt = 0
        self.lots: list[Tile] | None = None
        self.lead_draws: list[tuple[int, Tile]] = []
        self.leader = 0
        self.must_lead: Tile | None = None
        self.named: Tile | None = None
        self.moves: list[dict] = []
        self.passed: list[int] = []
        self._shuffle_and_deal(entropy, rules, seats)

    def _shuffle_and_deal(self, entropy: str, rules: dict, seats: int) -> None:
        size = rules["hand_size"][str(seats)]
        while True:
            order = shuffled(rules["set"], self.key, "deal", self.number, self.attempt, entropy)
            if rules["asleep"] is not None and seats * size < len(order):
                order = sorted(order, key=lambda tile: tile == parse_tile(rules["asleep"]))
            hands = [order[seat * size : (seat + 1) * size] for seat in range(seats)]
            if all(_is_accepted(hand, rules) for hand in hands):
                break
            self.attempt += 1
        self.hands = hands
        self.boneyard = order[seats * size :]
        self.dealt_hands = [list(hand) for hand in hands]
        self.dealt_boneyard = list(self.boneyard)

    def opening(self) -> dict:
        """Return the round's record up to its moves."""
        return {
            "number": self.number,
            "secret": self.key.hex(),
            "attempt": self.attempt,
            "lots": None if self.lots is None else tile_texts(self.lots),
            "hands": [tile_texts(hand) for hand in self.dealt_hands],
            "boneyard": tile_texts(self.dealt_boneyard),
            "lead_draws": [[seat, tile_text(tile)] for seat, tile in self.lead_draws],
            "leader": self.leader,
            "named": None if self.named is None else tile_text(self.named),
        }


def _is_accepted(hand: list[Tile], rules: dict) -> bool:
    plain = [tile for tile in hand if not is_double(tile)]
    if rules["max_doubles"] is not None and len(hand) - len(plain) > rules["max_doubles"]:
        return False
    if rules["max_same_suit"] is None:
        return True
    return all(len([tile for tile in plain if suit in tile]) <= rules["max_same_suit"] for suit in range(13))


def find_leader(dealt: Round, rules: dict, entropy: str, playing: list[int]) -> None:
    """Determine the leader by `first_lead` among the seats still playing."""
    if rules["first_lead"] == "lot":
        _by_lot(dealt, rules, entropy, playing)
    elif rules["first_lead"] == "tile":
        _by_tile(dealt, rules, playing)
    elif rules["first_lead"] == "double_from_1":
        _by_double_from_1(dealt, playing)
    else:
        _by_double(dealt, playing, lowest=rules["first_lead"] == "lowest_double")
    if rules["lead_with"] == "named":
        dealt.named = dealt.must_lead
    dealt.must_lead = dealt.named


def _by_lot(dealt: Round, rules: dict, entropy: str, playing: list[int]) -> None:
    order = shuffled(rules["set"], dealt.key, "lots", dealt.number, 0, entropy)
    dealt.lots = order[: len(dealt.hands)]
    dealt.leader = max(playing, key=lambda seat: by_weight(dealt.lots[seat]))


def _by_double(dealt: Round, playing: list[int], lowest: bool) -> None:
    choose = min if lowest else max
    held = [(seat, tile) for seat in playing for tile in dealt.hands[seat]]
    doubles = [(seat, tile) for seat, tile in held if is_double(tile)]
    dealt.leader, dealt.must_lead = choose(doubles or held, key=lambda holding: by_weight(holding[1]))


def _by_double_from_1(dealt: Round, playing: list[int]) -> None:
    held = [(seat, tile) for seat in playing for tile in dealt.hands[seat]]
    doubles = [(seat, tile) for seat, tile in held if is_double(tile)]
    if doubles:
        # 0-0 ranks last.
        dealt.leader, dealt.must_lead = min(doubles, key=lambda holding: holding[1][0] or 13)
    else:
        dealt.leader, dealt.must_lead = max(held, key=lambda holding: by_weight(holding[1]))


def _by_tile(dealt: Round, rules: dict, playing: list[int]) -> None:
    wanted = parse_tile(rules["lead_tile"])
    seats = len(dealt.hands)
    reserve = 0 if rules["lead_draws"] == "all" else rules["reserve"][str(seats)]
    while not _holders(dealt, wanted) and len(dealt.boneyard) - len(playing) >= reserve:
        for seat in playing:
            _draw_for_lead(dealt, seat)
    if rules["lead_draws"] == "all":
        # Fewer tiles than seats: the turn ends when the tile is found.
        for seat in playing:
            if not _holders(dealt, wanted):
                _draw_for_lead(dealt, seat)
    if not _holders(dealt, wanted):
        dealt.leader = playing[0]
    elif _holders(dealt, wanted)[0] in playing:
        dealt.leader, dealt.must_lead = _holders(dealt, wanted)[0], wanted
    else:
        # Interpretation: if the holder has left, the next seat leads any tile.
        clockwise = [(_holders(dealt, wanted)[0] + step) % seats for step in range(1, seats)]
        dealt.leader = [seat for seat in clockwise if seat in playing][0]


def _draw_for_lead(dealt: Round, seat: int) -> None:
    tile = dealt.boneyard.pop(0)
    dealt.hands[seat].append(tile)
    dealt.lead_draws.append((seat, tile))


def _holders(dealt: Round, tile: Tile) -> list[int]:
    return [seat for seat, hand in enumerate(dealt.hands) if tile in hand]
