"""The page of a match for each viewer: buttons, accessible names and fragments."""

import re
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils import timezone

from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.terms import terms
from boneyard.engine.tiles import NAMES
from games import repository
from games.drawing.track import draw_track, points_per_hole
from games.models import Match
from games.seats import seat_of
from games.table.claims import claimable_points, possible_points
from games.table.page_state import MatchPageState
from games.table.table_view import build_table_view
from tests.games.playing import begin, legal, on_turn, play

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_pause_for_calls(settings):
    settings.CALL_PAUSE_MS = 0


SPOT_NAME = re.compile(r"(left|right|upper|lower) end, \d+")


class Buttons(HTMLParser):
    """The buttons of a page or fragment as dicts of their attributes, with the text under ""."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []
        self.ids: list[str] = []
        self._open = self._hidden = False
        self._drawn = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "g" and "line-end" in (attributes.get("class") or ""):
            self._drawn = attributes["class"]
        if tag == "button":
            self.found.append(attributes | {"": "", "drawn": self._drawn})
            self._open = True
        self._hidden = attributes.get("aria-hidden") == "true" if tag != "use" else self._hidden

    def handle_endtag(self, tag):
        self._hidden = False
        if tag == "button":
            self._open = False

    def handle_data(self, data):
        if self._open and not self._hidden:
            self.found[-1][""] += data

    def named(self, name: str) -> list[dict]:
        return [b for b in self.found if (b.get("aria-label") or b[""].strip()) == name]

    def one(self, name: str) -> dict:
        (button,) = self.named(name)
        return button


def render_frame(match: Match, user=None, **chosen) -> str:
    match.refresh_from_db()
    user = user or AnonymousUser()
    seat = seat_of(match, user)
    table = build_table_view(
        match, repository.get_value(match), seat=seat, user=user, now=timezone.now(), **chosen
    )
    return MatchPageState(table).full_html()


def view_of(match: Match, user):
    match.refresh_from_db()
    return perspective(repository.get_value(match), seat_of(match, user).position)


def is_enabled(button: dict) -> bool:
    return button.get("aria-disabled") != "true" and button["type"] == "submit"


def play_until(match: Match, condition, limit: int = 400) -> Match:
    """Play the first legal move until `condition(legal moves)` holds for the seat on turn."""
    for _ in range(limit):
        match.refresh_from_db()
        assert match.playing, "the condition never held"
        if condition(legal(match)):
            return match
        match = play(match)
    raise AssertionError("the condition never held")


@pytest.mark.parametrize("preset", list(PRESETS))
def test_page_of_every_game_for_every_viewer(alice, bob, charlie, django_user_model, browser_of, preset):
    people = [alice, bob, charlie, django_user_model.objects.create_user("diana")]
    match = begin(*people[: PRESETS[preset].rules.players[-1]], preset=preset)
    for _ in range(6):
        match = play(match)
    address = reverse("match", args=[match.code])
    for viewer in (*people, None):
        page = browser_of(viewer).get(address)
        assert page.status_code == 200
        found = Buttons(page.content.decode())
        assert len(found.ids) == len(set(found.ids)), "duplicate id"


def test_hand_tiles_are_buttons_with_their_moves(alice, bob):
    match = play_until(begin(alice, bob), lambda moves: any("@" in move for move in moves))
    mover = on_turn(match).user
    view = view_of(match, mover)
    buttons = Buttons(render_frame(match, mover))

    for tile in view.hand:
        name = NAMES[tile]
        fits = [str(move) for move in view.legal if move.kind == "play" and move.plays[0][0] == tile]
        button = buttons.one(name)
        if not fits:
            assert button["aria-disabled"] == "true"
            assert (button["type"], button["form"], button["value"]) == ("submit", "pick", name)
            assert button["title"] == "does not fit"
        elif len(fits) == 1:
            assert (button["type"], button["name"], button["value"]) == ("submit", "move", fits[0])
        else:
            assert (button["form"], button["name"], button["value"]) == ("pick", "tile", name)
            assert button["aria-pressed"] == "false"


def test_hand_says_which_suits_fit_on_own_turn_only(alice, bob):
    match = play_until(begin(alice, bob), lambda moves: any("@" in move for move in moves))
    mover = on_turn(match).user
    suits = sorted(set(view_of(match, mover).ends.values()), reverse=True)
    wanted = (
        "the ends want " + " or ".join(map(str, suits)) if len(suits) > 1 else f"the end wants {suits[0]}"
    )
    assert f'data-wants="{wanted}"' in render_frame(match, mover)
    assert "data-wants" not in render_frame(match, bob if mover == alice else alice)


def test_game_without_drawing_has_no_heap(alice, bob):
    plain = render_frame(begin(alice, bob, preset="block"), alice)
    assert 'class="pile"' not in plain and 'id="draw"' not in plain
    assert "14 tiles in the boneyard" in plain


def test_loaded_page_says_whose_turn_it_is(alice, bob, browser_of):
    match = begin(alice, bob)
    for _ in range(2):
        mover = on_turn(match)
        for user in (alice, bob):
            page = browser_of(user).get(f"/games/{match.code}/").content.decode()
            status = re.search(r'<p id="status"[^>]*>([^<]+)</p>', page)
            assert status and status[1].endswith(". Your turn.") == (user == mover.user)
        play(match, legal(match)[0])


def test_plate_says_how_a_player_left(alice, bob):
    match = play(begin(alice, bob))
    match = play(match, "resign")
    facts = re.findall(r'id="fact-[01]"[^>]*>([^<]*)<', render_frame(match))
    assert "resigned" in facts and "has left" not in facts


def test_tile_that_fits_several_ends_opens_its_spots(alice, bob):
    def two_ends(moves: list[str]) -> bool:
        tiles = [move.split("@")[0] for move in moves if "@" in move]
        return len(set(tiles)) < len(tiles)

    match = play_until(begin(alice, bob), two_ends)
    mover = on_turn(match).user
    view = view_of(match, mover)
    tiles = [str(move).split("@")[0] for move in view.legal]
    tile = next(t for t in tiles if tiles.count(t) > 1)

    buttons = Buttons(render_frame(match, mover, chosen=tile))

    assert buttons.one(tile)["aria-pressed"] == "true"
    shown = [b for b in buttons.found if b.get("data-tile") == tile and "spot" in (b.get("class") or "")]
    assert all("is-hidden" not in b["drawn"] for b in shown)
    ends = {"L": "left end", "R": "right end", "U": "upper end", "D": "lower end"}
    expected = {
        f"{ends[m.plays[0][1]]}, {view.ends[m.plays[0][1]]}": str(m)
        for m in view.legal
        if NAMES[m.plays[0][0]] == tile
    }
    # Each spot is in the wide and in the tall drawing.
    assert {b["aria-label"]: b["value"] for b in shown} == expected
    assert len(shown) == 2 * len(expected)
    assert all(SPOT_NAME.fullmatch(b["aria-label"]) for b in shown)
    others = [b for b in buttons.found if "spot" in (b.get("class") or "") and b["data-tile"] != tile]
    assert all("is-hidden" in b["drawn"] for b in others)


def test_draw_and_pass_are_enabled_only_if_legal(alice, bob):
    match = begin(alice, bob, preset="draw")
    for _ in range(60):
        match.refresh_from_db()
        if not match.playing:
            break
        mover = on_turn(match).user
        moves = legal(match)
        buttons = Buttons(render_frame(match, mover))
        view = view_of(match, mover)
        passes = "pass" in moves or view.boneyard <= view.reserve
        assert len(buttons.named("Pass")) == passes, "greyed where one must draw"
        for name in ("Draw", "Pass") if passes else ("Draw",):
            button = buttons.one(name)
            assert is_enabled(button) == (name.lower() in moves)
            if name.lower() not in moves:
                assert button["aria-disabled"] == "true"
                assert button["title"]
        waiting = Buttons(render_frame(match, bob if mover == alice else alice))
        assert not is_enabled(waiting.one("Draw"))
        assert waiting.one("Draw")["title"] == "Not your turn"
        match = play(match)


def test_tiles_are_disabled_when_not_on_turn(alice, bob):
    match = play(begin(alice, bob))
    other = bob if on_turn(match).user == alice else alice
    buttons = Buttons(render_frame(match, other))
    hand = view_of(match, other).hand
    assert hand
    for tile in hand:
        assert buttons.one(NAMES[tile])["aria-disabled"] == "true"


def test_spectator_has_no_hand_and_no_moves(alice, bob):
    match = play(begin(alice, bob))
    buttons = Buttons(render_frame(match))
    assert not [b for b in buttons.found if b.get("name") == "move"]
    assert "You are watching" in render_frame(match)


def test_claim_table_does_not_reveal_unclaimed_points(alice, bob):
    match = begin(alice, bob, preset="muggins-200")
    for _ in range(25):
        on_turn(match)  # ends a pause for calls
        before = match.version
        match = play(match)
        if not match.playing:
            break
        value = repository.get_value(match)
        last = value.round.log[-1] if value.round.log else None
        if last is None or last.move.kind != "play":
            continue
        for viewer in (alice, bob):
            text = render_frame(match, viewer)
            assert 'class="flash"' not in text
            assert 'id="count"' in text
            assert "Count" not in text
            assert "makes " not in text
            call = Buttons(text).one("Muggins!")
            assert is_enabled(call) == (last.seat != seat_of(match, viewer).position)
        assert match.version == before + 1


def test_claim_numbers_depend_on_rules_alone(alice, bob):
    assert possible_points(terms(PRESETS["muggins-200"].rules, 2)) == (5, 10, 15, 20, 25, 30, 35)
    large = PRESETS["muggins-200"].rules.replace(set=9)
    assert possible_points(terms(large, 2))[-1] == 60
    match = begin(alice, bob, preset="muggins-200")
    mover = on_turn(match).user
    text = render_frame(match, mover)
    assert re.findall(r'name="claim" value="(\d+)"', text) == ["0", "5", "10", "15", "20", "25", "30", "35"]
    other = bob if mover == alice else alice
    assert 'name="claim"' not in render_frame(match, other)
    assert claimable_points(view_of(match, other)) == ()


def test_chosen_tile_without_scripts_asks_for_the_claim_again(alice, bob, browser_of):
    match = begin(alice, bob, preset="muggins-200")
    page = browser_of(on_turn(match).user)
    tile = NAMES[view_of(match, on_turn(match).user).hand[0]]
    for query, attribute in (("", "checked"), (f"?tile={tile}", "required")):
        text = page.get(f"/games/{match.code}/{query}").content.decode()
        assert re.findall(r'name="claim" value="0" (\w+)', text) == [attribute]


def test_resigning_asks_for_confirmation(alice, bob, browser_of):
    match = begin(alice, bob)
    address = reverse("match", args=[match.code])
    page = browser_of(alice).get(address).content.decode()
    assert 'class="foot"' in page
    asking = browser_of(alice).get(address, {"resign": "1"}).content.decode()
    assert 'class="foot is-asking"' in asking
    alice.confirm_resign = False
    alice.save()
    at_once = Buttons(browser_of(alice).get(address).content.decode()).one("Resign")
    assert (at_once["name"], at_once["value"]) == ("move", "resign")


def test_news_are_numbered_by_move(alice, bob):
    match = begin(alice, bob)
    for _ in range(4):
        match = play(match)
    text = render_frame(match, alice)
    news = re.search(r'<ol id="news".*?</ol>', text, re.DOTALL)[0]
    numbers = [int(n) for n in re.findall(r'id="news-(\d+)"', news)]
    assert numbers[-1] == match.version
    assert numbers == sorted(set(numbers))


def test_checksum_changes_only_with_the_content(alice, bob):
    match = play(begin(alice, bob))

    def checksum() -> str:
        seat = seat_of(match, alice)
        table = build_table_view(
            match, repository.get_value(match), seat=seat, user=alice, now=timezone.now()
        )
        return MatchPageState(table).checksum

    before = checksum()
    assert checksum() == before
    match.talk.create(user=bob, name="bob", room="table", text="hello")
    assert checksum() != before


def test_markup_in_talk_is_escaped(alice, bob):
    match = play(begin(alice, bob))
    match.talk.create(user=bob, name="bob", room="table", text='<img src=x onerror="alert(1)">')
    text = render_frame(match, alice)
    assert "<img" not in text
    assert "&lt;img" in text


def test_track_has_at_most_forty_holes():
    assert [points_per_hole(target) for target in (10, 61, 100, 200, 365, 5000)] == [1, 2, 5, 5, 10, 200]
    drawn = draw_track(100, (75, 80), (60, 65))
    assert drawn.holes.count("h.01") == 2 * 20


def test_only_the_partners_plate_says_partner(alice, bob, charlie, django_user_model):
    diana = django_user_model.objects.create_user("diana")
    match = begin(alice, bob, charlie, diana, preset="dominican")

    plates = render_frame(match, alice).split('id="seat-')[1:]
    partners = [plate.partition('"')[0] for plate in plates if ">partner<" in plate]

    assert partners == ["2"]
    assert ">partner<" not in render_frame(match)


def test_code_with_capitals_leads_to_the_match(alice, bob, browser_of):
    code = begin(alice, bob).code
    assert code.upper() != code
    answer = browser_of(alice).get(f"/games/{code.upper()}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{code}/")
