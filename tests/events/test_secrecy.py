"""While a set is open, nothing of its deals reaches anybody but what its player has seen in play."""

import json
import re

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.core.cache import cache
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from boneyard.engine.tiles import NAMES, SET_SIZES
from dominoes_site.asgi import application
from games import repository
from games.models import Match, SealedSecret
from games.table import snapshot_cache
from study import services as study
from tests.addresses import HOLE, routes
from tests.events.playing import close, open_today, play_rounds, start
from tests.games.test_hands_seen import RANDOM
from tests.games.test_hidden import PAGES_WITH_EXAMPLE_TILES, REQUEST_HEADERS, tiles_in
from tests.study.test_achievements import ended

pytestmark = pytest.mark.django_db

# They tell of nobody, of one match (the tests before), or at random.
OF_NO_PERSON = tuple(
    f"/{name}"
    for name in "admin/ accounts/ games/ tables/ learn/ rules/ embed healthz metrics sitemap".split()
)
OPEN_TILE = re.compile(r'class="open-tile"[^>]*aria-label="(\d+-\d+)"')


def keys_of(match: Match) -> list[str]:
    """Return what nobody may know: the secret and the keys of all rounds."""
    keys = repository.get_value(match).keys
    secret = SealedSecret.objects.get(code=match.deals).secret
    return [secret, *(keys.key(number).hex() for number in range(1, 10))]


def unseen_tiles(match: Match) -> list[set[str]]:
    """Return by round the tiles that the player never saw: not held, not laid."""
    value = repository.get_value(match)
    rounds = [ended.round for ended in value.ended]
    if value.result is None:
        rounds.append(value.round)
    unseen = []
    for round_ in rounds:
        drawn = {entry.tile for entry in round_.log if entry.seat == 0 and entry.tile is not None}
        seen = {*round_.deal.hands[0], *drawn, *(laid.tile for laid in round_.laid), *(round_.lots or ())}
        unseen.append({NAMES[tile] for tile in range(SET_SIZES[value.rules.set]) if tile not in seen})
    return unseen


def own_remaining_tiles(match: Match) -> set[str]:
    """Return the tiles that the player still held at the end of a round."""
    ended = repository.get_value(match).ended
    return {NAMES[tile] for each in ended for tile in each.remaining[0]}


def ask_everywhere(browser, user, code: str, only_games: bool):
    """Yield (address, answer) for GET and POST of every address that names the match, or of all addresses.

    Those that name the match are asked in every way if no others are.
    """
    for route in routes():
        names_it = "<slug:code>" in route
        if route in PAGES_WITH_EXAMPLE_TILES or route.startswith("admin/") or (only_games and not names_it):
            continue
        address = "/" + HOLE.sub(
            lambda hole: {"code": code, "number": "1", "name": "alice"}.get(hole[1], "1"), route
        )
        for kind in REQUEST_HEADERS if only_games else REQUEST_HEADERS[:1]:
            for ask in (browser.get, browser.post):
                if user is not None:
                    browser.force_login(user)
                yield address, ask(address, **kind)


@pytest.mark.parametrize("rounds", [1, None])
def test_match_does_not_exist_for_anybody_else(alice, bob, browser_of, rounds, django_user_model):
    match = play_rounds(start(open_today(), alice), rounds=rounds)
    admin = django_user_model.objects.create_superuser("admin")
    for user in (None, bob, admin):
        for address, answer in ask_everywhere(browser_of(user), user, match.code, only_games=True):
            # A method that an address does not take is refused before the match is looked for.
            assert answer.status_code in (404, 405), (user, address, answer.status_code)


def test_no_address_tells_a_key_or_names_the_match(alice, bob, browser_of, django_user_model):
    match = play_rounds(start(open_today(), alice))
    secrets = keys_of(match)
    admin = django_user_model.objects.create_superuser("admin")
    for user in (None, bob, admin):
        for address, answer in ask_everywhere(browser_of(user), user, match.code, only_games=False):
            text = answer.getvalue().decode(errors="replace")
            assert not any(secret in text for secret in secrets), (user, address)
            if match.code not in address:
                assert match.code not in text, (user, address)


@pytest.mark.usefixtures("frozen_clock")
def test_nobody_else_is_told_whether_the_match_was_won(alice, bob, browser_of, django_user_model):
    """A profile, a leaderboard or the desk say the same whoever won, and whether or not the match has ended."""
    match = play_rounds(start(open_today("muggins-200"), alice))
    ended(alice, bob, winner=1)  # a profile without a public match shows no figures
    admin = django_user_model.objects.create_superuser("admin")
    desk = [
        reverse("admin:games_case", args=[alice.pk]),
        reverse("admin:accounts_user_change", args=[alice.pk]),
    ]
    pages = ["/" + HOLE.sub(lambda hole: {"name": "alice"}.get(hole[1], "1"), route) for route in routes()]
    pages = [page for page in pages if not page.startswith(OF_NO_PERSON)]

    def read_all(won: bool) -> dict[tuple[object, str], str]:
        match.seats.filter(user=alice).update(won=won, score=200 if won else 0)
        match.seats.exclude(user=alice).update(won=not won, score=0 if won else 200)
        clear_caches()
        read = {}
        for user in (None, bob, admin):
            browser = browser_of(user)
            for page in [*pages, *(desk if user == admin else [])]:
                read[user, page] = RANDOM.sub("", browser.get(page).getvalue().decode(errors="replace"))
        return read

    won, lost = read_all(True), read_all(False)
    assert [asked for asked, text in won.items() if text != lost[asked]] == []
    assert "Achievements" not in won[None, "/players/alice/"]
    close(match.entry.deals)
    assert "Achievements" in read_all(True)[None, "/players/alice/"]


def clear_caches() -> None:
    cache.clear()
    repository.clear_caches()
    snapshot_cache.clear()


@pytest.mark.parametrize("preset", ["block", "all-fives"])
def test_player_sees_no_tile_that_was_not_seen_in_play(alice, browser_of, preset):
    deals = open_today(preset, rounds=3)
    match, browser = start(deals, alice), browser_of(alice)
    secrets = keys_of(match)
    looked, opened = [], set[str]()

    def look(match: Match) -> None:
        rounds = len(repository.get_value(match).ended)
        if match.version % 7 and match.playing and rounds in looked:
            return
        looked.append(rounds)
        # A tile unseen in every round so far may stand nowhere.
        unseen = set.intersection(*unseen_tiles(match))
        addresses = [
            match.get_absolute_url(),
            reverse("match-sync", args=[match.code]),
            "/strip/",
            "/",
            "/daily/",
        ]
        for address in addresses:
            text = browser.get(address).getvalue().decode()
            assert not any(secret in text for secret in secrets), address
            assert not tiles_in(re.sub(r"<i>(\d+-\d+)</i>", r"\1", text)) & unseen, address
            opened.update(OPEN_TILE.findall(text))
            assert opened <= own_remaining_tiles(match), address
        state = browser.get(f"{match.get_absolute_url()}state.json").json()
        assert (state["secrets"], state["deals"]) == ([], match.deals)
        assert not tiles_in(json.dumps({**state, "rules": None})) & unseen
        check_last_round(state, match)

    play_rounds(match, each=look)
    assert len(set(looked)) == 3 + 1
    assert opened, "no page opened a hand"


def check_last_round(state: dict, match: Match) -> None:
    ended = repository.get_value(match).ended
    if not ended:
        assert state["last_round"] is None
        return
    hands = state["last_round"]["hands"]
    assert hands == [[NAMES[tile] for tile in ended[-1].remaining[0]], None]
    assert state["last_round"]["end"]["pips"] == list(ended[-1].end.pips)


def test_finished_round_shows_its_own_tiles_only(alice, browser_of):
    match = play_rounds(start(open_today(), alice), rounds=1)
    text = browser_of(alice).get(f"{match.get_absolute_url()}rounds/1/").getvalue().decode()

    assert not tiles_in(re.sub(r"<i>(\d+-\d+)</i>", r"\1", text)) & unseen_tiles(match)[0]


@pytest.mark.parametrize("rounds", [1, None])
def test_own_match_has_no_record_replay_or_analysis(alice, browser_of, rounds):
    match, browser = play_rounds(start(open_today(), alice), rounds=rounds), browser_of(alice)

    for page in ("record.json", "replay/", "verify/", "analysis/", "analysis.json"):
        assert browser.get(match.get_absolute_url() + page).status_code == 404, page
    assert browser.post(f"{match.get_absolute_url()}analysis").status_code == 404
    hint = browser.post(f"{match.get_absolute_url()}hint", HTTP_ACCEPT="application/json")
    assert hint.status_code == 422 and "move" not in hint.json()


def test_exports_and_counts_leave_the_match_out(alice, browser_of, capsys):
    match = play_rounds(start(open_today(), alice))

    call_command("export_records", private=True)
    assert match.code not in capsys.readouterr().out
    exported = browser_of(alice).get("/accounts/export/").json()
    (own,) = exported["games"]["matches"]
    assert set(own) == {"seat", "match", "moves"}
    assert not any(key in json.dumps(exported) for key in keys_of(match))
    study.count_matches(match.end)
    assert not hasattr(match, "counted")


def test_admin_shows_no_open_match(alice, django_user_model, browser_of):
    match = play_rounds(start(open_today(), alice))
    browser = browser_of(django_user_model.objects.create_superuser("admin"))

    for address in (
        reverse("admin:games_match_changelist"),
        reverse("admin:events_dealset_changelist"),
        reverse("admin:events_dealset_change", args=[match.entry.deals_id]),
        reverse("admin:accounts_user_change", args=[alice.pk]),
    ):
        text = browser.get(address).getvalue().decode()
        assert match.code not in text and not any(key in text for key in keys_of(match)), address
    assert browser.get(reverse("admin:games_match_change", args=[match.pk])).status_code == 302


def test_everything_is_open_after_the_close(alice, bob, browser_of):
    deals = open_today()
    match = play_rounds(start(deals, alice))
    close(deals)
    browser = browser_of(bob)

    for page in ("", "record.json", "replay/", "verify/", "state.json"):
        assert browser.get(match.get_absolute_url() + page).status_code == 200, page
    assert browser.get(f"{match.get_absolute_url()}state.json").json()["secrets"]
    assert match.code not in browser.get("/archive/").getvalue().decode()


@pytest.mark.django_db(transaction=True)
async def test_socket_is_closed_to_others(alice, bob, browser_of):
    match = await sync_to_async(lambda: start(open_today(), alice))()
    for user, accepted in ((bob, False), (alice, True)):
        browser = await sync_to_async(browser_of)(user)
        cookie = f"sessionid={browser.cookies['sessionid'].value}".encode()
        headers = [(b"cookie", cookie), (b"origin", b"http://testserver"), (b"host", b"testserver")]
        socket = WebsocketCommunicator(application, f"/ws/games/{match.code}/", headers=headers)
        connected, _code = await socket.connect(timeout=10)
        if connected and not accepted:
            closed = await socket.receive_output(timeout=10)
            assert closed["type"] == "websocket.close"
        else:
            assert connected == accepted
        await socket.disconnect()


def test_moderators_see_no_case_while_deals_are_open(alice, charlie, browser_of):
    charlie.is_staff = charlie.is_superuser = True
    charlie.save()
    deals = open_today()
    match = play_rounds(start(deals, alice))
    address = f"/admin/games/report/match/{match.pk}/"
    assert browser_of(charlie).get(address).status_code == 403
    annul = {"since": timezone.now().date().isoformat()}
    page = browser_of(charlie).post(f"/admin/games/report/person/{alice.pk}/", annul).content.decode()
    assert match.code not in page
    close(deals)
    assert browser_of(charlie).get(address).status_code == 200
