"""Sign-up with a passkey, up to where a browser is needed (tests/browser/test_passkeys.py)."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.urls import reverse

from accounts.adapter import SecondFactorAdapter

User = get_user_model()
ADDRESS = "/accounts/signup/passkey/"
JSON = {"accept": "application/json"}


def test_options_name_the_new_account(browser_of, db, settings):
    settings.SITE_URL = "https://dominoes.example"
    answer = browser_of().post(ADDRESS, {"username": "mara"}, headers=JSON).json()
    options = answer["creation_options"]["publicKey"]
    assert options["rp"] == {"id": "dominoes.example", "name": "Boneyard"}
    assert options["user"]["name"] == "mara"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert User.objects.get().is_guest


@pytest.mark.parametrize("name", ["admin", "alice", "a b", ""])
def test_refused_name_makes_no_guest(browser_of, alice, name):
    browser = browser_of()
    assert browser.post(ADDRESS, {"username": name}, headers=JSON).status_code == 422
    page = browser.post(ADDRESS, {"username": name})
    assert set(page.context["form"].errors) == {"username"}
    assert User.objects.count() == 1


MALFORMED = ["", "null", "{}", "[]", "5", '{"id": "x", "response": {}}', "{", '{"response": 7}']
MALFORMED += ['{"id":"eA","rawId":"eA","type":"public-key","response":{"clientDataJSON":"e30"}}']
MALFORMED += [
    '{"id":"eA","rawId":"eA","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"eA",'
    '"authenticatorData":"eA","signature":"eA","userHandle":"MQ"}}'
]


@pytest.mark.parametrize("credential", MALFORMED)
def test_no_account_without_a_passkey(browser_of, db, credential):
    browser = browser_of()
    browser.post(ADDRESS, {"username": "mara"}, headers=JSON)
    answer = browser.post(ADDRESS, {"username": "mara", "credential": credential})
    assert answer.status_code == 422
    assert User.objects.get().is_guest
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("credential", MALFORMED)
def test_malformed_passkey_lets_nobody_in(browser_of, alice, credential):
    browser = browser_of()
    browser.get(reverse("mfa_login_webauthn"), headers=JSON)
    answer = browser.post(reverse("mfa_login_webauthn"), {"credential": credential})
    assert answer.url == reverse("account_login")
    assert "_auth_user_id" not in browser.session


def test_player_gets_no_second_account(browser_of, alice):
    answer = browser_of(alice).post(ADDRESS, {"username": "mara"}, headers=JSON)
    assert answer.status_code == 422
    assert browser_of(alice).post(ADDRESS, {"username": "mara", "credential": "{}"}).status_code == 422


def test_guest_adds_no_passkey(browser_of, db):
    browser = browser_of()
    browser.post("/accounts/guest/")
    assert browser.get(reverse("mfa_add_webauthn")).url == reverse("account_signup")


def test_address_is_not_stored_with_a_passkey(alice, rf):
    alice.email = "alice@example.org"
    assert SecondFactorAdapter()._get_user_identifier(alice) == "alice"
