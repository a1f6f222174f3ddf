"""Every page of an account is ours, in our frame, and says to a reader by ear what belongs to which field."""

import re
from html.parser import HTMLParser

import pytest
from django.urls import reverse

ENTRANCE = ["account_login", "account_signup", "account_reset_password", "account_reset_password_done"]
FOR_EVERYBODY = [*ENTRANCE, "preferences", "leaderboard-pool"]
OF_ONES_OWN = [
    "account_logout",
    "account_change_password",
    "account_email",
    "account-delete",
    "mfa_index",
    "mfa_activate_totp",
    "usersessions_list",
    "preferences",
]


class Fields(HTMLParser):
    """The labels, fields and ids of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.labels: set[str] = set()
        self.ids: set[str] = set()
        self.fields: list[dict] = []
        self.inside_label = 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.add(attrs["id"])
        if tag == "label":
            self.labels.add(attrs.get("for", ""))
            self.inside_label += 1
        if tag in ("input", "select", "textarea") and attrs.get("type") not in ("hidden", "submit"):
            self.fields.append(attrs | {"inside_label": self.inside_label > 0})

    def handle_endtag(self, tag):
        self.inside_label -= tag == "label"


def address(name: str) -> str:
    return reverse(name, args=["muggins"] if name == "leaderboard-pool" else [])


def has_our_frame_and_labels(text: str) -> None:
    page = Fields(text)
    assert '<main id="main"' in text
    assert "Menu:" not in text  # of allauth's own layout
    assert not re.search(r"\sstyle=|<script(?![^>]*\ssrc=)", text)
    for field in page.fields:
        assert field["inside_label"] or field["id"] in page.labels, field
        for described in field.get("aria-describedby", "").split():
            assert described in page.ids, field


@pytest.mark.parametrize("name", FOR_EVERYBODY)
def test_somebody_who_is_nobody_yet_may_open(browser_of, db, name):
    answer = browser_of().get(address(name))
    assert answer.status_code == 200
    has_our_frame_and_labels(answer.content.decode())


@pytest.mark.parametrize("name", OF_ONES_OWN)
def test_a_player_may_open(browser_of, alice, name):
    alice.emailaddress_set.create(email="alice@example.org", primary=True)
    answer = browser_of(alice).get(address(name), follow=True)
    if "/reauthenticate/" in answer.request["PATH_INFO"]:
        has_our_frame_and_labels(answer.content.decode())
        answer = answer.client.post(
            answer.request["PATH_INFO"] + "?next=" + address(name), {"password": "alice's bones"}, follow=True
        )
        assert answer.request["PATH_INFO"] == address(name)
    assert answer.status_code == 200
    has_our_frame_and_labels(answer.content.decode())


def test_a_refused_field_is_tied_to_its_reason(browser_of, db):
    answer = browser_of().post(
        reverse("account_signup"), {"username": "a b", "password1": "x", "password2": "y"}
    )
    fields = {field["name"]: field for field in Fields(answer.content.decode()).fields}
    for name in ("username", "password1"):
        assert fields[name]["aria-invalid"] == "true"
        assert f"id_{name}_error" in fields[name]["aria-describedby"].split()
    has_our_frame_and_labels(answer.content.decode())
