"""Public pages have an address in each language, and say so to search engines; private ones are nowhere."""

import json
import re
from datetime import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from dominoes_site import crawlers
from dominoes_site.prefixes import add_prefix
from games.models import Match
from study import shipped_puzzles
from study.models import Puzzle
from tests.games.playing import begin, play_to_the_end
from tests.lobbies.tables import make

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "ru", "es", "pt", "pt-pt")
DESCRIPTION = re.compile(r'<meta name="description"\s+content="([^"]+)"')
TITLE = re.compile(r"<title>(.*?)</title>", re.S)
ALTERNATE = re.compile(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]+)"')
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]+)"')


@pytest.fixture
def replay(alice, bob, settings) -> Match:
    settings.CALL_PAUSE_MS = 0
    return play_to_the_end(begin(alice, bob, target=30, seed="found"))


@pytest.fixture
def paths(alice, replay) -> list[str]:
    """Return the public pages, one of each kind."""
    shipped_puzzles.load()
    puzzle = Puzzle.objects.first()
    named = [f"/players/{alice.username}/", f"/games/{replay.code}/replay/", f"/learn/puzzles/{puzzle.pk}/"]
    some = ["/rules/all-fives/", "/rules/draw/", "/leaderboard/draw/", "/learn/line/1/"]
    plain = [reverse(name) for name in crawlers.PLAIN_PAGES if name != "daily"]
    return [*plain, *some, *named]


def test_each_page_has_its_own_head_in_each_language(client, paths):
    titles, descriptions = set(), set()
    for path in paths:
        for language in LANGUAGES:
            answer = client.get(add_prefix(path, language))
            assert answer.status_code == 200, (path, language)
            page = answer.content.decode()
            assert f'<html lang="{language}"' in page
            titles.add((language, TITLE.search(page)[1].strip()))
            descriptions.add((language, DESCRIPTION.search(page)[1]))
            assert CANONICAL.findall(page) == [f"http://testserver/{language}{path}"]
            assert dict(ALTERNATE.findall(page)) == {
                **{code: f"http://testserver/{code}{path}" for code in LANGUAGES},
                "x-default": f"http://testserver/en{path}",
            }
            assert re.search(r'<meta property="og:image:alt" content="[^"]{3,}"', page)
    assert len(titles) == len(paths) * len(LANGUAGES)
    assert len(descriptions) == len(paths) * len(LANGUAGES)


def test_unprefixed_address_is_in_the_readers_language(client):
    page = client.get("/rules/", headers={"Accept-Language": "es"}).content.decode()
    assert '<html lang="es"' in page
    assert CANONICAL.findall(page) == ["http://testserver/es/rules/"]


def test_address_wins_over_preference(browser_of, alice):
    alice.language = "es"
    alice.save()
    assert '<html lang="ru"' in browser_of(alice).get("/ru/rules/").content.decode()


@pytest.mark.parametrize(
    "path", ["/ru/preferences/", "/ru/accounts/login/", "/fr/rules/", "/ru/nowhere/", "/ru"]
)
def test_other_pages_have_no_prefix(client, path):
    assert client.get(path).status_code == 404


def test_form_of_a_prefixed_page_works(client):
    answer = client.post("/ru/learn/count/", {"start": "1"})
    assert answer.status_code == 200 and '<html lang="ru"' in answer.content.decode()


def test_sitemap_lists_public_pages_in_each_language(client, replay):
    text = client.get("/sitemap.xml").content.decode()
    for language in LANGUAGES:
        assert f"<loc>http://testserver/{language}/games/{replay.code}/replay/</loc>" in text
        assert f"<loc>http://testserver/{language}/rules/all-fives/</loc>" in text
    listed = set(re.findall(r"<loc>([^<]*)</loc>", text))
    defaults = set(re.findall(r'hreflang="x-default" href="([^"]*)"', text))
    assert defaults and defaults <= listed
    for path in re.findall(r"<loc>http://testserver(/en/[^<]*)</loc>", text):
        assert client.get(path).status_code in (200, 302), path


def test_private_and_concealed_matches_are_nowhere(client, alice, bob, settings):
    settings.CALL_PAUSE_MS = 0
    hidden = [play_to_the_end(begin(alice, bob, target=30, seed="hidden")) for _ in range(2)]
    Match.objects.filter(pk=hidden[0].pk).update(private=True)
    Match.objects.filter(pk=hidden[1].pk).update(private=True, concealed=True)
    running = begin(alice, bob)
    Match.objects.filter(pk=running.pk).update(private=True)
    for address in ("/sitemap.xml", "/robots.txt", "/"):
        text = client.get(address).content.decode()
        assert not any(match.code in text for match in (*hidden, running)), address


def test_private_match_has_a_plain_head(client, alice, bob):
    match = begin(alice, bob)
    Match.objects.filter(pk=match.pk).update(private=True)
    head = client.get(f"/games/{match.code}/").content.decode().partition("</head>")[0]
    metas = "".join(re.findall(r"<(?:meta|link)[^>]*>", head))
    assert "alice" not in metas and match.code not in metas
    assert 'rel="canonical"' not in head


def test_guests_are_not_listed(client, django_user_model):
    now = timezone.now()
    django_user_model.objects.create_user("quiet-owl-7", is_guest=True, seen_at=now)
    django_user_model.objects.create_user("zoe", seen_at=now)
    text = client.get("/sitemap.xml").content.decode()
    assert "/players/zoe/" in text and "quiet-owl-7" not in text


def test_robots_name_the_sitemap(client):
    text = client.get("/robots.txt").content.decode()
    assert "Sitemap: http://testserver/sitemap.xml" in text
    assert "Disallow: /tables" not in text  # previews of links are made by robots


def test_favicon_is_an_icon(client):
    answer = client.get("/favicon.ico")
    assert answer["Content-Type"] == "image/x-icon"
    assert b"".join(answer.streaming_content)[:4] == b"\0\0\1\0"


def test_security_txt_names_a_contact_and_an_expiry(client):
    text = client.get("/.well-known/security.txt").content.decode()
    assert re.search(r"^Contact: (mailto:|https?://)", text, re.M)
    expires = re.search(r"^Expires: (\S+)$", text, re.M)[1]
    assert datetime.fromisoformat(expires) > timezone.now()


def test_change_password_leads_to_the_form(browser_of, alice):
    answer = browser_of(alice).get("/.well-known/change-password")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/password/change/")


def test_structured_data_is_json(client, alice):
    page = client.get(f"/players/{alice.username}/").content.decode()
    data = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', page)[1])
    assert data["@type"] == "ProfilePage" and data["mainEntity"]["name"] == "alice"


def test_table_invites(client, alice):
    table = make(alice)
    page = client.get(f"/tables/{table.code}/").content.decode()
    assert '<meta property="og:title" content="alice invites you: All Fives">' in page
    assert f"http://testserver/tables/{table.code}/card.png" in page


@pytest.mark.parametrize(
    ("clock", "pace"),
    [((86_400, 0), "1 day a move"), ((3 * 86_400, 0), "3 days a move"), ((300, 5), "5 min + 5 s")],
)
def test_invitation_says_rules_and_pace(client, alice, clock, pace):
    table = make(alice, clock=clock, target=50)
    page = client.get(f"/tables/{table.code}/").content.decode()
    description = re.search(r'<meta property="og:description"\s+content="([^"]*)">', page)[1]
    assert description == f"To 50, {pace}, casual. Take a seat at this table."


@pytest.mark.parametrize(("path", "title"), [("/en/rules/", "Rules"), ("/es/daily/", "Reparto del día")])
def test_card_names_its_page(client, path, title):
    assert f'<meta property="og:title" content="{title}">' in client.get(path).content.decode()


def test_card_of_replay_shows_the_linked_move(client, replay):
    page = client.get(f"/games/{replay.code}/replay/?move=3").content.decode()
    assert f"/games/{replay.code}/board.png?move=3&amp;lang=en" in page


def test_private_table_shows_nobody(client, alice):
    table = make(alice, private=True)
    head = client.get(f"/tables/{table.code}/").content.decode().partition("</head>")[0]
    metas = "".join(re.findall(r"<(?:meta|link)[^>]*>", head))
    assert "alice" not in metas and table.code not in metas
    assert '<meta property="og:title" content="You are invited to a table of dominoes">' in metas
    assert client.get(f"/tables/{table.code}/card.png").status_code == 404
