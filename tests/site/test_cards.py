"""The pictures of link previews: their size, their cost, and that they show laid tiles only."""

import re
import struct
import time
from collections import Counter
from pathlib import Path

import pytest
import resvg_py

from boneyard.board import build_board
from boneyard.engine.perspective import perspective
from boneyard.engine.tiles import HIGH, LOW
from dominoes_site.cards import drawing, rendering
from games import repository
from games.drawing.line import UNIT, draw_cropped
from games.models import Match
from study import shipped_puzzles
from study.models import Puzzle
from tests.games.playing import begin, play_to_the_end
from tests.lobbies.tables import make

pytestmark = pytest.mark.django_db

HALF = re.compile(r'<use href="#[vh](\d+)"')
MAX_BYTES = 100_000


@pytest.fixture(autouse=True)
def cold():
    rendering._pictures.clear()


def halves_of(svg: str) -> Counter[int]:
    """Return the drawn halves, by suit."""
    return Counter(int(number) for number in HALF.findall(svg.partition("</defs></svg>")[2]))


def laid_halves(match: Match) -> Counter[int]:
    plays = [tile for entry in repository.get_value(match).round.log for tile, _end in entry.move.plays]
    return Counter(suit for tile in plays for suit in (HIGH[tile], LOW[tile]))


def assert_card(answer) -> bytes:
    """Check that the answer is a picture of the size that previews use."""
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    png = answer.content
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", png[16:24]) == (1200, 630)
    assert len(png) <= MAX_BYTES
    return png


@pytest.mark.parametrize(("preset", "seats"), [("all-fives", 2), ("draw", 3), ("muggins-200-pairs", 4)])
def test_board_shows_laid_tiles_only(
    client, browser_of, alice, bob, charlie, django_user_model, preset, seats, settings
):
    settings.CALL_PAUSE_MS = 0
    people = [alice, bob, charlie, django_user_model.objects.create_user("diana")][:seats]
    player = browser_of(people[0])  # a picture is the same for everybody

    def look(match: Match) -> None:
        reader = (client, player)[match.version % 2]
        answer = reader.get(f"/games/{match.code}/board.svg?move=3")
        assert answer.status_code == 200
        stored = Match.objects.get(pk=match.pk)  # the end of calls is not in `match`
        if stored.playing:
            assert halves_of(answer.content.decode()) == laid_halves(stored)

    play_to_the_end(begin(*people, preset=preset, seed=preset, target=40), each=look)


def test_board_of_a_replay_is_that_of_the_move(client, alice, bob, settings):
    settings.CALL_PAUSE_MS = 0
    match = play_to_the_end(begin(alice, bob, target=30))
    first = client.get(f"/games/{match.code}/board.svg?move=1").content.decode()
    assert sum(halves_of(first).values()) == 2
    last = client.get(f"/games/{match.code}/board.svg").content.decode()
    assert last == client.get(f"/games/{match.code}/board.svg?move=99999").content.decode() != first


VIEW_BOX = re.compile(r'viewBox="([^"]+)"')


def test_line_of_a_board_is_in_the_middle_of_its_picture(alice, bob):
    match = begin(alice, bob, preset="block", seed="middle")
    lengths = set()

    def look(match: Match) -> None:
        view = perspective(repository.get_value(match), None)
        boxes = [placed.box for placed in build_board(view.line, "wide").placed]
        if not boxes:
            return
        lengths.add(len(boxes))
        left = min(box.x - box.half_width for box in boxes)
        right = max(box.x + box.half_width for box in boxes)
        x, _, width, _ = map(float, VIEW_BOX.search(draw_cropped(view, centred=True).art("line"))[1].split())
        assert x + width / 2 == pytest.approx((left + right) / 2 * UNIT, abs=0.1)
        assert str(drawing.draw_board(view, "", [])).count("data-tile") == len(boxes)

    play_to_the_end(match, each=look)
    assert len(lengths) > 3


@pytest.mark.parametrize("hidden", ["private", "concealed"])
@pytest.mark.parametrize("name", ["board.svg", "board.png"])
def test_hidden_match_has_no_board(client, browser_of, alice, bob, hidden, name):
    match = begin(alice, bob)
    Match.objects.filter(pk=match.pk).update(**{hidden: True})
    assert client.get(f"/games/{match.code}/{name}").status_code == 404
    assert browser_of(alice).get(f"/games/{match.code}/{name}").status_code == 404


def test_each_card_is_a_small_picture(client, alice, bob):
    shipped_puzzles.load()
    match, table = begin(alice, bob), make(alice)
    for address in (
        "/card.png",
        f"/games/{match.code}/board.png",
        f"/tables/{table.code}/card.png",
        "/players/alice/card.png",
        f"/learn/puzzles/{Puzzle.objects.first().pk}/card.png",
    ):
        assert_card(client.get(address))


def test_card_of_the_site_tells_of_sealed_deals_in_lines_that_fit(client):
    page = client.get("/").content.decode()
    description = re.search(r'<meta property="og:description"\s+content="([^"]*)">', page)[1]
    assert (
        "sealed" in description and client.get("/manifest.webmanifest").json()["description"] == description
    )
    lines = re.findall(r'class="quiet">([^<]*)</text>', drawing.draw_site(description))
    assert " ".join(lines) == description
    assert len(lines) > 1 and max(map(len, lines)) <= drawing.MAX_LINE_CHARACTERS


def test_card_of_a_long_line_is_small(client, alice, bob, settings):
    settings.CALL_PAUSE_MS = 0
    match = play_to_the_end(begin(alice, bob, preset="draw", target=30))
    assert_card(client.get(f"/games/{match.code}/board.png"))


def test_names_are_escaped_and_drawn(client, django_user_model):
    django_user_model.objects.create_user("Ёжик")
    with_name = assert_card(client.get("/players/Ёжик/card.png"))
    django_user_model.objects.create_user("Ёжии")
    assert assert_card(client.get("/players/Ёжии/card.png")) != with_name


def read_characters(path: Path) -> set[int]:
    """Return the code points that a TrueType font draws (its character map of format 4)."""
    data = path.read_bytes()
    (tables,) = struct.unpack_from(">H", data, 4)
    records = [struct.unpack_from(">4sIII", data, 12 + 16 * number) for number in range(tables)]
    (start,) = (offset for tag, _sum, offset, _length in records if tag == b"cmap")
    (_platform, _encoding, at) = struct.unpack_from(">HHI", data, start + 4)
    at += start
    version, _length, _language, doubled = struct.unpack_from(">4H", data, at)
    assert version == 4
    ends = struct.unpack_from(f">{doubled // 2}H", data, at + 14)
    starts = struct.unpack_from(f">{doubled // 2}H", data, at + 16 + doubled)
    ranges = zip(starts, ends, strict=True)
    return {code for first, last in ranges for code in range(first, last + 1)} - {0xFFFF}


def test_fonts_draw_what_is_said_of_them():
    drawn = set().union(*(read_characters(Path(file)) for file in rendering.FONTS))
    assert set(map(ord, drawing.DRAWABLE)) == drawn


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("Ёжик-7", "Ёжик-7"),
        ("Zoë Jürgens", "Zoe Jürgens"),
        ("mara🎲", "mara"),
        ("李小龙", "A player"),
        ("🎲🎲", "A player"),
        ("سارة", "A player"),
        ("Łukasz", "A player"),
    ],
)
def test_name_in_other_letters_leaves_no_blank(client, alice, django_user_model, name, drawn):
    person = django_user_model.objects.create_user(name)
    match = begin(person, alice)
    board = client.get(f"/games/{match.code}/board.svg").content.decode()
    assert f">{drawn} 0  ·  alice 0<" in board
    for letter in "".join(re.findall(r">([^<>]+)</text>", board)):
        assert letter in drawing.DRAWABLE
    assert_card(client.get(f"/players/{name}/card.png"))


def test_long_chips_stay_in_the_picture():
    svg = drawing.draw_invitation(
        "", ["Fives and Threes, pub league (61), 20 rounds", "to 100", "3 days a move", "rated"]
    )
    scale = float(re.search(r"translate\(600.0 512\) scale\(([\d.]+)\)", svg)[1])
    left = min(float(x) for x in re.findall(r'<rect x="(-?[\d.]+)" y="-28"', svg))
    assert scale < 1 and 600 + scale * left >= drawing.MARGIN - 1


def test_picture_is_rendered_once(client, alice, bob, monkeypatch):
    match = begin(alice, bob)
    png = assert_card(client.get(f"/games/{match.code}/board.png"))
    monkeypatch.setattr(resvg_py, "svg_to_bytes", lambda **_options: pytest.fail("rendered again"))
    assert client.get(f"/games/{match.code}/board.png").content == png


def test_busy_renderer_answers_503(client, monkeypatch):
    monkeypatch.setattr(rendering, "RENDER_TIMEOUT_SECONDS", 0.01)
    with rendering._rendering:
        answer = client.get("/card.png")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


def test_cold_picture_costs_little(client, alice, bob):
    match = begin(alice, bob)
    client.get(f"/games/{match.code}/board.svg")
    began = time.thread_time()
    assert_card(client.get(f"/games/{match.code}/board.png"))
    assert time.thread_time() - began < 0.15  # 0.05 measured alone; a preview service waits 0.3


@pytest.mark.parametrize(
    "address", ["/tables/nowhere/card.png", "/players/nobody/card.png", "/learn/puzzles/999999/card.png"]
)
def test_missing_things_have_no_card(client, address):
    assert client.get(address).status_code == 404


def test_guest_has_no_card(client, django_user_model):
    django_user_model.objects.create_user("quiet-owl-7", is_guest=True)
    assert client.get("/players/quiet-owl-7/card.png").status_code == 404
