"""Every address that tells a player's hand, or what they do not hold, records that it was seen."""

import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.test.utils import override_settings

from boneyard.engine.tiles import NAMES, mask_of, members
from games import repository
from games.models import Match, Seat
from games.table import snapshot_cache
from games.time.day_clocks import DAY_SECONDS
from tests.addresses import HOLE, routes
from tests.games.playing import begin, on_turn, play
from tests.games.test_hidden import REQUEST_HEADERS

FORMS = {"/absent", "/continue", "/emote", "/prod", "/report", "/say"}

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]
RANDOM = re.compile(r'csrfmiddlewaretoken" value="[^"]*"|nonce-[^"\']*|"csrf[^}]*}|"[A-Za-z0-9]{64}"')
# They need a network or a lock, or end the session.
OTHERS = ("admin/", "static", "healthz", "accounts/logout/", "accounts/export/")
Asked = tuple[str, dict[str, object] | None, dict[str, str]]


def requests_of(match: Match) -> Iterator[Asked]:
    """Yield what can be asked of the site in a match: address, posted fields or None, headers."""
    holes = {"code": match.code, "name": "alice", "pool": match.pool, "preset": "block", "pk": "1", "id": "1"}
    for route in routes():
        if route.startswith(OTHERS):
            continue
        address = "/" + HOLE.sub(lambda hole: holes.get(hole[1], "1"), route)
        yield address, None, {}
        if route.startswith(("games/", "tables/<slug:code>/")):
            for headers in REQUEST_HEADERS:
                yield address, None, headers
                yield address, {}, headers
    for headers in REQUEST_HEADERS:
        for tile in NAMES[:28]:
            move = {"move": f"{tile}@L", "version": match.version, "if": ""}
            yield f"/games/{match.code}/move", move, headers
            yield f"/games/{match.code}/plan/", move, headers


def answer(browser: Client, match: Match, value, asked: Asked) -> tuple[object, bool]:
    """Return the answer while the match is `value`, and whether it was recorded that the hand was seen."""
    address, fields, headers = asked
    cache.clear()
    repository.clear_caches()
    snapshot_cache.clear()
    repository.cache_value(match.pk, match.version, value)
    with transaction.atomic():
        got = browser.get(address, **headers) if fields is None else browser.post(address, fields, **headers)
        text = RANDOM.sub("", got.getvalue().decode(errors="replace"))
        is_recorded = Seat.objects.filter(match=match, user__username="alice").get().hand_seen_at is not None
        transaction.set_rollback(True)
    told = got.cookies.pop("messages", None)
    browser.cookies.pop("messages", None)
    return (got.status_code, text, got.get("Location"), told and told.value), is_recorded


@pytest.mark.parametrize("form", ["absent", "prod"])
def test_refused_form_that_tells_nothing_of_the_hand_is_not_recorded(alice, bob, browser_of, form):
    match = begin(alice, bob, preset="block", rated=True, clock=(DAY_SECONDS, 0))
    for person in (alice, bob):
        browser = browser_of(person)
        asked = browser.post(f"/games/{match.code}/{form}", {"take": "win"}, HTTP_ACCEPT="application/json")
        assert asked.status_code == 422 and set(asked.json()) == {"error", "reason"}
        browser.post(f"/games/{match.code}/{form}", {"take": "win"})
    assert not match.seats.exclude(hand_seen_at=None).exists()


@override_settings(MESSAGE_STORAGE="django.contrib.messages.storage.cookie.CookieStorage")
@pytest.mark.parametrize("waits", [True, False])
def test_every_answer_that_depends_on_the_hand_is_recorded(alice, bob, browser_of, waits):
    match = begin(alice, bob, preset="block", rated=True, clock=(DAY_SECONDS, 0), seed="two hands")
    while match.version < 2 or (on_turn(match).user == alice) == waits:
        match = play(match)
    value, seat = repository.get_value(match), match.seats.get(user=alice).position
    hands, browser = list(value.round.hands), browser_of(alice)
    hands[seat] = mask_of(value.round.boneyard[: len(members(hands[seat]))])
    other = value._replace(round=value.round._replace(hands=tuple(hands)))

    telling: set[str] = set()
    silent: list[Asked] = []
    for asked in requests_of(match):
        if not waits and not asked[0].startswith("/games/"):
            continue
        browser.force_login(alice)
        first, is_recorded = answer(browser, match, value, asked)
        second, is_recorded_too = answer(browser, match, other, asked)
        if first != second and answer(browser, match, value, asked)[0] == first:
            telling.add(asked[0].removeprefix(f"/games/{match.code}"))
            if not (is_recorded and is_recorded_too):
                silent.append(asked)

    assert not silent
    assert telling == {"/", "/state.json", "/sync", "/plan/", "/move", *FORMS} - (
        set() if waits else {"/plan/"}
    )
