"""Profiles and the archive of finished matches."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Match
from games.services import rerating
from tests.games.playing import begin, play, play_and_resign, play_to_the_end
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db


@pytest.fixture
def matches(alice, bob, charlie):
    """Create three finished matches and a running one."""
    begin(alice, bob)
    return {
        "rated": play_to_the_end(begin(alice, bob, rated=True)),
        "draw": play_to_the_end(begin(bob, charlie, preset="draw", seed="99"), seed=1),
        "house": play(play(begin(alice, charlie, target=30, seed="house")), "resign"),
    }


def search_archive(browser, matches, query: str = "") -> set[str]:
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
def test_archive_search(browser_of, matches, query, expected):
    assert search_archive(browser_of(), matches, query) == expected


def test_resigned_match_is_listed_as_lost(browser_of, matches):
    loser = matches["house"].seats.get(won=False).name
    winner = matches["house"].seats.get(won=True).name

    assert "house" in search_archive(browser_of(), matches, f"?player={loser}&result=lost")
    assert "house" in search_archive(browser_of(), matches, f"?player={winner}&result=won")
    assert "house" not in search_archive(browser_of(), matches, f"?player={winner}&result=lost")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?result=won", "Name the player whose result it is."),
        ("?since=2026-02-02&until=2026-02-01", "The last day is before the first."),
        ("?since=yesterday", "Enter a valid date."),
        ("?preset=chess", "Select a valid choice."),
    ],
)
def test_invalid_search_shows_error(browser_of, matches, query, sentence):
    assert sentence in browser_of().get(f"/archive/{query}").content.decode()


@pytest.mark.parametrize("key", ["x", "1", "2026-01-01", "2026-01-01T00:00:00Z_1", "²"])
def test_invalid_page_key_shows_first_page(browser_of, matches, key):
    assert search_archive(browser_of(), matches, f"?{urlencode({'after': key})}") == {
        "rated",
        "draw",
        "house",
    }


def test_profile_shows_ratings_matches_and_head_to_head(alice, bob, browser_of, matches):
    page = browser_of(bob).get("/players/alice/").content.decode()

    assert 'class="graph"' not in page, "one match has no graph"
    assert f"/games/{matches['rated'].code}/replay/" in page
    assert f"/games/{matches['draw'].code}/replay/" not in page
    assert "You and alice" in page
    assert "You and alice" not in browser_of(alice).get("/players/alice/").content.decode()


def test_rating_graph_needs_three_matches(alice, bob, browser_of):
    for number in range(3):
        play_and_resign(begin(alice, bob, rated=True, seed=str(number)), moves=2)
    page = collapse_whitespace(browser_of().get("/players/alice/").content.decode())
    assert page.count("<polyline") == 1
    line = page[page.index("<polyline") :].split('points="')[1].split('"')[0]
    assert len(line.split()) == 4, "before the first and after each"
    assert ">match 1</text>" in page


def test_list_marks_won_lost_and_annulled(alice, bob, browser_of):
    won, lost, annulled = (
        play_and_resign(begin(alice, bob, seed=str(number)), moves=2) for number in range(3)
    )
    for match, winner in ((won, 0), (lost, 1)):
        for seat in match.seats.all():
            match.seats.filter(pk=seat.pk).update(won=seat.position == winner)
    Match.objects.filter(pk=annulled.pk).update(annulled_at=timezone.now())
    page = collapse_whitespace(browser_of().get("/players/alice/").content.decode())
    for mark, words in (("won", "won"), ("lost", "lost"), ("annulled", "annulled")):
        assert f'class="outcome is-{mark}" role="img" aria-label="{words}"' in page
    assert "data-local" in page
    assert 'class="outcome' not in browser_of().get("/archive/").content.decode()


def test_list_groups_pairs(alice, bob, charlie, browser_of):
    dora = User.objects.create_user("dora")
    play_and_resign(begin(alice, bob, charlie, dora, preset="muggins-61-pairs"), moves=2)
    own = collapse_whitespace(browser_of().get("/players/alice/").content.decode())
    assert "with charlie" in own
    row = own[own.index('class="group') :]
    assert row.index("bob") < row.index("&amp;") < row.index("dora") < row.index("</span>")
    everybody = collapse_whitespace(browser_of().get("/archive/").content.decode())
    assert everybody.count('class="group') == 2


def test_profile_without_matches(alice, browser_of):
    assert "No rated match yet." in browser_of().get("/players/alice/").content.decode()


def test_unknown_profile_is_not_found(browser_of, db):
    assert browser_of().get("/players/nobody/").status_code == 404


def test_export_is_ordered_by_end(matches, capsys, tmp_path):
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


@pytest.mark.parametrize("options", [{"preset": "chess"}, {"since": "yesterday"}, {"player": "nobody"}])
def test_export_error_is_one_line(db, options):
    with pytest.raises(CommandError) as error:
        call_command("export_records", **options)
    assert "\n" not in str(error.value)


def test_recompute_reports_no_difference(matches, capsys):
    call_command("recompute_ratings")

    assert "No difference." in capsys.readouterr().out


def test_annulled_match_is_marked_everywhere(alice, bob, browser_of, matches):
    rerating.annul(matches["rated"])
    code, sentence = matches["rated"].code, "it counts for nothing"

    at_table = browser_of(alice).get(f"/games/{code}/").content.decode()
    replay = browser_of(alice).get(f"/games/{code}/replay/").content.decode()
    listed = browser_of(alice).get("/players/alice/").content.decode()

    assert sentence in at_table and "Your rating" not in at_table
    assert sentence in replay
    assert "is-annulled" in listed


def test_house_rules_match_shows_its_game(alice, bob, browser_of):
    match = play(play(begin(alice, bob, preset="draw", set=9)), "resign")

    assert "Draw, double-nine" in browser_of().get("/archive/").content.decode()
    table = collapse_whitespace(browser_of(alice).get(f"/games/{match.code}/").content.decode())
    assert '<span class="chip">double-nine</span>' in table


def mark_seen(*people: User) -> None:
    User.objects.filter(pk__in=[person.pk for person in people]).update(seen_at=timezone.now())


def read_about_line(browser, name: str) -> str:
    page = collapse_whitespace(browser.get(f"/players/{name}/").content.decode())
    return page.partition('id="about-person">')[2].partition("</p>")[0]


def test_profile_shows_current_match(alice, bob, browser_of):
    match = begin(alice, bob)
    assert "table" not in read_about_line(browser_of(), "alice"), "alice has not been seen"

    mark_seen(alice)

    line = read_about_line(browser_of(), "alice")
    assert "at a table with bob" in line
    assert match.get_absolute_url() in line
    assert "Here since" in line


@pytest.mark.parametrize("viewer", [None, "bob", "charlie"])
def test_profile_hides_private_current_match(alice, bob, charlie, browser_of, viewer):
    match = begin(alice, bob)
    Match.objects.filter(pk=match.pk).update(private=True)
    mark_seen(alice, bob)

    page = browser_of({"bob": bob, "charlie": charlie}.get(viewer))

    line = read_about_line(page, "alice")
    assert "Online." in line
    assert "table" not in line and "bob" not in line
    assert match.code not in page.get("/players/alice/").content.decode().partition("<main")[2]


def test_best_win_is_over_highest_rated(alice, bob, charlie, browser_of):
    matches = [play_and_resign(begin(alice, other, rated=True)) for other in (bob, charlie)]
    for match, rating in zip(matches, (1811.2, 1502.0), strict=True):
        match.seats.filter(user=alice).update(won=True)
        match.seats.exclude(user=alice).update(won=False, rating_before=rating)

    page = collapse_whitespace(browser_of().get("/players/alice/").content.decode())
    assert f'<a href="/games/{matches[0].code}/replay/">bob, 1811</a>' in page

    rerating.annul(matches[0])
    assert "charlie, 1502" in browser_of().get("/players/alice/").content.decode()


def test_wins_against_computers_are_excluded(alice, bob, browser_of):
    won = play_and_resign(begin(alice, bob), moves=2)
    won.seats.update(won=False)
    won.seats.filter(user=alice).update(won=True)
    against_it = play_to_the_end(begin(alice, "beginner"))
    against_it.seats.filter(user=alice).update(won=True)

    context = browser_of().get("/players/alice/").context

    assert (context["tally"].matches, context["tally"].among_people, context["tally"].wins) == (2, 1, 1)


def test_profile_links_each_rating(alice, bob, browser_of):
    for preset, times in (("all-fives", 4), ("draw", 3)):
        for number in range(times):
            play_and_resign(begin(alice, bob, rated=True, preset=preset, seed=f"{preset} {number}"))
    most = collapse_whitespace(browser_of().get("/players/alice/").content.decode())
    other = collapse_whitespace(browser_of().get("/players/alice/?pool=draw&result=won").content.decode())

    assert "Rating in All Fives, match by match" in most
    assert "Rating in Draw, match by match" in other and "Rating in All Fives" not in other
    assert 'href="?pool=draw#ratings"' in most
    assert 'href="?pool=muggins&amp;result=won#ratings"' in other
    assert '<input type="hidden" name="pool" value="draw">' in other
    assert "Rating in All Fives" in browser_of().get("/players/alice/?pool=chess").content.decode()


def test_profile_query_count_is_constant(alice, bob, charlie, browser_of, django_assert_max_num_queries):
    browser = browser_of(charlie)
    for other in (bob, charlie):
        play_and_resign(begin(alice, other, rated=True))
    mark_seen(alice)
    begin(alice, bob)
    with CaptureQueriesContext(connection) as few:
        browser.get("/players/alice/")
    queries = len(few)
    for number in range(6):
        play_and_resign(begin(alice, bob, charlie, preset="draw", seed=str(number)))
        play_and_resign(begin(alice, charlie, rated=True, seed=str(number)))

    browser.get("/players/alice/")  # caches the viewer's own running matches
    with django_assert_max_num_queries(queries):
        browser.get("/players/alice/")


@pytest.mark.parametrize(
    ("viewer", "sentence"),
    [
        ("alice", "You have not finished a match yet."),
        ("bob", "No match of alice to be seen yet."),
        (None, "No match of alice to be seen yet."),
    ],
)
def test_archive_without_matches(alice, bob, browser_of, viewer, sentence):
    page = browser_of({"alice": alice, "bob": bob}.get(viewer)).get("/players/alice/").content.decode()

    assert sentence in page
    assert ("You have not met yet." in page) == (viewer == "bob")


def test_empty_search_links_to_all_matches(alice, browser_of, matches):
    page = collapse_whitespace(browser_of().get("/players/alice/?against=nobody").content.decode())

    assert "No match found." in page
    assert '<a href="/players/alice/">Show all matches</a>' in page
