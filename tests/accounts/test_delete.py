"""Deleting an account: the person goes, what concerns others stays."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.urls import reverse

from accounts import personal
from accounts.models import Rating, RatingBand
from tests.accounts.rating import proven, rate

User = get_user_model()
ADDRESS = "/accounts/delete/"
SURE = {"password": "alice's bones"}


def test_the_person_goes(browser_of, alice):
    alice.email, alice.theme, alice.first_name = "alice@example.org", "dark", "Alice"
    alice.save()
    EmailAddress.objects.create(user=alice, email="alice@example.org", primary=True)
    TOTP.activate(alice, "JBSWY3DPEHPK3PXP")
    other = browser_of(alice)
    browser = browser_of(alice)

    answer = browser.post(ADDRESS, SURE, follow=True)

    assert answer.request["PATH_INFO"] == reverse("lobby")
    assert "Your account is deleted." in answer.content.decode()
    nobody = User.objects.get(pk=alice.pk)
    assert nobody.username == f"deleted-{alice.pk}"
    assert (nobody.email, nobody.first_name, nobody.theme, nobody.is_active) == ("", "", "system", False)
    assert not nobody.has_usable_password()
    assert nobody.deleted_at
    assert not EmailAddress.objects.filter(user=nobody).exists()
    assert not Authenticator.objects.filter(user=nobody).exists()
    assert not UserSession.objects.filter(user=nobody).exists()
    assert other.get("/accounts/export/").status_code == 302  # no browser is logged in any more
    assert "_auth_user_id" not in browser.session


def test_not_without_the_password(browser_of, alice):
    browser = browser_of(alice)
    assert browser.get(ADDRESS).status_code == 200
    for said in ({}, {"password": ""}, {"password": "wrong"}):
        answer = browser.post(ADDRESS, said)
        assert answer.status_code == 422
        assert set(answer.context["form"].errors) == {"password"}
    assert User.objects.get().username == "alice"


def test_an_open_browser_is_not_for_guessing(browser_of, alice):
    browser = browser_of(alice)
    answers = [browser.post(ADDRESS, {"password": "wrong"}).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]
    assert browser.post(ADDRESS, SURE).status_code == 429


def test_a_guest_presses_once(browser_of, db):
    browser = browser_of()
    browser.post("/accounts/guest/")
    assert 'type="password"' not in browser.get(ADDRESS).content.decode()
    browser.post(ADDRESS)
    assert User.objects.get().deleted_at


def test_nobody_has_nothing_to_delete(browser_of, db):
    assert browser_of().post(ADDRESS).url.startswith(reverse("account_login"))


def test_the_ratings_of_others_still_add_up(browser_of, alice, bob):
    proven(alice, bob)
    for order in range(1, 11):
        rate(order, alice, bob)
    value = Rating.objects.get(user=bob).value

    browser_of(alice).post(ADDRESS, SURE)

    assert Rating.objects.get(user=bob).value == value
    assert not Rating.objects.get(user=alice).ranked
    assert sum(RatingBand.objects.values_list("players", flat=True)) == 1
    assert "alice" not in browser_of().get("/leaderboard/muggins/").content.decode()


def test_other_apps_take_out_what_they_hold(browser_of, alice, monkeypatch):
    forgotten = []
    monkeypatch.setattr(personal, "_exporters", {})
    monkeypatch.setattr(personal, "_forgetters", [])
    personal.register("matches", lambda user: {}, lambda user: forgotten.append(user.username))
    browser_of(alice).post(ADDRESS, SURE)
    assert forgotten == ["alice"]


def test_if_another_app_fails_nothing_is_deleted(browser_of, alice, monkeypatch):
    def fail(user):
        raise ZeroDivisionError

    monkeypatch.setattr(personal, "_exporters", {})
    monkeypatch.setattr(personal, "_forgetters", [])
    personal.register("matches", lambda user: {}, fail)
    browser = browser_of(alice)
    browser.raise_request_exception = False
    assert browser.post(ADDRESS, SURE).status_code == 500
    assert User.objects.get().username == "alice"


def test_sessions_of_before_open_nothing(browser_of, alice):
    browser = browser_of(alice)
    key = browser.session.session_key
    browser_of(alice).post(ADDRESS, SURE)
    assert browser.get("/preferences/").wsgi_request.user.is_anonymous
    assert Session.objects.filter(pk=key).count() <= 1
