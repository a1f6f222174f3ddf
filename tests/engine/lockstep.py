"""Play one match on the engine and the reference in lockstep and report any difference."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from boneyard.engine import matches, moves, records
from boneyard.engine.errors import Illegal, InvalidRules, Malformed
from boneyard.engine.rules import Rules
from boneyard.engine.verification import Fault, verify
from tests.engine.reference import Match, NotAllowed, objections, replay
from tests.engine.reference.defaults import written
from tests.engine.reference.layout import ENDS, Layout
from tests.engine.reference.points import of_layout
from tests.engine.reference.shuffle import chain
from tests.engine.reference.tiles import parse_tile, tile_text, whole_set
from tests.engine.reference.turn import layout_after

_IN_ORDER = whole_set(12)
LEAVING = ["resign", "time", "left"]


class Disagreement(Exception):
    """A difference between engine and reference, with the moves before it."""


@dataclass
class Habits:
    """The probabilities of unusual actions of random players at every move.

    After `patience` moves the players leave, because under some rules the target is hardly ever reached.
    """

    leave: float = 0.0
    takeover: float = 0.0
    abort: float = 0.0
    probe: float = 0.02
    wrong_claim: float = 0.3
    call: float = 0.4
    patience: int = 600


@dataclass
class LockstepMatch:
    """The same match on the engine and the reference, played in lockstep."""

    rules: dict
    seats: int
    rng: Random
    habits: Habits = field(default_factory=Habits)

    def __post_init__(self) -> None:
        secret = self.rng.randbytes(32)
        entropy = ".".join(self.rng.choice(["", "a1b2", "zz9"]) for _ in range(self.seats))
        keys = chain(secret)
        self.engine = matches.begin(Rules.from_dict(self.rules), self.seats, secret, entropy)
        self.reference = Match(self.rules, self.seats, entropy, lambda number: keys[number])
        self.legal: list[str] = []
        self.played: list[tuple[int, str, int | None]] = []

    def play_out(self) -> dict:
        """Play to the end of the match and return its record. Raise `Disagreement` at the first difference."""
        self.compare()
        while self.reference.result is None:
            self.step()
            self.compare()
        record = self.record()
        if record["rounds"] != self.reference.ended or record["result"] != self.reference.result:
            self.disagree("record", replay(record), "another one")
        if record["rules"] != written(self.rules):
            self.disagree("rules in the record", record["rules"], written(self.rules))
        if self.rng.random() < 0.25:
            self.check_readers(record)
        return record

    def check_readers(self, record: dict) -> None:
        """Raise `Disagreement` unless both verify the record."""
        faults = replay(record)
        if faults:
            self.disagree("replay of the record", faults, [])
        try:
            verify(record)
        except Fault as fault:
            self.disagree("verify of the record", str(fault), None)

    def record(self) -> dict:
        return records.record(
            self.engine,
            code="0123456789",
            preset=None,
            seats=[{"name": f"seat {n}", "kind": "player", "level": None} for n in range(self.seats)],
            rated=False,
            started=None,
            ended=None,
            times=None,
            legal=True,
        )

    def compare(self) -> None:
        """Raise `Disagreement` unless both are in the same state."""
        engine, reference = self.engine, self.reference
        expected: dict[str, Any] = {
            "turn": reference.turn,
            "scores": reference.scores,
            "left": sorted(reference.gone),
            "rounds": len(reference.ended),
            "hands": [sorted(hand) for hand in reference.round.hands],
            "boneyard": reference.round.boneyard,
            "open points": reference.callable_points if reference.result is None else 0,
            "closer": reference.closer(),
            "legal": [reference.legal(seat) for seat in range(self.seats)],
        }
        round_ = engine.round
        actual = {
            "turn": engine.turn,
            "scores": list(engine.scores),
            "left": sorted(engine.gone),
            "rounds": len(engine.ended),
            "hands": [sorted(_tile(place) for place in round_.held(n)) for n in range(self.seats)],
            "boneyard": [_tile(place) for place in round_.boneyard],
            "open points": engine.callable_points(),
            "closer": engine.closing_seat,
            "legal": [sorted(str(move) for move in engine.legal(seat)) for seat in range(self.seats)],
        }
        self.legal = expected["legal"][expected["turn"] or 0]
        for what, value in expected.items():
            if actual[what] != value:
                self.disagree(what, actual[what], value)

    def disagree(self, what: str, actual: object, expected: object) -> None:
        raise Disagreement(
            f"{what}: engine {actual!r}, reference {expected!r}\nrules {self.rules}\nseats {self.seats}\n"
            f"result {self.engine.result} {self.reference.result}\nlast moves {self.played[-40:]}"
        )

    def step(self) -> None:
        """Try one action on both: mostly a legal move, sometimes one out of turn or against the rules."""
        rng, habits, reference = self.rng, self.habits, self.reference
        anybody = rng.choice(reference.playing())
        if len(self.played) > habits.patience or rng.random() < habits.leave:
            self.attempt(anybody, rng.choice(LEAVING))
        elif rng.random() < habits.takeover:
            self.attempt(anybody, "takeover")
        elif rng.random() < habits.abort:
            self.attempt(anybody, rng.choice(["abort", "void"]))
        elif reference.callable_points and rng.random() < habits.call:
            self.attempt(anybody, "muggins")
        elif rng.random() < habits.probe:
            self.attempt(rng.randrange(self.seats), self.anything())
        elif reference.turn is None:
            self.attempt(reference.closer(), "close")
        else:
            move = rng.choice(self.legal)
            self.attempt(reference.turn, move, self.claim(move))

    def attempt(self, seat: int, move: str, claim: int | None = None) -> None:
        """Play a move on both. Raise `Disagreement` if only one refuses it."""
        self.played.append((seat, move, claim))
        try:
            self.reference.play(seat, move, claim)
            expected = ""
        except NotAllowed as refusal:
            expected = str(refusal)
        try:
            self.engine = self.engine.play(seat, moves.parse(move), claim)
            actual = ""
        except (Illegal, Malformed) as refusal:
            actual = str(refusal)
        if bool(expected) != bool(actual):
            self.disagree("refusal", actual, expected)
        if expected:
            self.played.pop()

    def claim(self, move: str) -> int | None:
        """Return a claim for a move, mostly a correct one."""
        if self.rules["claims"] == "automatic" or move in ("draw", "pass"):
            return None
        worth = self.worth(move)
        if self.rng.random() < self.habits.wrong_claim:
            return self.rng.choice([None, 0, 1, 2, 5, 10, worth + 1])
        return worth

    def worth(self, move: str) -> int:
        """Return the points of a legal play."""
        parts = [part.partition("@") for part in move.split("+")]
        if "@" in move:
            layout = layout_after([(parse_tile(text), end) for text, _, end in parts], self.reference.layout)
        else:
            layout = Layout(self.rules["spinner"])
            layout.lead(parse_tile(move))
        reference, own = self.reference, self.reference.turn
        goes_out = len(parts) == len(reference.round.hands[own])
        if self.rules.get("partners_out") == "both" and len(reference.sides) < self.seats:
            goes_out = goes_out and not reference.round.hands[(own + 2) % 4]
        return of_layout(layout, self.rules) + (self.rules["out_points"] if goes_out else 0)

    def anything(self) -> str:
        """Return the text of a random move, rarely a legal one."""
        hands = self.reference.round.hands
        held = [tile for hand in hands for tile in hand]
        tiles = self.rng.choice([held, hands[self.reference.turn or 0], whole_set(self.rules["set"])])
        if not tiles or self.rng.random() < 0.3:
            return self.rng.choice(["draw", "pass", "muggins", "close"])
        plays = []
        ends = ENDS[: self.rng.choice([2, 4, 8, len(ENDS)])]
        for end in sorted(self.rng.sample(ends, self.rng.choice([1, 1, 1, 2, 2])), key=ENDS.index):
            plays.append(f"{tile_text(self.rng.choice(tiles))}@{end}")
        return plays[0].split("@")[0] if self.rng.random() < 0.2 else "+".join(plays)


def _tile(place: int) -> tuple[int, int]:
    """Return the reference's tile for an engine tile, which is its number in the order of the set."""
    return _IN_ORDER[place]


def same_verdict(rules: dict) -> None:
    """Raise `Disagreement` unless both accept or both refuse the rules."""
    actual = ""
    try:
        Rules.from_dict(rules)
    except InvalidRules as refusal:
        actual = f"{refusal.option}: {refusal.code}"
    expected = objections(rules)
    if bool(expected) != bool(actual):
        raise Disagreement(f"verdict on rules: engine {actual!r}, reference {expected!r}\nrules {rules}")
