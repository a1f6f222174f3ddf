"""Records checked in the reader's own browser by its own code: sound ones found sound, tampered ones named; offline."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from games.computer.selfplay import begun, selfplay
from games.engine.errors import InvalidRules
from games.engine.moves import RESIGN
from games.engine.presets import PRESETS
from games.engine.records import LEVELS, Fault, record, verify
from games.engine.rules import Rules
from tests.browser.axe import keeps_nobody_out
from tests.engine.reference import random_rules
from tests.engine.strategies import played

STORED = sorted((Path(__file__).parents[1] / "engine" / "stored").glob("*.jsonl"))
A_GAME = 6  # matches of each game and number of seats
HOUSES = 120  # tables with rules of their own
RULES = 2_000  # options put together at random


@cache
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


def written(match, preset: str | None, *, legal: bool = False) -> str:
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
        legal=legal,
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
    for level in LEVELS:
        found.append(json.dumps(json.loads(found[0]) | {"seats": _computers(found[0], level)}))
    choose(offline, "\n".join(found))
    expect(verdict(offline)).to_contain_text("Every record is sound", timeout=60_000)
    expect(offline.locator(".checked li[data-outcome=good]")).to_have_count(len(found))


def _computers(text: str, level: str) -> list[dict]:
    return [seat | {"kind": "computer", "level": level} for seat in json.loads(text)["seats"]]


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
    place = f"Round 2, move {scoring + 1}"
    but("another seal", "Round 1: The key", lambda r: r.update(seal="0" * 64))
    but("another key", "Round 2: The key", lambda r: r["rounds"][1].update(secret="1" * 64))
    but("other nonces", "Round 1: ", lambda r: r.update(entropy="x.y"))
    but("two hands exchanged", "Round 1: The hand of seat 0 (", lambda r: r["rounds"][0]["hands"].reverse())
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
    for number, (names, change) in enumerate(_nonsense()):
        but(f"nonsense {number}", names, change)
    return found


def _nonsense() -> Iterator[tuple[str, Callable[[dict], object]]]:
    """What nobody writes into a record: the words that must name it, and how it comes in."""
    for seat in (
        1,
        {"name": "p"},
        {"name": " ", "kind": "player", "level": None},
        {"name": "p", "kind": "cat"},
    ):
        yield "Seat 1 has no proper name", lambda r, seat=seat: r["seats"].__setitem__(1, seat)
    yield "Seat 0 has no proper name", lambda r: r["seats"][0].update(level="grandmaster")
    yield "Seat 0 has no proper name", lambda r: r["seats"][0].update(kind="player")
    for name in ("started", "ended"):
        for value in ("garbage", "2026-02-30T10:00:00Z", "2026-11-21 10:00:00", 7):
            yield f"{name} is not written", lambda r, name=name, value=value: r.update({name: value})
    yield "rated is not written", lambda r: r.update(rated=1)
    yield "match is not written", lambda r: r.update(match=None)
    yield "seal is not written", lambda r: r.update(seal=[r["seal"]])
    yield "entropy is not written", lambda r: r.update(entropy="ы")
    yield "secret is not written", lambda r: r["rounds"][0].update(secret=[r["rounds"][0]["secret"]])
    yield "There is no preset", lambda r: r.update(preset="constructor")
    yield "the preset block has", lambda r: r.update(preset="block")
    yield "at is not written", lambda r: r["rounds"][0]["moves"][0].update(at="once")
    yield "This cannot be claimed", lambda r: r["rounds"][0]["moves"][0].update(claim="5")
    yield "Round 2, move 1: This is not a move", lambda r: r["rounds"][1]["moves"].__setitem__(0, 7)
    yield "Round 1: moves is not written", lambda r: r["rounds"][0].update(moves={})
    yield "legal", lambda r: r["rounds"][0]["moves"][0].update(legal=["6-6"])
    # By some of these something could be dealt, and by some without end.
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


def unlike(rng: Random, rules: dict) -> dict:
    """Rules of which some options have values that other rules or no rules at all have."""
    other = Rules.from_dict(random_rules(rng)).written()
    nothing = [None, True, 0, 1, -1, 1.5, 2_000_000, "", "none", "own", "7-7", [], [4, 2], {}, {"2": 1}]
    changed = copy.deepcopy(rules)
    for name in rng.sample(sorted(other), rng.choice([1, 1, 1, 2, 6])):
        changed[name] = rng.choice(nothing) if rng.random() < 0.2 else other[name]
    if rng.random() < 0.1:
        changed.pop(rng.choice(sorted(changed)))
    return changed


def is_written_so(rules: dict) -> bool:
    try:
        return json.dumps(Rules.from_dict(rules).written(), sort_keys=True) == json.dumps(
            rules, sort_keys=True
        )
    except InvalidRules:
        return False


def test_rules_that_the_engine_refuses_the_browser_refuses_too(visitor):
    page = visitor()
    page.goto("/verify/")
    rng = Random("rules")
    asked = [unlike(rng, Rules.from_dict(random_rules(rng)).written()) for _ in range(RULES)]
    allowed = page.evaluate(
        """async ([link, asked]) => {
            const { rulesOf } = await import(document.querySelector(link).href);
            return asked.map((rules) => {
                try { return Boolean(rulesOf(rules)); }
                catch (fault) { return fault.kind ? false : String(fault); }
            });
        }""",
        ["link[href*='verify/options']", asked],
    )
    expected = [is_written_so(rules) for rules in asked]
    assert 0.1 < sum(expected) / len(asked) < 0.9
    assert [rules for rules, one, other in zip(asked, allowed, expected, strict=True) if one != other] == []


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


def test_only_the_tiles_of_a_hand_that_differ_are_told(visitor):
    told = json.loads(of_every_game()[0])
    hand = told["rounds"][0]["hands"][0]
    dealt, hand[2] = hand[2], told["rounds"][0]["boneyard"][0]
    page = visitor()
    page.goto("/verify/")
    choose(page, json.dumps(told))
    name = told["seats"][0]["name"]
    line = page.locator(".checked li")
    expect(line).to_contain_text(
        f"Round 1: The hand of seat 0 ({name}) has {hand[2]} where {dealt} was dealt."
    )
    # Told apart not by colour alone.
    expect(line.locator(".icon:visible")).to_have_class("icon is-bad")
    choose(page, of_every_game()[0])
    expect(line.locator(".icon:visible")).to_have_class("icon is-good")


def test_an_invented_record_is_not_called_genuine(offline):
    forged = next(
        selfplay(PRESETS["block"].rules, preset="block", players=["club", "club"], matches=1, seed="forged")
    )
    choose(offline, json.dumps(forged))
    expect(verdict(offline)).to_contain_text("Whether a seal is the one of the table is for you to compare.")
    expect(offline.locator(".checked li")).to_contain_text(f"Seal {forged['seal']}")
    page = offline.locator("#verify-file")
    expect(page).to_contain_text("Anybody can make a secret and a seal of their own")
    expect(page).to_contain_text("Nor can anybody tell from a record who the people were")
    expect(page.get_by_role("link", name="The whole chain")).to_have_attribute(
        "href", re.compile(r"^http.*/fairness/chain\.txt$")
    )
    expect(page.get_by_role("link", name="This match’s page here")).to_have_attribute(
        "href", re.compile(rf"^http.*/games/{forged['match']}/verify/$")
    )


@pytest.mark.parametrize(
    ("language", "one", "four"),
    [
        ("en", "Checked: 1 round, 1 move;", "Checked: 1 round, 4 moves;"),
        ("ru", "Проверено: 1 раунд, 1 ход;", "Проверено: 1 раунд, 4 хода;"),
        ("es", "Comprobado: 1 ronda, 1 jugada;", "Comprobado: 1 ronda, 4 jugadas;"),
    ],
)
def test_one_round_is_told_in_the_singular(visitor, language, one, four):
    page = visitor(locale=language)
    page.goto("/verify/")
    match = begun(PRESETS["draw"].rules, 2, "short")
    texts = []
    for moves in range(4):
        if moves in (0, 3):
            texts.append(written(match.play(0, RESIGN), "draw"))
        match = match.play(match.turn, next(iter(match.legal_moves)))
    page.locator("#record-file").set_input_files(
        {"name": "r.jsonl", "mimeType": "application/json", "buffer": "\n".join(texts).encode()}
    )
    expect(page.locator(".checked li").nth(0)).to_contain_text(one)
    expect(page.locator(".checked li").nth(1)).to_contain_text(four)


def test_legal_moves_that_a_record_lists_are_checked(visitor):
    """Also those of turns in which several tiles may be laid."""
    page = visitor()
    page.goto("/verify/")
    found = []
    for number in range(60):
        rules = Rules.from_dict(random_rules(Random(f"legal {number}")))
        if number < 40 and not (rules.many_ends or rules.two_doubles):
            continue
        match = played(begun(rules, rules.players[0], f"legal {number}"), number, rounds=40)
        if match.result is not None:
            found.append(json.loads(written(match, None, legal=True)))
    assert len(found) > 15
    wrong = copy.deepcopy(found[0])
    wrong["rounds"][0]["moves"][0]["legal"].append("pass")
    choose(page, json.dumps([*found, wrong]))
    expect(page.locator(".checked li")).to_have_count(len(found) + 1, timeout=60_000)
    expect(verdict(page)).to_have_text(f"Not everything is sound: {len(found)} of {len(found) + 1}.")
    expect(page.locator(".checked li").last).to_contain_text("Round 1, move 1: legal is")


def test_another_file_chosen_meanwhile_takes_the_place_of_the_first(visitor):
    page = visitor()
    page.goto("/verify/")
    found = of_every_game()
    choose(page, "\n".join(found))
    choose(page, found[0])
    expect(verdict(page)).to_contain_text("Every record is sound")
    expect(page.locator(".checked li")).to_have_count(1)


def test_the_page_stays_alive_while_a_long_match_is_checked(visitor):
    page = visitor()
    page.goto("/verify/")
    told = json.loads(written(begun(PRESETS["draw"].rules, 2, "long").play(0, RESIGN), "draw"))
    longest, whole = page.evaluate(
        """async ([link, told]) => {
            const { verify } = await import(document.querySelector(link).href);
            const again = Array(1_000_000).fill({ seat: 0, move: "takeover" });
            told.rounds[0].moves = again.concat(told.rounds[0].moves);
            const began = performance.now();
            let last = began, longest = 0;
            const look = () => {
                longest = Math.max(longest, performance.now() - last);
                last = performance.now();
            };
            const looking = setInterval(look, 1);
            await verify(told);
            look();
            clearInterval(looking);
            return [longest, performance.now() - began];
        }""",
        ["link[href*='verify/record']", told],
    )
    assert longest < whole / 2


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (844, 390)])
def test_the_page_is_as_wide_as_its_text(visitor, size):
    page = visitor(locale="ru", viewport={"width": size[0], "height": size[1]})
    page.goto("/verify/")
    column = page.locator("#verify-file").bounding_box()
    for what in page.locator("#verify-file .button, #verify-file input, #verify-file p:visible").all():
        box = what.bounding_box()
        assert column["x"] <= box["x"] and box["x"] + box["width"] <= column["x"] + column["width"]
    assert all(box["width"] < 400 for box in (b.bounding_box() for b in page.locator(".ways a").all()))


def test_what_is_no_record_is_told_apart_from_a_tampered_one(visitor):
    page = visitor()
    page.goto("/verify/")
    keeps_nobody_out(page)
    choose(page, "not JSON")
    expect(verdict(page)).to_have_text("This file holds no JSON.")
    for text in ("[]", "", "\n"):
        choose(page, text)
        expect(verdict(page)).to_have_text("This file holds no record.")
    for text in ("42", "null", '"text"', "[[]]"):
        choose(page, text)
        expect(page.locator(".checked li")).to_contain_text(
            "1: not sound. This is not the record of a match."
        )
    found = json.loads(of_every_game()[0])
    choose(page, json.dumps([found, 7], indent=1))
    expect(page.locator(".checked li")).to_have_count(2)
    expect(page.locator(".checked li").nth(1)).to_contain_text(
        "2: not sound. This is not the record of a match."
    )
    choose(page, json.dumps(found | {"rounds": [7]}))
    expect(page.locator(".checked li")).to_contain_text("Round 1: This is not a round.")
    choose(page, '{"format": "domino-record/1", "seats": ' + "[" * 50_000 + "]" * 50_000 + "}")
    expect(page.locator(".checked li")).to_contain_text("1: not sound.")
    choose(page, '{"format": "domino-record/2"}')
    expect(page.locator(".checked li")).to_have_attribute("data-outcome", "bad")
