"""Replays and puzzles may be framed by other pages, and nothing else."""

import re
from html import unescape

import pytest

from boneyard.engine.tiles import NAMES
from games.models import Match
from study.models import Puzzle
from study.puzzles import view_of
from tests.addresses import routes
from tests.games.playing import begin, play_and_resign, play_to_the_end

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(alice, bob) -> Match:
    return play_to_the_end(begin(alice, bob))


def is_framable(response) -> bool:
    policy = response["Content-Security-Policy"]
    return "frame-ancestors *" in policy and "X-Frame-Options" not in response


def test_replay_shows_position_and_sentence(client, ended):
    first = client.get(f"/embed/games/{ended.code}/?move=0&lang=es")
    assert is_framable(first) and 'lang="es"' in first.text
    last = client.get(f"/embed/games/{ended.code}/")
    assert f'data-number="{ended.version}"' in last.text
    assert client.get(f"/embed/games/{ended.code}/?move=99999").text.count("<use") > 10


def test_frames_are_the_positions_of_the_page(client, ended):
    response = client.get(f"/embed/games/{ended.code}/frames.json?lang=en")
    frames = response.json()["frames"]
    assert len(frames) == ended.version + 1
    for number in (0, 3, ended.version):
        page = client.get(f"/embed/games/{ended.code}/?move={number}&lang=en").text
        assert frames[number]["board"] in page
    assert all(frame["sentence"] for frame in frames[1:])


def test_running_and_concealed_matches_are_not_embedded(client, alice, bob):
    running = begin(alice, bob)
    concealed = play_and_resign(begin(alice, bob))
    Match.objects.filter(pk=concealed.pk).update(concealed=True)
    for match in (running, concealed):
        for path in ("", "frames.json"):
            assert client.get(f"/embed/games/{match.code}/{path}").status_code == 404


def test_private_match_is_in_no_index(client, ended):
    Match.objects.filter(pk=ended.pk).update(private=True)
    assert client.get(f"/embed/games/{ended.code}/frames.json")["X-Robots-Tag"] == "noindex"
    assert 'content="noindex"' in client.get(f"/embed/games/{ended.code}/").text


def read_code(page: str) -> str:
    """Return the HTML that the page offers for other sites."""
    return unescape(re.search(r'<textarea id="embed-code"[^>]*>\s*(.*?)</textarea>', page, re.S)[1])


def test_replay_offers_its_code(client, ended):
    code = read_code(client.get(f"/games/{ended.code}/replay/?move=3").text)
    address = unescape(re.search(r'src="([^"]+)"', code)[1])
    assert address == f"http://testserver/embed/games/{ended.code}/?move=3&lang=en"
    assert 'title="All Fives"></iframe>' in code
    assert code.strip().endswith('<script async src="http://testserver/embed.js"></script>')
    assert is_framable(client.get(address))


def test_puzzle_offers_its_code(client, puzzle):
    code = read_code(client.get(f"/es/learn/puzzles/{puzzle.pk}/").text)
    assert f'src="http://testserver/embed/puzzles/{puzzle.pk}/?lang=es"' in code
    assert 'height="760"' in code and "aspect-ratio: 4/3" in code  # the answers are below the hand


def test_script_that_fits_frames_keeps_its_address(client):
    response = client.get("/embed.js")
    assert response["Content-Type"].startswith("text/javascript")
    assert response["Cache-Control"] == "max-age=3600, public"
    assert b"boneyard:height" in b"".join(response.streaming_content)


@pytest.fixture
def puzzle(db) -> Puzzle:
    from study import shipped_puzzles

    shipped_puzzles.load()
    return Puzzle.objects.order_by("pk").first()


def test_puzzle_is_answered_without_a_cookie(client, puzzle):
    address = f"/embed/puzzles/{puzzle.pk}/"
    page = client.get(address)
    assert is_framable(page) and "Best:" not in page.text
    assert (
        '<svg class="wide"' in page.text and '<svg class="tall"' in page.text and "&lt;svg" not in page.text
    )
    answers = re.findall(r'name="answer"\s+value="([^"]+)"', page.text)
    replies = [client.get(address, {"answer": answer}).text for answer in answers]
    assert 1 <= sum("Best:" in reply for reply in replies) < len(answers)  # equivalent ones count, too
    assert "Best:" in client.get(address, {"show": "1"}).text
    assert not client.cookies and Puzzle.objects.get(pk=puzzle.pk).tries == puzzle.tries


def test_puzzle_shows_the_hand(client, puzzle):
    page = client.get(f"/embed/puzzles/{puzzle.pk}/").text
    hand = [NAMES[tile] for tile in view_of(puzzle).hand]
    assert len(hand) > 1 and re.findall(r'role="img"\s+aria-label="([^"]+)"', page) == hand


def test_nothing_reads_who_the_viewer_is(client, alice, ended, puzzle):
    addresses = [f"/embed/games/{ended.code}/", f"/embed/puzzles/{puzzle.pk}/"]
    before = [client.get(address).content for address in addresses]
    client.force_login(alice)
    after = [client.get(address) for address in addresses]
    assert [response.content for response in after] == before
    assert not any(response.cookies for response in after)


def test_no_other_page_is_framable(client, ended, puzzle):
    embeds = {"embed/games/<slug:code>/", "embed/games/<slug:code>/frames.json", "embed/puzzles/<int:pk>/"}
    assert {route for route in routes() if route.startswith("embed/")} == embeds
    filled = {"<slug:code>": ended.code, "<int:pk>": str(puzzle.pk), "<str:name>": "alice"}
    checked = 0
    for route in set(routes()) - embeds:
        address = re.sub(r"<[^>]+>", lambda hole: filled.get(hole[0], "1"), route)
        if route.startswith(("admin/", "accounts/")) and "<" in route:
            continue
        response = client.get(f"/{address}")
        assert not is_framable(response), route
        checked += 1
    assert checked > 80
