"""Hidden stays hidden: every way out, for every viewer, after every move of whole matches."""

import json
import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from games import repository, wording
from games.engine.perspective import perspective
from games.engine.tiles import NAMES, members
from games.models import Match
from games.seats import seat_of
from games.table.audience import Audience
from games.table.page_state import MatchPageState
from games.table.state_json import state_for
from games.table.table_view import build_table_view
from tests.addresses import HOLE, routes
from tests.games.playing import begin, on_turn, play, play_to_the_end, secret_of

pytestmark = pytest.mark.django_db

UNBROKEN = re.compile(r"<i>(\d+-\d+)</i>")  # a name in a sentence of which no line ends inside
TILE = re.compile(r"(?<![\w-])(\d{1,2})-(\d{1,2})(?![\w-])")
# Where a running match is shown, or what is known of it, beside its own page.
ELSEWHERE = ("/", "/fairness/", "/archive/", "/players/alice/")
# The end of the round before is laid open on purpose; what it shows is known to everybody. Until its pause is over the
# felt, the moves and the plates are still those of that round.
NEWS = re.compile(r'<li id=\\?"news-(\d+)\\?">.*?</li>')
OPEN_ON_PURPOSE = re.compile(r"<section[^>]*id=\"round-end\".*?</section>", re.DOTALL)
STILL_THE_ROUND_BEFORE = re.compile(
    r'<div id="board".*?</div>|<ol id="moves".*?</ol>|<a id="peek".*?</a>|<div id="seats".*?(?=<p[^>]* ?id="count")',
    re.DOTALL,
)

# Tiles of their own stand here, of rules and exercises. (And `healthz` waits for the lock that a test holds.)
EXAMPLES = frozenset(
    {
        "rules/<slug:preset>/",
        "tables/new",
        "tables/new/preview",
        "learn/",
        "learn/<slug:slug>/<int:number>/",
        "learn/count/",
        "learn/hold/",
        "verify/",
        "verify/offline",
        "healthz",
    }
)
KINDS: tuple[dict[str, str], ...] = ({}, {"HTTP_ACCEPT": "application/json"}, {"HTTP_HX_REQUEST": "true"})


def seen_in_the_round_before(match: Match) -> set[str]:
    """What was laid, what was left when it ended, and the lots or the tile that told who led."""
    value, names = repository.get_value(match), [seat.display_name for seat in match.seats.all()]
    ended = value.ended[-1]
    then = perspective(value._replace(round=ended.round, ended=value.ended[:-1]), None)
    laid = {NAMES[tile] for entry in ended.log for tile, _end in entry.move.plays}
    left = {NAMES[tile] for hand in ended.remaining for tile in hand}
    return laid | left | tiles_in(wording.lead_sentence(then, names))


def without_the_round_before(text: str, match: Match) -> str:
    """The page without the end of the round before, which shows nothing but what everybody saw of that round."""
    if 'aria-labelledby="round-end-h"' in text:
        seen = seen_in_the_round_before(match)
        assert all(tiles_in(shown[0]) <= seen for shown in STILL_THE_ROUND_BEFORE.finditer(text))
        text = STILL_THE_ROUND_BEFORE.sub("", text)
    return without_past_news(OPEN_ON_PURPOSE.sub("", text), match)


def without_past_news(text: str, match: Match) -> str:
    """The page without what was told of the round before, which is nothing but what everybody saw of it."""
    value = repository.get_value(match)
    begun = value.move_count - len(value.round.log)

    def checked(news: re.Match[str]) -> str:
        if int(news[1]) > begun or value.result is not None:
            return news[0]
        assert tiles_in(news[0]) <= seen_in_the_round_before(match)
        return ""

    return NEWS.sub(checked, text)


def without_the_lead(text: str, match: Match) -> str:
    """The page without why somebody leads: the lots, or the tile that had to lead, are public."""
    view = perspective(repository.get_value(match), None)
    names = [seat.display_name for seat in match.seats.all()]
    return UNBROKEN.sub(r"\1", text).replace(escape(wording.lead_sentence(view, names)), "")


def tiles_in(text: str) -> set[str]:
    return {f"{a}-{b}" for a, b in TILE.findall(text) if int(a) >= int(b) and int(a) <= 12}


def hidden_from(match: Match, seat) -> set[str]:
    """The names of the tiles that this viewer may not know while the match is played.

    The tile that the rules name for the lead is in the rules' own words, wherever it lies.
    """
    value = repository.get_value(match)
    if value.result is not None:
        return set()
    hands = [set(members(hand)) for hand in value.round.hands]
    mine = hands[seat.position] if seat else set()
    hidden = set(value.round.boneyard).union(*hands) - mine
    return {NAMES[tile] for tile in hidden} - {match.rules["lead_tile"]}


def state_without_the_last_round(state: dict) -> str:
    return json.dumps({key: part for key, part in state.items() if key not in ("last_round", "rules")})


@pytest.mark.parametrize(
    ("preset", "seats", "target"),
    [
        ("all-fives", 2, 60),
        ("draw", 3, 50),
        ("muggins-200-pairs", 4, 30),
        ("gomuggins", 2, 80),
        ("sebastopol", 4, 30),
    ],
)
def test_no_page_frame_or_state_holds_a_tile_that_its_viewer_may_not_know(
    alice, bob, charlie, django_user_model, browser_of, preset, seats, target, settings
):
    diana = django_user_model.objects.create_user("diana")
    admin = django_user_model.objects.create_superuser("admin", password="the admin's bones")
    people = [alice, bob, charlie, diana][:seats]
    match = begin(*people, preset=preset, seed=preset, target=target)
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
            table = build_table_view(match, value, seat=seat, user=user, now=now, rows=rows, audience=audience)
            frame = MatchPageState(table).full_html()
            assert not tiles_in(without_the_lead(without_the_round_before(frame, match), match)) & hidden
            state = state_for(match, seat, now)
            assert not tiles_in(state_without_the_last_round(state)) & hidden
        if match.version % 30 == 0:
            look_through_browsers(match)

    browsers = {viewer: browser_of(viewer) for viewer in viewers}

    def look_through_browsers(match: Match) -> None:
        for viewer, browser in browsers.items():
            hidden = hidden_from(match, seat_of(match, viewer) if viewer else None)
            for address in (match.get_absolute_url(), reverse("match-sync", args=[match.code]), *ELSEWHERE):
                text = browser.get(address).content.decode()
                assert secret_of(match.code) not in text
                assert (
                    not tiles_in(without_the_lead(without_the_round_before(text, match), match)) & hidden
                ), address
        for address in ("/admin/", reverse("admin:games_match_changelist")):
            assert not tiles_in(browsers[admin].get(address).content.decode()) & hidden_from(match, None)
        page = browsers[admin].get(reverse("admin:games_match_change", args=[match.pk])).content.decode()
        assert secret_of(match.code) not in page
        # The log of moves names what was laid, in the rounds before too; all that precedes it must name nothing.
        before_the_moves, _, moves = page.partition('id="moves-group"')
        assert moves
        assert not tiles_in(before_the_moves) & hidden_from(match, None)

    play_to_the_end(match, seed=3, each=look)


def test_of_a_running_match_ones_data_holds_ones_own_moves_alone(alice, bob, browser_of):
    match = begin(alice, bob)
    for _ in range(9):
        match = play(match)

    (running,) = browser_of(alice).get("/accounts/export/").json()["games"]["matches"]

    own = match.moves.filter(seat=0).order_by("number").values_list("number", "text")
    assert running == {"seat": 0, "match": match.code, "moves": [list(move) for move in own]}


@pytest.mark.parametrize("against", ["bob", "casual"])  # a person; a computer, where there are hints
def test_no_address_of_the_site_tells_what_is_hidden(alice, bob, django_user_model, browser_of, against):
    admin = django_user_model.objects.create_superuser("admin")
    match = begin(alice, bob if against == "bob" else against)
    while match.version < 3 or on_turn(match).user != alice:
        match = play(match)
    before, told = (match.version, repository.get_value(match).round.number), set()
    tiles: dict[object, set[str]] = {}
    for viewer in (alice, bob, None, admin):
        browser, hidden = browser_of(viewer), hidden_from(match, seat_of(match, viewer) if viewer else None)
        for route in routes_for(viewer, every=against == "bob" and viewer in (alice, admin)):
            address = "/" + HOLE.sub(lambda hole: holds(match).get(hole[1], "x"), route)
            for text in answers(browser, viewer, address):
                told |= {(route, what) for what in tiles_in(without_the_lead(text, match)) & hidden}
                told |= {(route, "the secret")} if secret_of(match.code) in text else set()
                tiles.setdefault(viewer, set()).update(tiles_in(text))

    match.refresh_from_db()
    assert not told
    assert before == (match.version, 1)
    # What it looks for is seen where it may be: each player's own hand.
    hands = [{NAMES[tile] for tile in members(hand)} for hand in repository.get_value(match).round.hands]
    assert hands[0] <= tiles[alice]
    assert against != "bob" or hands[1] <= tiles[bob]


def routes_for(viewer, every: bool) -> list[str]:
    """The routes to ask: those of one match, or all of them; the admin's by staff, who are asked for nothing else."""
    staff = viewer is not None and viewer.is_staff
    return [
        route
        for route in routes()
        if route not in EXAMPLES
        and (route.startswith("games/") or (every and staff == route.startswith("admin/")))
    ]


def holds(match: Match) -> dict[str, str]:
    """What takes the place of the holes of a route."""
    numbers = dict.fromkeys(("pk", "id", "content_type_id", "object_id"), str(match.pk))
    return numbers | {"code": match.code, "name": "bob", "pool": match.pool, "preset": "draw"}


def answers(browser, viewer, address: str):
    """What an address answers: asked, and to an empty form, as a page, as JSON and as fragments."""
    for kind in KINDS if address.startswith("/games/") else KINDS[:1]:
        for ask in (browser.get, browser.post):
            if viewer is not None and "_auth_user_id" not in browser.session:
                browser.force_login(viewer)  # an address has logged them out
            yield ask(address, **kind).getvalue().decode(errors="replace")
