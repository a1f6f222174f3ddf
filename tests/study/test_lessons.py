"""Lessons: every one is played to its end as it is written down, and what it says of a position is so."""

import re

import pytest

from study.course import LESSONS
from study.lessons import Taught
from tests.markup import squeezed

pytestmark = pytest.mark.django_db

STEPS = [(lesson, number) for lesson in LESSONS for number in range(1, len(lesson.steps) + 1)]
each_step = pytest.mark.parametrize(
    ("lesson", "number"), STEPS, ids=[f"{lesson.slug} {number}" for lesson, number in STEPS]
)


@each_step
def test_what_is_asked_for_is_offered_and_leads_on(client, lesson, number):
    right = lesson.steps[number - 1].right
    address = f"/learn/{lesson.slug}/{number}/"
    assert right in [answer.value for answer in Taught(lesson, number).answers]

    answer = client.post(address, {"answer": right})

    assert (answer.status_code, answer["Location"]) == (303, f"/learn/{lesson.slug}/{number + 1}/")
    assert client.get(answer["Location"]).status_code == 200


@each_step
def test_what_is_not_asked_for_is_answered_with_a_reason_and_leads_nowhere(client, lesson, number):
    right = lesson.steps[number - 1].right
    for answer in Taught(lesson, number).answers:
        if answer.value != right:
            page = client.post(f"/learn/{lesson.slug}/{number}/", {"answer": answer.value})
            assert page.status_code == 200
            assert re.search(
                r'<p id="said" tabindex="-1" autofocus>[^<]{10,}</p>', squeezed(page.content.decode())
            )


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.slug for lesson in LESSONS])
def test_the_points_that_a_lesson_ends_with_are_those_of_its_match(lesson):
    view = Taught(lesson, len(lesson.steps) + 1).view
    own = {"line": 19, "spinner": 10, "counting": 35, "blocking": 22, "calling": 20}[lesson.slug]
    assert view.scores[0] == own
    if lesson.slug in ("line", "counting", "blocking"):
        assert re.search(rf"\b{own}\b", str(lesson.done))


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.slug for lesson in LESSONS])
def test_the_ends_that_a_step_names_are_open(lesson):
    for number, step in enumerate(lesson.steps, 1):
        if said := re.search(r"ends are ((?:\d(?:, | and )?)+)", str(step.asked)):
            named = [int(suit) for suit in re.findall(r"\d+", said[1])]
            view = Taught(lesson, number).view
            worth = view.end_values or view.ends
            free = [end for end in worth if end in "UD" and end not in {laid.end for laid in view.laid}]
            assert sorted(named) == sorted(worth[end] for end in worth if end not in free), step.asked


def test_an_answer_that_is_not_offered_is_no_answer(client):
    for odd in ("", "6-5", "resign", "6-6=5", "\0", "x" * 3000):
        assert client.post("/learn/line/1/", {"answer": odd}).status_code == 200


@pytest.mark.parametrize("address", ["/learn/nothing/1/", "/learn/line/0/", "/learn/line/7/"])
def test_there_are_no_other_steps(client, address):
    assert client.get(address).status_code == 404


def test_how_far_one_has_come_is_told_and_gone_on_from(client):
    def card() -> str:
        return (
            squeezed(client.get("/learn/").content.decode())
            .partition("/learn/line/")[2]
            .partition("</li>")[0]
        )

    assert card().startswith("1/") and "<em>" not in card()
    client.post("/learn/line/1/", {"answer": "6-6"})
    client.post("/learn/line/2/", {"answer": "6-4@L"})
    assert card().startswith("3/") and "step 3 of 5" in card()
    client.post("/learn/line/1/", {"answer": "6-6"})
    assert card().startswith("3/"), "going back loses nothing"
    for number, answer in ((3, "4-3@L"), (4, "3-1@R"), (5, "1-0@R")):
        client.post(f"/learn/line/{number}/", {"answer": answer})
    assert card().startswith("1/") and "done" in card()


def test_the_one_who_lays_the_right_tile_elsewhere_is_told_that_it_is_the_place(client):
    page = client.post("/learn/line/3/", {"answer": "4-3@R"}).content.decode()
    assert "The right tile, but another place is asked for." in page


def test_a_wrong_count_and_a_wrong_claim_are_told_the_count(client):
    assert (
        "That makes 8, which is not what is asked for."
        in client.post("/learn/counting/1/", {"answer": "4-4"}).content.decode()
    )
    assert (
        "Count again: the ends make 10 after it."
        in client.post("/learn/calling/1/", {"answer": "5-5@L=15"}).content.decode()
    )


def test_where_points_are_called_no_count_is_shown(client):
    for number in range(1, 4):
        assert "ends-sum" not in client.get(f"/learn/calling/{number}/").content.decode()


@pytest.mark.parametrize(
    ("preset", "slug"), [("block", "line"), ("all-fives", "counting"), ("muggins-200", "calling")]
)
def test_the_rules_of_a_game_lead_to_the_lesson_that_is_most_about_it(client, preset, slug):
    assert f'href="/learn/{slug}/1/"' in client.get(f"/rules/{preset}/").content.decode()
