"""Sign-up with a passkey, up to where a browser is needed (tests/browser/test_passkeys.py)."""

import json
import time
from threading import Thread

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.db import connection
from django.urls import reverse

from accounts import ways_in
from accounts.adapter import SecondFactorAdapter
from tests.accounts.authenticator import make_passkey

User = get_user_model()
ADDRESS = "/accounts/signup/passkey/"
MAX_WAIT_SECONDS = 1  # for the other tab, which gets no further
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


def begin(browser, name="mara"):
    return browser.post(ADDRESS, {"username": name}, headers=JSON).json()["creation_options"]


def complete(browser, credential, name="mara"):
    return browser.post(ADDRESS, {"username": name, "credential": json.dumps(credential)})


def errors_of(answer):
    return {name: list(errors) for name, errors in answer.context["form"].errors.items()}


@pytest.fixture(autouse=True)
def at_localhost(client, settings):
    settings.ALLOWED_HOSTS = ["localhost", "testserver", "127.0.0.1", "[::1]", "dominoes.example"]


def test_account_is_made_with_its_passkey(browser_of, db):
    browser = browser_of()
    assert complete(browser, make_passkey(begin(browser))).status_code == 302
    assert User.objects.get().username == "mara"
    assert Authenticator.objects.get(type="webauthn").user.username == "mara"


def test_passkey_of_another_account_is_refused(browser_of, db):
    first, second = browser_of(), browser_of()
    complete(first, make_passkey(begin(first), credential_id=b"known" * 4))
    copied = make_passkey(begin(second, "nora"), credential_id=b"known" * 4)
    answer = complete(second, copied, "nora")
    assert errors_of(answer) == {"credential": ["This passkey belongs to another account."]}
    assert Authenticator.objects.filter(type="webauthn").count() == 1
    assert User.objects.filter(is_guest=True).count() == 1


def test_passkey_under_another_id_than_its_own_is_refused(browser_of, db):
    browser = browser_of()
    passkey = make_passkey(begin(browser))
    assert complete(browser, passkey | {"id": "b3RoZXI", "rawId": "b3RoZXI"}).status_code == 422
    assert not Authenticator.objects.exists()


def test_name_is_that_of_the_first_step(browser_of, db):
    browser = browser_of()
    answer = complete(browser, make_passkey(begin(browser)), "nora")
    assert list(errors_of(answer)) == ["username"]
    assert User.objects.get().is_guest


@pytest.mark.parametrize("name", ["Mara", "mara.", "mаra"])
def test_name_is_that_of_the_first_step_to_the_letter(browser_of, db, name):
    browser = browser_of()
    answer = complete(browser, make_passkey(begin(browser)), name)
    assert answer.status_code == 422 and "username" in errors_of(answer)
    assert User.objects.get().is_guest and not Authenticator.objects.exists()


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_name_is_changed_by_no_other_method(browser_of, db, method):
    browser = browser_of()
    options = begin(browser)
    answer = getattr(browser, method)(ADDRESS, "username=nora", "application/x-www-form-urlencoded")
    assert answer.status_code == 405
    assert complete(browser, make_passkey(options)).status_code == 302
    assert User.objects.get().username == "mara"


def test_first_step_repeated_with_another_name_changes_no_passkey_that_is_on_its_way(browser_of, db):
    browser = browser_of()
    options = begin(browser)
    begin(browser, "nora")
    assert complete(browser, make_passkey(options), "nora").status_code == 422
    assert not Authenticator.objects.exists()


def test_challenge_of_an_account_in_the_same_session_signs_nobody_up(mara, browser_of):
    browser = browser_of()
    browser.cookies = mara.cookies
    assert complete(browser, make_passkey(creation_options_of(mara)), "nora").status_code == 422
    assert not User.objects.filter(username="nora").exists()


def test_two_tabs_may_sign_up_in_any_order(browser_of, db):
    browser = browser_of()
    first, _second = begin(browser), begin(browser, "nora")
    browser.get(reverse("mfa_login_webauthn"), headers=JSON)  # a third tab offers passkeys in its field
    assert complete(browser, make_passkey(first)).status_code == 302
    assert User.objects.get().username == "mara"


def test_answer_is_taken_once(browser_of, db):
    browser = browser_of()
    passkey = make_passkey(begin(browser))
    complete(browser, passkey, "nora")
    assert complete(browser, passkey).status_code == 422
    assert not Authenticator.objects.exists()


@pytest.fixture
def mara(browser_of, db):
    """Return the browser of an account that has a passkey alone, and has just confirmed it."""
    browser = browser_of()
    complete(browser, make_passkey(begin(browser), credential_id=b"known" * 4))
    session = browser.session
    record = {"method": "mfa", "type": "webauthn", "at": time.time(), "reauthenticated": True}
    session["account_authentication_methods"] = [record]
    session["account_authentication_methods_user"] = str(User.objects.get().pk)
    session.save()
    return browser


def creation_options_of(browser):
    return browser.get(reverse("mfa_add_webauthn")).context["js_data"]["creation_options"]


def test_player_adds_no_passkey_twice(mara):
    mara.defaults["HTTP_HOST"] = "localhost"  # the form is shown where passkeys work
    options = creation_options_of(mara)
    assert len(options["publicKey"]["excludeCredentials"]) == 1
    again = make_passkey(options, credential_id=b"known" * 4)
    fields = {"name": "again", "credential": json.dumps(again), "passwordless": "on"}
    page = mara.post(reverse("mfa_add_webauthn"), fields).content.decode()
    assert page.count("This device has a passkey of this account already.") == 2, (
        "said, and ready for the script"
    )
    assert Authenticator.objects.filter(type="webauthn").count() == 1


def remove_passkey(browser):
    pk = Authenticator.objects.filter(type="webauthn").earliest("pk").pk
    browser.post(reverse("mfa_remove_webauthn", args=[pk]))
    return not Authenticator.objects.filter(pk=pk).exists()


def test_last_way_in_is_not_removed(mara):
    assert not remove_passkey(mara)
    page = mara.get(reverse("mfa_list_webauthn")).content.decode()
    assert "This is the only way into your account." in page
    pk = Authenticator.objects.get(type="webauthn").pk
    assert mara.get(reverse("mfa_remove_webauthn", args=[pk])).status_code == 303


@pytest.mark.parametrize("other", ["passkey", "address"])
def test_passkey_is_removed_beside_another_way_in(mara, other):
    user = User.objects.get()
    if other == "address":
        EmailAddress.objects.create(user=user, email="mara@example.org", verified=True, primary=True)
    else:
        passkey = make_passkey(creation_options_of(mara))
        mara.post(reverse("mfa_add_webauthn"), {"credential": json.dumps(passkey), "passwordless": "on"})
    assert remove_passkey(mara)


def test_password_is_a_way_in(alice):
    assert ways_in.has_another(alice)
    alice.set_unusable_password()
    assert not ways_in.has_another(alice)


@pytest.mark.parametrize("is_confirmed", [True, False])
def test_address_that_is_the_last_way_in_is_not_removed(mara, is_confirmed):
    user = User.objects.get()
    EmailAddress.objects.create(user=user, email="mara@example.org", verified=is_confirmed, primary=True)
    Authenticator.objects.all().delete()
    mara.post("/accounts/email/", {"action_remove": "", "email": "mara@example.org"})
    assert EmailAddress.objects.exists() == is_confirmed


@pytest.mark.django_db(transaction=True)
def test_last_two_ways_in_are_not_removed_at_once(mara, browser_of, monkeypatch):
    """The passkey is removed after the check of the address; it must wait until the address is removed."""
    user = User.objects.get()
    EmailAddress.objects.create(user=user, email="mara@example.org", verified=True, primary=True)
    second_tab = browser_of()
    second_tab.cookies = mara.cookies
    removed: list[Thread] = []

    def remove() -> None:
        try:
            remove_passkey(second_tab)
        finally:
            connection.close()

    has_another = ways_in.has_another

    def check(user, **way) -> bool:
        answer = has_another(user, **way)
        if "address" in way and not removed:
            removed.append(Thread(target=remove))
            removed[0].start()
            removed[0].join(MAX_WAIT_SECONDS)
        return answer

    monkeypatch.setattr(ways_in, "has_another", check)
    mara.post("/accounts/email/", {"action_remove": "", "email": "mara@example.org"})
    removed[0].join()
    assert not EmailAddress.objects.exists()
    assert Authenticator.objects.filter(type="webauthn").exists()


@pytest.mark.parametrize(
    ("site", "host", "leads_to"),
    [
        ("", "127.0.0.1:8000", "http://localhost:8000"),
        ("", "localhost:8000", None),
        ("", "[::1]:8000", "http://localhost:8000"),
        ("", "dominoes.example", ""),
        ("https://dominoes.example", "localhost", "https://dominoes.example"),
        ("https://localhost:8443", "localhost:8443", None),
        ("http://10.77.0.1", "10.77.0.1", ""),
        ("https://[2001:db8::1]:8443", "[2001:db8::1]:8443", ""),
    ],
)
def test_passkeys_are_where_they_work(browser_of, db, settings, site, host, leads_to):
    settings.SITE_URL, settings.ALLOWED_HOSTS = site, ["*"]
    for path in ("/accounts/login/", "/accounts/signup/passkey/"):
        page = browser_of().get(path, headers={"host": host}).content.decode()
        assert ("data-passkey" in page) == (leads_to is None)
        assert ("Passkeys do not work at this address" in page) == (leads_to is not None)
        assert not leads_to or f'href="{leads_to}{path}"' in page
        assert ("Open this page where they do" in page) == bool(leads_to)


@pytest.mark.parametrize(
    ("site", "owner"), [("", "localhost"), ("https://dominoes.example:444", "dominoes.example")]
)
def test_passkeys_belong_to_the_configured_address_whatever_the_host(browser_of, db, settings, site, owner):
    settings.SITE_URL, settings.ALLOWED_HOSTS = site, ["*"]
    answer = browser_of().post(ADDRESS, {"username": "mara"}, headers=JSON | {"host": "evil.example"})
    assert answer.json()["creation_options"]["publicKey"]["rp"]["id"] == owner


def test_browser_may_offer_passkeys_in_the_field_of_the_name(browser_of, db):
    assert 'autocomplete="username webauthn"' in browser_of().get("/accounts/login/").content.decode()
