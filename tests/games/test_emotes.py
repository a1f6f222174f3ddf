"""Emotes: pictures at the plates that disappear by themselves."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Talk
from tests.games.playing import begin

pytestmark = pytest.mark.django_db

SENT = 'data-emote="'


def send(browser, match, **fields):
    return browser.post(f"/games/{match.code}/emote", fields, headers={"HX-Request": "true"})


def page_of(browser, match) -> str:
    return browser.get(match.get_absolute_url()).content.decode()


def test_emote_appears_at_the_plate_for_players_alone(alice, bob, browser_of):
    match = begin(alice, bob)
    version = match.version

    assert send(browser_of(alice), match, emote="clap").status_code == 200

    for viewer in (alice, bob):
        page = page_of(browser_of(viewer), match)
        assert SENT in page and 'aria-label="Applause">' in page
        assert "Nobody has said anything yet." in page
    assert SENT not in page_of(browser_of(None), match)
    match.refresh_from_db()
    assert match.version == version


def test_emote_disappears_and_the_next_one_replaces_it(alice, bob, browser_of, settings):
    match, browser = begin(alice, bob), browser_of(alice)
    send(browser, match, emote="clap")
    Talk.objects.update(at=timezone.now() - timedelta(seconds=7))
    assert SENT not in page_of(browser, match)

    send(browser, match, emote="heart")

    assert list(Talk.objects.values_list("text", "is_emote")) == [("heart", True)]


def test_emotes_are_rate_limited(alice, bob, browser_of, settings):
    settings.LIMITS = True
    match, browser = begin(alice, bob), browser_of(alice)
    assert send(browser, match, emote="clap").status_code == 200
    again = send(browser, match, emote="heart")
    assert again.status_code == 422 and "Not so fast." in again.content.decode()


def test_emote_of_a_stranger_or_muted_person_is_refused(alice, bob, charlie, browser_of):
    match = begin(alice, bob)
    assert send(browser_of(charlie), match, emote="clap").status_code == 422
    assert send(browser_of(None), match, emote="clap").status_code == 422
    assert send(browser_of(alice), match, emote="rude").status_code == 422
    type(alice).objects.filter(pk=alice.pk).update(muted_until=timezone.now() + timedelta(days=1))
    assert send(browser_of(alice), match, emote="clap").status_code == 422
    assert not Talk.objects.exists()


def test_emotes_of_a_muted_opponent_are_hidden(alice, bob, browser_of):
    match = begin(alice, bob)
    browser_of(bob).post("/players/alice/mute", {"on": "1"})
    send(browser_of(alice), match, emote="clap")
    assert SENT not in page_of(browser_of(bob), match)


def test_player_mutes_emotes_with_one_press(alice, bob, browser_of):
    match, browser = begin(alice, bob), browser_of(alice)
    assert 'data-emotes="on"' in page_of(browser, match)
    send(browser, match, show="0")
    assert 'data-emotes="off"' in page_of(browser, match)
    assert 'data-emotes="on"' in page_of(browser_of(bob), match)
    send(browser, match, show="1")
    assert 'data-emotes="on"' in page_of(browser, match)
