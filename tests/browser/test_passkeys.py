"""Passkeys with Chromium's virtual authenticator: sign up, log in, add, confirm, and as a second factor."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import find_violations
from tests.browser.conftest import PASSWORD

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def open_with_passkeys(open_page, site):
    """Return a function that opens a page whose device makes passkeys; they need a host name, not an address.

    With `offers` the browser offers them in the log-in field; the virtual authenticator chooses one at once.
    """

    def open_with_passkeys(name: str = "", offers: bool = False, **options) -> Page:
        base = f"http://localhost:{urlsplit(site.url).port}"
        page = open_page(name, base_url=base, **options)
        if not offers:
            page.add_init_script("delete PublicKeyCredential.isConditionalMediationAvailable")
        session = page.context.new_cdp_session(page)
        session.send("WebAuthn.enable")
        made = session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        page.authenticator = lambda method, **fields: session.send(
            f"WebAuthn.{method}", {"authenticatorId": made["authenticatorId"], **fields}
        )
        return page

    return open_with_passkeys


def press(page, name):
    page.locator("#main").get_by_role("button", name=name).click()


def wait_for_path(page, path):
    page.wait_for_url(lambda address: urlsplit(address).path == path)


def sign_up_with_passkey(page, name):
    page.goto("/accounts/signup/?next=/rules/")
    page.get_by_role("link", name="Use a passkey instead of a password").click()
    wait_for_path(page, "/accounts/signup/passkey/")
    page.get_by_label("Name").fill(name)
    press(page, "Sign up")


def log_out(page):
    page.goto("/accounts/logout/")
    press(page, "Log out")


def test_sign_up_and_log_in_with_passkey(open_with_passkeys):
    page = open_with_passkeys()
    page.goto("/accounts/signup/passkey/")
    assert find_violations(page) == []
    sign_up_with_passkey(page, "key-kim")
    wait_for_path(page, "/rules/")
    expect(page.locator("header")).to_contain_text("key-kim")

    log_out(page)
    page.goto("/accounts/login/?next=/archive/")
    press(page, "Use a passkey")
    wait_for_path(page, "/archive/")
    expect(page.locator("header")).to_contain_text("key-kim")


def test_log_in_field_offers_passkeys(open_with_passkeys):
    page = open_with_passkeys(offers=True)
    sign_up_with_passkey(page, "key-kurt")
    wait_for_path(page, "/rules/")
    log_out(page)
    page.goto("/accounts/login/?next=/archive/")
    wait_for_path(page, "/archive/")
    expect(page.locator("header")).to_contain_text("key-kurt")


def test_guest_signs_up_with_passkey_and_stays_the_same(open_with_passkeys):
    page = open_with_passkeys(guest=True)
    page.goto("/")
    account = page.locator("html").get_attribute("data-account")
    sign_up_with_passkey(page, "key-karl")
    wait_for_path(page, "/rules/")
    assert page.locator("html").get_attribute("data-account") == account


def test_refused_name_and_cancelled_ceremony_can_be_repeated(open_with_passkeys):
    page = open_with_passkeys()
    page.authenticator("setUserVerified", isUserVerified=False)
    sign_up_with_passkey(page, "admin")
    expect(page.locator("#id_username_error")).to_have_text("This name is reserved. Choose another.")
    expect(page.get_by_label("Name")).to_be_focused()

    page.get_by_label("Name").fill("key-katja")
    press(page, "Sign up")
    expect(page.locator("form [role=alert]")).to_have_text("That did not work. Try again.")
    page.authenticator("setUserVerified", isUserVerified=True)
    press(page, "Sign up")
    wait_for_path(page, "/rules/")


def test_added_passkey_becomes_second_factor(open_with_passkeys):
    page = open_with_passkeys()
    page.goto("/accounts/signup/")
    page.get_by_label("Name").fill("key-kai")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    press(page, "Sign up")
    wait_for_path(page, "/")
    page.goto("/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Go on")
    expect(page.get_by_label("What you call it")).to_be_visible()
    page.wait_for_load_state()
    assert find_violations(page) == []
    page.get_by_label("What you call it").fill("blue telephone")
    press(page, "Add a passkey")
    page.wait_for_url("**/recovery-codes/")
    expect(page.locator(".codes code").first).to_be_visible()
    page.goto("/accounts/2fa/webauthn/")
    expect(page.locator(".passkeys")).to_contain_text("blue telephone")
    assert find_violations(page) == []

    log_out(page)
    page.goto("/accounts/login/")
    page.get_by_label("Name or e-mail").fill("key-kai")
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Log in")
    page.wait_for_url("**/2fa/authenticate/")
    assert find_violations(page) == []
    press(page, "Use the passkey")
    expect(page.locator("header")).to_contain_text("key-kai")


def test_passkey_confirms_before_removal_and_deletion(open_with_passkeys):
    page = open_with_passkeys()
    sign_up_with_passkey(page, "key-kora")
    wait_for_path(page, "/rules/")
    page.goto("/accounts/delete/")
    page.wait_for_url("**/reauthenticate/**")
    press(page, "Use the passkey")
    wait_for_path(page, "/accounts/delete/")
    page.goto("/accounts/2fa/webauthn/")
    page.get_by_role("link", name="Remove").click()
    expect(page.locator("#main")).to_contain_text("This is the only way into your account.")
    page.goto("/accounts/2fa/webauthn/add/")
    press(page, "Add a passkey")
    expect(page.locator("form [role=alert]")).to_have_text(
        "This device has a passkey of this account already."
    )


def test_passkeys_lead_from_an_ip_address_to_localhost(open_page, site):
    page = open_page()
    page.goto("/accounts/login/")
    link = page.get_by_role("link", name="Open this page where they do")
    port = urlsplit(site.url).port
    expect(link).to_have_attribute("href", f"http://localhost:{port}/accounts/login/")
    expect(page.get_by_role("button", name="Use a passkey")).to_have_count(0)


def test_log_in_without_scripts_offers_no_passkey(open_page, site):
    page = open_page(scripts=False, base_url=f"http://localhost:{urlsplit(site.url).port}")
    page.goto("/accounts/login/")
    expect(page.get_by_role("button", name="Use a passkey")).to_be_hidden()
    page.goto("/accounts/signup/passkey/")
    expect(page.get_by_text("Without, sign up with a password.")).to_be_visible()
