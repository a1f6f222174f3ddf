"""What a stream of a match says to its reader: nothing of hands that are not the reader's."""

import json

import pytest

from api import tokens
from api.scopes import Scope
from api.streams import MatchStream
from boneyard.engine.tiles import NAMES, members
from games import repository
from games.models import Match
from tests.games.playing import begin, play

pytestmark = pytest.mark.django_db


def read_line(user, match) -> dict | None:
    stream = MatchStream()
    stream.scope = {"stream_code": match.code}
    stream.token = tokens.find(tokens.make(user, "a test", [Scope.READ], None))
    lines = stream.build_lines()
    return lines[-1] if lines else None


def test_line_names_no_tile_that_its_reader_may_not_see(alice, bob, charlie):
    match = begin(alice, bob, preset="draw")
    for _ in range(2):
        match = play(match)
    for reader, position in ((alice, 0), (bob, 1), (charlie, None)):
        value = repository.get_value(match)
        hands = [{NAMES[tile] for tile in members(hand)} for hand in value.round.hands]
        hidden = {NAMES[tile] for tile in value.round.boneyard}
        hidden |= {tile for seat, hand in enumerate(hands) if seat != position for tile in hand}
        line = read_line(reader, match)
        assert set(line["hand"]) == (hands[position] if position is not None else set())
        del line["rules"]  # which tile must lead
        assert not {tile for tile in hidden if f'"{tile}' in json.dumps(line)}


def test_match_of_open_deals_has_a_stream_for_its_player_alone(alice, bob, charlie):
    match = begin(alice, "club")
    Match.objects.filter(pk=match.pk).update(concealed=True)
    assert read_line(charlie, match) is None
    assert read_line(alice, match) is not None
