"""Making a table."""

import re
from html import unescape

import pytest

from accounts.models import User
from boneyard.engine.presets import PRESETS
from boneyard.engine.shuffle import chain
from lobbies import services
from lobbies.models import Table
from lobbies.refusals import TableRefused
from tests.games.playing import secret_of
from tests.html import collapse_whitespace
from tests.lobbies.tables import guest, make, names

JSON = {"Accept": "application/json"}


@pytest.fixture
def posted(browser_of, alice):
    """Post alice's form; return the response and the table, if one was created."""

    def posted(**fields):
        answer = browser_of(alice).post("/tables/new", {"preset": "all-fives"} | fields)
        return answer, Table.objects.first()

    return posted


def rule(**options: str) -> dict[str, str]:
    return {f"rule-{name}": value for name, value in options.items()}


def test_host_gets_seat_0_and_redirect(posted):
    answer, table = posted()
    assert (answer.status_code, answer.url) == (303, f"/tables/{table.code}/")
    assert re.fullmatch("[0-9a-z]{10}", table.code)
    assert names(table) == ["alice", ""]
    assert (table.rated, table.private, table.changed, table.clock) == (False, False, False, (300, 5))
    assert table.rules == PRESETS["all-fives"].rules.written()


def test_seal_is_end_of_chain_at_creation(alice):
    table, other = make(alice), make(alice)
    secret = secret_of(table.code)
    assert table.seal == chain(bytes.fromhex(secret)).seal
    assert len(secret) == 64
    assert secret != secret_of(other.code)


def test_all_fields_are_stored(posted):
    _answer, table = posted(seats="3", clock="300+5", private="on", rated="on", target="100")
    assert (table.seats, table.clock, table.private, table.rated) == (3, (300, 5), True, True)
    assert not table.changed


def test_other_target_is_casual(posted):
    _answer, table = posted(rated="on", target="501")
    assert (table.rules["target"], table.changed, table.rated) == (501, True, False)


def test_house_rule_is_casual(posted):
    _answer, table = posted(rated="on", **rule(claims="muggins"))
    assert (table.rules["claims"], table.changed, table.rated) == ("muggins", True, False)


def test_computers_are_casual(posted):
    _answer, table = posted(rated="on", seats="4", computers=",club,,strong")
    assert names(table) == ["alice", "club", "", "strong"]
    assert not table.rated
    assert not table.changed


def test_computers_by_repeated_field(posted):
    _answer, table = posted(seats="3", computers=["", "", "master", "club"])
    assert names(table) == ["alice", "", "master"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"hand_size": "9"}, {"hand_size": {"2": 9, "3": 5, "4": 5}}),
        ({"hand_size": '{"2": 8, "3": 6, "4": 4}'}, {"hand_size": {"2": 8, "3": 6, "4": 4}}),
        ({"reserve": "2"}, {"reserve": {"2": 2, "3": 0, "4": 0}}),
        ({"max_same_suit": "4"}, {"max_same_suit": 4}),
        ({"first_lead": "tile", "lead_tile": "2-3"}, {"first_lead": "tile", "lead_tile": "3-2"}),
        ({"many_ends": "true"}, {"many_ends": True}),
        ({"many_ends": "on"}, {"many_ends": True}),
        ({"set": "9"}, {"set": 9}),
        ({"pass": "free"}, {"pass": "free"}),
        ({"target": "19"}, {"target": 19}),
        ({"bonus_ceiling": ""}, {}),
        ({"players": "[2, 4]"}, {"players": [2, 4]}),
    ],
)
def test_house_rules_from_form_fields(posted, options, expected):
    _answer, table = posted(**rule(**options))
    changed = {
        name: value
        for name, value in table.rules.items()
        if value != PRESETS["all-fives"].rules.written()[name]
    }
    changed.pop("players", None) if "players" not in options else None
    assert changed == expected
    assert table.changed is bool(expected)


def test_house_rules_are_validated_for_own_seats(posted):
    cross = rule(
        spinner="cross",
        first_lead="tile",
        lead_tile="6-6",
        lead_with="named",
        next_lead="first",
        next_lead_after_block="first",
        hand_size="7",
    )
    _answer, table = posted(seats="4", **cross)
    assert (table.rules["players"], table.rules["spinner"]) == ([4], "cross")


def test_repeated_initial_value_changes_nothing(posted):
    shown = {
        f"initial-{name}": text for name, text in rule(count="fives", spinner="first", hand_size="7").items()
    }
    entered = rule(count="fives", spinner="first", hand_size="7", reserve="2")
    _answer, table = posted(preset="draw", **shown, **{"initial-rule-reserve": "0"}, **entered)
    assert table.rules == PRESETS["draw"].rules.written() | {
        "players": [2],
        "reserve": {"2": 2, "3": 0, "4": 0},
    }


def test_repeated_value_of_other_seats_changes_nothing(posted):
    _answer, table = posted(seats="4", **rule(hand_size="7"), **{"initial-rule-hand_size": "7"})
    assert table.rules == PRESETS["all-fives"].rules.written()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"preset": "chess"}, "There is no such game."),
        ({"seats": "5"}, "Players: this game is played with 2, 3, 4."),
        ({"seats": "two"}, "Players: this game is played with 2, 3, 4."),
        ({"preset": "sebastopol", "seats": "2"}, "Players: this game is played with 4."),
        ({"clock": "5 minutes"}, "Clock: write it as 300+5"),
        ({"clock": "3+5"}, "Clock: 10 to 10800 seconds"),
        ({"clock": "300+999"}, "up to 180 for each move"),
        ({"clock": "99999+5"}, "Clock: 10 to 10800 seconds"),
        ({"clock": "३००+५"}, "Clock: write it as 300+5"),
        ({"computers": ",godlike"}, "Computers: there is none called godlike"),
        ({"computers": "club,"}, "Computers: the first seat is yours"),
        ({"computers": ",club,club,club"}, "Computers: there are more of them than seats."),
        ({"target": "0"}, "First to: a whole number from 1 to 1000000."),
        ({"target": "never"}, "First to: a whole number from 1 to 1000000."),
        ({"target": "-5"}, "First to: a whole number from 1 to 1000000."),
        ({"target": "61.5"}, "First to: a whole number from 1 to 1000000."),
        ({"target": "999999999999"}, "First to: a whole number from 1 to 1000000."),
        (rule(reserve="two"), "Tiles that stay in the boneyard: a whole number from 0 to 1000000."),
        (rule(max_doubles="0"), "Most doubles in a hand: a whole number from 2 to 1000000."),
        (rule(lead_tile="potato"), "The tile that leads: a tile such as 6-6."),
        (
            rule(opening='{"points": "3x", "kept": false}'),
            "Points to open with: a whole number from 1 to 1000000.",
        ),
        (
            rule(lone_pips="potato"),
            "What a tile counts that is left alone: tiles and what each counts, such as 0-0 25, 6-6 50.",
        ),
        ({"call_pause": "3"}, "Pause for “Muggins!”: 3 is not one of its values."),
        ({"computer_pause": "slow"}, "Computers’ pause: slow is not one of its values."),
        (rule(set="7"), "Set: 7 is not one of its values."),
        (rule(claims="shouted"), "Claiming points: shouted is not one of its values."),
        (
            rule(count="none", claims="muggins"),
            "Claiming points: only in a game in which the ends are counted.",
        ),
        (rule(hand_size="20"), "Tiles in a hand: the hands do not fit the set."),
        (rule(hand_size="[]"), "Tiles in a hand: a whole number from 1 to 1000000."),
        (rule(hand_size="[" * 4000), "Tiles in a hand: "),
        (rule(reserve="30"), "Tiles that stay in the boneyard: more tiles than the boneyard has."),
        (rule(lead_tile="6-6"), "The tile that leads: only where a named tile leads first."),
        (rule(first_lead="tile"), "The tile that leads: name the tile that leads."),
        (rule(first_lead="tile", lead_tile="9-9"), "The tile that leads: this tile is not in the set."),
        (rule(max_same_suit="2"), "Most tiles of one suit in a hand: a whole number from 3 to 1000000."),
        (rule(players="[3]"), "Players: this game is played with 3."),
        (rule(players="all"), "Players: all is not one of its values."),
        (rule(partners="perhaps"), "Four seats play in pairs: perhaps is not one of its values."),
    ],
)
def test_invalid_rule_is_refused_by_name(browser_of, alice, fields, sentence):
    fields = {"preset": "all-fives", "seats": "2"} | fields
    answer = browser_of(alice).post("/tables/new", fields)
    assert answer.status_code == 422
    assert sentence in unescape(answer.content.decode())
    told = browser_of(alice).post("/tables/new", fields, headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (422, "invalid")
    assert sentence in told.json()["error"]
    assert not Table.objects.exists()


def test_refused_form_keeps_input(browser_of, alice):
    answer = browser_of(alice).post(
        "/tables/new", {"preset": "draw", "seats": "3", "clock": "600+5", "target": "x", "rule-reserve": "2"}
    )
    page = collapse_whitespace(answer.content.decode())
    assert 'value="draw" checked>' in page
    assert '<option value="600+5" selected>' in page
    assert re.search('name="seats" value="3"[^>]* checked', page)
    assert 'name="rule-reserve" value="2"' in page


def test_anonymous_maker_becomes_guest(browser_of, db):
    browser = browser_of()
    answer = browser.post("/tables/new", {"preset": "draw"})
    table = Table.objects.get()
    assert answer.url == f"/tables/{table.code}/"
    assert table.host.is_guest
    assert str(table.host.pk) == browser.session["_auth_user_id"]


@pytest.mark.parametrize("signed_in", [True, False])
def test_guest_cannot_make_rated_table(browser_of, db, signed_in):
    browser = browser_of(guest() if signed_in else None)
    before = User.objects.count()
    answer = browser.post("/tables/new", {"preset": "draw", "rated": "on"})
    assert answer.status_code == 403
    assert "This table is rated. Sign up to play rated matches." in answer.content.decode()
    assert not Table.objects.exists()
    assert User.objects.count() == before


def test_banned_user_cannot_make_table(alice):
    alice.banned_at = alice.date_joined
    with pytest.raises(TableRefused, match="banned"):
        make(alice)


def test_open_tables_are_limited(alice, browser_of):
    for _ in range(3):
        make(alice)
    told = browser_of(alice).post("/tables/new", {"preset": "draw"}, headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (429, "too_many_tables")
    assert Table.objects.count() == 3


def test_table_rate_is_limited(alice):
    for _ in range(20):
        services.leave(make(alice), alice)
    with pytest.raises(TableRefused, match="too_fast"):
        make(alice)


def test_limits_can_be_disabled(alice, settings):
    settings.LIMITS = False
    for _ in range(25):
        make(alice)
    assert Table.objects.count() == 25


def test_json_response(browser_of, alice):
    told = browser_of(alice).post("/tables/new", {"preset": "draw"}, headers=JSON)
    table = Table.objects.get()
    assert told.json() == {
        "table": table.code,
        "status": "open",
        "seal": table.seal,
        "rated": False,
        "seat": 0,
        "commitment": None,
        "commitments": None,
        "revealed": False,
    }


def test_missing_csrf_token_is_refused(alice):
    from django.test import Client

    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    assert browser.post("/tables/new", {"preset": "draw"}).status_code == 403
    assert not Table.objects.exists()
