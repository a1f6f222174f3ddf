"""The create-table form: what it shows, and the sentence that is rewritten at each change."""

import re

import pytest

from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTIONS
from boneyard.engine.tiles import SET_SIZES
from lobbies.form_picture import draw_picture
from lobbies.models import Table
from tests.html import collapse_whitespace
from tests.lobbies.tables import guest

HTMX = {"HX-Request": "true"}


def fields_of(page: str) -> dict[str, str]:
    """Return the data of the untouched form."""
    page = collapse_whitespace(page)
    form = page[page.index('id="table-form"') :]
    form = form[: form.index("</form>")]
    sent: dict[str, str] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        box = re.search(r'type="(radio|checkbox)"', tag)
        if name and not (box and " checked" not in tag):
            sent[name[1]] = value[1] if value else "on" if box else ""
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', form, re.S):
        chosen = re.search(r'value="([^"]*)" selected', options) or re.search(r'value="([^"]*)"', options)
        sent[name] = chosen[1]
    return sent


def preview(browser, **fields: str) -> str:
    return collapse_whitespace(browser.post("/tables/new/preview", fields, headers=HTMX).content.decode())


@pytest.mark.parametrize("preset", PRESETS)
def test_untouched_form_is_the_preset(alice, browser_of, preset):
    browser = browser_of(alice)
    fields = fields_of(browser.get(f"/tables/new?preset={preset}").content.decode())
    assert fields["preset"] == preset
    browser.post("/tables/new", fields)
    table = Table.objects.get()
    assert (table.preset, table.changed) == (preset, False)
    assert table.rules == PRESETS[preset].rules.written()


def test_every_option_has_a_field(alice, browser_of):
    page = browser_of(alice).get("/tables/new?preset=sebastopol").content.decode()
    names = set(re.findall(r'name="rule-([a-z_]+)(?:-[a-z_]+)?"', page))
    assert names == {option.name for option in OPTIONS} - {"players", "target"}
    assert 'name="target"' in page


def test_ineffective_options_are_hidden(alice, browser_of):
    page = browser_of(alice).get("/tables/new").content.decode()
    assert "rule-partners" not in page
    assert "rule-team_difference" not in page


def test_preview_sentence_follows_changes(alice, browser_of):
    browser = browser_of(alice)
    assert "All Fives, as written." in preview(browser, preset="all-fives", seats="2")
    told = preview(browser, preset="all-fives", seats="2", **{"rule-claims": "muggins", "rule-reserve": "2"})
    assert "All Fives, but the last 2 tiles are never drawn, and points count only when claimed." in told
    assert "2 changed" in told
    assert 'id="form-house"' not in told


def test_preview_errors_follow_changes(alice, browser_of):
    told = preview(browser_of(alice), preset="draw", seats="2", **{"rule-claims": "muggins"})
    assert "Claiming points: only in a game in which the ends are counted." in told


def test_reason_for_casual_is_shown(alice, browser_of):
    browser = browser_of(alice)
    told = preview(browser, preset="draw", rated="on", **{"rule-set": "9"})
    assert "House rules make it casual." in told
    assert "Computers make it casual." in preview(browser, preset="draw", rated="on", computers=",club")
    assert "it casual" not in preview(browser, preset="draw", rated="on")


def test_other_game_resets_rules(alice, browser_of):
    told = preview(
        browser_of(alice),
        preset="sebastopol",
        seats="2",
        target="150",
        whole="1",
        **{"initial-preset": "all-fives", "rule-claims": "muggins", "rule-hand_size": "7"},
    )
    assert "Sebastopol (pairs), as written." in told
    assert fields_of(f'<form id="table-form">{told}</form>')["seats"] == "4"
    assert 'placeholder="60"' in told
    assert told.count('name="computers"') == 4


def test_other_seats_reset_hand_size(alice, browser_of):
    told = preview(
        browser_of(alice),
        preset="all-fives",
        seats="4",
        whole="1",
        **{"initial-rule-hand_size": "7", "initial-rule-set": "6", "rule-hand_size": "7", "rule-set": "9"},
    )
    assert "All Fives, but the set is the double-nine." in told
    assert 'name="rule-hand_size" value="5"' in told
    assert "rule-partners" in told


def test_house_rule_survives_other_changes(alice, browser_of):
    browser = browser_of(alice)
    told = preview(browser, preset="all-fives", seats="2", whole="1", **{"rule-reserve": "2"})
    fields = fields_of(f'<form id="table-form">{told}</form>')
    assert (fields["rule-reserve"], fields["initial-rule-reserve"]) == ("2", "0")
    browser.post("/tables/new", fields | {"preset": "all-fives", "rule-claims": "muggins"})
    rules = Table.objects.get().rules
    assert (rules["reserve"]["2"], rules["claims"]) == (2, "muggins")


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"rule-hand_size": "20"}, "rule-hand_size"),
        ({"target": "many"}, "target"),
        ({"clock": "3+5"}, "clock"),
        ({"computers": ",godlike"}, "computers"),
    ],
)
def test_errors_are_at_their_field(alice, browser_of, fields, name):
    page = (
        browser_of(alice).post("/tables/new", {"preset": "all-fives", "seats": "2"} | fields).content.decode()
    )
    assert re.findall(
        r'class="error" role="alert" id="form-([a-z_-]+)_error"', collapse_whitespace(page)
    ) == [name]


def test_everything_wrong_is_said_at_once_beside_its_field(alice, browser_of):
    wrong = {
        "target": "many",
        "rule-hand_size": "20",
        "rule-reserve": "27",
        "clock": "none",
        "computers": ",,club",
    }
    page = (
        browser_of(alice).post("/tables/new", {"preset": "all-fives", "seats": "2"} | wrong).content.decode()
    )
    refused = re.findall(r'class="error" role="alert" id="form-([a-z_-]+)_error"', collapse_whitespace(page))
    assert {*refused} == {*wrong}


def test_every_step_with_a_fault_is_open_and_each_fault_has_its_link(alice, browser_of):
    wrong = {"rule-hand_size": "25", "rule-extras-capicua": "-5", "clock": "none", "computers": ",godlike"}
    answer = browser_of(alice).post("/tables/new", {"preset": "pairs-international", "seats": "4"} | wrong)
    page = collapse_whitespace(answer.content.decode())
    steps = re.findall(r'<details class="step[^>]*>', page)
    assert [" open" in step for step in steps] == [False, True, True]
    assert not any("name=" in step for step in steps)  # of one name only one is open
    links = re.findall(r'<a href="#(form-[a-z_-]+)">To change', page)
    assert len(links) == 4 and all(f'id="{link}"' in page for link in links)
    assert len(re.findall("</a> *· *<a", page)) == len(links) - 1
    assert re.search(r'name="rule-extras-capicua"[^>]* aria-invalid="true"', page)
    assert not re.search(r'name="rule-extras-chucha"[^>]* aria-invalid="true"', page)


def test_refused_table_has_the_focus_at_its_faults_and_says_so_in_the_title(alice, browser_of):
    page = collapse_whitespace(
        browser_of(alice).post("/tables/new", {"preset": "draw", "target": "many"}).content.decode()
    )
    assert re.search(r'id="form-words"[^>]* autofocus', page)
    assert re.search("<title> *Error: *New table", page)


@pytest.mark.parametrize("name", ["rule-hand", "rule-set-6", "rule-extras-none", "rule-"])
def test_unknown_field_is_refused_by_name(alice, browser_of, name):
    answer = browser_of(alice).post("/tables/new", {"preset": "all-fives", name: "9"})
    assert answer.status_code == 422
    assert f"{name}: there is no such option" in collapse_whitespace(answer.content.decode())
    assert not Table.objects.exists()


def test_preview_without_scripts_is_full_page(alice, browser_of):
    answer = browser_of(alice).post(
        "/tables/new/preview", {"preset": "draw", "seats": "3", "rule-spinner": "first", "private": "on"}
    )
    page = answer.content.decode()
    assert "<html" in page
    assert "Draw, but the first double is the spinner." in page
    assert fields_of(page)["private"] == "on"
    assert not Table.objects.exists()


def test_guests_see_rated_disabled(browser_of, db):
    for browser in (browser_of(guest()), browser_of()):
        page = collapse_whitespace(browser.get("/tables/new").content.decode())
        assert '<input type="checkbox" name="rated" disabled>' in page
        assert "Rated tables are for players who signed up." in page


@pytest.mark.parametrize(
    "query",
    ["preset=chess", "preset=draw&seats=9", "seats=x&clock=%00", "preset=draw&clock=777%2B7", "rule-set=7"],
)
def test_invalid_query_shows_form(browser_of, db, query):
    assert browser_of().get(f"/tables/new?{query}").status_code == 200


def test_input_is_escaped(alice, browser_of):
    nasty = '"><script>alert(1)</script>'
    page = preview(
        browser_of(alice), preset="draw", whole="1", clock=nasty, target=nasty, **{"rule-lead_tile": nasty}
    )
    assert "<script" not in page


def test_call_pause_field_only_with_calls(alice, browser_of):
    browser = browser_of(alice)
    assert 'name="call_pause"' not in preview(browser, preset="all-fives")
    assert 'name="call_pause"' in preview(browser, preset="muggins-200")
    assert 'name="call_pause"' in preview(browser, preset="all-fives", **{"rule-claims": "muggins"})


def test_form_names_the_partners_seat(alice, browser_of):
    browser = browser_of(alice)
    assert "Seat 3 is your partner." in browser.get("/tables/new?preset=dominican").content.decode()
    fields = {"preset": "draw", "seats": "4"}
    assert "is your partner" not in preview(browser, **fields)
    assert "Seat 3 is your partner." in preview(browser, **fields, **{"rule-partners": "on"})


def picture_of(html: str) -> str:
    return html[html.index('id="form-picture"') :].partition("</aside>")[0]


def test_computers_in_all_seats_leave_none_to_anybody(alice, browser_of):
    for computers, said in ((",club", False), (",", True)):
        told = preview(browser_of(alice), preset="draw", seats="2", computers=computers)
        assert ("Anybody may sit down." in told, "All other seats are computers." in told) == (said, not said)


def test_another_target_is_no_house_rule(alice, browser_of):
    told = preview(browser_of(alice), preset="all-fives", seats="2", target="75")
    assert "with this choice" not in told and "All Fives, to 75." in told
    assert '<small id="form-says-house" hx-swap-oob="true">As written.</small>' in told
    told = preview(browser_of(alice), preset="all-fives", seats="2", **{"rule-reserve": "2"})
    assert "As written." not in told


def test_every_tile_is_in_a_hand_or_the_boneyard_of_the_picture():
    for preset in PRESETS.values():
        for seats in preset.rules.players:
            picture = draw_picture(
                preset.rules, seats, [""] * (seats - 1), ["Seat"] * (seats - 1), private=False
            )
            assert picture.hand * seats + picture.boneyard == SET_SIZES[preset.rules.set]
            assert 0 <= picture.undrawn <= picture.boneyard
            assert len(picture.others) == seats - 1


def test_picture_follows_the_form(alice, browser_of):
    browser = browser_of(alice)
    page = collapse_whitespace(browser.get("/tables/new").content.decode())
    assert "14 tiles in the boneyard" in picture_of(page)
    assert "whoever sits down" in picture_of(page) and "<b>alice</b>" in picture_of(page)
    told = picture_of(preview(browser, preset="all-fives", seats="2", private="on", **{"rule-reserve": "2"}))
    assert "never drawn: 2" in told and "whoever has the link" in told
    told = picture_of(preview(browser, preset="dominican", seats="4", computers=",,club"))
    assert "All tiles are dealt." in told
    assert "<small>Seat 3, your partner</small><b>computer, club</b>" in told
    assert "<small>Seat 2</small>" in told and "<small>Seat 4</small>" in told
    assert told.count("is-free") == 2


def test_picture_survives_nonsense(alice, browser_of):
    told = preview(browser_of(alice), preset="dominican", seats="9", computers="x,y", target="many")
    assert picture_of(told).count("your partner") == 1
