"""The browser refuses the records and rules that the engine refuses, and names the place, offline."""

import copy
import json
from collections.abc import Callable, Iterator
from random import Random

import pytest
from playwright.sync_api import expect

from boneyard.computer.selfplay import selfplay
from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import commitment_to
from boneyard.engine.verification import Fault, verify
from games.wording.record_faults import describe_fault, fault_sentences
from tests.browser.verify_page import choose_file, verdict
from tests.engine.contradictions import add_times, contradict
from tests.engine.reference import random_rules

RULES = 2_000  # random combinations of options


def tampered() -> dict[str, tuple[dict, str]]:
    """Return by kind of tampering the record and the text that must name the place."""
    rules = PRESETS["all-fives"].rules
    whole = next(selfplay(rules, preset="all-fives", players=["casual", "club"], matches=1, seed="tampering"))
    found: dict[str, tuple[dict, str]] = {}

    def but(what: str, names: str, change) -> None:
        told = copy.deepcopy(whole)
        change(told)
        found[what] = told, names

    first, second = whole["rounds"][0], whole["rounds"][1]
    scoring = next(n for n, row in enumerate(second["moves"]) if row.get("scored"))
    drawn = next(n for n, row in enumerate(first["moves"]) if row["move"] == "draw")
    place = f"Round 2, move {scoring + 1}"
    but("another seal", "Round 1: The key", lambda r: r.update(seal="0" * 64))
    but("another key", "Round 2: The key", lambda r: r["rounds"][1].update(secret="1" * 64))
    but("other nonces", "Round 1: ", lambda r: r.update(entropy="x.y"))
    fit = [commitment_to(nonce) for nonce in whole["entropy"].split(".")]
    but("a commitment", "What seat 2 added", lambda r: r.update(commitments=[fit[0], commitment_to("x")]))
    but("no commitment", "What seat 1 added", lambda r: r.update(commitments=[None, fit[1]]))
    but("commitments", "commitments is not", lambda r: r.update(commitments=[None]))
    but("two hands exchanged", "Round 1: The hand of seat 1 (", lambda r: r["rounds"][0]["hands"].reverse())
    but(
        "tiles of a hand exchanged",
        ") is not in the order in which it was dealt",
        lambda r: r["rounds"][0]["hands"][1].reverse(),
    )
    but(
        "another boneyard",
        "Round 1: The boneyard is not in the order",
        lambda r: r["rounds"][0]["boneyard"].reverse(),
    )
    but("another leader", "Round 1: leader is", lambda r: r["rounds"][0].update(leader=1 - first["leader"]))
    but("another count", f"{place}: count is", lambda r: r["rounds"][1]["moves"][scoring].update(count=99))
    but("more points", f"{place}: scored is", lambda r: r["rounds"][1]["moves"][scoring].update(scored=50))
    but(
        "another tile drawn",
        f"Round 1, move {drawn + 1}: tile",
        lambda r: r["rounds"][0]["moves"][drawn].update(tile="6-6"),
    )
    but("a move left out", "Round 2, move ", lambda r: r["rounds"][1]["moves"].pop(scoring))
    but(
        "a move by the other seat",
        f"{place}: It was not",
        lambda r: _other_seat(r["rounds"][1]["moves"][scoring]),
    )
    but("another bonus", "Round 1: end.bonus is", lambda r: r["rounds"][0]["end"].update(bonus=[100, 100]))
    but("other scores after a round", "Round 2: scores is", lambda r: r["rounds"][1].update(scores=[0, 0]))
    but(
        "another winner",
        "result.winners is",
        lambda r: r["result"].update(winners=[1 - whole["result"]["winners"][0]]),
    )
    but("a round left out", "", lambda r: r["rounds"].pop())
    but("other rules", "preset all-fives has", lambda r: r["rules"].update(out_bonus="none"))
    but("a key that does not belong there", "more does not belong", lambda r: r.update(more=1))
    for contradiction, kind, told in contradict(add_times(whole)):
        found[contradiction] = told, fault_sentences()[kind].rpartition("{")[0].rpartition("}")[2]
    for number, (names, change) in enumerate(_nonsense()):
        but(f"nonsense {number}", names, change)
    return found


def _nonsense() -> Iterator[tuple[str, Callable[[dict], object]]]:
    """Yield the text that must name the fault, and the function that changes a record."""
    for seat in (
        1,
        {"name": "p"},
        {"name": " ", "kind": "player", "level": None},
        {"name": "p", "kind": "cat"},
    ):
        yield "Seat 2 has no proper name", lambda r, seat=seat: r["seats"].__setitem__(1, seat)
    yield "Seat 1 has no proper name", lambda r: r["seats"][0].update(level="grandmaster")
    yield "Seat 1 has no proper name", lambda r: r["seats"][0].update(kind="player")
    for name in ("started", "ended"):
        for value in ("garbage", "2026-02-30T10:00:00Z", "2026-11-21 10:00:00", 7):
            yield f"{name} is not written", lambda r, name=name, value=value: r.update({name: value})
    yield "rated is not written", lambda r: r.update(rated=1)
    yield "match is not written", lambda r: r.update(match=None)
    yield "seal is not written", lambda r: r.update(seal=[r["seal"]])
    yield "The entropy must have one part", lambda r: r.update(entropy="ы")
    yield "secret is not written", lambda r: r["rounds"][0].update(secret=[r["rounds"][0]["secret"]])
    yield "There is no preset", lambda r: r.update(preset="constructor")
    yield "the preset block has", lambda r: r.update(preset="block")
    yield "Either the start, the end and every move", lambda r: r["rounds"][0]["moves"][0].update(at="once")
    yield "This cannot be claimed", lambda r: r["rounds"][0]["moves"][0].update(claim="5")
    yield "Round 2, move 1: This is not a move", lambda r: r["rounds"][1]["moves"].__setitem__(0, 7)
    yield "Round 1: moves is not written", lambda r: r["rounds"][0].update(moves={})
    yield "legal", lambda r: r["rounds"][0]["moves"][0].update(legal=["6-6"])
    # With some of these the deal would succeed, with others it would never end.
    unfit: dict[str, object] = {
        "set": 10_000_000,
        "hand_size": {"2": 15, "3": 5, "4": 5},
        "players": [2, 2],
        "target": 0,
        "reserve": {"2": 20, "3": 0, "4": 0},
        "max_same_suit": 1,
        "max_doubles": 1,
        "extras": {"chucha": 0},
        "opening": {"points": 5},
        "spinner": "cross",
    }
    for option, no_value in unfit.items():
        yield (
            f"The option {option} ",
            lambda r, option=option, value=no_value: r["rules"].update({option: value}),
        )


def _other_seat(row: dict) -> None:
    row["seat"] = 1 - row["seat"]


def test_tampering_is_located_offline(offline):
    cases = tampered()
    assert len(cases) >= 12
    choose_file(offline, "\n".join(json.dumps(told) for told, _ in cases.values()))
    expect(verdict(offline)).to_have_text(f"Not everything is sound: 0 of {len(cases)}.")
    lines = offline.locator(".checked li").all_inner_texts()
    different = []
    for (what, (told, names)), line in zip(cases.items(), lines, strict=True):
        assert names in line, (what, line)
        with pytest.raises(Fault) as fault:
            verify(told)
        if (sentence := describe_fault(fault.value)) not in line:
            different.append((what, sentence, line))
    assert different == []


def mutate_rules(rng: Random, rules: dict) -> dict:
    """Return a copy with some options from other random rules or with invalid values."""
    other = Rules.from_dict(random_rules(rng)).written()
    nothing = [None, True, 0, 1, -1, 1.5, 2_000_000, "", "none", "own", "7-7", [], [4, 2], {}, {"2": 1}]
    changed = copy.deepcopy(rules)
    for name in rng.sample(sorted(other), rng.choice([1, 1, 1, 2, 6])):
        changed[name] = rng.choice(nothing) if rng.random() < 0.2 else other[name]
    if rng.random() < 0.1:
        changed.pop(rng.choice(sorted(changed)))
    return changed


def is_valid_and_canonical(rules: dict) -> bool:
    try:
        return json.dumps(Rules.from_dict(rules).written(), sort_keys=True) == json.dumps(
            rules, sort_keys=True
        )
    except InvalidRules:
        return False


def test_browser_and_engine_refuse_same_rules(open_page):
    page = open_page()
    page.goto("/verify/")
    rng = Random("rules")
    asked = [mutate_rules(rng, Rules.from_dict(random_rules(rng)).written()) for _ in range(RULES)]
    allowed = page.evaluate(
        """async ([link, asked]) => {
            const { parseRules } = await import(document.querySelector(link).href);
            return asked.map((rules) => {
                try { return Boolean(parseRules(rules)); }
                catch (fault) { return fault.kind ? false : String(fault); }
            });
        }""",
        ["link[href*='verify/options']", asked],
    )
    expected = [is_valid_and_canonical(rules) for rules in asked]
    assert 0.1 < sum(expected) / len(asked) < 0.9
    assert [rules for rules, one, other in zip(asked, allowed, expected, strict=True) if one != other] == []
