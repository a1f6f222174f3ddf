"""The pages of clubs and of their nights: what strangers, members and those who run them see and may do."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser, Group
from django.test import Client
from django.utils import timezone

from accounts import moderators
from accounts.models import User
from games.models import Report
from nights import services
from nights.club_models import Club
from nights.codes import table_code
from nights.models import Night
from tests.nights.club_nights import act, hold, make_club, make_club_night, make_member
from tests.nights.conftest import NOW
from tests.nights.test_sockets import may_open

pytestmark = pytest.mark.django_db
WORDS = "# Welcome\n\n**Every Friday.** <script>alert(1)</script> [here](javascript:alert(1)) ![x](/x.png) [map](/map)"


@pytest.fixture
def club(host):
    club = make_club(host, place="Calle 5", hours="Fridays at 20:30", description=WORDS, is_public=True)
    services.add_people(club, host, "Ana\nRosa", NOW)
    return club


def read(browser, path, status=200):
    answer = browser.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


def press(browser, club, act, **fields):
    return browser.post(f"{club.get_absolute_url()}{act}", fields)


def test_club_is_founded_with_one_form_and_listed_where_it_is_public(client, desk):
    form = {"name": "Los Compadres", "language": "es", "place": "Calle 5", "is_public": "on"}
    assert client.post("/clubs/new", form)["Location"].startswith("/accounts/login/")
    assert desk.post("/clubs/new", form)["Location"] == "/clubs/los-compadres/"
    assert desk.post("/clubs/new", {"name": "Quiet", "language": "es"}).status_code == 303
    page = desk.post("/clubs/new", {"name": "", "language": "es", "place": "Calle 9"})
    assert page.status_code == 422 and "Calle 9" in page.content.decode()
    listed = read(client, "/clubs/")
    assert "Los Compadres" in listed and "Quiet" not in listed
    assert "Quiet" in read(desk, "/clubs/")


def test_public_club_is_found_with_its_table_and_words_without_html(client, club, host):
    hold(club, host, "Ana\nRosa")
    page = read(client, club.get_absolute_url())
    assert 'content="noindex"' not in page
    assert f'<link rel="canonical" href="http://testserver/en{club.get_absolute_url()}"' in page
    assert ">Ana<" in re.sub(r"\s+", "", page)
    assert "<strong>Every Friday.</strong>" in page
    words = page.partition("<strong>Every Friday.")[2].partition("</section>")[0]
    assert '<a href="/map" rel="nofollow ugc noopener">map</a>' in words
    assert "<script" not in words and 'href="javascript' not in words and "<img" not in words
    assert page.count("<h1") == 1
    assert club.get_absolute_url() in read(client, "/sitemap.xml")


def test_club_that_is_not_public_shows_no_names_and_is_in_no_search(client, club, host, alice, browser_of):
    hold(club, host, "Ana\nRosa")
    Club.objects.update(is_public=False)
    page = read(client, club.get_absolute_url())
    assert (
        'content="noindex"' in page
        and 'rel="canonical"' not in page
        and "Calle 5" not in page.partition("</head>")[0]
    )
    assert "Ana" not in page
    assert club.get_absolute_url() not in read(client, "/sitemap.xml")
    make_member(club, alice)
    assert "Ana" in read(browser_of(alice), club.get_absolute_url())


def test_strangers_know_of_public_nights_and_members_of_all(client, club, host, desk):
    night = make_club_night(club, host, name="Secret evening")
    assert "Secret evening" not in read(client, club.get_absolute_url())
    assert "Secret evening" in read(desk, club.get_absolute_url())
    Night.objects.update(audience="public")
    assert night.get_absolute_url() in read(client, club.get_absolute_url())


def test_night_of_members_is_closed_to_others_on_every_way(client, club, host, alice, bob, browser_of):
    make_member(club, alice)
    night = make_club_night(club, host, audience="club")
    entry = act(services.add_names, night, host, "Ana")[0]
    ways = ("", "wall/", "night.json", "draws.json")
    for stranger in (client, browser_of(bob)):
        for way in ways:
            read(stranger, night.get_absolute_url() + way, 404)
        assert (
            stranger.post(f"{night.get_absolute_url()}people", {"name": "Me", "code": "x"}).status_code == 404
        )
    for way in ways:
        read(browser_of(alice), night.get_absolute_url() + way)
    assert not any(
        may_open(night, view, user) for view in ("night", "wall") for user in (AnonymousUser(), bob)
    )
    assert may_open(night, "night", alice)
    read(client, f"{night.get_absolute_url()}me/{entry.secret}/")
    read(client, f"{night.get_absolute_url()}table/1/{table_code(night, 1)}/")


def test_person_of_a_members_night_sees_it_without_being_a_member(client, club, host, bob, browser_of):
    night = make_club_night(club, host, audience="club")
    entry = act(services.add_names, night, host, "Ana")[0]
    services.claim_entry(entry, bob, NOW)
    assert "Friday" in read(browser_of(bob), night.get_absolute_url())


def test_new_night_offers_ones_clubs_and_is_seen_as_the_club_is(desk, club, host, alice, browser_of):
    form = {
        "name": "Friday",
        "start": "2027-01-08T20:30",
        "preset": "block",
        "format": "singles",
        "rounds": 3,
    }
    page = read(desk, f"/nights/new?club={club.slug}")
    assert re.search(r'value="los-compadres"\s+selected', page) and re.search(
        r'value="public"\s+selected', page
    )
    for public, audience in ((True, "public"), (False, "club")):
        Club.objects.update(is_public=public)
        assert desk.post("/nights/new", form | {"club": club.slug}).status_code == 303
        assert Night.objects.first().audience == audience
        assert Night.objects.first().club == club
        Night.objects.all().delete()
    make_member(club, alice)
    assert 'name="club"' not in read(browser_of(alice), f"/nights/new?club={club.slug}")
    assert browser_of(alice).post("/nights/new", form | {"club": club.slug}).status_code == 422
    assert desk.post("/nights/new", form | {"audience": "club"}).status_code == 422


def test_next_night_takes_one_press_on_the_clubs_page(desk, club, host):
    hold(club, host, "Ana\nRosa")
    assert f"{club.get_absolute_url()}next" in read(desk, club.get_absolute_url())
    answer = press(desk, club, "next")
    following = Night.objects.get(previous__isnull=False)
    assert answer["Location"] == following.get_absolute_url()
    assert f"{club.get_absolute_url()}next" not in read(desk, club.get_absolute_url())


def test_invitation_is_not_lost_by_who_has_no_account_yet(client, desk, club, alice, browser_of):
    press(desk, club, "invite", on="1")
    club.refresh_from_db()
    address = f"{club.get_absolute_url()}join/{club.invitation}/"
    assert address in read(desk, f"{club.get_absolute_url()}desk/")
    assert "Join" in read(client, address)
    answer = press(client, club, "join", secret=club.invitation)
    assert answer["Location"] == f"/accounts/login/?next={address}"
    assert (
        press(browser_of(alice), club, "join", secret=club.invitation)["Location"] == club.get_absolute_url()
    )
    assert club.find_role(alice.pk) == "member"
    press(desk, club, "invite", on="0")
    read(client, address, 404)


def test_desk_is_for_who_runs_the_club_and_its_words_for_owners(desk, club, alice, bob, client, browser_of):
    make_member(club, alice, "director")
    make_member(club, bob)
    address = f"{club.get_absolute_url()}desk/"
    for browser in (client, browser_of(bob)):
        read(browser, address, 404)
    words = "What the page says"
    assert words in read(desk, address) and words not in read(browser_of(alice), address)
    press(browser_of(bob), club, "people", names="Intruder")
    assert not club.people.filter(name="Intruder").exists()
    page = press(desk, club, "change", name="", language="es", place="Calle 9")
    assert page.status_code == 422 and "Calle 9" in page.content.decode()


def test_acts_of_the_desk_change_what_they_say(desk, club, host, alice):
    make_member(club, alice)
    press(desk, club, "role", member="alice", role="director")
    press(desk, club, "people", names="Hugo\nAna")
    hugo, ana = club.people.get(name="Hugo"), club.people.get(name="Ana")
    press(desk, club, "person", person=hugo.pk, set="name", name="Hugo P.")
    press(desk, club, "person", person=ana.pk, set="merge", other=hugo.pk)
    press(desk, club, "person", person=club.people.get(name="Rosa").pk, set="remove")
    press(desk, club, "season", name="Autumn", first_day="2026-09-01", last_day="2026-11-30")
    assert club.find_role(alice.pk) == "director"
    assert [person.name for person in club.people.all()] == ["Ana"]
    page = read(desk, f"{club.get_absolute_url()}desk/")
    assert "Autumn" in page
    press(desk, club, "season", remove=club.seasons.get().pk)
    press(desk, club, "close")
    assert Club.objects.exists() and not club.seasons.exists()
    assert press(desk, club, "close", sure="on")["Location"] == "/clubs/"
    assert not Club.objects.exists()


def test_report_of_a_club_is_a_case_of_its_owner(client, club, host, desk, alice, browser_of):
    assert press(client, club, "report", reason="talk")["Location"].startswith("/accounts/login/")
    press(browser_of(alice), club, "report", reason="rating")
    press(desk, club, "report", reason="talk")
    assert not Report.objects.exists()
    press(browser_of(alice), club, "report", reason="talk", text="insults us")
    report = Report.objects.get()
    assert (report.person, report.reporter) == (host, alice)
    assert report.reason == f"{club.get_absolute_url()} insults us"


def test_moderator_hides_a_club_from_all_but_its_members(client, club, host, desk, alice):
    judge = User.objects.create_user("judge", password="judge's bones", is_staff=True)
    judge.groups.add(Group.objects.get(name=moderators.NAME))
    browser = Client()
    browser.force_login(judge)
    make_club_night(club, host, timezone.now(), name="Evening of the hidden", audience="public")
    make_club_night(None, host, timezone.now(), name="Evening of nobody", audience="public")
    action = {"action": "hide", "_selected_action": club.pk}
    assert "Evening of the hidden" in read(client, "/nights/")
    assert browser.post("/admin/nights/club/", action).status_code == 302
    read(client, club.get_absolute_url(), 404)
    assert "Los Compadres" not in read(client, "/clubs/")
    assert "Evening of the hidden" not in read(client, "/nights/") and "Evening of nobody" in read(
        client, "/nights/"
    )
    assert club.get_absolute_url() not in read(client, "/sitemap.xml")
    assert "Moderators have hidden this page" in read(desk, club.get_absolute_url())
    browser.post("/admin/nights/club/", action | {"action": "show"})
    read(client, club.get_absolute_url())


def test_moderator_shows_ones_own_club_not_again(club, host):
    host.is_staff = True
    host.save()
    host.groups.add(Group.objects.get(name=moderators.NAME))
    browser = Client()
    browser.force_login(host)
    services.set_club_hidden(club, True)
    browser.post("/admin/nights/club/", {"action": "show", "_selected_action": club.pk})
    assert Club.objects.get().is_hidden
