"""The OpenAPI file: every address of it is asked, and its answer is as the file says."""

import pytest
from django.urls import get_resolver

from api import tokens
from api.events import EVENT_SCHEMA, OwnEvents
from api.form_schemas import CLOCK
from api.openapi import list_addresses
from api.operations import JSON_LINES, OPERATIONS, SCHEMAS
from api.scopes import SCOPES, Scope
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTIONS
from lobbies.clocks import CLOCK_CHOICES
from lobbies.form_data import field_of
from nights.models import Night, NightTable
from tests.events.playing import open_today
from tests.games.playing import begin, on_turn, play, play_to_the_end
from tests.json_schema import find_faults

pytestmark = pytest.mark.django_db

WATCHED = {name for name, each in OPERATIONS.items() if each.media_type != JSON_LINES}
NAMES = "Ana\nLuis\nRosa\nNuria\nPedro\nCarmen\nHugo\nInés"


class Program:
    """A program with a token of all scopes: it compares each answer with the file."""

    def __init__(self, client, user) -> None:
        self.client = client
        self.headers = {"Authorization": f"Bearer {tokens.make(user, 'a test', tuple(Scope), None)}"}
        self.headers["Accept"] = "application/json"
        self.file = client.get("/api/openapi.json").json()
        self.asked: set[str] = set()

    def ask(self, name: str, expected: int = 200, fields: dict | None = None, /, **parameters: str) -> dict:
        """Ask an address of the file, and return the answer."""
        path, method, described = next(
            (path, method, each)
            for path, methods in self.file["paths"].items()
            for method, each in methods.items()
            if each["operationId"] == name
        )
        response = getattr(self.client, method)(path.format(**parameters), fields or {}, headers=self.headers)
        assert response.status_code == expected, (name, response.content)
        answered = described["responses"][str(expected)]["content"]["application/json"]["schema"]
        answer = response.json()
        assert find_faults(answer, self._resolve(answered)) == []
        self.asked.add(name)
        return answer

    def _resolve(self, schema: dict) -> dict:
        if "anyOf" in schema:
            return {"anyOf": [self._resolve(each) for each in schema["anyOf"]]}
        return self.file["components"]["schemas"][schema["$ref"].rpartition("/")[2]]

    def act(self, night: Night, name: str, /, **fields) -> None:
        """Send an act of a night with its present version."""
        night.refresh_from_db()
        self.ask(name, 200, {"version": night.version, **fields}, code=night.code)


@pytest.fixture
def program(alice, client) -> Program:
    return Program(client, alice)


def test_file_has_the_addresses_of_all_scopes_and_no_others(client):
    file = client.get("/api/openapi.json").json()
    described = {each["operationId"]: each for path in file["paths"].values() for each in path.values()}
    assert set(described) == set(SCOPES)
    for name, scopes in SCOPES.items():
        assert {each["token"][0] for each in described[name]["security"] if each} == set(scopes)
    assert file["openapi"].startswith("3.1")
    assert len(list_addresses()) == len({(each.path, each.operation.method) for each in list_addresses()})


def test_public_addresses_are_those_that_answer_without_a_token(alice, bob, client):
    match = play_to_the_end(begin(alice, bob), seed=221)
    public = {each.name: each.path for each in list_addresses() if each.operation.is_public}
    for name in ("match-state", "match-record"):
        assert client.get(public[name].format(code=match.code)).status_code == 200


def test_matches_answer_as_the_file_says(alice, bob, program, browser_of):
    match = begin(alice, "club")
    code = match.code
    while on_turn(match).user != alice:
        match = play(match)
    state = program.ask("match-state", code=code)
    program.ask("match-hint", code=code)
    fields = {"move": state["legal"][0], "version": state["version"]}
    program.ask("match-move", 200, fields, code=code)
    program.ask("match-move", 409, fields, code=code)
    program.ask("match-continue", code=code)
    program.ask("match-prod", 422, code=code)
    program.ask("match-absent", 422, {"take": "win"}, code=code)
    ended = play_to_the_end(begin(alice, bob), seed=221)
    program.ask("match-record", code=ended.code)
    program.ask("match-state", code=ended.code)
    browser_of(alice).post(f"/games/{ended.code}/analysis")
    program.ask("analysis-json", code=ended.code)
    program.ask("table-rematch", code=ended.code)
    program.ask("table-rematch", 200, {"on": "0"}, code=ended.code)
    program.ask("daily-json", day=str(open_today().day))


def test_tables_answer_as_the_file_says(alice, bob, program, browser_of):
    fields = {"preset": "draw", "seats": 2, "clock": "none", "private": "on"}
    own = program.ask("table-new", 200, fields)["table"]
    program.ask("table-new", 422, {"preset": "nothing"})
    program.ask("table-commit", 200, {"commitment": "a" * 64}, code=own)
    program.ask("table-nonce", 409, {"nonce": "b" * 32}, code=own)
    program.ask("table-leave", code=own)
    json = {"accept": "application/json"}
    other = browser_of(bob).post("/tables/new", fields, headers=json).json()["table"]
    program.ask("table-sit", 200, {"seat": 1}, code=other)
    program.ask("table-leave", code=other)
    challenged = browser_of(bob).post("/players/alice/challenge", fields, headers=json).json()["table"]
    program.ask("table-decline", code=challenged)
    program.ask("challenge", 200, fields, name="bob")
    computers = {"seats": 2, "clock": "none", "computer": "club"}
    program.ask("quick-play", 200, computers, preset="draw")


def test_account_becomes_a_bot_as_the_file_says(charlie, client):
    program = Program(client, charlie)
    program.ask("become-bot")
    program.ask("become-bot", 409)


def test_file_lists_the_values_of_a_form(client):
    paths = client.get("/api/openapi.json").json()["paths"]
    form = paths["/tables/new"]["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"]
    fields = form["schema"]["properties"]
    assert fields["preset"]["enum"] == list(PRESETS)
    assert {field_of(option) for option in OPTIONS} <= fields.keys()
    assert [name for name, schema in fields.items() if schema == {"type": "string"}] == []
    for preset in PRESETS.values():  # what a preset says is one of the values
        for option in OPTIONS:
            if option.kind in ("choice", "flag", "number"):
                value = preset.rules.as_dict()[option.name]
                text = str(value).lower() if isinstance(value, bool) else value
                assert find_faults(text, fields[field_of(option)]) == [], (option.name, value)
    played = paths["/play/{preset}/"]["post"]
    assert played["parameters"][0]["schema"]["enum"] == list(PRESETS)


def test_clocks_are_as_the_pattern_says():
    for text in (*CLOCK_CHOICES, ""):
        assert find_faults(text, CLOCK) == []
    assert find_faults("5 minutes", CLOCK)


def test_nights_answer_as_the_file_says(alice, bob, program):
    night = {
        "name": "Friday",
        "start": "2099-11-27T20:30",
        "zone": "UTC",
        "weekly": "",
        "preset": "dominican",
    }
    night |= {"format": "partners", "draw": "rotate", "where": "wood", "rounds": "3", "hands": "4"}
    night |= {"last": "hand", "out": "half", "audience": "unlisted"}
    program.ask("night-new", 422, {"name": ""})
    made = program.ask("night-new", 200, night)
    row = Night.objects.latest("pk")
    assert made["address"] == row.get_absolute_url()
    program.act(row, "night-people", names=NAMES)
    program.act(row, "night-open")
    program.act(row, "night-entry", number=1, set="paid")
    program.act(row, "night-directors", name="bob")
    program.act(row, "night-draw")
    program.act(row, "night-undo")
    program.act(row, "night-draw")
    one, other = (table.sides[0][0] for table in NightTable.objects.filter(drawn_round__undone_at=None))
    program.act(row, "night-swap", a=one, b=other)
    program.act(row, "night-absent", number=one)
    program.act(row, "night-absent", number=one)
    program.ask("night-draw", 409, {"version": 0}, code=row.code)
    table = NightTable.objects.filter(drawn_round__undone_at=None).order_by("number")[0]
    place = {"round": 1, "table": table.number}
    program.ask("night-result", 200, {**place, "points": "120,85", "version": table.version}, code=row.code)
    table.refresh_from_db()
    program.ask("night-confirm", 200, {**place, "version": table.version}, code=row.code)
    program.ask("night-json", code=row.code)
    program.ask("night-draws", code=row.code)
    program.act(row, "night-close")
    program.act(row, "night-finish")
    program.ask("night-new", 200, night)
    program.act(Night.objects.latest("pk"), "night-cancel")


def test_every_address_is_asked_by_these_tests():
    """Asked by name, so that a new address fails until it is."""
    text = open(__file__).read()
    assert [name for name in sorted(WATCHED) if f'"{name}"' not in text] == []
    assert set(get_resolver().reverse_dict) >= WATCHED


def test_lines_of_events_are_as_the_file_says(alice, bob, client, browser_of):
    events = OwnEvents(alice)
    match = begin(alice, bob)
    fields = {"preset": "draw", "seats": 2, "clock": "none", "private": "on"}
    browser_of(bob).post("/players/alice/challenge", fields)
    news = events.find_news()
    while on_turn(match).user != alice:
        match = play(match)
    news += events.find_news()
    play_to_the_end(match, seed=221)
    news += events.find_news()
    assert {each["event"] for each in news} >= {"begun", "turn", "ended", "challenge"}
    assert [fault for each in news for fault in find_faults(each, EVENT_SCHEMA)] == []


def test_checker_finds_what_is_wrong():
    state = {name: None for name in SCHEMAS["State"]["properties"]}
    assert find_faults(state, SCHEMAS["State"])
    assert find_faults({"move": 3, "claim": None}, SCHEMAS["Hint"]) == ["it.move is 3, not string"]
    assert find_faults({"move": "6-6", "claim": None, "more": 1}, SCHEMAS["Hint"])
    assert find_faults({"claim": None}, SCHEMAS["Hint"]) == ["it.move is missing"]


@pytest.mark.parametrize("language", ["en", "ru", "es", "pt"])
def test_page_lists_every_address(client, language):
    page = client.get("/api/", headers={"accept-language": language}).content.decode()
    assert f'<html lang="{language}"' in page
    assert all(f"{each.operation.method.upper()} {each.path}<" in page for each in list_addresses())
    assert "/api/openapi.json" in page
