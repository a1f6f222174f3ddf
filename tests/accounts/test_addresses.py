"""E-mail addresses: what a browser that was left open cannot do with them, and what sign-up does not tell."""

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import IntegrityError
from django.urls import reverse

ADDRESS = "/accounts/email/"


@pytest.fixture
def alice(alice):
    alice.email = "alice@example.org"
    alice.save()
    alice.emailaddress_set.create(email=alice.email, verified=True, primary=True)
    return alice


def add(browser, email="mallory@example.org"):
    return browser.post(ADDRESS, {"action_add": "", "email": email})


def test_an_address_is_added_only_after_the_password(browser_of, alice):
    browser = browser_of(alice)  # left open: nobody has typed a password lately

    answer = add(browser)

    assert answer.url.startswith("/accounts/reauthenticate/")
    assert alice.emailaddress_set.count() == 1
    browser.post(answer.url, {"password": "wrong"})
    assert alice.emailaddress_set.count() == 1
    browser.post(answer.url, {"password": "alice's bones"})
    assert set(alice.emailaddress_set.values_list("email", "verified")) == {
        ("alice@example.org", True),
        ("mallory@example.org", False),
    }


def test_the_old_address_is_told_of_the_new_one(browser_of, alice):
    browser = browser_of(alice)
    browser.post(add(browser).url, {"password": "alice's bones"})

    (letter,) = [letter for letter in mail.outbox if letter.to == ["alice@example.org"]]
    assert "The address mallory@example.org was added." in letter.body
    assert "If this was not you" in letter.body


def test_a_changed_password_is_told(browser_of, alice):
    fields = {"oldpassword": "alice's bones", "password1": "a hundred bones", "password2": "a hundred bones"}
    browser_of(alice).post("/accounts/password/change/", fields)

    assert [letter.to for letter in mail.outbox] == [["alice@example.org"]]
    assert "The password was changed." in mail.outbox[0].body


def reset(browser, email):
    mail.outbox.clear()
    browser.post("/accounts/password/reset/", {"email": email})
    return "/accounts/password/reset/key/" in "".join(letter.body for letter in mail.outbox)


def test_no_new_password_through_an_address_that_was_never_confirmed(browser_of, alice):
    alice.emailaddress_set.create(email="mallory@example.org")

    assert not reset(browser_of(), "mallory@example.org")
    assert reset(browser_of(), "alice@example.org")


def test_only_address_is_written_to_once_it_is_confirmed(browser_of, bob):
    bob.email = "bob@example.org"
    bob.save()
    address = bob.emailaddress_set.create(email=bob.email, primary=True)

    assert not reset(browser_of(), "bob@example.org")
    address.verified = True
    address.save()
    assert reset(browser_of(), "bob@example.org")


def test_a_confirmed_address_belongs_to_one_account(browser_of, alice, bob):
    copy = bob.emailaddress_set.create(email="alice@example.org", primary=True)
    link = reverse("account_confirm_email", args=[EmailConfirmationHMAC(copy).key])
    browser_of(bob).post(link)
    copy.refresh_from_db()
    assert not copy.verified
    with pytest.raises(IntegrityError):
        EmailAddress.objects.filter(pk=copy.pk).update(verified=True)


def test_sign_up_does_not_tell_whether_an_address_is_known(browser_of, alice):
    answers = []
    for name, email in {"mara": "alice@example.org", "pavlo": "nobody@example.org"}.items():
        password = "ninety-nine bones"
        form = {"username": name, "email": email, "password1": password, "password2": password}
        answers.append(browser_of().post("/accounts/signup/", form))

    assert [(answer.status_code, answer.url) for answer in answers] == [(302, "/")] * 2
    mara = get_user_model().objects.get(username="mara")
    assert not EmailAddress.objects.filter(user=mara, verified=True).exists()
    assert reset(browser_of(), "alice@example.org")
    assert "mara" not in mail.outbox[0].body  # the new password is alice's
