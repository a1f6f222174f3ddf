"""Pages opened before an older backup was restored are refreshed."""

import pytest

from games import repository
from games.models import Match, Move
from tests.games.playing import begin, legal, on_turn, play

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "Accept": "text/html"}


@pytest.fixture
def restored(alice, bob) -> Match:
    """Restore a match of five moves to a backup with three."""
    match = begin(alice, bob)
    for _ in range(3):
        play(match)
    backup = Match.objects.filter(pk=match.pk).values().get()
    for _ in range(2):
        play(match)
    Move.objects.filter(match=match, number__gt=3).delete()
    Match.objects.filter(pk=match.pk).update(**backup)
    repository.clear_caches()
    match.refresh_from_db()
    return match


def test_polling_page_is_refreshed(restored, alice, browser_of):
    answer = browser_of(alice).get(f"/games/{restored.code}/sync?v=5v0", headers=HTMX)
    assert answer["HX-Refresh"] == "true"


def test_move_is_refused_and_page_refreshed(restored, browser_of):
    seat, move = on_turn(restored), legal(restored)[0]
    answer = browser_of(seat.user).post(
        f"/games/{restored.code}/move", {"move": move, "version": 5}, headers=HTMX
    )
    assert (answer.status_code, answer["HX-Refresh"]) == (409, "true")
    restored.refresh_from_db()
    assert restored.version == 3


def test_current_page_is_not_refreshed(restored, alice, browser_of):
    for stamp in ("3v0", "2v0", "", "v", "x"):
        answer = browser_of(alice).get(f"/games/{restored.code}/sync?v={stamp}", headers=HTMX)
        assert "HX-Refresh" not in answer
