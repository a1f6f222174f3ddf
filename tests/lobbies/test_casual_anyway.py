"""A table asked to be rated that its target or clock makes casual: the page says so before it is made."""

import pytest
import time_machine

from lobbies.models import Table
from nights.models import Night
from tests.html import collapse_whitespace
from tests.lobbies.test_form import fields_of, preview
from tests.nights.conftest import NOW
from tests.nights.test_phones_pages import FORM

ASKS = "Nothing is made yet. Change it, or press again for a casual table."
CASUAL = [
    ("all-fives", {"target": "19"}, "This target makes it casual. Any target from 20 to 500 can be rated."),
    ("gomuggins", {"target": "300"}, "This target makes it casual. Only the target 365 can be rated."),
    ("all-fives", {"clock": "none", "private": "on"}, "Without a clock it is casual."),
]


def send(browser, preset: str, fields: dict[str, str]):
    return browser.post(
        "/tables/new", {"preset": preset, "seats": "2", "clock": "300+5", "rated": "on"} | fields
    )


@pytest.mark.parametrize(("preset", "changes", "sentence"), CASUAL)
def test_page_that_has_not_said_so_asks_and_loses_nothing(alice, browser_of, preset, changes, sentence):
    browser = browser_of(alice)
    fields = {
        "casual": "",
        "clock": "180+3",
        "rule-call_last": "false",
    } | changes  # as a page without scripts sends it
    answer = send(browser, preset, fields)
    page = collapse_whitespace(answer.content.decode())
    assert answer.status_code == 200 and not Table.objects.exists()
    assert sentence in page and ASKS in page
    sent_again = fields_of(answer.content.decode())
    assert {name: sent_again[name] for name in ("preset", "rated", *fields)} == (
        fields | {"preset": preset, "rated": "on", "casual": sent_again["casual"]}
    )
    assert send(browser, preset, sent_again).status_code == 303
    assert not Table.objects.get().rated


@pytest.mark.parametrize(("preset", "changes", "sentence"), CASUAL)
def test_live_page_says_so_and_is_not_asked(alice, browser_of, preset, changes, sentence):
    browser = browser_of(alice)
    told = preview(browser, preset=preset, rated="on", casual="", **changes)
    assert sentence in told
    reason = "target" if "target" in changes else "clock"
    assert f'name="casual" value="{reason}"' in told
    assert send(browser, preset, changes | {"casual": reason}).status_code == 303


def test_other_reason_than_the_page_has_said_is_asked_again(alice, browser_of):
    answer = send(browser_of(alice), "all-fives", {"target": "19", "casual": "clock"})
    assert answer.status_code == 200 and not Table.objects.exists()


@pytest.mark.parametrize("fields", [{"target": "19"}, {"target": "19", "casual": "target"}])
def test_program_is_not_asked(alice, browser_of, fields):
    assert send(browser_of(alice), "all-fives", fields).status_code == 303


@pytest.mark.parametrize("changes", [{"target": "150"}, {}, {"rule-draw": "none"}])
def test_nothing_is_asked_without_need(alice, browser_of, changes):
    assert send(browser_of(alice), "all-fives", {"casual": ""} | changes).status_code == 303


def test_challenge_without_a_clock_is_asked_about(alice, bob, browser_of):
    browser = browser_of(alice)
    fields = {"preset": "all-fives", "seats": "2", "clock": "none", "rated": "on", "casual": ""}
    answer = browser.post("/players/bob/challenge", fields)
    page = collapse_whitespace(answer.content.decode())
    assert answer.status_code == 200 and not Table.objects.exists()
    assert "Without a clock it is casual. Nothing is sent yet." in page
    assert 'name="casual" value="clock"' in page and 'name="rated"checked' in page.replace(" ", "")
    assert browser.post("/players/bob/challenge", fields | {"casual": "clock"}).status_code == 303


@pytest.mark.parametrize(
    ("preset", "target", "sentence"),
    [
        ("dominican", 600, "Any target from 20 to 500 can be rated."),
        ("puerto-rico-200", 150, "Only the targets 100 and 200 can be rated."),
        ("kozel-pairs", 50, "Only the target 101 can be rated."),
    ],
)
@time_machine.travel(NOW)
def test_rated_night_to_other_points_is_refused_and_says_which(alice, browser_of, preset, target, sentence):
    fields = FORM | {"rated": "on", "preset": preset, "target": target}
    answer = browser_of(alice).post("/nights/new", fields)
    assert answer.status_code == 422 and not Night.objects.filter(host=alice).exists()
    assert f"To these points the matches of a night are not rated. {sentence}" in collapse_whitespace(
        answer.content.decode()
    )
