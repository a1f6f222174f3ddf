"""A session that has ended reaches the pages that it opened at once, and opens no others."""

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.utils import timezone

from accounts import conduct
from dominoes_site.asgi import application
from tests.games.playing import begin
from tests.socket_client import Socket

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 5  # seconds at most on a busy machine; without being told, a page looks after 18 to 60
NEW = {"password1": "a hundred bones", "password2": "a hundred bones"}


def page_of(browser, match) -> Socket:
    headers = [
        (b"host", b"localhost"),
        (b"origin", b"http://localhost"),
        (b"cookie", f"sessionid={browser.session.session_key}".encode()),
    ]
    return Socket(application, f"/ws/games/{match.code}/", headers)


def log_out(browser, other, person):
    browser.post("/accounts/logout/")


def ban(browser, other, person):
    conduct.ban(person, "spam")


def change_password(browser, other, person):
    other.post("/accounts/password/change/", NEW | {"oldpassword": "alice's bones"})


def log_out_everywhere_else(browser, other, person):
    browser.get("/preferences/")
    other.post("/accounts/sessions/")


def have_it_changed_by_an_administrator(browser, other, person):
    boss = get_user_model().objects.create_superuser("the-boss")
    other.force_login(boss)
    answer = other.post(f"/admin/accounts/user/{person.pk}/password/", NEW | {"usable_password": "true"})
    assert answer.status_code == 302


@pytest.mark.parametrize(
    "end", [log_out, ban, change_password, log_out_everywhere_else, have_it_changed_by_an_administrator]
)
async def test_open_pages_are_told_at_once_and_get_no_hand_any_more(alice, bob, browser_of, end):
    match = await sync_to_async(begin)(alice, bob)
    browser, other = [await sync_to_async(browser_of)(alice) for _ in range(2)]
    if end is log_out_everywhere_else:
        for each in (browser, other):
            answer = await sync_to_async(each.post)(
                "/accounts/login/", {"login": "alice", "password": "alice's bones"}
            )
            assert answer.status_code == 302
    page = page_of(browser, match)
    assert (await page.connect())[0]
    await page.receive_from(5)

    await sync_to_async(end)(browser, other, alice)

    assert await page.receive_output(AT_ONCE) == {"type": "websocket.close", "code": 4401}
    await page.disconnect()


async def test_a_banned_session_opens_no_page(alice, bob, browser_of):
    match = await sync_to_async(begin)(alice, bob)
    browser = await sync_to_async(browser_of)(alice)
    alice.banned_at = timezone.now()
    await sync_to_async(alice.save)()

    page = page_of(browser, match)
    await page.connect()

    assert await page.receive_output(5) == {"type": "websocket.close", "code": 4401}
    await page.disconnect()
