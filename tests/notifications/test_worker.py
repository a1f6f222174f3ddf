"""The service worker as it is served, and the script of pages, in a browser that Node makes up.

The headless browser of tests/browser has no push service and displays no notifications.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders

NODE = shutil.which("node")
SCRIPTS = Path(__file__).parent / "node"
TIMEOUT_SECONDS = 60
OTHER_MATCH = "/games/BBBB/"
MATCH, NOTICE = "/games/AAAA/", "/notifications/5/"
KEY = "BAAA"

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(NODE is None, reason="Node runs the scripts of browsers"),
]


def run(script: str, file: Path, **told: Any) -> dict[str, Any]:
    done = subprocess.run(
        [NODE, str(SCRIPTS / script), str(file)],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def worker(client, tmp_path):
    """Return a function that runs the served worker: takes events and the state of the browser."""
    file = tmp_path / "sw.js"
    file.write_text(client.get("/sw.js").text)
    return lambda *events, **state: run("worker.mjs", file, state=state, events=list(events))


@pytest.fixture
def page(tmp_path):
    """Return a function that runs an exported function of push.js."""
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name in ("push.js", "dom.js"):
        shutil.copy(finders.find(f"js/{name}"), tmp_path / name)
    return lambda action, **state: run("page.mjs", tmp_path / "push.js", state=state, action=action)


def pushed(title: str, tag: str, *, badge: int = 1, unread: list[str] | None = None) -> dict[str, Any]:
    data = {"title": title, "body": "", "url": NOTICE, "tag": tag, "badge": badge, "open": unread or []}
    return {"type": "push", "data": data}


def click(tag: str) -> dict[str, Any]:
    return {"type": "notificationclick", "tag": tag}


def test_later_notice_about_the_same_replaces_the_earlier(worker):
    done = worker(pushed("Your turn", "a"), pushed("2 hours left for your move", "a"))
    assert done["screen"] == ["2 hours left for your move"]


def test_notice_takes_off_the_screen_what_was_read_elsewhere(worker):
    done = worker(pushed("one", "a"), pushed("two", "b"), pushed("three", "c", unread=["b", "c"]))
    assert done["screen"] == ["two", "three"]


def test_notice_of_an_earlier_release_is_displayed_and_closes_nothing(worker):
    earlier = pushed("two", "b")
    del earlier["data"]["open"]
    assert worker(pushed("one", "a"), earlier)["screen"] == ["one", "two"]


def test_push_with_badge_zero_clears_the_badge(worker):
    done = worker(pushed("one", "a", badge=3), pushed("two", "b", badge=0))
    assert [call for call in done["calls"] if call[0] == "badge"] == [["badge", 3], ["badge", 0]]


def test_page_settles_what_is_on_the_screen(worker):
    own = {"title": "own", "tag": MATCH, "data": f"https://site.example{MATCH}"}
    other = {"title": "other page", "tag": "/games/BBBB/", "data": "https://site.example/games/BBBB/"}
    told = {"type": "message", "data": {"type": "notices", "open": ["b"], "path": MATCH}}
    done = worker(pushed("one", "a"), pushed("two", "b", unread=["a"]), told, notices=[own, other])
    assert done["screen"] == ["other page", "two"]


def test_click_focuses_the_page_that_is_open(worker):
    answers = {NOTICE: {"target": MATCH}}
    done = worker(pushed("Your turn", "a"), click("a"), pages=["/", MATCH], answers=answers)
    assert ["focus", MATCH] in done["calls"] and not [call for call in done["calls"] if call[0] == "open"]
    assert done["screen"] == []


@pytest.mark.parametrize("answers", [{NOTICE: {"target": MATCH}}, {}])
def test_click_opens_a_page_where_none_is_open_or_no_network_is(worker, answers):
    done = worker(pushed("Your turn", "a"), click("a"), pages=["/"], answers=answers)
    assert done["calls"][-1] == ["open", NOTICE]


def test_click_on_the_notice_of_an_open_page_focuses_it(worker):
    own = {"title": "Your turn", "tag": MATCH, "data": f"https://site.example{MATCH}"}
    assert worker(click(MATCH), notices=[own], pages=[MATCH])["calls"] == [["focus", MATCH]]


@pytest.mark.parametrize(
    ("refuses", "pages"),
    [
        ("open", ["/"]),
        ("focus", [MATCH]),
        ("open", [OTHER_MATCH]),
        ("open", [OTHER_MATCH, "/"]),
        ("open", []),
    ],
)
def test_refused_window_fails_nothing(worker, refuses, pages):
    answers = {NOTICE: {"target": MATCH}}
    done = worker(pushed("Your turn", "a"), click("a"), refuses=[refuses], pages=pages, answers=answers)
    navigated = [call for call in done["calls"] if call[0] == "navigate"]
    assert navigated == [["navigate", page, f"https://site.example{NOTICE}"] for page in pages if page == "/"]


def test_log_out_leaves_no_notice_badge_or_subscription(worker):
    log_out = {"type": "fetch", "path": "/accounts/logout/", "method": "POST"}
    done = worker(pushed("Your turn", "a", badge=2), log_out, endpoint="https://push.example/old")
    assert done["screen"] == []
    assert done["calls"][-3:] == [["delete", "own"], ["badge", 0], ["unsubscribe"]]


def test_subscription_that_the_push_service_ended_is_replaced(worker):
    answers = {"/notifications/key": {"key": KEY, "token": "csrf"}, "/notifications/subscribe": {}}
    ended = {"type": "pushsubscriptionchange", "endpoint": "https://push.example/old"}
    calls = worker(ended, answers=answers)["calls"]
    assert ["subscribe", KEY] in calls
    assert calls[-1] == [
        "fetch",
        "/notifications/subscribe",
        {
            "endpoint": "https://push.example/new",
            "key": "p",
            "secret": "a",
            "server_key": KEY,
            "replaces": "https://push.example/old",
        },
    ]


def test_ended_subscription_of_a_logged_out_browser_stays_ended(worker):
    answers = {"/notifications/key": {"response": {"redirected": True}}}
    ended = {"type": "pushsubscriptionchange", "endpoint": "https://push.example/old"}
    assert [call[0] for call in worker(ended, answers=answers)["calls"]] == ["fetch"]


# What is stored for use without a network

REFRESH = {"type": "message", "data": {"type": "refresh", "language": "en", "account": ""}}
PLAN = {"pages": ["/en/one/", "/en/two/"], "lessons": [], "puzzles": [], "wrong": ""}
STATE, PROGRESS = "/offline/state.json", "/offline/progress.json"


def fetched(done: dict[str, Any]) -> list[str]:
    return [path for what, path, *_ in done["calls"] if what == "fetch" and path.startswith("/en/")]


def test_pages_are_stored_one_a_second(worker):
    answers = {"/offline/plan.json": PLAN, "/en/one/": {"n": 1}, "/en/two/": {"n": 2}}
    done = worker(REFRESH, answers=answers)
    assert fetched(done) == ["/en/one/", "/en/two/"]
    assert [call[1] for call in done["calls"] if call[0] == "wait"] == [1000, 1000]
    assert done["kept"]["pages"][STATE]["at"] > 0 and PROGRESS not in done["kept"]["pages"]


def test_worker_waits_as_long_as_the_site_says(worker):
    answers = {"/offline/plan.json": PLAN, "/en/one/": [429, 429, {"n": 1}], "/en/two/": {"n": 2}}
    done = worker(REFRESH, answers=answers)
    assert [call[1] for call in done["calls"] if call[0] == "wait"] == [3000, 3000, 1000, 1000]
    assert done["kept"]["pages"].keys() == {"/en/one/", "/en/two/", STATE}


def test_pages_that_were_refused_are_fetched_at_the_next_visit_and_the_others_are_not(worker):
    answers = {"/offline/plan.json": PLAN, "/en/one/": {"n": 1}, "/en/two/": 429}
    done = worker(REFRESH, answers=answers)
    assert fetched(done) == ["/en/one/"] + ["/en/two/"] * 5
    assert STATE not in done["kept"]["pages"]
    again = worker(REFRESH, answers=answers | {"/en/two/": {"n": 2}}, caches=done["kept"])
    assert fetched(again) == ["/en/two/"]
    assert again["kept"]["pages"][STATE]["at"] > 0 and PROGRESS not in again["kept"]["pages"]


def test_page_that_is_gone_is_not_asked_for_at_every_visit(worker):
    done = worker(REFRESH, answers={"/offline/plan.json": PLAN, "/en/one/": 404, "/en/two/": {"n": 2}})
    assert done["kept"]["pages"].keys() == {"/en/two/", STATE}


# The page's script

STORED = {
    "/notifications/key": {"key": KEY},
    "/notifications/subscribe": 204,
    "/notifications/unsubscribe": 204,
}
OLD = {"endpoint": "https://push.example/old", "key": KEY}


def answers(state: str, key: str = KEY) -> dict[str, Any]:
    check = {"state": state, "key": key, "open": ["a"], "badge": 2}
    return STORED | {"/notifications/check": check}


def names(done: dict[str, Any]) -> list[str]:
    return [call[1] if call[0] == "fetch" else call[0] for call in done["calls"]]


def test_subscription_is_stored_with_its_key(page):
    done = page("subscribe", answers=STORED)
    assert done["thrown"] == "" and done["stored"]["notices"] == "7"
    assert done["calls"][-1][2] | {"time_zone": ""} == {
        "endpoint": "https://push.example/new",
        "key": "p",
        "secret": "a",
        "server_key": KEY,
        "time_zone": "",
    }


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ({"permission": "denied"}, "denied"),
        ({"permission": "default"}, "denied"),
        ({"broken": "service"}, "service"),
        ({"broken": "site"}, "site"),
        ({"answers": {"/notifications/key": {"key": KEY}}}, "site"),
    ],
)
def test_failure_to_subscribe_has_a_reason_that_the_page_words(page, client, alice, state, reason):
    done = page("subscribe", **{"answers": STORED} | state)
    assert done["thrown"] == reason and "notices" not in done["stored"]
    client.force_login(alice)
    assert f"data-{reason}=" in client.get("/notifications/").text


@pytest.mark.parametrize(
    ("state", "subscription", "done"),
    [
        ("known", OLD, []),
        ("unknown", OLD, ["subscribe", "/notifications/subscribe"]),  # only the browser knew
        ("unknown", None, ["subscribe", "/notifications/subscribe"]),  # the browser has lost it
        ("removed", OLD, ["/notifications/unsubscribe", "unsubscribe"]),  # taken out of the list elsewhere
    ],
)
def test_page_mends_a_lost_subscription(page, state, subscription, done):
    found = page("mend", subscription=subscription, stored={"notices": "7"}, answers=answers(state))
    assert names(found) == ["/notifications/check", "tell", "badge", *done]
    told = {"type": "notices", "open": ["a"], "path": MATCH}
    assert found["calls"][1:3] == [["tell", told], ["badge", 2]]


def test_reader_is_not_subscribed_for_somebody_before_them(page):
    found = page("mend", subscription=OLD, stored={"notices": "6"}, answers=answers("unknown"))
    assert names(found) == ["unsubscribe", "tell", "badge"] and "notices" not in found["stored"]


def test_page_subscribes_again_with_a_new_key_of_the_site(page):
    found = page("mend", subscription=OLD, stored={"notices": "7"}, answers=answers("unknown", "BBBB"))
    assert names(found)[3:] == ["unsubscribe", "subscribe", "/notifications/subscribe"]
    assert ["subscribe", "BBBB"] in found["calls"]


def test_page_that_nobody_wants_notices_in_asks_nothing(page):
    assert page("mend", answers=answers("unknown"))["calls"] == []
    just_checked = {"notices": "7", "notices-checked": "9999999999999"}
    assert page("mend", subscription=OLD, stored=just_checked, answers=answers("known"))["calls"] == []


def test_displayed_notices_are_settled_on_every_page(page):
    just_checked = {"notices": "7", "notices-checked": "9999999999999"}
    done = page("mend", subscription=OLD, stored=just_checked, notices=[{}], answers=answers("known"))
    assert names(done) == ["/notifications/check", "tell", "badge"]


def test_forgotten_reader_leaves_nothing(page):
    done = page("forget", subscription=OLD, stored={"notices": "7"}, answers=STORED)
    assert names(done) == ["unsubscribe", "tell", "badge"] and "notices" not in done["stored"]
    assert done["calls"][1][1]["open"] == [] and done["calls"][2] == ["badge", 0]
