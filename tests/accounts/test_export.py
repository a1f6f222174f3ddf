"""All of one's own data, to take along."""

from django.urls import reverse

from accounts import personal
from tests.accounts.rating import rate

ADDRESS = "/accounts/export/"


def test_an_export_is_everything_about_oneself(browser_of, alice, bob):
    rate(1, alice, bob)
    alice.email = "alice@example.org"
    alice.save()
    alice.emailaddress_set.create(email="alice@example.org", primary=True)
    browser = browser_of()
    browser.post(
        "/accounts/login/", {"login": "alice", "password": "alice's bones"}, HTTP_USER_AGENT="Netscape"
    )

    answer = browser.get(ADDRESS)

    assert answer.headers["Content-Disposition"] == 'attachment; filename="alice.json"'
    data = answer.json()
    assert (data["name"], data["email"], data["guest"]) == ("alice", "alice@example.org", False)
    assert data["addresses"] == [{"email": "alice@example.org", "verified": False, "primary": True}]
    assert data["preferences"]["theme"] == "system"
    assert data["devices"][0]["browser"] == "Netscape"
    (rating,) = data["ratings"]
    assert (rating["pool"], rating["value"], rating["changes"][0]["match"]) == ("muggins", 1520, "match00001")
    assert "password" not in str(data)


def test_other_apps_add_what_they_hold(browser_of, alice, monkeypatch):
    monkeypatch.setattr(personal, "_exporters", {})
    monkeypatch.setattr(personal, "_forgetters", [])
    personal.register("matches", lambda user: {"of": user.username}, lambda user: None)
    assert browser_of(alice).get(ADDRESS).json()["matches"] == {"of": "alice"}


def test_exports_are_limited(browser_of, alice):
    browser = browser_of(alice)
    assert [browser.get(ADDRESS).status_code for _ in range(7)] == [200] * 6 + [429]


def test_nobody_has_no_data(browser_of, db):
    assert browser_of().get(ADDRESS).url.startswith(reverse("account_login"))
