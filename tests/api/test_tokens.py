"""Tokens: what they open, and that nothing else opens with them."""

import json
import re
import time
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from accounts import personal
from api import tokens
from api.models import Token
from api.scopes import SCOPE_NAMES, SCOPES, Scope
from dominoes_site.budgets import find_token
from tests.addresses import routes
from tests.games.playing import begin, on_turn, play

pytestmark = pytest.mark.django_db


def bearer(text: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {text}", "Accept": "application/json"}


@pytest.fixture
def make_token(alice):
    def make(*scopes: Scope, user=alice, ends_at=None) -> dict[str, str]:
        return bearer(tokens.make(user, "a test", scopes or tuple(Scope), ends_at))

    return make


def test_every_scope_is_named_and_every_address_exists():
    assert set(SCOPE_NAMES) == set(Scope)
    named = set(get_resolver().reverse_dict) | {"match-stream", "events"}  # streams are not Django's
    assert set(SCOPES) <= named


def test_text_of_a_token_is_stored_nowhere(alice):
    text = tokens.make(alice, "a test", [Scope.READ], None)
    assert text not in json.dumps(list(Token.objects.values()), default=str)
    assert tokens.find(text).user == alice


def test_state_with_a_token_is_of_its_account(alice, bob, client, make_token):
    match = begin(alice, bob)
    state = client.get(f"/games/{match.code}/state.json", headers=make_token(Scope.READ)).json()
    assert state["you"] == 0
    assert len(state["hand"]) == 7


def test_no_cookie_counts_beside_a_token(alice, bob, browser_of, make_token):
    match = begin(alice, bob)
    state = browser_of(bob).get(f"/games/{match.code}/state.json", headers=make_token(Scope.READ))
    assert state.json()["you"] == 0
    assert not state.cookies


@pytest.mark.parametrize("kind", ["unknown", "ended", "revoked", "banned"])
def test_token_that_is_no_more_is_refused(alice, client, make_token, kind):
    headers = make_token(ends_at=timezone.now() - timedelta(seconds=1) if kind == "ended" else None)
    if kind == "unknown":
        headers = bearer("boneyard_x")
    if kind == "revoked":
        tokens.revoke(alice.api_tokens.get())
    if kind == "banned":
        alice.banned_at = timezone.now()
        alice.save()
    response = client.get("/preferences/", headers=headers)
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert response.json()["reason"] == "bad_token"


def test_no_other_address_takes_a_token(client, make_token):
    headers = make_token()
    opened = set()
    for route in routes():
        address = "/" + re.sub(r"<[^>]*>", "x", route)
        response = client.get(address, headers=headers)
        if response.status_code not in (301, 403, 404, 405):
            opened.add((route, response.status_code))
    names = {pattern for pattern, _ in opened}
    assert not {name for name in names if name.startswith(("admin/", "accounts/", "preferences/"))}
    assert names <= {"tables/new", "nights/new"}


@pytest.mark.parametrize(
    ("method", "path", "lacking"),
    [("get", "state.json", Scope.NIGHT), ("post", "move", Scope.READ), ("post", "prod", Scope.CHALLENGE)],
)
def test_missing_scope_is_named(alice, bob, client, make_token, method, path, lacking):
    match = begin(alice, bob)
    response = getattr(client, method)(f"/games/{match.code}/{path}", headers=make_token(lacking))
    assert (response.status_code, response.json()["reason"]) == (403, "missing_scope")
    assert "play" in response.json()["scopes"]


def test_program_moves_in_a_casual_match_against_computers(alice, client, make_token):
    match = begin(alice, "club")
    while on_turn(match).user != alice:
        match = play(match)
    headers = make_token(Scope.PLAY)
    now = client.get(f"/games/{match.code}/state.json", headers=headers).json()
    fields = {"move": now["legal"][0], "version": now["version"]}
    response = client.post(f"/games/{match.code}/move", fields, headers=headers)
    assert response.json()["version"] == now["version"] + 1


@pytest.mark.parametrize("rated", [True, False])
def test_program_does_not_move_against_people(alice, bob, client, make_token, rated):
    match = begin(alice, bob, rated=rated)
    fields = {"move": "6-6", "version": "0"}
    response = client.post(f"/games/{match.code}/move", fields, headers=make_token())
    assert (response.status_code, response.json()["reason"]) == (403, "bots_only")
    match.refresh_from_db()
    assert match.version == 0


def test_form_without_a_token_still_needs_csrf(alice, bob):
    match, browser = begin(alice, bob), Client(enforce_csrf_checks=True)
    browser.force_login(alice)
    assert browser.post(f"/games/{match.code}/move", {"move": "6-6"}).status_code == 403


def confirmed(browser: Client) -> Client:
    """Return the browser of somebody who has just confirmed that it is them."""
    session = browser.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session["account_authentication_methods_user"] = session["_auth_user_id"]
    session.save()
    return browser


def test_page_asks_whether_it_is_them(alice, browser_of):
    response = browser_of(alice).get("/preferences/tokens/")
    assert (response.status_code, response.url.partition("?")[0]) == (302, "/accounts/reauthenticate/")


def test_page_makes_and_revokes_a_token(alice, browser_of, client):
    browser = confirmed(browser_of(alice))
    fields = {"name": "my bot", "scopes": ["read", "play"], "days": "30"}
    page = browser.post("/preferences/tokens/", fields).content.decode()
    (text,) = re.findall(r"boneyard_[\w-]+", page)
    assert text not in browser.get("/preferences/tokens/").content.decode()
    token = alice.api_tokens.get()
    assert set(token.scopes) == {"read", "play"}
    browser.post(f"/preferences/tokens/{token.pk}/revoke")
    assert client.get("/games/x/state.json", headers=bearer(text)).status_code == 401


def test_nobody_revokes_another_persons_token(alice, bob, browser_of):
    tokens.make(alice, "a test", [Scope.READ], None)
    token = alice.api_tokens.get()
    assert browser_of(bob).post(f"/preferences/tokens/{token.pk}/revoke").status_code == 404
    assert alice.api_tokens.exists()


def test_eleventh_token_is_refused(alice, browser_of):
    for _ in range(tokens.MAX_TOKENS):
        tokens.make(alice, "a test", [Scope.READ], None)
    fields = {"name": "one more", "scopes": "read", "days": ""}
    page = confirmed(browser_of(alice)).post("/preferences/tokens/", fields)
    assert page.status_code == 422
    assert "Revoke one" in page.content.decode()


def test_token_of_a_deleted_account_is_gone(alice, client):
    text = tokens.make(alice, "a test", [Scope.READ], None)
    personal.delete(alice)
    assert tokens.find(text) is None


def test_scheme_may_be_written_in_any_case_and_with_spaces(alice, bob, client):
    match, text = begin(alice, bob), tokens.make(alice, "a test", [Scope.READ], None)
    address = f"/games/{match.code}/state.json"
    for header in (f"bearer {text}", f"BEARER   {text} "):
        assert client.get(address, headers={"Authorization": header}).json()["you"] == 0


def test_token_with_spaces_has_the_budget_of_the_token():
    headers = ((b"authorization", b"Bearer x"), (b"authorization", b"bearer   x "))
    one, other = (find_token({"headers": [header]}) for header in headers)
    assert one == other and one is not None


def test_unknown_address_shows_nothing_of_the_account(alice, bob, client, make_token):
    begin(alice, bob)
    for path in ("/nothing/", "/games/nothing/state.json"):
        response = client.get(path, headers={**make_token(), "Accept": "text/html"})
        assert (response.status_code, response["Content-Type"]) == (404, "application/json")


def test_refused_form_leaves_no_session(alice, bob, client, make_token):
    match = begin(alice, "club")
    headers = {**make_token(), "Accept": "text/html"}
    client.post(f"/games/{match.code}/move", {"move": "6-6", "version": "99"}, headers=headers)
    assert not Session.objects.exists()


@pytest.mark.parametrize("path", ["absent", "prod", "continue"])
def test_program_does_not_act_against_people(alice, bob, client, make_token, path):
    match = begin(alice, bob)
    response = client.post(f"/games/{match.code}/{path}", headers=make_token())
    assert response.json()["reason"] == "bots_only"


def test_match_of_others_is_refused_like_any(alice, bob, charlie, client, make_token):
    match = begin(alice, bob)
    headers = make_token(user=charlie)
    response = client.post(f"/games/{match.code}/move", {"move": "6-6", "version": "0"}, headers=headers)
    assert response.json()["reason"] == "not_seated"
