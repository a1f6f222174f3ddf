"""Account pages in a real browser: preferences apply at once, pages are accessible."""

from playwright.sync_api import Response, expect

from tests.browser.axe import assert_accessible, find_violations
from tests.browser.conftest import PASSWORD, PHONE, post_form
from tests.browser.tables import open_alone
from tests.browser.waiting import expect_value

PUBLIC_PAGES = [
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/preferences/",
    "/leaderboard/",
]
ACCOUNT_PAGES = [
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/sessions/",
    "/accounts/2fa/",
    "/accounts/delete/",
    "/accounts/logout/",
]


def test_account_pages_are_accessible(open_page):
    for name, paths in (("", PUBLIC_PAGES), ("alice", ACCOUNT_PAGES)):
        page = open_page(name)
        for path in paths:
            page.goto(path)
            assert_accessible(page)


def fill_sign_up(page, name, password=PASSWORD, again=PASSWORD):
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_label("Password again").fill(again)
    page.locator("#main").get_by_role("button", name="Sign up").click()


def test_refused_sign_up_says_why_and_keeps_what_was_right(open_page):
    page = open_page(viewport=PHONE["viewport"])
    page.goto("/accounts/signup/?next=/rules/")
    name = page.get_by_label("Name")
    password, again = (page.get_by_label(label, exact=True) for label in ("Password", "Password again"))

    fill_sign_up(page, "a b", "x", "y")
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#id_username_error")).to_contain_text("A name has 2 to 20 letters")
    page.wait_for_load_state()
    assert find_violations(page) == []

    # Passwords typed differently: only the second is emptied.
    fill_sign_up(page, "quiet-quentin", again="ninety-nine")
    expect(page.locator("#id_password2_error")).to_be_in_viewport()
    expect(again).to_be_focused()
    expect(again).to_have_value("")
    expect(password).to_have_value(PASSWORD)

    # A fault in the name keeps the passwords.
    fill_sign_up(page, "admin")
    expect(page.locator("#id_username_error")).to_be_in_viewport()
    expect(name).to_be_focused()
    expect(name).to_have_value("admin")
    for field in (password, again):
        expect(field).to_have_value(PASSWORD)
    assert "ninety-nine" not in page.content()

    name.fill("quiet-quentin")
    page.locator("#main").get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/rules/")
    expect(page.locator("header")).to_contain_text("quiet-quentin")


def is_saved(response: Response) -> bool:
    """Return whether this is the response to the form of preferences."""
    return response.request.method == "POST" and response.url.endswith("/preferences/")


def test_preference_applies_at_once_and_is_saved(open_page):
    page = open_page("alice")
    page.goto("/preferences/")
    with page.expect_response(is_saved) as kept:
        page.get_by_role("radio", name="Dark").check(force=True)
    assert kept.value.status == 204
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/leaderboard/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/preferences/")
    with page.expect_response(is_saved):
        page.get_by_role("radio", name="Same as the system").check(force=True)


def test_logout_elsewhere_removes_hand_from_open_page(open_page):
    page = open_page("leaving-lea", phone=True)
    open_alone(page, ["greta"], lambda now: now["you"] == 0)
    expect(page.locator("html[data-live=on]")).to_be_attached()

    post_form(page.context, "/", "/accounts/logout/")

    expect(page.get_by_text("You were logged out.")).to_be_visible()
    expect(page.locator("[data-tile]").and_(page.locator("button"))).to_have_count(0)
    for said in ("#status", "#urgent"):
        expect(page.locator(said)).to_be_empty()
    page.locator(".connection").get_by_role("link", name="Log in").click()
    page.wait_for_url("**/accounts/login/?next=/games/**")


def test_page_reconnects_after_own_password_change(open_page):
    page = open_page("careful-cho")
    open_alone(page, ["greta"], lambda now: now["you"] == 0)
    expect(page.locator("html[data-live=on]")).to_be_attached()

    new = {"password1": "a hundred bones", "password2": "a hundred bones"}
    with page.expect_event("load"):
        post_form(page.context, "/", "/accounts/password/change/", oldpassword=PASSWORD, **new)

    expect(page.locator("html[data-live=on]")).to_be_attached()
    expect(page.locator("#hand button[data-tile]").first).to_be_visible()


def test_guest_signs_up_and_sets_preference_without_scripts(open_page):
    page = open_page(guest=True, scripts=False)
    page.goto("/accounts/signup/")
    page.get_by_label("Name").fill("noscript-nora")
    page.get_by_label("Password", exact=True).fill("ninety-nine bones")
    page.get_by_label("Password again").fill("ninety-nine bones")
    page.locator("#main").get_by_role("button", name="Sign up").click()
    expect(page.locator("header")).to_contain_text("noscript-nora")

    page.goto("/preferences/")
    page.get_by_role("radio", name="Dark").check(force=True)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#messages")).to_contain_text("Saved.")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_language_choice_applies_at_once_and_choices_in_a_row_are_equally_high(open_page):
    page = open_page(phone=True, locale="ru-RU", viewport={"width": 360, "height": 640})
    page.goto("/preferences/")
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect_value(
        page.locator("main").first,
        """main => [...main.querySelectorAll(".preferences .segments")].map(
            row => [...row.querySelectorAll("span")].map(each => each.offsetHeight))""",
        lambda rows: rows and all(len(set(row)) == 1 for row in rows),
    )

    with page.expect_navigation():
        page.locator("select[name=language]").select_option("es")
    expect(page.locator("html")).to_have_attribute("lang", "es")
