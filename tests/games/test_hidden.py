"""Hidden tiles stay hidden on every output, for every viewer, after every move of whole matches."""

import json
import re
from functools import lru_cache

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from boneyard.engine.matches import Match as Value
from boneyard.engine.perspective import perspective
from boneyard.engine.tiles import NAMES, members
from games import repository, wording
from games.models import Match
from games.seats import seat_of
from games.table.audience import Audience
from games.table.page_state import MatchPageState
from games.table.state_json import build_state
from games.table.table_view import build_table_view
from tests.addresses import HOLE, routes
from tests.games.playing import begin, on_turn, play, play_to_the_end, secret_of

pytestmark = pytest.mark.django_db

TILE_NAME = re.compile(r"<i>(\d+-\d+)</i>")  # see `keep_figures_together`
TILE = re.compile(r"(?<![\w-])(\d{1,2})-(\d{1,2})(?![\w-])")
# Pages that display a running match, or data about it.
OTHER_PAGES = ("/", "/fairness/", "/archive/", "/players/alice/")
# The end of a round reveals the hands. Until the pause is over, the line, the moves and the plates are of that round.
NEWS = re.compile(r'<li id=\\?"news-(\d+)\\?"[^>]*>.*?</li>')
ROUND_END = re.compile(r"<section[^>]*id=\"round-end\".*?</section>", re.DOTALL)
PREVIOUS_ROUND = re.compile(
    r'<div id="board".*?</div>|<ol id="moves".*?</ol>|<a id="peek".*?</a>|<div id="seats".*?(?=<p[^>]* ?id="count")',
    re.DOTALL,
)

# The prepared position on the front page is the same for everybody and belongs to no match.
TRIAL = re.compile(r'<section class="table trial".*?</section>', re.DOTALL)
GAME_LIST = re.compile(r'<ul class="game-list[ "].*?</ul>', re.DOTALL)  # what games are like, with tiles

# These contain tiles of examples and exercises; `healthz` waits for the lock that the test holds.
PAGES_WITH_EXAMPLE_TILES = frozenset(
    {
        "rules/",
        "rules/<slug:preset>/",
        "tables/new",
        "tables/new/preview",
        "admin/lobbies/sitegame/compose/",  # shows that form
        "learn/",
        "learn/<slug:slug>/<int:number>/",
        "learn/count/",
        "learn/hold/",
        "preferences/",  # the tile of one's name
        "offline/plan.json",  # the answers of lessons
        "score/",
        "api/",  # an example of a move
        "api/openapi.json",  # the tiles that options name
        "verify/",
        "verify/offline",
        "healthz",
    }
)
REQUEST_HEADERS: tuple[dict[str, str], ...] = (
    {},
    {"HTTP_ACCEPT": "application/json"},
    {"HTTP_HX_REQUEST": "true"},
)


def tiles_of_previous_round(match: Match) -> set[str]:
    """Return the tiles that the last round made public: those laid, those left, and those that decided the lead."""
    value, names = repository.get_value(match), [seat.display_name for seat in match.seats.all()]
    ended = value.ended[-1]
    then = perspective(value._replace(round=ended.round, ended=value.ended[:-1]), None)
    laid = {NAMES[tile] for entry in ended.log for tile, _end in entry.move.plays}
    left = {NAMES[tile] for hand in ended.remaining for tile in hand}
    return laid | left | tiles_in(wording.lead_sentence(then, names))


def strip_previous_round(text: str, match: Match) -> str:
    """Remove what a page displays of the round before; assert that all of it is public."""
    if 'aria-labelledby="round-end-h"' in text:
        seen = tiles_of_previous_round(match)
        assert all(tiles_in(found[0]) <= seen for found in PREVIOUS_ROUND.finditer(text))
        text = PREVIOUS_ROUND.sub("", text)
    return strip_past_news(ROUND_END.sub("", text), match)


def strip_past_news(text: str, match: Match) -> str:
    """Remove the news of the round before; assert that all of it is public."""
    value = repository.get_value(match)
    begun = value.move_count - len(value.round.log)

    def checked(news: re.Match[str]) -> str:
        if int(news[1]) > begun or value.result is not None:
            return news[0]
        assert tiles_in(news[0]) <= tiles_of_previous_round(match)
        return ""

    return NEWS.sub(checked, text)


def strip_lead(text: str, match: Match) -> str:
    """Remove the sentence about the lead: lots and the tile that had to lead are public."""
    text = TILE_NAME.sub(r"\1", text)
    names = tuple(seat.display_name for seat in match.seats.all())
    for sentence in lead_sentences(repository.get_value(match), names):
        text = text.replace(sentence, "")
    return text


@lru_cache(maxsize=1)
def lead_sentences(value: Value, names: tuple[str, ...]) -> list[str]:
    """Return the sentence about the lead as every viewer reads it, in HTML."""
    view, viewers = perspective(value, None), (None, *range(len(names)))
    return [escape(wording.lead_sentence(view, wording.names_for_seat(names, viewer))) for viewer in viewers]


def tiles_in(text: str) -> set[str]:
    text = GAME_LIST.sub("", TRIAL.sub("", text))
    return {f"{a}-{b}" for a, b in TILE.findall(text) if int(a) >= int(b) and int(a) <= 12}


def hidden_from(match: Match, seat) -> set[str]:
    """Return the names of the tiles that this viewer must not know.

    Not the tile that must lead by the rules: it is in their text on every page.
    """
    value = repository.get_value(match)
    if value.result is not None:
        return set()
    hands = [set(members(hand)) for hand in value.round.hands]
    mine = hands[seat.position] if seat else set()
    hidden = set(value.round.boneyard).union(*hands) - mine
    return {NAMES[tile] for tile in hidden} - {match.rules["lead_tile"]}


def dump_state_without_last_round(state: dict) -> str:
    return json.dumps({key: part for key, part in state.items() if key not in ("last_round", "rules")})


@pytest.mark.parametrize(
    ("preset", "seats", "target", "seed", "chance", "rounds"),
    [
        ("all-fives", 2, 60, "all-fives", 3, 1),
        ("draw", 3, 17, "draw", 3, 2),
        ("muggins-200-pairs", 4, 20, "muggins-200-pairs", 2, 2),
        ("gomuggins", 2, 40, "gomuggins", 3, 2),
        ("sebastopol", 4, 8, "sebastopol 5", 3, 2),
    ],
)
def test_pages_frames_and_state_contain_no_hidden_tile(
    alice,
    bob,
    charlie,
    django_user_model,
    browser_of,
    preset,
    seats,
    target,
    seed,
    chance,
    rounds,
    settings,
):
    diana = django_user_model.objects.create_user("diana")
    admin = django_user_model.objects.create_superuser("admin", password="the admin's bones")
    people = [alice, bob, charlie, diana][:seats]
    match = begin(*people, preset=preset, seed=seed, target=target)
    settings.CALL_PAUSE_MS = 0
    viewers = [*people, None, admin]

    def look(match: Match) -> None:
        # What all viewers share is read once, as for the frames that are pushed to them.
        prefetch_related_objects([match], "seats__user")
        rows, value, now = list(match.seats.all()), repository.get_value(match), timezone.now()
        snapshot, audience = repository.Snapshot(match, rows, value), Audience(match, rows, now)
        for viewer in viewers:
            user = viewer or AnonymousUser()
            seat = snapshot.seat_of(user)
            hidden = hidden_from(match, seat)
            table = build_table_view(
                match, value, seat=seat, user=user, now=now, rows=rows, audience=audience
            )
            frame = MatchPageState(table).full_html()
            assert not tiles_in(strip_lead(strip_previous_round(frame, match), match)) & hidden
            state = build_state(match, seat, now)
            assert not tiles_in(dump_state_without_last_round(state)) & hidden
        if match.version % 30 == 0:
            look_through_browsers(match)

    browsers = {viewer: browser_of(viewer) for viewer in viewers}

    def look_through_browsers(match: Match) -> None:
        for viewer, browser in browsers.items():
            hidden = hidden_from(match, seat_of(match, viewer) if viewer else None)
            for address in (match.get_absolute_url(), reverse("match-sync", args=[match.code]), *OTHER_PAGES):
                text = browser.get(address).content.decode()
                assert secret_of(match.code) not in text
                assert not tiles_in(strip_lead(strip_previous_round(text, match), match)) & hidden, address
        for address in ("/admin/", reverse("admin:games_match_changelist")):
            assert not tiles_in(browsers[admin].get(address).content.decode()) & hidden_from(match, None)
        page = browsers[admin].get(reverse("admin:games_match_change", args=[match.pk])).content.decode()
        assert secret_of(match.code) not in page
        # The log of moves names what was laid, in the rounds before too; all around it must name nothing.
        before_the_moves, _, rest = page.partition('id="moves"')
        after_the_moves = rest.partition("</table>")[2]
        assert after_the_moves
        assert not tiles_in(before_the_moves + after_the_moves) & hidden_from(match, None)

    match = play_to_the_end(match, seed=chance, each=look)
    assert len(repository.get_value(match).ended) == rounds


def test_export_of_a_running_match_has_own_moves_only(alice, bob, browser_of):
    match = begin(alice, bob)
    for _ in range(9):
        match = play(match)

    (running,) = browser_of(alice).get("/accounts/export/").json()["games"]["matches"]

    own = match.moves.filter(seat=0).order_by("number").values_list("number", "text")
    assert running == {"seat": 0, "match": match.code, "moves": [list(move) for move in own]}


@pytest.mark.parametrize("against", ["bob", "casual"])  # a person; a computer, where there are hints
def test_no_url_of_the_site_reveals_hidden_tiles(alice, bob, django_user_model, browser_of, against):
    admin = django_user_model.objects.create_superuser("admin")
    match = begin(alice, bob if against == "bob" else against)
    while match.version < 3 or on_turn(match).user != alice:
        match = play(match)
    before, revealed = (match.version, repository.get_value(match).round.number), set()
    secret = secret_of(match.code)
    tiles: dict[object, set[str]] = {}
    for viewer in (alice, bob, None, admin):
        browser, hidden = browser_of(viewer), hidden_from(match, seat_of(match, viewer) if viewer else None)
        for route in routes_for(viewer, every=against == "bob" and viewer in (alice, admin)):
            address = "/" + HOLE.sub(lambda hole: url_parameters(match).get(hole[1], "x"), route)
            for text in answers(browser, viewer, address):
                revealed |= {(route, what) for what in tiles_in(strip_lead(text, match)) & hidden}
                revealed |= {(route, "the secret")} if secret in text else set()
                tiles.setdefault(viewer, set()).update(tiles_in(text))

    match.refresh_from_db()
    assert not revealed
    assert before == (match.version, 1)
    # The search does find tiles where they may be: in each player's own hand.
    hands = [{NAMES[tile] for tile in members(hand)} for hand in repository.get_value(match).round.hands]
    assert hands[0] <= tiles[alice]
    assert against != "bob" or hands[1] <= tiles[bob]


def routes_for(viewer, every: bool) -> list[str]:
    """Return the routes of a match, or all of them: those of the admin for staff alone, and staff gets no others."""
    staff = viewer is not None and viewer.is_staff
    return [
        route
        for route in routes()
        if route not in PAGES_WITH_EXAMPLE_TILES
        and (route.startswith("games/") or (every and staff == route.startswith("admin/")))
    ]


def url_parameters(match: Match) -> dict[str, str]:
    """Return the values of URL parameters."""
    numbers = dict.fromkeys(("pk", "id", "content_type_id", "object_id"), str(match.pk))
    return numbers | {"code": match.code, "name": "bob", "pool": match.pool, "preset": "draw"}


def answers(browser, viewer, address: str):
    """Yield the responses to GET and to an empty POST, as a page, as JSON and as fragments."""
    for kind in REQUEST_HEADERS if address.startswith("/games/") else REQUEST_HEADERS[:1]:
        for ask in (browser.get, browser.post):
            if viewer is not None and "_auth_user_id" not in browser.session:
                browser.force_login(viewer)  # the URL has logged them out
            answer = ask(address, **kind)
            # A picture is rendered from its SVG; its bytes may spell anything.
            if answer.get("Content-Type") != "image/png":
                yield answer.getvalue().decode(errors="replace")
