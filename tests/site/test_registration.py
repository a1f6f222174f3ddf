"""Registration and guests: open, by invitation, closed, limited."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone

from operators import invitations
from operators.models import Invitation
from tests.site.configuring import configure

pytestmark = pytest.mark.django_db
JSON = {"accept": "application/json"}
SIGN_UP = {"username": "newcomer", "password1": "x9-dominoes-x9", "password2": "x9-dominoes-x9"}
User = get_user_model()


def test_closed_registration_refuses_sign_up(browser_of):
    configure(registration="closed")
    for name in ("account_signup", "passkey-signup"):
        assert "Nobody can sign up here" in browser_of().get(reverse(name)).content.decode()
    browser_of().post("/accounts/signup/", SIGN_UP)
    assert not User.objects.filter(username="newcomer").exists()


def test_invitation_is_used_as_often_as_it_says(browser_of):
    configure(registration="invitation")
    invitation = Invitation.objects.create(uses=1)
    browser_of().post("/accounts/signup/", SIGN_UP)
    assert not User.objects.filter(username="newcomer").exists()
    guest = browser_of()
    guest.get(invitation.get_absolute_url())
    guest.post("/accounts/signup/", SIGN_UP)
    assert User.objects.filter(username="newcomer").exists()
    assert_invitation_is_refused(browser_of(), invitation.token, "is used up")


def assert_invitation_is_refused(browser, token, why):
    page = browser.get(reverse("invitation", args=[token]))
    assert page.status_code == 404
    assert why in page.content.decode()
    assert "invitation" not in browser.session


def test_invitation_that_runs_out_meanwhile_is_called_used_up(browser_of):
    configure(registration="invitation")
    invitation = Invitation.objects.create(uses=1)
    first, second = browser_of(), browser_of()
    for browser in (first, second):
        browser.get(invitation.get_absolute_url())
    first.post("/accounts/signup/", SIGN_UP)
    answer = second.post("/accounts/signup/", SIGN_UP | {"username": "late"})
    assert "Your invitation is used up" in answer.content.decode()
    assert not User.objects.filter(username="late").exists()


def test_invitation_lost_in_a_race_is_called_used_up(browser_of, monkeypatch):
    configure(registration="invitation")
    invitation = Invitation.objects.create(uses=1)
    browser = browser_of()
    browser.get(invitation.get_absolute_url())
    Invitation.objects.update(used=1)
    with monkeypatch.context() as race:
        race.setattr(invitations, "may_sign_up", lambda request: True)
        browser.post("/accounts/signup/", SIGN_UP)
    assert "Your invitation is used up" in browser.get("/accounts/signup/").content.decode()
    assert not User.objects.filter(username="newcomer").exists()


def test_expired_invitation_is_refused(browser_of):
    configure(registration="invitation")
    past = timezone.now() - timedelta(hours=1)
    for used in (0, 5):
        invitation = Invitation.objects.create(uses=5, used=used, expires_at=past)
        assert_invitation_is_refused(browser_of(), invitation.token, "has expired")


def test_mistyped_invitation_is_called_unknown(browser_of):
    configure(registration="invitation")
    invitation = Invitation.objects.create(uses=5)
    assert_invitation_is_refused(browser_of(), invitation.token[:-1], "There is no such invitation")


def test_site_without_guests_refuses_them(browser_of):
    configure(guests=False)
    answer = browser_of().post("/tables/new", {"preset": "all-fives"}, headers=JSON)
    assert (answer.status_code, answer.json()["reason"]) == (403, "no_guests")
    assert "There are no guests here" in browser_of().post(reverse("guest"), follow=True).content.decode()
    assert not User.objects.filter(is_guest=True).exists()


def test_passkey_form_lets_no_guest_play_where_there_are_none(browser_of):
    configure(guests=False)
    browser = browser_of()
    assert browser.post("/accounts/signup/passkey/", {"username": "mara"}, headers=JSON).status_code == 200
    answer = browser.post("/play/all-fives/", {"seats": "2", "computer": "club"}, headers=JSON)
    assert (answer.status_code, answer.json()["reason"]) == (403, "no_guests")


@pytest.mark.parametrize("address", ["", "https://dominoes.example"])
def test_invitation_is_listed_with_whole_link(address, boss, browser_of, settings):
    settings.SITE_URL = address
    invitation = Invitation.objects.create()
    page = browser_of(boss).get("/admin/operators/invitation/").content.decode()
    assert f"{address or 'http://testserver'}{invitation.get_absolute_url()}" in page


def test_accounts_of_one_address_have_a_limit(browser_of):
    configure(accounts_limit=1)
    for name in ("newcomer", "latecomer"):
        answer = browser_of().post("/accounts/signup/", SIGN_UP | {"username": name}, follow=True)
    assert "Too many accounts have come from your address today." in answer.content.decode()
    assert not User.objects.filter(username="latecomer").exists()
    browser_of().post("/accounts/signup/", SIGN_UP | {"username": "latecomer"}, REMOTE_ADDR="192.0.2.7")
    assert User.objects.filter(username="latecomer").exists()
