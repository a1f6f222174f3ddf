"""The pages of a night: what strangers, people and directors see and may do."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from nights.codes import table_code
from nights.models import Entry, Night, NightTable
from tests.nights.conftest import address, press

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_open_nights")]


def own_address(entry: Entry) -> str:
    return reverse("night-me", args=[entry.night.code, entry.secret])


def draw(desk, evening):
    assert press(desk, evening, "draw").status_code == 303
    return list(NightTable.objects.filter(drawn_round__night=evening, drawn_round__undone_at=None))


def seat(evening, table, side=0, place=0):
    return evening.entries.get(number=table.sides[side][place])


def enter(browser, evening, table, points="120,85", **fields):
    table.refresh_from_db()
    return browser.post(
        address(evening, "result"),
        {"round": 1, "table": table.number, "points": points, "version": table.version, **fields},
    )


def read(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_night_is_made_with_one_form_in_local_time(desk):
    form = {
        "name": "Friday",
        "start": "2027-01-08T20:30",
        "zone": "America/Santo_Domingo",
        "preset": "dominican",
        "format": "partners",
        "rounds": 5,
        "hands": 4,
        "add_oneself": "on",
        "weekly": "on",
    }
    answer = desk.post("/nights/new", form)
    night = Night.objects.get()
    assert answer["Location"] == night.get_absolute_url()
    assert (f"{night.starts_at:%d %H:%M}", night.weekly, night.status) == ("09 00:30", True, "open")
    assert "Friday" in read(desk, "/nights/")
    assert "Friday" not in read(Client(), "/nights/")


@pytest.mark.parametrize(
    ("field", "value"),
    [("start", "tomorrow"), ("zone", "Mars/Base"), ("rounds", "0"), ("start", "2001-01-01T20:00")],
)
def test_refused_form_is_kept(desk, field, value):
    form = {"name": "Keep me", "start": "2027-01-08T20:30", "preset": "block", "format": "free", "rounds": 3}
    answer = desk.post("/nights/new", form | {field: value})
    assert answer.status_code == 422
    assert "Keep me" in answer.content.decode()
    assert not Night.objects.exists()


def test_visitor_who_makes_a_night_becomes_a_guest(client):
    form = {"name": "Friday", "start": "2027-01-08T20:30", "preset": "block", "format": "free", "rounds": 3}
    client.post("/nights/new", form)
    assert Night.objects.get().host.is_guest


def test_desk_has_one_next_step(desk, evening):
    page = read(desk, evening.get_absolute_url())
    assert page.count("button-main") == 1
    assert "8 are here: 2 tables, nobody is out" in page
    assert "Draw round 1" in page
    tables = draw(desk, evening)
    page = read(desk, evening.get_absolute_url())
    assert page.count("button-main") == 1
    assert "0 of 2 results are in" in page and "Not entered: 1, 2." in page and "Enter table 1" in page
    for table in tables:
        enter(desk, evening, table)
    assert "Draw round 2" in read(desk, evening.get_absolute_url())


def test_desk_says_which_helpers_would_seat_everybody(desk, evening):
    press(desk, evening, "entry", number=8, set="gone")
    page = read(desk, evening.get_absolute_url())
    assert "7 are here: 1 table, 3 are out" in page
    assert "1 helper would seat everybody" in page


def test_names_are_escaped_on_every_page(desk, evening):
    draw(desk, evening)
    entry = evening.entries.get(number=8)
    table = next(t for t in NightTable.objects.all() if any(8 in side for side in t.sides))
    for path in (
        evening.get_absolute_url(),
        address(evening, "wall/"),
        address(evening, "sheets/"),
        address(evening, "sheets/?slips"),
        own_address(entry),
        reverse("night-enter", args=[evening.code, entry.secret]),
        reverse("night-table", args=[evening.code, table.number, table_code(evening, table.number)]),
    ):
        page = read(desk, path)
        assert "<b>Inés</b>" not in page, path
        assert "&lt;b&gt;Inés&lt;/b&gt;" in page, path


def test_strangers_see_tables_and_no_desk(client, desk, evening):
    tables = draw(desk, evening)
    page = read(client, evening.get_absolute_url())
    assert "Ana" in page and "Round 1 of 5" in page
    assert "What was done" not in page and "night-entry" not in page
    assert table_code(evening, tables[0].number) not in page


def test_secrets_and_table_codes_are_on_no_page_of_others(client, desk, evening):
    tables = draw(desk, evening)
    entries = list(evening.entries.all())
    own = entries[0]
    pages = {
        "night": read(client, evening.get_absolute_url()),
        "wall": read(client, address(evening, "wall/")),
        "json": read(client, address(evening, "night.json")),
        "draws": read(client, address(evening, "draws.json")),
        "me": read(client, own_address(own)),
        "sheets": read(desk, address(evening, "sheets/")),
    }
    for name, page in pages.items():
        shown = [
            entry.name for entry in entries if entry.secret in page and not (name == "me" and entry == own)
        ]
        assert shown == [], name
        codes = [table.number for table in tables if table_code(evening, table.number) in page]
        assert codes == ([] if name != "sheets" else [table.number for table in tables]), name


@pytest.mark.parametrize("page", ["sheets/", "sheets/?slips"])
def test_sheets_are_for_directors(client, evening, page):
    assert client.get(address(evening, page)).status_code == 404


@pytest.mark.parametrize(
    "act", ["draw", "undo", "swap", "absent", "close", "finish", "cancel", "entry", "directors", "open"]
)
def test_acts_of_strangers_change_nothing(client, evening, act):
    answer = client.post(
        address(evening, act),
        {"version": evening.version, "number": 1, "set": "gone", "a": 1, "b": 2, "name": "otto"},
        headers={"Accept": "application/json"},
    )
    assert (answer.status_code, answer.json()["reason"]) == (403, "not_yours")
    before = evening.version
    evening.refresh_from_db()
    assert evening.version == before


def test_old_version_is_refused_in_a_sentence_and_the_names_are_kept(desk, evening):
    answer = desk.post(address(evening, "people"), {"version": 0, "names": "Zoe\nBerta"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Somebody else has changed the night meanwhile" in page and "Zoe\nBerta" in page
    assert evening.entries.count() == 8


def test_second_director_sees_the_desk(desk, evening, browser_of, alice):
    press(desk, evening, "directors", name="ALICE")
    assert "Add people" in read(browser_of(alice), evening.get_absolute_url())


def test_person_adds_himself_without_an_account_and_waits_for_a_tick(client, desk, evening):
    answer = client.post(address(evening, "people"), {"name": "Zoe"})
    entry = evening.entries.get(name="Zoe")
    assert answer["Location"] == own_address(entry)
    assert "You are on the list" in read(client, own_address(entry))
    assert "Zoe" not in read(Client(), address(evening, "night.json"))
    assert "Zoe" not in read(Client(), address(evening, "wall/"))
    assert own_address(entry) in read(client, evening.get_absolute_url())
    assert "Want to play" in read(desk, evening.get_absolute_url())
    press(desk, evening, "entry", number=entry.number, set="here")
    assert "Wait for round 1" in read(client, own_address(entry))


def test_own_page_is_one_sentence(client, desk, evening):
    table = draw(desk, evening)[0]
    own, partner = (seat(evening, table, 0, place).name for place in (0, 1))
    others = [seat(evening, table, 1, place).name for place in (0, 1)]
    page = read(client, own_address(evening.entries.get(name=own)))
    sentence = f"Table {table.number}, with {partner}, against {others[0]} and {others[1]}"
    assert sentence in page.replace("&lt;", "<").replace("&gt;", ">")
    assert page.count("button-main") == 1


def test_who_is_out_reads_how_it_counts(client, desk, evening):
    press(desk, evening, "people", names="Zoe")
    draw(desk, evening)
    out = evening.drawn_rounds.get().drawn["out"]
    page = read(client, own_address(evening.entries.get(number=out[0])))
    assert "You are out in round 1" in page and "half a win" in page


def test_result_is_entered_and_confirmed_from_two_phones(desk, evening):
    table = draw(desk, evening)[0]
    first, second = Client(), Client()
    one, other = seat(evening, table, 0), seat(evening, table, 1)
    for browser, entry in ((first, one), (second, other)):
        read(browser, own_address(entry))  # gives the browser its cookie
    assert enter(first, evening, table, me=one.secret).status_code == 303
    page = read(second, own_address(other))
    assert "85 – 120. Right?" in page and "Yes, right" in page
    assert "The other side confirms it" in read(first, own_address(one))
    table.refresh_from_db()
    form = {"round": 1, "table": table.number, "version": table.version, "me": other.secret}
    first.post(address(evening, "confirm"), form)
    table.refresh_from_db()
    assert table.status == "entered"  # the phone that entered it confirms nothing
    second.post(address(evening, "confirm"), form)
    table.refresh_from_db()
    assert (table.status, table.points) == ("confirmed", [120, 85])


def test_code_of_the_table_enters_and_a_wrong_one_does_not(client, desk, evening):
    table, other = draw(desk, evening)
    code = table_code(evening, table.number)
    path = reverse("night-table", args=[evening.code, table.number, code])
    assert f"Table {table.number}, round 1" in read(client, path)
    assert client.get(path.replace(code, "wrong")).status_code == 404
    assert client.get(reverse("night-table", args=[evening.code, other.number, code])).status_code == 404
    enter(client, evening, table)
    enter(client, evening, other, code=code)
    assert set(NightTable.objects.values_list("status", flat=True)) == {"playing"}
    enter(client, evening, table, code=code)
    table.refresh_from_db()
    assert (table.status, table.points) == ("entered", [120, 85])


def test_hands_are_added_up_with_the_extras_of_the_game(desk, evening):
    table = draw(desk, evening)[0]
    hands = [{"winner": 0, "pips": 17, "extras": ["capicua"]}, {"points": [0, 30]}]
    enter(desk, evening, table, points="", hands=json.dumps(hands))
    table.refresh_from_db()
    assert table.points == [42, 30]


def test_more_hands_than_a_round_has_are_refused(desk, evening):
    table = draw(desk, evening)[0]
    hands = [{"winner": 0, "pips": 17}] * 5
    answer = enter(desk, evening, table, points="", hands=json.dumps(hands))
    table.refresh_from_db()
    assert table.points is None and answer.status_code == 303
    assert "fewer hands" in read(desk, evening.get_absolute_url())
    enter(desk, evening, table, points="", hands=json.dumps(hands[:4]))
    table.refresh_from_db()
    assert table.points == [68, 0]


@pytest.mark.parametrize(
    "hands",
    [
        "[",
        "[]",
        "3",
        '[{"winner": 2, "pips": 1}]',
        '[{"winner": 0, "pips": 1, "extras": ["luck"]}]',
        '[{"points": [1]}]',
        '[{"points": [1, true]}]',
    ],
)
def test_hands_of_another_form_are_refused(desk, evening, hands):
    table = draw(desk, evening)[0]
    enter(desk, evening, table, points="", hands=hands)
    table.refresh_from_db()
    assert table.points is None


def test_stale_result_is_refused_and_the_form_kept(client, desk, evening):
    table = draw(desk, evening)[0]
    one = seat(evening, table, 0)
    form = {"round": 1, "table": table.number, "point": ["77", "33"], "version": 9, "me": one.secret}
    answer = client.post(address(evening, "result"), form)
    page = answer.content.decode()
    assert answer.status_code == 409 and 'value="77"' in page and 'value="33"' in page
    assert f'name="version" value="{table.version}"' in page


def test_dispute_is_settled_by_pressing_one_version(desk, evening):
    table = draw(desk, evening)[0]
    for side, points in enumerate(["120,85", "85,120"]):
        enter(Client(), evening, table, points, me=seat(evening, table, side).secret)
    page = read(desk, evening.get_absolute_url())
    assert f"Settle table {table.number}" in page
    button = re.search(r'value="120,85"\s+formaction="([^"]+)"', page)
    desk.post(button[1].replace("&amp;", "&"), {"version": evening.version, "points": "120,85"})
    table.refresh_from_db()
    assert (table.status, table.points) == ("confirmed", [120, 85])


def test_json_has_an_etag_that_the_next_result_changes(client, desk, evening):
    path = address(evening, "night.json")
    answer = client.get(path)
    assert answer.json()["state"] == "open" and len(answer.json()["entries"]) == 8
    assert client.get(path, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    table = draw(desk, evening)[0]
    enter(desk, evening, table)
    again = client.get(path, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 200
    assert [row["place"] for row in again.json()["standings"]] == [1, 1, 3, 3]


def test_night_over_shows_the_podium_and_each_their_own_result(client, desk, evening):
    for table in draw(desk, evening):
        enter(desk, evening, table)
    press(desk, evening, "finish")
    assert "podium" in read(client, evening.get_absolute_url())
    winner = seat(evening, table, 0)
    page = read(client, own_address(winner))
    assert "1 won, +35, place 1 of 8" in page and "Keep this" in page


def test_personal_link_is_claimed_once(desk, evening, browser_of, alice, bob):
    entry = evening.entries.get(number=1)
    browser_of(alice).post(own_address(entry) + "claim")
    entry.refresh_from_db()
    assert entry.user == alice
    browser_of(bob).post(own_address(entry) + "claim")
    entry.refresh_from_db()
    assert entry.user == alice
    assert "Friday pairs" in read(browser_of(alice), "/nights/")
    press(desk, evening, "entry", number=1, set="untie")
    entry.refresh_from_db()
    assert entry.user is None


def test_unknown_night_person_and_next_night_are_not_found(client, evening):
    for path in ("/nights/nothing000/", address(evening, "me/nobody/"), address(evening, "next/")):
        assert client.get(path).status_code == 404


def test_weekly_night_leads_to_the_next_one(client, desk, evening):
    Night.objects.filter(pk=evening.pk).update(weekly=True)
    draw(desk, evening)
    press(desk, evening, "finish")
    assert "The next night" in read(client, evening.get_absolute_url())
    following = Night.objects.get(previous=evening)
    assert client.get(address(evening, "next/"))["Location"] == following.get_absolute_url()
    assert "Want to play" in read(desk, following.get_absolute_url())


def test_desk_offers_the_rounds_after_which_a_person_stops(desk, evening):
    press(desk, evening, "draw")
    page = desk.get(evening.get_absolute_url()).content.decode()
    offered = re.findall(r"Stops after round (\d+)", page)
    assert offered[: evening.rounds - 1] == [str(number) for number in range(1, evening.rounds)]


def test_desk_asks_who_is_here_while_people_only_want_to_play(desk, host, evening):
    evening.entries.update(status="asked")
    page = desk.get(evening.get_absolute_url()).content.decode()
    assert "8 want to play" in page and "Nobody is on the list yet" not in page


@pytest.mark.parametrize(("name", "is_told"), [("rosa", True), ("Rosa", True), ("Rosalía", False)])
def test_desk_says_that_a_name_like_an_askers_is_on_the_list(client, desk, evening, name, is_told):
    client.post(address(evening, "people"), {"name": name})
    page = " ".join(desk.get(evening.get_absolute_url()).content.decode().split())
    assert ("Rosa is on the list" in page) == is_told


def test_page_of_somebody_who_has_left_says_what_to_do(client, desk, evening):
    entry = evening.entries.get(number=1)
    press(desk, evening, "entry", number=1, set="gone")
    page = client.get(address(evening, "me", entry.secret, "")).content.decode()
    assert "If you are still here, say so" in page and "This page changes by itself" not in page
