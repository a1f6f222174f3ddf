"""Hypothesis strategies for valid house rules and random matches."""

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from boneyard.engine.errors import InvalidRules
from boneyard.engine.matches import Match, begin
from boneyard.engine.moves import ABSENT, MUGGINS, RESIGN, TAKEOVER, TIME
from boneyard.engine.option_kinds import Extras
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTIONS, Rules

SAFE = PRESETS["all-fives"].rules.as_dict()


@st.composite
def house_rules(draw: Callable) -> Rules:
    """Draw each option at random, then reset the options that conflict."""
    if draw(st.integers(0, 9)) == 0:
        return draw(sebastopols())
    values = {option.name: draw(_values(option.name)) for option in OPTIONS}
    if values["first_lead"] == "tile" and values["lead_tile"] is None:
        values["lead_tile"] = "3-2"
    while True:
        try:
            return Rules.from_dict(values)
        except InvalidRules as refusal:
            if values[refusal.option] == SAFE[refusal.option]:
                return Rules.from_dict(SAFE)
            values[refusal.option] = SAFE[refusal.option]


@st.composite
def sebastopols(draw: Callable) -> Rules:
    values = PRESETS["sebastopol"].rules.as_dict()
    values |= {
        name: draw(_values(name)) for name in ("count", "claims", "many_ends", "pass", "blocked_bonus")
    }
    values |= draw(
        st.sampled_from(
            [
                {"players": [4]},
                {"players": [2, 4], "hand_size": {"2": 14, "3": 7, "4": 7}},
                {"lead_tile": "0-0", "partners": True},
            ]
        )
    )
    values["target"] = draw(st.integers(1, 80))
    while True:
        try:
            return Rules.from_dict(values)
        except InvalidRules as refusal:
            if values[refusal.option] == SAFE[refusal.option]:
                return PRESETS["sebastopol"].rules
            values[refusal.option] = SAFE[refusal.option]


def _values(name: str) -> st.SearchStrategy:
    option = next(option for option in OPTIONS if option.name == name)
    if option.kind == "choice":
        return st.sampled_from(option.choices)
    if option.kind == "optional_choice":
        return st.none() | st.sampled_from(option.choices)
    if option.kind == "flag":
        return st.booleans()
    if option.kind == "players":
        return st.sampled_from([[2], [3], [4], [2, 3, 4], [2, 4]])
    if option.kind == "tile":
        return st.none() | st.sampled_from(["0-0", "3-2", "6-6", "6-5"])
    if name == "hand_size":
        return st.fixed_dictionaries({seats: st.integers(1, 9) for seats in "234"})
    if name == "reserve":
        return st.fixed_dictionaries({seats: st.integers(0, 3) for seats in "234"})
    if name == "max_same_suit":
        return st.none() | st.integers(3, 6)
    if name == "out_points":
        return st.sampled_from([0, 0, 1, 5])
    if name == "max_doubles":
        return st.none() | st.integers(2, 5)
    if option.kind == "extras":
        return st.fixed_dictionaries(
            {}, optional={extra: st.integers(0, 30) for extra in Extras._fields if extra != "rounds"}
        )
    if option.kind == "opening":
        return st.none() | st.fixed_dictionaries({"points": st.integers(1, 20), "kept": st.booleans()})
    if option.kind == "lone_pips":
        return st.sampled_from([{}, {"0-0": 25}, {"0-0": 25, "6-6": 50}])
    if name == "bonus_ceiling":
        return st.none() | st.integers(1, 60)
    if name == "rounds":
        return st.sampled_from([None, None, None, 1, 4])
    return st.none() | st.integers(1, 120)  # target


@st.composite
def new_matches(draw: Callable) -> Match:
    """Draw a match before its first lead."""
    rules = draw(house_rules())
    seats = draw(st.sampled_from(rules.players))
    nonces = draw(st.lists(st.text("ab0", max_size=3), min_size=seats, max_size=seats))
    return begin(rules, seats, draw(st.binary(min_size=32, max_size=32)), ".".join(nonces))


def random_step(match: Match, rng: Random, leaving: float = 0.0) -> Match:
    """Return the match after a random legal action, with probability `leaving` a resignation or takeover."""
    if rng.random() < leaving:
        staying = [seat for seat in range(match.seats) if seat not in match.gone]
        return match.play(rng.choice(staying), rng.choice([RESIGN, TIME, ABSENT, TAKEOVER, TAKEOVER]))
    if match.callable_points() and rng.random() < 0.5:
        for seat in range(match.seats):
            if match.can_call_points(seat):
                return match.play(seat, MUGGINS)
    if match.turn is None:
        return match.after_calls()
    move = rng.choice(match.legal(match.turn))
    claim = None
    if match.terms.must_claim and move.kind == "play":
        claim = rng.choice([worth(match, move), worth(match, move), None, 5])
    return match.play(match.turn, move, claim)


def worth(match: Match, move) -> int:
    """Return the points of a legal play."""
    points = match.terms.worth(match.round.layout_after(move))
    goes_out = move.tiles == match.round.hands[match.turn]
    if match.terms.both_out:
        goes_out = goes_out and not match.round.hands[(match.turn + 2) % 4]
    return points + match.rules.out_points if goes_out else points


def play_out(match: Match, seed: int, leaving: float = 0.0, rounds: int = 1000) -> Match:
    """Return the match played at random to its end or until `rounds` rounds have ended."""
    rng = Random(seed)
    while match.result is None and len(match.ended) < rounds:
        match = random_step(match, rng, leaving)
    return match
