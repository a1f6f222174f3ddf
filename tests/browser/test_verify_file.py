"""Records checked in the reader's own browser by its own code: sound ones found sound, tampered ones named; offline."""

import copy
import json
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from games.computer.selfplay import begun, selfplay
from games.engine.presets import PRESETS
from games.engine.records import Fault, record, verify
from games.engine.rules import Rules
from tests.browser.axe import keeps_nobody_out
from tests.engine.reference import random_rules
from tests.engine.strategies import played

STORED = sorted((Path(__file__).parents[1] / "engine" / "stored").glob("*.jsonl"))
A_GAME = 6  # matches of each game and number of seats
HOUSES = 120  # tables with rules of their own


def of_every_game() -> list[str]:
    """Records of every game, number of seats and way of leaving."""
    found = [line for file in STORED for line in file.read_text().splitlines() if line]
    for preset in PRESETS.values():
        for seats in preset.rules.players:
            for number in range(A_GAME):
                match = played(
                    begun(preset.rules, seats, f"{preset.id} {number}"), number, 0.003 * (number % 2)
                )
                if match.result is not None:
                    found.append(written(match, preset.id))
    return found


def of_house_rules() -> list[str]:
    """Records by rules of every option, as a host may choose them."""
    found = []
    for number in range(HOUSES):
        rng = Random(number)
        rules = Rules.from_dict(random_rules(rng))
        match = played(begun(rules, rng.choice(rules.players), f"house {number}"), number, rounds=40)
        if match.result is not None:
            found.append(written(match, None))
    assert len(found) > HOUSES / 2
    return found


def written(match, preset: str | None) -> str:
    people = [{"name": f"p{seat}", "kind": "player", "level": None} for seat in range(match.seats)]
    told = record(
        match,
        code="k3v9a0x2mp",
        preset=preset,
        seats=people,
        rated=False,
        started=None,
        ended=None,
        times=None,
    )
    return json.dumps(told)


def choose(page, text: str, name: str = "records.jsonl") -> None:
    page.get_by_label("Record file").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    )


def verdict(page):
    return page.locator("#verify-file [role=status]")


@pytest.fixture
def offline(visitor, tmp_path):
    """The page as it was saved, opened without a network."""
    online = visitor()
    online.goto("/verify/")
    saved = tmp_path / "verify.html"
    with online.expect_download() as download:
        online.get_by_role("link", name="Save this page").click()
    download.value.save_as(saved)
    page = visitor()
    page.context.set_offline(True)
    page.goto(f"file://{saved}")
    return page


def test_records_of_every_game_and_of_house_rules_are_found_sound(offline):
    found = of_every_game() + of_house_rules()
    choose(offline, "\n".join(found))
    expect(verdict(offline)).to_contain_text("Every record is sound", timeout=60_000)
    expect(offline.locator(".checked li[data-outcome=good]")).to_have_count(len(found))


def tampered() -> dict[str, tuple[dict, str]]:
    """By what was done to a sound record: the record, and the words that must name the place."""
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
    place = f"round 2, move {scoring + 1}"
    but("another seal", "round 1: The key", lambda r: r.update(seal="0" * 64))
    but("another key", "round 2: The key", lambda r: r["rounds"][1].update(secret="1" * 64))
    but("other nonces", "round 1: ", lambda r: r.update(entropy="x.y"))
    but("two hands exchanged", "round 1: hands is", lambda r: r["rounds"][0]["hands"].reverse())
    but("another boneyard", "round 1: boneyard is", lambda r: r["rounds"][0]["boneyard"].reverse())
    but("another leader", "round 1: leader is", lambda r: r["rounds"][0].update(leader=1 - first["leader"]))
    but("another count", f"{place}: count is", lambda r: r["rounds"][1]["moves"][scoring].update(count=99))
    but("more points", f"{place}: scored is", lambda r: r["rounds"][1]["moves"][scoring].update(scored=50))
    but(
        "another tile drawn",
        f"round 1, move {drawn + 1}: tile",
        lambda r: r["rounds"][0]["moves"][drawn].update(tile="6-6"),
    )
    but("a move left out", "round 2, move ", lambda r: r["rounds"][1]["moves"].pop(scoring))
    but(
        "a move by the other seat",
        f"{place}: It was not",
        lambda r: _other_seat(r["rounds"][1]["moves"][scoring]),
    )
    but("another bonus", "round 1: end is", lambda r: r["rounds"][0]["end"].update(bonus=[100, 100]))
    but("other scores after a round", "round 2: scores is", lambda r: r["rounds"][1].update(scores=[0, 0]))
    but(
        "another winner",
        "result is",
        lambda r: r["result"].update(winners=[1 - whole["result"]["winners"][0]]),
    )
    but("a round left out", "", lambda r: r["rounds"].pop())
    but("other rules", "", lambda r: r["rules"].update(out_bonus="none"))
    but("a key that does not belong there", "more does not belong", lambda r: r.update(more=1))
    return found


def _other_seat(row: dict) -> None:
    row["seat"] = 1 - row["seat"]


def test_tampering_of_every_kind_is_named_without_a_network(offline):
    cases = tampered()
    assert len(cases) >= 12
    choose(offline, "\n".join(json.dumps(told) for told, _ in cases.values()))
    expect(verdict(offline)).to_have_text(f"Not everything is sound: 0 of {len(cases)}.", timeout=30_000)
    lines = offline.locator(".checked li").all_inner_texts()
    for (what, (told, names)), line in zip(cases.items(), lines, strict=True):
        assert names in line, (what, line)
        with pytest.raises(Fault):
            verify(told)


def test_what_is_no_record_is_told_apart_from_a_tampered_one(visitor):
    page = visitor()
    page.goto("/verify/")
    keeps_nobody_out(page)
    choose(page, "not JSON")
    expect(verdict(page)).to_have_text("This file holds no JSON.")
    choose(page, "[1, 2]")
    expect(page.locator(".checked li")).to_contain_text("This is not as a record is written")
    choose(page, '{"format": "domino-record/2"}')
    expect(page.locator(".checked li")).to_have_attribute("data-outcome", "bad")
