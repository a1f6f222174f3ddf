"""Changing a password, and getting a new one by e-mail."""

import re

import pytest
from django.core import mail
from django.urls import reverse

from tests.html import collapse_whitespace

NEW = "a hundred bones"


def test_a_password_can_be_changed(browser_of, alice):
    fields = {"oldpassword": "alice's bones", "password1": NEW, "password2": NEW}
    browser = browser_of(alice)
    browser.post("/accounts/password/change/", fields)
    alice.refresh_from_db()
    assert alice.check_password(NEW)
    assert browser.get("/accounts/export/").status_code == 200  # and one stays logged in


def test_stale_tab_does_not_drop_the_new_session(browser_of, alice):
    fields = {"oldpassword": "alice's bones", "password1": NEW, "password2": NEW}
    browser, other_tab = browser_of(alice), browser_of(alice)
    other_tab.cookies["sessionid"] = browser.cookies["sessionid"].value
    browser.post("/accounts/password/change/", fields)
    answer = other_tab.get("/games/")
    assert answer.wsgi_request.user.is_anonymous
    assert "sessionid" not in answer.cookies


def test_not_without_the_present_one(browser_of, alice):
    fields = {"oldpassword": "wrong", "password1": NEW, "password2": NEW}
    answer = browser_of(alice).post("/accounts/password/change/", fields)
    assert answer.context["form"].errors == {"oldpassword": ["This is not your password."]}
    alice.refresh_from_db()
    assert alice.check_password("alice's bones")


def test_a_forgotten_one(browser_of, alice):
    alice.emailaddress_set.create(email="alice@example.org", verified=True, primary=True)
    browser = browser_of()
    answer = browser.post("/accounts/password/reset/", {"email": "alice@example.org"})
    assert answer.url == reverse("account_reset_password_done")
    assert mail.outbox[0].to == ["alice@example.org"]
    link = re.search(r"http://testserver(\S+)", str(mail.outbox[0].body))[1]

    form = browser.get(link, follow=True)
    done = browser.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    assert done.url == reverse("account_reset_password_from_key_done")
    alice.refresh_from_db()
    assert alice.check_password(NEW)
    again = browser_of().get(link, follow=True)
    assert "This link has been used, or is too old." in again.content.decode()


def test_an_unknown_address_is_answered_alike_and_not_written_to(browser_of, alice):
    answer = browser_of().post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert answer.url == reverse("account_reset_password_done")
    assert not mail.outbox
    assert "no other address is written to" in collapse_whitespace(
        browser_of().get("/accounts/password/reset/").content.decode()
    )


@pytest.mark.parametrize("host", ["localhost", "testserver:81", "127.0.0.1:9999"])
def test_mails_link_to_the_configured_address(browser_of, alice, settings, host):
    settings.SITE_URL = "https://dominoes.example"
    alice.emailaddress_set.create(email="alice@example.org", verified=True, primary=True)
    browser = browser_of()
    browser.post("/accounts/password/reset/", {"email": "alice@example.org"}, headers={"host": host})
    fields = {"username": "mara", "password1": NEW, "password2": NEW, "email": "mara@example.org"}
    browser.post("/accounts/signup/", fields, headers={"host": host})

    letters = [f"{letter.subject}\n{letter.body}" for letter in mail.outbox]
    assert "https://dominoes.example/accounts/password/reset/key/" in letters[0]
    assert "https://dominoes.example/accounts/confirm-email/" in letters[1]
    for letter in letters:
        assert host not in letter
        assert letter.startswith("[dominoes.example] ")


def test_who_asks_for_many_links_is_stopped(browser_of, alice):
    answers = [
        browser_of().post("/accounts/password/reset/", {"email": "a@example.org"}).status_code
        for _ in range(6)
    ]
    assert answers == [302] * 5 + [429]


def test_a_guest_is_asked_to_sign_up_first(browser_of, db):
    browser = browser_of()
    browser.post("/accounts/guest/")
    for name in ("account_set_password", "account_change_password", "account_email", "mfa_activate_totp"):
        assert browser.get(reverse(name)).url == reverse("account_signup")
