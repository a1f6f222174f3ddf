"""Passwords are compared in their normal form."""

import unicodedata

import pytest
from django.contrib.auth import hashers
from django.contrib.auth.hashers import check_password, make_password

COMPOSED = "caf\N{LATIN SMALL LETTER E WITH ACUTE} y domin\N{LATIN SMALL LETTER O WITH ACUTE}"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)
HASHERS = [f"accounts.hashers.{name}PasswordHasher" for name in ("Argon2", "PBKDF2", "MD5")]


@pytest.fixture(params=HASHERS)
def hasher(request, settings):
    settings.PASSWORD_HASHERS = [request.param]


@pytest.mark.usefixtures("hasher")
def test_both_forms_of_a_letter_match():
    encoded = make_password(DECOMPOSED)
    assert check_password(COMPOSED, encoded) and check_password(DECOMPOSED, encoded)
    assert not check_password("cafe y domino", encoded)


def test_password_set_before_normalization_matches(settings):
    settings.PASSWORD_HASHERS = HASHERS[:1]
    old = hashers.Argon2PasswordHasher().encode(DECOMPOSED, "saltsaltsalt")
    assert check_password(DECOMPOSED, old)


@pytest.mark.django_db
def test_log_in_with_the_other_form(client):
    form = {"username": "maria", "email": "", "password1": DECOMPOSED, "password2": DECOMPOSED}
    assert client.post("/accounts/signup/", form).status_code == 302
    client.post("/accounts/logout/")
    answer = client.post("/accounts/login/", {"login": "maria", "password": COMPOSED})
    assert answer.status_code == 302
