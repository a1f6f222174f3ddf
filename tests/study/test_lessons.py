"""Play every lesson, and check its statements about the position."""

import re

import pytest

from study.course import LESSONS
from study.lessons import LessonPage
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db

STEPS = [(lesson, number) for lesson in LESSONS for number in range(1, len(lesson.steps) + 1)]
each_step = pytest.mark.parametrize(
    ("lesson", "number"), STEPS, ids=[f"{lesson.slug} {number}" for lesson, number in STEPS]
)


@each_step
def test_right_answer_is_offered_and_leads_on(client, lesson, number):
    right = lesson.steps[number - 1].right
    address = f"/learn/{lesson.slug}/{number}/"
    assert right in [answer.value for answer in LessonPage(lesson, number).answers]

    answer = client.post(address, {"answer": right})

    assert (answer.status_code, answer["Location"]) == (303, f"/learn/{lesson.slug}/{number + 1}/")
    assert client.get(answer["Location"]).status_code == 200


def test_task_stands_on_the_felt(client):
    page = client.get("/learn/counting/1/").content.decode()
    table = page.partition('id="table"')[2].partition('<form id="pick"')[0]
    assert 'class="lesson-prompt"' in table and "lead the one that makes 10" in collapse_whitespace(table)
    assert 'class="rail"' not in page


def test_front_page_says_in_spanish_who_led(client):
    page = collapse_whitespace(client.get("/", headers={"Accept-Language": "es"}).content.decode())
    assert re.search("<b>La máquina</b> ?<small>salió con el 5-5", page)


@each_step
def test_wrong_answer_gets_feedback(client, lesson, number):
    right = lesson.steps[number - 1].right
    for answer in LessonPage(lesson, number).answers:
        if answer.value != right:
            page = client.post(f"/learn/{lesson.slug}/{number}/", {"answer": answer.value})
            assert page.status_code == 200
            assert re.search(
                r'<p id="said" tabindex="-1" autofocus>[^<]{10,}</p>',
                collapse_whitespace(page.content.decode()),
            )


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.slug for lesson in LESSONS])
def test_final_points_match_text(lesson):
    view = LessonPage(lesson, len(lesson.steps) + 1).view
    own = {"line": 19, "spinner": 10, "counting": 35, "blocking": 22, "calling": 20}[lesson.slug]
    assert view.scores[0] == own
    if lesson.slug in ("line", "counting", "blocking"):
        assert re.search(rf"\b{own}\b", str(lesson.done))


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.slug for lesson in LESSONS])
def test_ends_named_in_prompt_are_open(lesson):
    for number, step in enumerate(lesson.steps, 1):
        if match := re.search(r"ends are ((?:\d(?:, | and )?)+)", str(step.prompt)):
            named = [int(suit) for suit in re.findall(r"\d+", match[1])]
            view = LessonPage(lesson, number).view
            worth = view.end_values or view.ends
            free = [end for end in worth if end in "UD" and end not in {laid.end for laid in view.laid}]
            assert sorted(named) == sorted(worth[end] for end in worth if end not in free), step.prompt


def test_answer_not_offered_is_ignored(client):
    for answer in ("", "6-5", "resign", "6-6=5", "\0", "x" * 3000):
        assert client.post("/learn/line/1/", {"answer": answer}).status_code == 200


@pytest.mark.parametrize("address", ["/learn/nothing/1/", "/learn/line/0/", "/learn/line/7/"])
def test_missing_step_is_404(client, address):
    assert client.get(address).status_code == 404


def test_progress_is_shown_and_resumed(client):
    def card() -> str:
        return (
            collapse_whitespace(client.get("/learn/").content.decode())
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


def test_right_tile_at_wrong_place_gets_feedback(client):
    page = client.post("/learn/line/3/", {"answer": "4-3@R"}).content.decode()
    assert "The right tile, but another place is asked for." in page


def test_wrong_count_and_claim_get_feedback(client):
    assert (
        "That makes 8, which is not what is asked for."
        in client.post("/learn/counting/1/", {"answer": "4-4"}).content.decode()
    )
    assert (
        "Count again: the ends make 10 after it."
        in client.post("/learn/calling/1/", {"answer": "5-5@L=15"}).content.decode()
    )


def test_count_is_hidden_where_claims_are_called(client):
    for number in range(1, 4):
        assert "ends-sum" not in client.get(f"/learn/calling/{number}/").content.decode()


@pytest.mark.parametrize(
    ("preset", "slug"), [("block", "line"), ("all-fives", "counting"), ("muggins-200", "calling")]
)
def test_rules_page_links_to_best_lesson(client, preset, slug):
    assert f'href="/learn/{slug}/1/"' in client.get(f"/rules/{preset}/").content.decode()
