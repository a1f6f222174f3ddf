"""The card of the Daily Deal in the lobby."""

import pytest
from django.utils import timezone

from events import lobby_card
from events.models import DealSet
from tests.events.playing import be_official, open_today, play_rounds, start, store_house

pytestmark = pytest.mark.django_db


def test_card_tells_the_place_of_a_finished_result_that_counts(alice, bob, browser_of):
    deals = open_today()
    store_house(deals, margin=-1000)
    for person in (alice, bob):
        play_rounds(start(deals, person))
    be_official(alice)
    card = lobby_card.build(alice, timezone.now())
    assert (card.score, card.place, card.field, card.is_playing) == ("100", 1, 1, False)
    assert "place 1 of 1" in " ".join(browser_of(alice).get("/").text.split())
    assert lobby_card.build(bob, timezone.now()).place == 0


def test_card_of_a_match_that_goes_on_has_no_place(alice):
    deals = open_today()
    play_rounds(start(deals, alice), rounds=1)
    card = lobby_card.build(alice, timezone.now())
    assert card.is_playing and not card.place


def test_cancelled_deal_has_no_card(alice):
    deals = open_today()
    DealSet.objects.filter(pk=deals.pk).update(cancelled_at=timezone.now())
    assert lobby_card.build(alice, timezone.now()) is None
