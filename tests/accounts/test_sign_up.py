"""Signing up, as somebody new and as the guest one has been."""

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.urls import reverse

from tests.games.playing import begin, play_and_resign

User = get_user_model()
ADDRESS = "/accounts/signup/"


def form(name="mara", **fields):
    return {"username": name, "password1": "ninety-nine bones", "password2": "ninety-nine bones"} | fields


def test_a_name_and_a_password_are_enough(browser_of, db):
    browser = browser_of()
    answer = browser.post(ADDRESS, form())

    assert answer.status_code == 302
    assert answer.url == reverse("lobby")
    mara = User.objects.get(username="mara")
    assert not mara.is_guest
    assert mara.check_password("ninety-nine bones")
    assert browser.get("/accounts/export/").json()["name"] == "mara"


def test_one_goes_on_to_where_one_came_from(browser_of, db):
    assert browser_of().post(ADDRESS, form(next="/rules/")).url == "/rules/"
    assert browser_of().post(ADDRESS, form("pavlo", next="https://evil.example/")).url == reverse("lobby")


def test_with_an_address_a_link_is_sent(browser_of, db):
    browser_of().post(ADDRESS, form(email="mara@example.org"))

    assert User.objects.get().email == "mara@example.org"
    assert mail.outbox[0].to == ["mara@example.org"]
    assert "/accounts/confirm-email/" in mail.outbox[0].body


def test_a_guest_stays_the_same_person(browser_of, db):
    browser = browser_of()
    browser.post("/accounts/guest/")
    guest = User.objects.get()
    guest.theme = "dark"
    guest.save()

    browser.post(ADDRESS, form())

    mara = User.objects.get()
    assert (mara.pk, mara.username, mara.is_guest, mara.theme) == (guest.pk, "mara", False, "dark")
    assert mara.check_password("ninety-nine bones")
    assert browser.get("/accounts/export/").json()["name"] == "mara"


def test_a_guests_matches_bear_the_new_name(browser_of, alice):
    browser = browser_of()
    browser.post("/accounts/guest/")
    match = begin(User.objects.get(is_guest=True), alice)

    browser.post(ADDRESS, form())

    assert [seat.display_name for seat in match.seats.all()] == ["mara", "alice"]


def test_plate_of_an_ended_match_says_guest_until_one_signs_up(browser_of, alice):
    browser = browser_of()
    browser.post("/accounts/guest/")
    address = play_and_resign(begin(User.objects.get(is_guest=True), alice)).get_absolute_url()
    plate_word = '<span class="rating">guest</span>'
    assert plate_word in browser.get(address).content.decode()

    browser.post(ADDRESS, form())

    assert plate_word not in browser.get(address).content.decode()


def test_a_guest_may_keep_their_name(browser_of, db):
    browser = browser_of()
    browser.post("/accounts/guest/")
    name = User.objects.get().username
    browser.post(ADDRESS, form(name))
    assert not User.objects.get(username=name).is_guest


def test_a_refused_form_leaves_the_guest_a_guest(browser_of, alice):
    browser = browser_of()
    browser.post("/accounts/guest/")
    assert browser.post(ADDRESS, form("alice")).status_code == 200
    assert User.objects.filter(is_guest=True).count() == 1


def test_a_player_who_signs_up_again_is_somebody_else(browser_of, alice):
    browser_of(alice).post(ADDRESS, form())
    assert User.objects.get(username="mara") != alice


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"username": "Alice"}, "username", "This name is taken."),
        ({"username": "A1ice"}, "username", "This name looks like alice, which is taken."),
        ({"username": "admin"}, "username", "This name is reserved. Choose another."),
        ({"username": "мара"}, "username", "A name has 2 to 20 letters (a to z), digits, - or _."),
        ({"username": "a" * 21}, "username", None),
        ({"username": ""}, "username", None),
        ({"password1": "short", "password2": "short"}, "password1", None),
        ({"password1": "12345678901", "password2": "12345678901"}, "password1", None),
        ({"password2": "something else"}, "password2", None),
        ({"email": "no address"}, "email", None),
    ],
)
def test_what_is_wrong_is_said_beside_its_field(browser_of, alice, fields, field, sentence):
    answer = browser_of().post(ADDRESS, form() | fields)

    assert answer.status_code == 200
    errors = answer.context["form"].errors
    assert set(errors) == {field}
    assert sentence is None or errors[field] == [sentence]
    assert User.objects.count() == 1


def test_the_preferences_of_before_come_along(browser_of, db):
    browser = browser_of()
    browser.post("/preferences/", {"theme": "dark", "tiles": "ebony", "pips": "safe", "volume": 20})
    browser.post(ADDRESS, form())
    mara = User.objects.get()
    assert (mara.theme, mara.tiles, mara.pips, mara.volume, mara.sound) == (
        "dark",
        "ebony",
        "safe",
        20,
        False,
    )


def test_two_at_once_with_one_name(browser_of, db, monkeypatch):
    monkeypatch.setattr(
        "accounts.adapter.AccountAdapter.clean_username", lambda self, name, shallow=False: name
    )
    User.objects.create_user("mara")
    answer = browser_of().post(ADDRESS, form(), follow=True)
    assert "This name is taken." in answer.content.decode()
    assert User.objects.count() == 1


def test_no_password_comes_back_in_a_page(browser_of, alice):
    page = browser_of().post(ADDRESS, form("alice"), headers={"HX-Request": "true"}).content.decode()
    assert "ninety-nine bones" not in page
    assert page.count("hx-preserve") == 2 and page.count("autofocus") == 1


def test_htmx_is_sent_to_the_next_page(browser_of, db):
    answer = browser_of().post(ADDRESS, form(next="/rules/"), headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (200, "/rules/")


def test_nobody_signs_up_by_the_hundred(browser_of, db):
    answers = [browser_of().post(ADDRESS, {}).status_code for _ in range(21)]
    assert answers[19] == 200
    assert answers[20] == 429
