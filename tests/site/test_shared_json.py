"""JSON that the pages of other sites may read."""

import pytest

from tests.games.playing import begin, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(alice, bob) -> str:
    return f"/games/{begin(alice, bob).code}/state.json"


def test_other_sites_may_read_it_without_cookies_alone(client, address):
    response = client.get(address, headers={"Origin": "https://club.example"})
    assert response["Access-Control-Allow-Origin"] == "*"
    # With it browsers would hand over an answer to a request with cookies.
    assert "Access-Control-Allow-Credentials" not in response
    assert response.json()["you"] is None


def test_browser_may_ask_with_a_token_and_an_etag(client, address):
    response = client.options(address)
    assert response.status_code == 204
    assert response["Access-Control-Allow-Headers"] == "Authorization, If-None-Match"
    assert "POST" not in response["Access-Control-Allow-Methods"]


def test_unchanged_state_is_not_sent_again(alice, bob, client):
    match = begin(alice, bob)
    address = f"/games/{match.code}/state.json"
    known = {"If-None-Match": client.get(address)["ETag"]}
    unchanged = client.get(address, headers=known)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged["Access-Control-Allow-Origin"] == "*"
    play(match)
    assert client.get(address, headers=known).status_code == 200


def test_player_and_spectator_have_different_etags(alice, bob, client, browser_of):
    address = f"/games/{begin(alice, bob).code}/state.json"
    assert client.get(address)["ETag"] != browser_of(alice).get(address)["ETag"]


@pytest.mark.parametrize("path", ["move", "say"])
def test_forms_are_not_shared(alice, bob, client, path):
    assert "Access-Control-Allow-Origin" not in client.options(f"/games/{begin(alice, bob).code}/{path}")
