"""One press, and one plays."""

from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings
from django.urls import reverse

from accounts import guests
from accounts.names import NAME
from operators import site_settings
from operators.models import SiteSettings

User = get_user_model()
ADDRESS = "/accounts/guest/"


def test_one_press_makes_a_guest(browser_of, db):
    browser = browser_of()
    answer = browser.post(ADDRESS)

    assert answer.url == reverse("lobby")
    guest = User.objects.get()
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert browser.session["_auth_user_id"] == str(guest.pk)


def test_one_goes_on_to_where_one_was_going(browser_of, db):
    assert browser_of().post(ADDRESS, {"next": "/rules/"}).url == "/rules/"
    for elsewhere in ("https://evil.example/", "//evil.example", "javascript:alert(1)", ""):
        assert browser_of().post(ADDRESS, {"next": elsewhere}).url == reverse("lobby")


def test_looking_at_the_address_makes_nobody(browser_of, db):
    assert browser_of().get(ADDRESS).status_code == 405
    assert not User.objects.exists()


def test_who_is_somebody_stays_so(browser_of, alice):
    browser = browser_of(alice)
    browser.post(ADDRESS)
    assert User.objects.get() == alice

    guest = browser_of()
    guest.post(ADDRESS)
    guest.post(ADDRESS)
    assert User.objects.count() == 2


def test_every_name_that_may_be_made_up_is_a_name():
    for quality in guests.QUALITIES:
        for animal in guests.ANIMALS:
            NAME(f"{quality}-{animal}-9999")


def test_a_name_that_somebody_has_is_not_given_again(browser_of, db, monkeypatch):
    numbers = iter([1, 1, 2])
    dice = SimpleNamespace(choice=lambda words: words[0], randbelow=lambda below: next(numbers))
    monkeypatch.setattr(guests, "secrets", dice)
    browser_of().post(ADDRESS)
    browser_of().post(ADDRESS)
    assert set(User.objects.values_list("username", flat=True)) == {"amber-badger-1001", "amber-badger-1002"}


def test_too_many_from_one_address(browser_of, db):
    site_settings.cache(SiteSettings(guests_limit=2), 600)
    for _ in range(2):
        browser_of().post(ADDRESS)
    answer = browser_of().post(ADDRESS, follow=True)
    assert answer.request["PATH_INFO"] == reverse("account_signup")
    assert "Too many guests have come from here." in answer.content.decode()
    assert User.objects.count() == 2

    assert browser_of().post(ADDRESS, REMOTE_ADDR="192.0.2.7").url == reverse("lobby")
    with override_settings(LIMITS=False):
        assert browser_of().post(ADDRESS).url == reverse("lobby")


def test_the_preferences_of_before_come_along(browser_of, db):
    browser = browser_of()
    browser.post(
        "/preferences/", {"theme": "dark", "tiles": "ivory", "pips": "ink", "volume": 20, "language": "es"}
    )
    browser.post(ADDRESS)
    assert User.objects.get().theme == "dark"


def test_no_guest_without_the_token(db):
    assert Client(enforce_csrf_checks=True).post(ADDRESS).status_code == 403


@pytest.mark.parametrize("path", ["/accounts/export/", "/accounts/delete/"])
def test_a_guest_has_data_of_their_own_too(browser_of, db, path):
    browser = browser_of()
    browser.post(ADDRESS)
    assert browser.get(path).status_code == 200
