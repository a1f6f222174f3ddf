"""What went wrong is said in a sentence, as a page or as JSON, with the right status."""

from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client, RequestFactory
from django.test.client import MULTIPART_CONTENT

from dominoes_site import views

pytestmark = pytest.mark.django_db


def test_an_unknown_address(client: Client):
    answer = client.get("/nowhere/")
    assert answer.status_code == 404
    assert b"There is nothing at this address." in answer.content


def test_an_unknown_address_as_json(client: Client):
    answer = client.get("/nowhere/", HTTP_ACCEPT="application/json")
    assert answer.status_code == 404
    assert answer.json() == {"error": "There is nothing at this address.", "reason": "not_found"}


@pytest.mark.parametrize("address", ["state.json", "record.json", "analysis.json"])
def test_an_address_of_json_answers_json_even_where_there_is_nothing(client: Client, address: str):
    answer = client.get(f"/games/nowhere/{address}", HTTP_ACCEPT="text/html")
    assert answer.status_code == 404
    assert answer.json()["reason"] == "not_found"


def test_a_form_without_its_token():
    answer = Client(enforce_csrf_checks=True).post("/play/all-fives/")
    assert answer.status_code == 403
    assert b"This page was out of date." in answer.content


def test_a_form_without_its_token_as_json(alice):
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/play/all-fives/", HTTP_ACCEPT="application/json")
    assert (answer.status_code, answer.json()["reason"]) == (401, "no_token")
    client.force_login(alice)
    answer = client.post("/play/all-fives/", HTTP_ACCEPT="application/json")
    assert (answer.status_code, answer.json()["reason"]) == (403, "csrf")


def test_something_broken_needs_neither_person_nor_database(django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = views.server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert b"it shows what is stored" in answer.content


def test_every_answer_carries_the_security_policy(client: Client):
    for address in ("/", "/nowhere/", "/healthz", "/admin/login/"):
        answer = client.get(address)
        assert "default-src 'self'" in answer["Content-Security-Policy"]
        assert answer["X-Frame-Options"] == "DENY"
        assert answer["Referrer-Policy"] == "same-origin"


def test_the_manifest_names_icons_that_exist(client: Client):
    about = client.get("/manifest.webmanifest").json()
    from django.contrib.staticfiles import finders

    for icon in about["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/"))


@pytest.mark.parametrize("content_type", [MULTIPART_CONTENT, "application/x-www-form-urlencoded"])
@pytest.mark.parametrize(
    ("path", "statuses"),
    [
        ("/games/0123456789/move", (404, 413)),
        ("/tables/0123456789/sit", (404, 413)),
        ("/tables/new/preview", (200, 200)),  # the longest form
    ],
)
def test_forms_of_a_table_have_few_fields(client, db, path, statuses, content_type):
    for number, status in zip((50, 52), statuses, strict=True):
        fields = {f"field-{n}": "" for n in range(number)}
        body = (
            fields if content_type == MULTIPART_CONTENT else urlencode(fields)
        )  # the client encodes the former
        assert client.post(path, body, content_type=content_type).status_code == status


@pytest.mark.parametrize("headers", [{}, {"accept": "application/json"}])
def test_form_of_too_many_fields_is_too_large(client, headers, db):
    fields = {f"field-{n}": "" for n in range(1001)}
    answer = client.post("/accounts/login/", fields, headers=headers)
    assert answer.status_code == 413
    assert "This form is too large." in answer.content.decode()


def test_what_cannot_be_understood_has_the_pages_layout(client: Client):
    answer = client.get("/players/a%00b/")
    assert answer.status_code == 400
    assert b"This request cannot be understood." in answer.content
    assert b'<nav aria-label="Site">' in answer.content
    assert client.get("/players/a%00b/", HTTP_ACCEPT="application/json").json()["reason"] == "malformed"
    assert client.get("/", HTTP_HOST="elsewhere.example").status_code == 400


def test_what_is_under_accounts_is_kept_by_no_cache(client: Client, alice):
    client.force_login(alice)
    for address in ("/accounts/sessions/", "/accounts/2fa/", "/accounts/email/", "/accounts/login/"):
        assert "no-store" in client.get(address)["Cache-Control"], address


@pytest.mark.parametrize("wrong", [views.bad_request, views.forbidden, views.not_found])
def test_whatever_went_wrong_its_page_has_the_layout_of_the_others(wrong):
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    page = wrong(request).content.decode()
    assert 'class="page narrow"' in page and 'class="site-head"' in page


def test_the_page_of_what_broke_has_the_layout_of_the_others():
    page = views.server_error(RequestFactory().get("/")).content.decode()
    assert 'class="page narrow"' in page and 'class="site-head"' in page
