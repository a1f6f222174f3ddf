"""Profiles and the archive of finished matches."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from tests.games.playing import begin, play, play_to_the_end

pytestmark = pytest.mark.django_db


@pytest.fixture
def matches(alice, bob, charlie):
    """Three finished matches, and one that is played."""
    begin(alice, bob)
    return {
        "rated": play_to_the_end(begin(alice, bob, rated=True, seed="rated")),
        "draw": play_to_the_end(begin(bob, charlie, preset="draw", seed="draw")),
        "house": play(play(begin(alice, charlie, target=30, seed="house")), "resign"),
    }


def found(browser, matches, query: str = "") -> set[str]:
    page = browser.get(f"/archive/{query}").content.decode()
    return {name for name, match in matches.items() if f"/games/{match.code}/replay/" in page}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", {"rated", "draw", "house"}),
        ("?player=ALICE", {"rated", "house"}),
        ("?player=alice&against=bob", {"rated"}),
        ("?preset=draw", {"draw"}),
        ("?preset=house", {"house"}),
        ("?how=resigned", {"house"}),
        ("?rated=yes", {"rated"}),
        ("?rated=no", {"draw", "house"}),
        ("?player=nobody", set()),
        ("?since=2999-01-01", set()),
        ("?until=2999-01-01", {"rated", "draw", "house"}),
    ],
)
def test_the_archive_finds(browser_of, matches, query, expected):
    assert found(browser_of(), matches, query) == expected


def test_who_resigned_lost(browser_of, matches):
    loser = matches["house"].seats.get(won=False).name
    winner = matches["house"].seats.get(won=True).name

    assert "house" in found(browser_of(), matches, f"?player={loser}&result=lost")
    assert "house" in found(browser_of(), matches, f"?player={winner}&result=won")
    assert "house" not in found(browser_of(), matches, f"?player={winner}&result=lost")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?result=won", "Name the player whose result it is."),
        ("?since=2026-02-02&until=2026-02-01", "The last day is before the first."),
        ("?since=yesterday", "Enter a valid date."),
        ("?preset=chess", "Select a valid choice."),
    ],
)
def test_what_cannot_be_searched_is_said(browser_of, matches, query, sentence):
    assert sentence in browser_of().get(f"/archive/{query}").content.decode()


@pytest.mark.parametrize("key", ["x", "1", "2026-01-01", "2026-01-01T00:00:00Z_1", "²"])
def test_a_made_up_page_is_the_first(browser_of, matches, key):
    assert found(browser_of(), matches, f"?{urlencode({'after': key})}") == {"rated", "draw", "house"}


def test_a_profile_shows_ratings_matches_and_what_was_between_us(alice, bob, browser_of, matches):
    page = browser_of(bob).get("/players/alice/").content.decode()

    assert 'class="graph"' in page and "<polyline" in page
    assert f"/games/{matches['rated'].code}/replay/" in page
    assert f"/games/{matches['draw'].code}/replay/" not in page
    assert "Against you" in page
    assert "Against you" not in browser_of(alice).get("/players/alice/").content.decode()


def test_a_profile_without_matches_says_so(alice, browser_of):
    assert "No rated match yet." in browser_of().get("/players/alice/").content.decode()


def test_nobody_has_no_profile(browser_of, db):
    assert browser_of().get("/players/nobody/").status_code == 404


def test_records_are_exported_in_the_order_they_ended(matches, capsys, tmp_path):
    call_command("export_records")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join(lines))

    call_command("verify_record", str(file))

    for options, many in (
        ({"player": "alice"}, 2),
        ({"preset": "draw"}, 1),
        ({"since": str(timezone.now().date() + timedelta(days=2))}, 0),
    ):
        capsys.readouterr()
        call_command("export_records", **options)
        assert len(capsys.readouterr().out.splitlines()) == many


@pytest.mark.parametrize("options", [{"preset": "chess"}, {"since": "yesterday"}])
def test_what_cannot_be_exported_is_one_clear_line(db, options):
    with pytest.raises(CommandError) as error:
        call_command("export_records", **options)
    assert "\n" not in str(error.value)


def test_recomputing_ratings_says_that_there_is_no_difference(matches, capsys):
    call_command("recompute_ratings")

    assert "No difference." in capsys.readouterr().out
