"""Frames contain changes only; applied to the old page they give the new one."""

import re
import time
from itertools import cycle
from statistics import median

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts import personal
from games.drawing.line import parse_shapes
from games.models import Match
from games.seats import seat_of
from games.table.page_state import MatchPageState
from games.table.snapshot_cache import get_snapshot_view
from tests import dom
from tests.games.playing import begin, play_to_the_end
from tests.games.test_hidden import (
    ROUND_END,
    hidden_from,
    strip_lead,
    strip_past_news,
    tiles_in,
    tiles_of_previous_round,
)

pytestmark = pytest.mark.django_db


class PageOf:
    """One viewer's page, updated by the frames of its socket. Its board takes the next of the shapes each time."""

    def __init__(self, viewer, *turned: str) -> None:
        self.viewer = viewer
        self.shapes = cycle(map(parse_shapes, turned or ("",)))
        self.shown: MatchPageState | None = None
        self.page = dom.parse("")
        self.frames: list[str] = []

    def look(self, match: Match) -> None:
        before, self.shown = (
            self.shown,
            get_snapshot_view(match.code, version=match.version, since=0.0).page_state_for(
                self.viewer, next(self.shapes)
            ),
        )
        if before is None:
            self.page = dom.parse(self.shown.full_html())
            return
        frame = self.shown.diff_from(before)
        self.frames.append(frame)
        dom.apply_frame(self.page, frame)
        dom.update_newest_move(self.page)
        assert self.page.comparable() == dom.parse(self.shown.full_html()).comparable()
        told = tiles_in(strip_lead(strip_past_news(ROUND_END.sub("", frame), match), match))
        if 'aria-labelledby="round-end-h"' in self.shown.fragments["round-end"].html():
            told -= tiles_of_previous_round(match)
        assert not told & hidden_from(match, seat_of(match, self.viewer))


@pytest.mark.parametrize(
    ("preset", "seats", "target"), [("all-fives", 2, 40), ("draw", 3, 10), ("muggins-200-pairs", 4, 14)]
)
def test_page_updated_by_frames_equals_new_page(
    alice, bob, charlie, django_user_model, preset, seats, target, settings
):
    settings.CALL_PAUSE_MS = 0
    people = [alice, bob, charlie, django_user_model.objects.create_user("diana")][:seats]
    match = begin(*people, preset=preset, seed=preset, target=target)
    pages = [
        PageOf(viewer, *turned)
        for viewer, turned in zip(people, [(), ("wide",), ("tall",), ()], strict=False)
    ]
    pages += [PageOf(AnonymousUser(), "wide", "wide", "tall", "")]

    def look(match: Match) -> None:
        for page in pages:
            page.look(match)

    play_to_the_end(match, seed=2, each=look)
    sizes = [len(frame.encode()) for page in pages for frame in page.frames]
    whole = len(pages[0].shown.full_html())
    assert median(sizes) < whole / 3


def test_unchanged_fragments_are_not_sent(alice, bob):
    match = begin(alice, bob)
    one = get_snapshot_view(match.code, version=0, since=0.0).page_state_for(alice)
    frame = one.diff_from(one)
    assert f'data-checksum="{one.checksum}" data-base="{one.checksum}"' in frame
    assert re.findall(r'\["([\w -]+)"', frame) == ["sync"]


def test_frame_begins_with_its_checksums(alice, bob):
    match = begin(alice, bob)
    page = PageOf(alice)
    stamps: list[str] = []

    def look(match: Match) -> None:
        page.look(match)
        stamps.append(page.shown.checksum)

    play_to_the_end(match, each=look)
    for frame, (before, now) in zip(page.frames, zip(stamps, stamps[1:], strict=False), strict=True):
        assert re.match(
            f'<i id="patches" data-version="\\d+" data-checksum="{now}" data-base="{before}"', frame
        )


def test_deleted_name_is_not_rendered(alice, bob):
    match = play_to_the_end(begin(alice, bob, target=10))

    def shown() -> str:
        latest = get_snapshot_view(match.code, version=match.version, since=time.monotonic())
        return latest.page_state_for(AnonymousUser()).full_html()

    assert "alice" in shown()
    personal.delete(alice)
    assert "alice" not in shown()
