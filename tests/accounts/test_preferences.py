"""What one has chosen is kept and seen: a player's, a guest's, and nobody's yet."""

import pytest
from django.contrib.auth import get_user_model

from accounts import drawing
from accounts.avatars import AVATARS
from accounts.models import Rating
from games import repository
from games.table import snapshot_cache
from tests.games.playing import begin
from tests.lobbies.tables import make

ADDRESS = "/preferences/"
CHOSEN = {
    "theme": "dark",
    "tiles": "ebony",
    "pips": "safe",
    "volume": "30",
    "sound": "on",
    "automatic": "on",
    "language": "es",
}


def head_of(browser, path=ADDRESS):
    return browser.get(path).content.decode().partition("<head>")[0]


@pytest.fixture(params=["a player", "a guest", "nobody"])
def browser(request, browser_of, alice):
    if request.param == "a player":
        return browser_of(alice)
    browser = browser_of()
    if request.param == "a guest":
        browser.post("/accounts/guest/")
    return browser


def test_preferences_are_kept_and_seen_at_once(browser):
    answer = browser.post(ADDRESS, CHOSEN)
    assert (answer.status_code, answer.url) == (303, ADDRESS)

    head = head_of(browser)
    for said in (
        'lang="es"',
        'data-theme="dark"',
        'data-tiles="ebony"',
        'data-pips="safe"',
        'data-volume="30"',
    ):
        assert said in head
    assert 'data-sound="on"' in head
    assert 'data-animation="off"' in head
    form = browser.get(ADDRESS).context["form"]
    assert [form[name].value() for name in ("automatic", "keys", "confirm_resign")] == [True, False, False]
    assert form["language"].value() == "es"


def test_pauses_that_were_not_sent_stay(browser):
    browser.post(ADDRESS, CHOSEN | {"computer_pause": "4", "call_pause": "8"})
    browser.post(ADDRESS, CHOSEN | {"call_pause": ""})
    form = browser.get(ADDRESS).context["form"]
    assert (form["computer_pause"].value(), form["call_pause"].value()) == (4, 8)


def test_preferences_can_be_taken_back(browser):
    browser.post(ADDRESS, CHOSEN)
    browser.post(ADDRESS, CHOSEN | {"theme": "system", "language": ""})
    head = head_of(browser)
    assert 'data-theme="system"' in head
    assert 'lang="en"' in head


def test_another_persons_stay_as_they_are(browser, browser_of, bob):
    browser.post(ADDRESS, CHOSEN)
    assert 'data-theme="system"' in head_of(browser_of(bob))
    assert 'data-theme="system"' in head_of(browser_of())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("theme", "pink"),
        ("tiles", ""),
        ("pips", "x" * 999),
        ("volume", "101"),
        ("volume", "-1"),
        ("language", "tlh"),
        ("computer_pause", "3"),
        ("call_pause", "0"),
    ],
)
def test_what_is_no_choice_is_refused_and_nothing_kept(browser, field, value):
    answer = browser.post(ADDRESS, CHOSEN | {field: value})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {field}
    assert 'data-theme="system"' in head_of(browser)


def test_by_script_they_are_kept_without_a_new_page(browser_of, alice):
    browser = browser_of(alice)
    answer = browser.post(ADDRESS, CHOSEN | {"language": ""}, headers={"HX-Request": "true"})
    assert (answer.status_code, "HX-Refresh" in answer.headers) == (204, False)
    answer = browser.post(ADDRESS, CHOSEN, headers={"HX-Request": "true"})
    assert answer.headers["HX-Refresh"] == "true"  # all its words change
    alice.refresh_from_db()
    assert (alice.theme, alice.language) == ("dark", "es")


def test_looking_makes_no_session(browser_of, db):
    browser = browser_of()
    browser.get(ADDRESS)
    assert "sessionid" not in browser.cookies


def test_preferences_touch_nothing_else_of_a_person(browser_of, alice):
    browser_of(alice).post(ADDRESS, CHOSEN | {"username": "mallory", "is_staff": "on", "is_guest": "on"})
    alice = get_user_model().objects.get(pk=alice.pk)
    assert (alice.username, alice.is_staff, alice.is_guest) == ("alice", False, False)


def test_own_tile_is_chosen_and_stands_beside_the_name_everywhere(alice, bob, browser_of):
    browser = browser_of(alice)
    bare = drawing.name_tile("alice")
    own = next(avatar for avatar, _name in AVATARS[1:] if drawing.name_tile("", avatar) is not bare)
    tile = drawing.name_tile("alice", own)
    Rating.objects.create(user=alice, pool="muggins", value=1600, matches=40, ranked=True)
    match = begin(alice, bob)
    table = make(alice, "draw", 3)
    pages = [
        f"/players/{alice.username}/",
        f"/games/{match.code}/",
        f"/tables/{table.code}/",
        "/",
        "/leaderboard/muggins/",
        "/players/?q=alice",
    ]

    def count(path: str) -> tuple[int, int]:
        page = browser_of(bob).get(path).content.decode()
        return page.count(str(bare)), page.count(str(tile))

    before = {path: count(path) for path in pages}
    assert all(plain and not chosen for plain, chosen in before.values()), before
    browser.post(ADDRESS, CHOSEN | {"avatar": own})
    alice.refresh_from_db()
    assert alice.avatar == own
    repository.clear_caches()
    snapshot_cache.clear()
    assert {path: count(path) for path in pages} == {
        path: (0, plain) for path, (plain, _none) in before.items()
    }
    assert f'value="{own}" id="id_avatar_' in browser.get(ADDRESS).content.decode()


def test_own_tile_stays_unless_it_is_sent(alice, browser_of):
    browser = browser_of(alice)
    browser.post(ADDRESS, CHOSEN | {"avatar": "6-4"})
    browser.post(ADDRESS, CHOSEN)
    alice.refresh_from_db()
    assert alice.avatar == "6-4"
    assert browser.post(ADDRESS, CHOSEN | {"avatar": "7-7"}).status_code == 422
    browser.post(ADDRESS, CHOSEN | {"avatar": ""})
    alice.refresh_from_db()
    assert alice.avatar == ""
