"""A browser gets notices while its session lasts, in every way that a session may end; its list says which is which."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from accounts import conduct
from accounts.personal import delete
from dominoes_site.keeping import purge
from games.models import Seat
from lobbies import services as tables
from notifications.models import Notice, Subscription
from tests.games.playing import begin, on_turn
from tests.lobbies.tables import game

pytestmark = pytest.mark.django_db
PAGE = "/notifications/"
NEW = {"password1": "a hundred bones", "password2": "a hundred bones"}
AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"


@pytest.fixture(autouse=True)
def at_noon(noon):
    pass


@pytest.fixture
def log_in(alice):
    def log_in() -> Client:
        browser = Client()
        answer = browser.post("/accounts/login/", {"login": "alice", "password": "alice's bones"})
        assert answer.status_code == 302
        return browser

    return log_in


@pytest.fixture
def challenge_alice(alice, bob, send_due):
    def challenge_alice() -> None:
        tables.challenge(bob, alice, game())
        send_due()

    return challenge_alice


def log_out(ended, other, person):
    ended.post("/accounts/logout/")


def log_out_everywhere_else(ended, other, person):
    other.post("/accounts/sessions/")


def change_the_password(ended, other, person):
    answer = other.post("/accounts/password/change/", NEW | {"oldpassword": "alice's bones"})
    assert answer.status_code == 302


def have_it_changed_by_an_administrator(ended, other, person):
    boss = Client()
    boss.force_login(get_user_model().objects.create_superuser("the-boss"))
    boss.post(f"/admin/accounts/user/{person.pk}/password/", NEW | {"usable_password": "true"})


def log_in_as_another(ended, other, person):
    ended.post("/accounts/logout/")
    ended.force_login(get_user_model().objects.get(username="bob"))


@pytest.mark.parametrize(
    ("end", "left"),
    [
        (log_out, ["kept"]),
        (log_out_everywhere_else, ["kept"]),
        (change_the_password, ["kept"]),
        (have_it_changed_by_an_administrator, []),
        (log_in_as_another, ["kept"]),
    ],
)
def test_ended_session_gets_no_notice_and_the_others_do(
    alice, log_in, subscribe, push, challenge_alice, end, left
):
    ended, kept = log_in(), log_in()
    subscribe(alice, "ended", browser=ended)
    subscribe(alice, "kept", browser=kept)
    end(ended, kept, alice)
    challenge_alice()
    assert [each.browser.endpoint.rpartition("/")[2] for each in push.deliveries] == left
    assert [row.endpoint.rpartition("/")[2] for row in Subscription.objects.all()] == left


def ban(person):
    conduct.ban(person, "spam")


@pytest.mark.parametrize("end", [ban, delete])
def test_closed_account_gets_no_notice_that_waits_already(alice, bob, subscribe, push, send_due, end):
    subscribe(alice)
    push.statuses["/alice"] = 503
    tables.challenge(bob, alice, game())
    send_due()
    assert Notice.objects.count() == 1
    push.statuses.clear()
    end(alice)
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    send_due()
    assert push.deliveries == []


def test_expired_session_gets_no_notice(alice, log_in, subscribe, push, challenge_alice, noon):
    subscribe(alice, browser=log_in())
    noon.shift(timedelta(days=61))
    get_user_model().objects.update(seen_at=timezone.now())
    challenge_alice()
    assert push.deliveries == [] and not Subscription.objects.exists()


def test_purge_deletes_what_no_session_has(alice, bob, log_in, subscribe):
    browser = log_in()
    subscribe(alice, browser=browser)
    browser.session.flush()  # as if it had ended in another process, which died
    subscribe(bob)
    purge(timezone.now())
    assert [row.user for row in Subscription.objects.all()] == [bob]


def test_page_stores_the_session_and_says_which_device_it_is(alice, log_in, push):
    one, other = log_in(), log_in()
    for number, browser in enumerate((one, other)):
        fields = push.add_browser(str(number)).fields
        assert browser.post(f"{PAGE}subscribe", fields, HTTP_USER_AGENT=AGENT).status_code == 204
    page = other.get(PAGE).text
    devices = page[page.index("Devices that are notified") : page.index("Notify me when")]
    first, second = devices.split("<li>")[1:]
    assert "this one" not in first and "this one" in second and "Chrome, Linux" in first


def test_test_notice_reaches_one_device_also_in_quiet_hours(alice, log_in, subscribe, push, send_due, noon):
    browser = log_in()
    subscribe(alice, "one", browser=browser)
    other = subscribe(alice, "other", browser=log_in())
    noon.shift(timedelta(hours=11))  # 23:00
    for _ in range(3):
        browser.post(f"{PAGE}test", {"subscription": other.pk})
        send_due()
    assert [each.browser.endpoint.rpartition("/")[2] for each in push.deliveries] == ["other"]
    noon.shift(timedelta(minutes=1))
    browser.post(f"{PAGE}test", {"subscription": other.pk})
    send_due()
    assert push.titles == ["Notices reach this device."] * 2


def test_nobody_tests_the_device_of_another(alice, bob, log_in, subscribe, push, send_due):
    row = subscribe(bob)
    log_in().post(f"{PAGE}test", {"subscription": row.pk})
    send_due()
    assert push.deliveries == []


def test_check_tells_what_a_browser_has_to_mend(alice, log_in, subscribe, push, settings):
    browser = log_in()
    row = subscribe(alice, browser=browser)

    def check(endpoint=row.endpoint):
        return browser.post(f"{PAGE}check", {"endpoint": endpoint}).json()["state"]

    assert check() == "known" and check("https://push.example/1") == "unknown" and check("") == "unknown"
    browser.post(f"{PAGE}unsubscribe", {"subscription": row.pk})
    assert check() == "removed"
    subscribe(alice, browser=browser)
    assert check() == "known"
    settings.VAPID_KEY = bytes(range(2, 34))
    assert check() == "unknown" and not Subscription.objects.exists()


def test_subscription_with_an_outdated_key_is_refused(alice, log_in, push):
    fields = push.add_browser().fields | {"server_key": "BOLD"}
    answer = log_in().post(f"{PAGE}subscribe", fields)
    assert (answer.status_code, answer.json()) == (409, {"reason": "key"})


def test_worker_replaces_its_subscription(alice, log_in, subscribe, push):
    browser = log_in()
    old = subscribe(alice, "old", browser=browser)
    token = browser.get(f"{PAGE}key").json()["token"]
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    fields = push.add_browser("new").fields | {"replaces": old.endpoint}
    assert strict.post(f"{PAGE}subscribe", fields).status_code == 403
    assert strict.post(f"{PAGE}subscribe", fields, headers={"X-CSRFToken": token}).status_code == 204
    assert [row.endpoint.rpartition("/")[2] for row in Subscription.objects.all()] == ["new"]


def test_removed_browser_stays_removed_when_its_subscription_is_replaced(alice, log_in, subscribe, push):
    browser = log_in()
    old = subscribe(alice, "old", browser=browser)
    browser.post(f"{PAGE}unsubscribe", {"subscription": old.pk})
    fields = push.add_browser("new").fields
    browser.post(f"{PAGE}subscribe", fields | {"replaces": old.endpoint})
    assert not Subscription.objects.filter(removed_at=None).exists()
    assert browser.post(f"{PAGE}check", {"endpoint": fields["endpoint"]}).json()["state"] == "removed"


@pytest.mark.parametrize(("server_key", "left"), [("", 0), (None, 1)])
def test_refused_key_is_tried_again_or_forgotten(alice, subscribe, push, challenge_alice, server_key, left):
    row = subscribe(alice)
    if server_key is not None:  # of an earlier release
        Subscription.objects.update(server_key=server_key)
    push.statuses["/alice"] = 403
    challenge_alice()
    assert Subscription.objects.filter(pk=row.pk).count() == left
    assert Notice.objects.filter(sent_at=None).count() == left


def test_notice_read_on_one_device_is_read_on_all(alice, bob, log_in, subscribe, push, send_due, noon):
    one, other = log_in(), log_in()
    for name, browser in (("one", one), ("other", other)):
        subscribe(alice, name, browser=browser)
    match = begin(alice, bob)
    Seat.objects.update(hand_seen_at=timezone.now())
    if on_turn(match).user != alice:
        match = begin(bob, alice)
        Seat.objects.update(hand_seen_at=timezone.now())
    noon.shift(timedelta(minutes=20))
    send_due()
    tags = {each.payload["tag"] for each in push.deliveries}
    assert len(push.deliveries) == 2 * len(tags)
    assert set(one.post(f"{PAGE}check").json()["open"]) == tags
    noon.shift(timedelta(minutes=1))

    other.get(match.get_absolute_url())

    told = one.post(f"{PAGE}check").json()
    assert told["open"] == [] and told["badge"] >= 1, "it still waits, and its reader knows"


def test_challenge_is_read_on_all_devices_once_its_person_was_here(
    alice, log_in, subscribe, push, challenge_alice, noon
):
    browser = log_in()
    subscribe(alice, browser=browser)
    noon.shift(timedelta(minutes=2))
    challenge_alice()
    (delivery,) = push.deliveries
    assert browser.post(f"{PAGE}check").json()["open"] == [delivery.payload["tag"]]
    noon.shift(timedelta(minutes=2))
    browser.get("/rules/")
    assert browser.post(f"{PAGE}check").json()["open"] == []


def test_worker_asks_for_the_address_behind_a_notice(alice, bob, log_in, subscribe, push, challenge_alice):
    browser = log_in()
    subscribe(alice, browser=browser)
    challenge_alice()
    (delivery,) = push.deliveries
    answer = browser.get(delivery.payload["url"], headers={"Accept": "application/json"})
    assert answer.json() == {"target": Notice.objects.get().target}
    assert Notice.objects.get().read_at is None
    browser.get(delivery.payload["url"])
    assert Notice.objects.get().read_at is not None
