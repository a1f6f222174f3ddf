"""Logging in and out, and what stops people who guess."""

import pytest
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth.hashers import get_hasher
from django.core import signing
from django.test import Client
from django.urls import reverse

from accounts import known
from tests.html import collapse_whitespace

ADDRESS = "/accounts/login/"


def log_in(browser, login="alice", password="alice's bones", **fields):
    return browser.post(ADDRESS, {"login": login, "password": password} | fields)


@pytest.mark.parametrize("login", ["alice", "ALICE", "alice@example.org"])
def test_by_name_or_address(browser_of, alice, login):
    alice.emailaddress_set.create(email="alice@example.org", verified=True, primary=True)
    browser = browser_of()
    answer = log_in(browser, login)
    assert answer.url == reverse("lobby")
    assert browser.session["_auth_user_id"] == str(alice.pk)


def test_one_goes_on_to_where_one_came_from(browser_of, alice):
    assert log_in(browser_of(), next="/rules/").url == "/rules/"
    assert log_in(browser_of(), next="//evil.example/").url == reverse("lobby")


@pytest.mark.parametrize(
    ("login", "password"), [("alice", "wrong"), ("nobody", "wrong"), ("no@body.org", "wrong")]
)
def test_what_is_wrong_is_not_told_apart(browser_of, alice, login, password):
    answer = log_in(browser_of(), login, password)
    assert answer.status_code == 200
    assert "The name and the password do not match." in answer.content.decode()


@pytest.mark.parametrize(
    "login",
    ["alice", "nobody", "alice@example.org", "unverified@example.org", "twice@example.org", "no@body.org"],
)
@pytest.mark.parametrize("door", ["site", "admin"])
def test_a_wrong_password_costs_one_hash_for_everybody(browser_of, alice, bob, login, door, monkeypatch):
    alice.emailaddress_set.create(email="alice@example.org", verified=True, primary=True)
    bob.emailaddress_set.create(email="alice@example.org")
    bob.emailaddress_set.create(email="unverified@example.org", primary=True)
    for person in (alice, bob):
        person.emailaddress_set.create(email="twice@example.org")
    hasher, hashes = type(get_hasher()), []
    encode = hasher.encode

    def encode_counted(*args):
        hashes.append(args)
        return encode(*args)

    monkeypatch.setattr(hasher, "encode", encode_counted)

    if door == "site":
        log_in(browser_of(), login, "wrong")
    else:
        browser_of().post("/admin/login/", {"username": login, "password": "wrong"})

    assert len(hashes) == 1


def test_an_unconfirmed_address_of_two_lets_nobody_in(browser_of, alice, bob):
    for person in (alice, bob):
        person.emailaddress_set.create(email="twice@example.org")
    assert not is_in(log_in(browser_of(), "twice@example.org").client)


def test_sessions_of_earlier_releases_go_on(browser_of, alice):
    browser = Client()
    browser.force_login(alice, "django.contrib.auth.backends.ModelBackend")
    assert browser.get("/accounts/export/").status_code == 200


def test_who_guesses_is_stopped(browser_of, alice):
    browser = browser_of()
    for _ in range(5):
        log_in(browser, password="wrong")
    answer = log_in(browser)  # the right one, too late
    assert "Too many attempts. Try again in five minutes." in answer.content.decode()
    assert "_auth_user_id" not in browser.session


def from_address(address):
    return Client(REMOTE_ADDR=address)


def guess(times, browser, login="alice"):
    for _ in range(times):
        log_in(browser, login, password="wrong")


def is_in(browser):
    return "_auth_user_id" in browser.session


def test_who_guesses_elsewhere_does_not_lock_the_owner_out(alice):
    guess(6, from_address("192.0.2.1"))

    home = from_address("198.51.100.7")
    log_in(home)

    assert is_in(home)


def test_distributed_guessing_does_not_lock_out_the_owner(alice):
    home = from_address("198.51.100.7")
    log_in(home)
    home.post("/accounts/logout/")
    for street in range(11):
        guess(5, from_address(f"192.0.2.{street}"))

    elsewhere = from_address("203.0.113.5")
    answer = log_in(elsewhere)
    log_in(home)

    assert "Too many attempts at this name." in answer.content.decode()
    assert not is_in(elsewhere)
    assert is_in(home)


def test_a_browser_that_is_known_for_one_is_not_known_for_another(alice, bob):
    mine = from_address("198.51.100.7")
    log_in(mine, "bob", "bob's bones")
    mine.post("/accounts/logout/")
    guess(5, mine)

    assert "Too many attempts." in log_in(mine).content.decode()


def test_a_known_browser_guesses_no_more_than_others(alice):
    home = from_address("198.51.100.7")
    log_in(home)
    home.post("/accounts/logout/")
    guess(5, home)

    assert "Too many attempts." in log_in(home).content.decode()
    assert not is_in(home)


def test_nobody_makes_their_browser_known_by_themselves(alice):
    forged = from_address("198.51.100.7")
    forged.cookies["known"] = signing.dumps(
        {"browser": "x", "people": [alice.pk]}, key="a guess", salt=known.SALT
    )
    guess(5, forged)
    forged.cookies["known"] = signing.dumps(
        {"browser": "y", "people": [alice.pk]}, key="a guess", salt=known.SALT
    )

    assert "Too many attempts." in log_in(forged).content.decode()


def test_the_admins_door_lets_in_who_came_through_it_before(alice):
    alice.is_staff = alice.is_superuser = True
    alice.save()
    office = from_address("198.51.100.7")
    fields = {"username": "alice", "password": "alice's bones", "next": "/admin/"}
    office.post("/admin/login/", fields)
    office.post("/admin/logout/")
    for street in range(11):
        guess(5, from_address(f"192.0.2.{street}"))

    assert office.post("/admin/login/", fields).status_code == 302


def test_a_guest_becomes_the_player_they_are(browser_of, alice):
    browser = browser_of()
    browser.post("/accounts/guest/")
    log_in(browser)
    assert browser.session["_auth_user_id"] == str(alice.pk)


def test_a_guest_has_no_password_to_log_in_with(browser_of, db):
    browser = browser_of()
    browser.post("/accounts/guest/")
    name = browser.get("/accounts/export/").json()["name"]
    for password in ("", "!", name):
        assert "_auth_user_id" not in log_in(browser_of(), name, password).client.session


def test_whoever_logs_out_is_nobody(browser_of, alice):
    browser = browser_of(alice)
    assert browser.get("/accounts/logout/").status_code == 200
    assert browser.session["_auth_user_id"] == str(alice.pk)  # looking does not do it
    answer = browser.post("/accounts/logout/", follow=True)
    assert "_auth_user_id" not in browser.session
    assert "You are logged out." in answer.content.decode()


def test_with_a_second_factor_the_password_is_half_the_way(browser_of, alice):
    secret = "JBSWY3DPEHPK3PXP"
    TOTP.activate(alice, secret)
    browser = browser_of()

    assert log_in(browser).url == reverse("mfa_authenticate")
    assert "_auth_user_id" not in browser.session

    page = browser.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert set(page.context["form"].errors) == {"code"}
    assert "_auth_user_id" not in browser.session
    counter = next(iter(yield_hotp_counters_from_time()))
    browser.post(reverse("mfa_authenticate"), {"code": format_hotp_value(hotp_value(secret, counter))})
    assert browser.session["_auth_user_id"] == str(alice.pk)


def test_guest_is_warned_that_logging_in_gives_up_seats(browser_of, db):
    browser = browser_of()
    assert "give up the guest" not in browser.get(ADDRESS).content.decode()
    browser.post("/accounts/guest/")
    page = collapse_whitespace(browser.get(ADDRESS).content.decode())
    assert "give up the guest's seats" in page
