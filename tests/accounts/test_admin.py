"""The admin's pages about people, as a superuser and as a moderator."""

from datetime import timedelta

import pytest
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from accounts import moderators
from accounts.addresses import hash_address
from accounts.models import KnownBrowser, RatingChange
from tests.accounts.rating import rate

User = get_user_model()
PEOPLE = reverse("admin:accounts_user_changelist")


@pytest.fixture
def boss(db):
    return User.objects.create_superuser("the-boss", email="boss@example.org", password="boss's bones")


@pytest.fixture
def moderator(db):
    person = User.objects.create_user("olga", password="olga's bones", is_staff=True)
    person.groups.add(Group.objects.get(name=moderators.NAME))
    return person


def act(browser, action, *people, **said):
    fields = {"action": action, "_selected_action": [person.pk for person in people]} | said
    return browser.post(PEOPLE, fields, follow=True)


@pytest.mark.parametrize("who", ["boss", "moderator"])
def test_every_page_opens(browser_of, alice, bob, who, request):
    rate(1, alice, bob)
    alice.emailaddress_set.create(email="alice@example.org")
    browser = browser_of(request.getfixturevalue(who))
    pages = [PEOPLE, f"{PEOPLE}?q=ali", f"{PEOPLE}?is_guest__exact=1&banned_at__isempty=0"]
    pages += [reverse("admin:accounts_user_change", args=[alice.pk])]
    for model in ("rating", "ratingchange"):
        listing = reverse(f"admin:accounts_{model}_changelist")
        pages += [listing, f"{listing}?q=alice"]
    pages += [reverse("admin:accounts_ratingchange_change", args=[RatingChange.objects.first().pk])]
    for page in pages:
        assert browser.get(page).status_code == 200, page


def test_banning_asks_for_a_reason(browser_of, moderator, alice, bob):
    browser = browser_of(moderator)

    page = act(browser, "ban", alice).content.decode()
    assert "Reason" in page
    assert "alice" in page
    page = act(browser, "ban", alice, sure="yes", reason="").content.decode()
    assert "errorlist" in page
    assert not User.objects.get(pk=alice.pk).banned

    act(browser, "ban", alice, sure="yes", reason="spam")
    banned = User.objects.get(pk=alice.pk)
    assert (banned.banned, banned.banned_reason) == (True, "spam")
    assert not User.objects.get(pk=bob.pk).banned
    assert LogEntry.objects.get(object_id=alice.pk, user=moderator).get_change_message() == "Ban: spam"

    act(browser, "unban", alice)
    assert not User.objects.get(pk=alice.pk).banned


def test_muting_asks_for_how_long(browser_of, moderator, alice):
    browser = browser_of(moderator)
    assert "For how long" in act(browser, "mute", alice).content.decode()
    act(browser, "mute", alice, sure="yes", hours="24")
    assert not User.objects.get(pk=alice.pk).muted, "not without a reason"
    act(browser, "mute", alice, sure="yes", hours="24", reason="shouting")
    left = User.objects.get(pk=alice.pk).muted_until - timezone.now()
    assert timedelta(hours=23) < left <= timedelta(hours=24)
    act(browser, "mute", alice, sure="yes", hours="99999", reason="shouting")
    assert User.objects.get(pk=alice.pk).muted_until - timezone.now() < timedelta(hours=25)
    act(browser, "unmute", alice)
    assert not User.objects.get(pk=alice.pk).muted


def test_nobody_bans_their_own_kind(browser_of, moderator, boss, alice):
    alice.is_staff = True
    alice.save()
    for person in (boss, alice, moderator):
        act(browser_of(moderator), "ban", person, sure="yes", reason="envy")
        assert not User.objects.get(pk=person.pk).banned
    act(browser_of(boss), "ban", alice, sure="yes", reason="left the team")
    assert User.objects.get(pk=alice.pk).banned
    act(browser_of(boss), "ban", boss, sure="yes", reason="oops")
    assert not User.objects.get(pk=boss.pk).banned


def test_a_moderator_raises_nobodys_rights(browser_of, moderator, alice):
    browser = browser_of(moderator)
    address = reverse("admin:accounts_user_change", args=[moderator.pk])
    assert browser.post(address, {"username": "olga", "is_superuser": "on"}).status_code == 403
    assert not User.objects.get(pk=moderator.pk).is_superuser
    assert browser.get(reverse("admin:accounts_user_add")).status_code == 403
    assert browser.get(reverse("admin:auth_user_password_change", args=[alice.pk])).status_code == 403
    act(browser, "delete_account", alice, sure="yes")
    assert User.objects.get(pk=alice.pk).deleted_at is None


def test_a_moderator_sees_neither_addresses_nor_passwords(browser_of, moderator, alice):
    alice.email = "alice@example.org"
    alice.save()
    browser = browser_of(moderator)
    for page in (PEOPLE, reverse("admin:accounts_user_change", args=[alice.pk])):
        text = browser.get(page).content.decode()
        assert "alice@example.org" not in text
        assert alice.password not in text


def test_what_a_moderator_may_do_is_this_and_no_more(moderator):
    ours = {name for name in moderator.get_all_permissions() if name.startswith("accounts.")}
    assert ours == {
        f"accounts.{name}"
        for name in (
            "view_user",
            "ban_user",
            "mute_user",
            "view_rating",
            "view_ratingchange",
            "view_sanction",
            "change_sanction",
        )
    }
    assert not any(
        name.startswith(("auth.", "sessions.", "account.", "mfa."))
        for name in moderator.get_all_permissions()
    )


def test_a_player_is_not_let_in(browser_of, alice):
    assert browser_of(alice).get(PEOPLE).status_code == 302
    assert browser_of().get(PEOPLE).status_code == 302


def test_a_superuser_makes_and_changes_people(browser_of, boss):
    browser = browser_of(boss)
    new = {
        "username": "carla",
        "usable_password": "true",
        "password1": "carla's bones",
        "password2": "carla's bones",
    }
    browser.post(reverse("admin:accounts_user_add"), new)
    carla = User.objects.get(username="carla")
    address = reverse("admin:accounts_user_change", args=[carla.pk])
    assert browser.post(address, {"username": "THE_B0SS"}).status_code == 200  # looks like another
    assert (
        browser.post(address, {"username": "carlotta", "is_active": "on", "is_staff": "on"}).status_code
        == 302
    )
    carla.refresh_from_db()
    assert (carla.username, carla.is_staff) == ("carlotta", True)


def test_a_superuser_takes_an_account_out(browser_of, boss, alice):
    browser = browser_of(boss)
    assert "alice" in act(browser, "delete_account", alice).content.decode()
    act(browser, "delete_account", alice, sure="yes")
    assert User.objects.get(pk=alice.pk).deleted_at
    assert not LogEntry.objects.filter(object_repr="alice").exists()
    assert browser.get(reverse("admin:accounts_user_delete", args=[boss.pk])).status_code == 403


def test_ratings_are_read_only(browser_of, boss, alice, bob):
    rate(1, alice, bob)
    browser = browser_of(boss)
    for model in ("rating", "ratingchange"):
        assert browser.get(reverse(f"admin:accounts_{model}_add")).status_code == 403
        row = alice.ratings.get() if model == "rating" else RatingChange.objects.first()
        assert (
            browser.post(reverse(f"admin:accounts_{model}_change", args=[row.pk]), {"value": 9}).status_code
            == 403
        )
        assert browser.get(reverse(f"admin:accounts_{model}_delete", args=[row.pk])).status_code == 403


def log_in(browser, name="the-boss", password="boss's bones"):
    return browser.post("/admin/login/", {"username": name, "password": password, "next": "/admin/"})


def test_the_admins_door(browser_of, boss):
    assert log_in(browser_of()).url == "/admin/"
    assert log_in(browser_of(), "THE-BOSS").url == "/admin/"
    assert log_in(browser_of(), password="wrong").status_code == 200


def test_the_admins_door_stops_who_guesses(browser_of, boss):
    for _ in range(5):
        log_in(browser_of(), password="wrong")
    answer = log_in(browser_of())
    assert answer.status_code == 200
    assert "Too many attempts." in answer.content.decode()


def test_the_admins_door_is_no_way_around_the_second_factor(browser_of, boss):
    TOTP.activate(boss, "JBSWY3DPEHPK3PXP")
    answer = log_in(browser_of())
    assert answer.status_code == 200
    assert "This account has a second factor" in answer.content.decode()


def test_the_admins_door_is_closed_to_the_banned(browser_of, boss):
    boss.banned_at, boss.banned_reason = timezone.now(), "spam"
    boss.save()
    assert "This account is closed: spam" in log_in(browser_of()).content.decode()


def test_the_first_page_counts_what_goes_on(browser_of, alice, boss):
    counted = browser_of(boss).get("/admin/").context["counts"]

    assert {what: count for what, count, _ in counted}["New players in the last 24 hours"] == 2


@pytest.mark.parametrize("who", ["boss", "moderator"])
def test_a_persons_page_leads_to_the_case_about_them(browser_of, alice, who, request):
    browser = browser_of(request.getfixturevalue(who))
    page = browser.get(reverse("admin:accounts_user_change", args=[alice.pk]))
    case = f"/admin/games/report/person/{alice.pk}/"
    assert f'href="{case}"' in page.content.decode()
    assert browser.get(case).status_code == 200


def test_superuser_adds_a_person(boss, browser_of):
    browser = browser_of(boss)
    address = reverse("admin:accounts_user_add")
    assert "LDAP" not in browser.get(address).content.decode()
    sent = {"username": "newcomer", "password1": "x9-dominoes-x9", "password2": "x9-dominoes-x9"}
    assert browser.post(address, sent).status_code == 302
    assert User.objects.get(username="newcomer").check_password("x9-dominoes-x9")


def test_filters_by_whether_a_field_is_set_say_yes_or_no(boss, browser_of):
    page = browser_of(boss).get(PEOPLE, {"banned_at__isempty": "0", "_facets": ""}).content.decode()
    assert "Not empty" not in page
    assert "Yes (0)" in page


@pytest.fixture
def shared(alice, bob):
    """Give alice and bob an address and three people a browser, and somebody else an address of their own."""
    dora = User.objects.create_user("dora")
    here, elsewhere = (hash_address(address) for address in ("203.0.113.7", "203.0.113.8"))
    for person, address in ((alice, here), (bob, here), (dora, elsewhere)):
        UserSession.objects.create(user=person, ip=address, user_agent="", session_key=person.username)
    for person in (alice, bob, dora):
        KnownBrowser.objects.create(user=person, key="a-browser", seen_at=timezone.now())


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("", [["alice", "bob", "dora"], ["alice", "bob"]]),
        ("203.0.113.7", [["alice", "bob"]]),
        ("203.0.113.8:1234", [["dora"]]),
        ("Dora", [["alice", "bob", "dora"], ["dora"]]),
        ("203.0.113.9", []),
    ],
)
def test_superuser_finds_accounts_by_what_they_share(asked, found, shared, boss, browser_of):
    page = browser_of(boss).get(reverse("admin:accounts_user_sharing"), {"q": asked})
    assert [[person.username for person in group.people] for group in page.context["groups"]] == found
    assert "203.0.113" not in page.content.decode().replace(f'value="{asked}"', "")


def test_moderators_search_nobodys_address(shared, moderator, alice, browser_of):
    address = reverse("admin:accounts_user_sharing")
    assert browser_of(moderator).get(address).status_code == 403
    assert browser_of(alice).get(address).status_code == 302
    assert address not in browser_of(moderator).get(PEOPLE).content.decode()
