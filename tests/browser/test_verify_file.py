"""Files of records checked in the browser, also offline."""

import copy
import json
import re
from functools import cache
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import expect

from boneyard.computer.selfplay import begin_seeded, selfplay
from boneyard.engine.errors import InvalidRules
from boneyard.engine.matches import begin
from boneyard.engine.moves import RESIGN
from boneyard.engine.presets import PRESETS
from boneyard.engine.records import LEVELS, record
from boneyard.engine.rules import Rules
from tests.browser.axe import assert_accessible
from tests.browser.stored import Wanted, store_match
from tests.browser.verify_page import choose_file, verdict
from tests.browser.waiting import expect_value
from tests.engine.compare import any_rules, variant_tables
from tests.engine.every_move import build_records
from tests.engine.examples.verdicts import ACCEPTED, REFUSED
from tests.engine.reference import random_rules
from tests.engine.reference.options import DEFAULTS
from tests.engine.strategies import play_out

STORED = sorted((Path(__file__).parents[1] / "engine" / "stored").glob("*.jsonl"))
MATCHES_PER_PRESET = 6  # per number of seats
HOUSE_RULE_TABLES = 120
CHECK_TIMEOUT_MS = 300_000  # a check takes seconds of CPU time
RANDOM_RULES = 400
RULES_FAULT = re.compile(r"The option \w+ (cannot be|conflicts)|rules\.")
LONG_FILE = 10  # times all stored records
MIN_PAUSES = 4  # of a check of a million moves, which takes over half a second of CPU time


@cache
def stored_records() -> list[str]:
    return [line for file in STORED for line in file.read_text().splitlines() if line]


def records_of_all_presets() -> list[str]:
    """Return records of all presets, numbers of seats and ways of leaving."""
    found = stored_records().copy()
    for preset in PRESETS.values():
        for seats in preset.rules.players:
            for number in range(MATCHES_PER_PRESET):
                match = play_out(
                    begin_seeded(preset.rules, seats, f"{preset.id} {number}"), number, 0.003 * (number % 2)
                )
                if match.result is not None:
                    found.append(written(match, preset.id))
    return found


def records_of_variants() -> list[str]:
    """Return a record of every variant of every preset."""
    found = []
    for preset, rules, seats in variant_tables():
        match = play_out(begin_seeded(Rules.from_dict(rules), seats, f"variant {preset}"), 1, 0.001)
        found.append(written(match, preset))
    return found


def records_of_house_rules() -> list[str]:
    """Return records of random house rules."""
    found = []
    for number in range(HOUSE_RULE_TABLES):
        rng = Random(number)
        rules = Rules.from_dict(random_rules(rng))
        match = play_out(begin_seeded(rules, rng.choice(rules.players), f"house {number}"), number, rounds=40)
        if match.result is not None:
            found.append(written(match, None))
    assert len(found) > HOUSE_RULE_TABLES / 2
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


def test_records_of_presets_and_house_rules_are_valid(offline):
    found = records_of_all_presets() + records_of_variants() + records_of_house_rules()
    for level in LEVELS:
        found.append(json.dumps(json.loads(found[0]) | {"seats": _computers(found[0], level)}))
    choose_file(offline, "\n".join(found))
    lines = offline.locator(".checked li")
    expect(lines).to_have_count(len(found), timeout=CHECK_TIMEOUT_MS)
    checked = lines.evaluate_all("lines => lines.map(line => [line.dataset.outcome, line.innerText])")
    for text, (outcome, said) in zip(found, checked, strict=True):
        assert outcome == "good", f"{said}\n{json.loads(text)['rules']}"
    expect(verdict(offline)).to_contain_text("Every record is sound")


def test_rules_are_refused_as_by_the_engine(offline):
    rng = Random("rules")
    tried = [without_defaults(rules | changes) for _says, rules, changes in ACCEPTED + REFUSED]
    tried += [without_defaults(any_rules(rng)) for _ in range(RANDOM_RULES)]
    found = [json.loads(stored_records()[0]) | {"rules": rules} for rules in tried]

    choose_file(offline, "\n".join(map(json.dumps, found)))

    lines = offline.locator(".checked li")
    expect(lines).to_have_count(len(found), timeout=CHECK_TIMEOUT_MS)
    for rules, text in zip(tried, lines.all_inner_texts(), strict=True):
        assert bool(RULES_FAULT.search(text)) == is_refused(rules), (text, rules)


def without_defaults(rules: dict) -> dict:
    return {name: value for name, value in rules.items() if name not in DEFAULTS or value != DEFAULTS[name]}


def is_refused(rules: dict) -> bool:
    """Return whether no record has these rules: they are invalid, or written otherwise."""
    try:
        return Rules.from_dict(rules).written() != rules
    except InvalidRules:
        return True


def test_record_of_shared_deals_is_valid(offline):
    rules = PRESETS["block"].rules.replace(target=None, rounds=2)
    match = play_out(begin(rules, 2, bytes(range(32)), "daily-2026-11-26"), 1)
    shared = json.loads(written(match, None)) | {"deals": "daily-2026-11-26"}
    choose_file(offline, json.dumps(shared))
    expect(verdict(offline)).to_contain_text("sound")
    for change in ({"deals": "daily-2026-11-27"}, {"deals": "A day"}, {"commitments": [None, None]}):
        choose_file(offline, json.dumps(shared | change))
        expect(verdict(offline)).to_contain_text("Not everything is sound")


def _computers(text: str, level: str) -> list[dict]:
    return [seat | {"kind": "computer", "level": level} for seat in json.loads(text)["seats"]]


def test_only_differing_tiles_are_reported(open_page):
    told = json.loads(stored_records()[0])
    hand = told["rounds"][0]["hands"][0]
    dealt, hand[2] = hand[2], told["rounds"][0]["boneyard"][0]
    page = open_page()
    page.goto("/verify/")
    choose_file(page, json.dumps(told))
    name = told["seats"][0]["name"]
    line = page.locator(".checked li")
    expect(line).to_contain_text(
        f"Round 1: The hand of seat 1 ({name}) has {hand[2]} where {dealt} was dealt."
    )
    # Not by colour only.
    expect(line.locator(".icon:visible")).to_have_class("icon is-bad")
    choose_file(page, stored_records()[0])
    expect(line.locator(".icon:visible")).to_have_class("icon is-good")


def test_invented_record_is_not_called_genuine(offline):
    forged = next(
        selfplay(PRESETS["block"].rules, preset="block", players=["club", "club"], matches=1, seed="forged")
    )
    choose_file(offline, json.dumps(forged))
    expect(verdict(offline)).to_contain_text("Whether a seal is the one of the table is for you to compare.")
    expect(offline.locator(".checked li")).to_contain_text(f"Seal {forged['seal']}")
    page = offline.locator("#verify-file")
    expect(page).to_contain_text("Anybody can make a secret and a seal of their own")
    expect(page).to_contain_text("Nor can anybody tell from a record who the people were")
    expect(page.get_by_role("link", name="The whole chain")).to_have_attribute(
        "href", re.compile(r"^http.*/fairness/chain\.txt$")
    )
    expect(page).to_contain_text("In this site's chain of seals: not known")
    expect(page.get_by_role("link", name="This match’s page here")).to_have_count(0)


def test_invented_seal_is_not_in_the_chain(open_page):
    page = open_page()
    page.goto("/verify/")
    choose_file(page, stored_records()[0])
    line = page.locator(".checked li")
    expect(line).to_contain_text("In this site's chain of seals: no")
    expect(line.get_by_role("link")).to_have_count(0)


def test_invented_match_with_a_real_seal_has_no_page_here(open_page):
    page = open_page("alice")
    code, _ = store_match(Wanted(lambda now: True, ["seal-owner"], ended=True), page, preset="all-fives")
    told = page.request.get(f"/games/{code}/record.json").json()
    page.goto("/verify/")
    choose_file(page, json.dumps([told, told | {"match": "z3v9a0x2mp"}]))
    genuine, invented = (page.locator(".checked li").nth(number) for number in range(2))
    expect(genuine).to_contain_text(re.compile(r"chain of seals: (yes|it is this site's, and)"))
    expect(genuine.get_by_role("link")).to_have_attribute("href", re.compile(rf"/games/{code}/"))
    expect(invented).to_contain_text("it is a seal of this site, but of another match")
    expect(invented.get_by_role("link")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "one", "four"),
    [
        ("en", "Checked: 1 round, 1 move;", "Checked: 1 round, 4 moves;"),
        ("ru", "Проверено: 1 раунд, 1 ход;", "Проверено: 1 раунд, 4 хода;"),
        ("es", "Comprobado: 1 mano, 1 jugada;", "Comprobado: 1 mano, 4 jugadas;"),
        ("pt", "Conferido: 1 rodada, 1 jogada;", "Conferido: 1 rodada, 4 jogadas;"),
    ],
)
def test_counts_use_plural_forms(open_page, language, one, four):
    page = open_page(locale=language)
    page.goto("/verify/")
    match = begin_seeded(PRESETS["draw"].rules, 2, "short")
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


def test_listed_legal_moves_are_checked(open_page):
    """Some rules allow moves of several tiles."""
    page = open_page()
    page.goto("/verify/")
    found = []
    for number in range(60):
        rules = Rules.from_dict(random_rules(Random(f"legal {number}")))
        if number < 40 and not (rules.many_ends or rules.two_doubles):
            continue
        match = play_out(begin_seeded(rules, rules.players[0], f"legal {number}"), number, rounds=40)
        if match.result is not None:
            found.append(json.loads(written(match, None, legal=True)))
    assert len(found) > 15
    wrong = copy.deepcopy(found[0])
    wrong["rounds"][0]["moves"][0]["legal"].append("pass")
    choose_file(page, json.dumps([*found, wrong]))
    expect(page.locator(".checked li")).to_have_count(len(found) + 1, timeout=CHECK_TIMEOUT_MS)
    expect(verdict(page)).to_have_text(f"Not everything is sound: {len(found)} of {len(found) + 1}.")
    expect(page.locator(".checked li").last).to_contain_text("Round 1, move 1: legal is")


def test_every_move_is_checked(open_page):
    page = open_page()
    page.goto("/verify/")
    found = build_records()
    wrong = []
    for name in ("close", "void", "void in the pause"):
        changed = copy.deepcopy(found[name])
        row = next(
            row for each in changed["rounds"] for row in each["moves"] if row["move"] in ("close", "void")
        )
        row["seat"] = 1 - row["seat"]
        wrong.append(changed)
    choose_file(page, json.dumps([*found.values(), *wrong]))
    lines = page.locator(".checked li")
    expect(lines).to_have_count(len(found) + len(wrong), timeout=CHECK_TIMEOUT_MS)
    expect(page.locator(".checked li[data-outcome=good]")).to_have_count(len(found))
    expect(lines.nth(len(found))).to_contain_text("This seat could not end the time for calls.")
    for place in (1, 2):
        expect(lines.nth(len(found) + place)).to_contain_text("It was not this seat’s turn.")


def test_second_file_replaces_running_check(open_page):
    page = open_page()
    page.goto("/verify/")
    found = stored_records()
    choose_file(page, "\n".join(found * LONG_FILE))
    expect(page.locator(".checked li").first).to_be_attached()
    choose_file(page, found[0])
    expect(verdict(page)).to_contain_text("Every record is sound")
    expect(page.locator(".checked li")).to_have_count(1)


def test_page_stays_responsive_during_long_check(open_page):
    page = open_page()
    page.goto("/verify/")
    told = json.loads(written(begin_seeded(PRESETS["draw"].rules, 2, "long").play(0, RESIGN), "draw"))
    expect_value(
        page,
        """async ([link, told]) => {
            const { verify } = await import(document.querySelector(link).href);
            const again = Array(1_000_000).fill({ seat: 0, move: "takeover" });
            told.rounds[0].moves = again.concat(told.rounds[0].moves);
            let pauses = 0;
            const counting = setInterval(() => { pauses += 1; }, 1);
            await verify(told);
            clearInterval(counting);
            return pauses;
        }""",
        lambda pauses: pauses >= MIN_PAUSES,
        argument=["link[href*='verify/record']", told],
    )


OUTSIDE_COLUMN_JS = """() => {
    const column = document.querySelector("#verify-file").getBoundingClientRect();
    const parts = document.querySelectorAll("#verify-file .button, #verify-file input, #verify-file p");
    const boxes = [...parts].filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect());
    return [boxes.length > 4, boxes.filter((box) => box.left < column.left || box.right > column.right).length];
}"""
WIDEST_ACTION_JS = """() => Math.max(
    ...[...document.querySelectorAll(".actions a")].map((link) => link.getBoundingClientRect().width))"""


def test_page_fits_its_column(open_page):
    page = open_page(locale="ru")
    page.goto("/verify/")
    for width, height in ((1280, 800), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        expect_value(page, OUTSIDE_COLUMN_JS, [True, 0])
        expect_value(page, WIDEST_ACTION_JS, lambda widest: 0 < widest < 400)


def test_non_records_are_reported(open_page):
    page = open_page()
    page.goto("/verify/")
    assert_accessible(page)
    choose_file(page, "not JSON")
    expect(verdict(page)).to_have_text("This file holds no JSON.")
    for text in ("[]", "", "\n"):
        choose_file(page, text)
        expect(verdict(page)).to_have_text("This file holds no record.")
    for text in ("42", "null", '"text"', "[[]]"):
        choose_file(page, text)
        expect(page.locator(".checked li")).to_contain_text(
            "1: not sound. This is not the record of a match."
        )
    found = json.loads(stored_records()[0])
    for twice in ('{"seal": "0", ', '{"rounds": [], '):
        choose_file(page, json.dumps(found).replace("{", twice, 1))
        expect(verdict(page)).to_contain_text("A key appears twice in this file")
    choose_file(page, json.dumps(found | {"match": "All is sound. Really"}))
    expect(page.locator(".checked li")).to_contain_text("1: sound.")
    choose_file(page, json.dumps([found, 7], indent=1))
    expect(page.locator(".checked li")).to_have_count(2)
    expect(page.locator(".checked li").nth(1)).to_contain_text(
        "2: not sound. This is not the record of a match."
    )
    choose_file(page, json.dumps(found | {"rounds": [7]}))
    expect(page.locator(".checked li")).to_contain_text("Round 1: This is not a round.")
    choose_file(page, '{"format": "domino-record/1", "seats": ' + "[" * 50_000 + "]" * 50_000 + "}")
    expect(page.locator(".checked li")).to_contain_text("1: not sound.")
    choose_file(page, '{"format": "domino-record/2"}')
    expect(page.locator(".checked li")).to_have_attribute("data-outcome", "bad")
