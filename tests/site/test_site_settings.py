"""What the operator sets in the admin, and what it changes on the site."""

import json
import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from allauth.core.context import request_context
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core import mail
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from accounts import moderators
from accounts.adapter import AccountAdapter
from dominoes_site.digest import send_digests
from games.services import talk
from lobbies import offers
from operators import site_settings
from operators.models import MailText, News, Page, SiteSettings
from operators.pages import render_markdown
from tests.games.playing import begin, play
from tests.site.configuring import configure

pytestmark = pytest.mark.django_db
JSON = {"accept": "application/json"}
User = get_user_model()


def form_values(browser):
    form = browser.get("/admin/operators/sitesettings/1/change/").context["adminform"].form
    values: dict[str, object] = {}
    for bound in form:
        value = bound.value()
        if isinstance(value, dict):
            values |= {f"{bound.name}_{code}": text for code, text in value.items()}
        elif value not in (None, False):
            values[bound.name] = value
    return values


def test_settings_are_saved_and_logged(boss, browser_of, django_capture_on_commit_callbacks):
    browser = browser_of(boss)
    assert browser.get("/admin/operators/sitesettings/").context["adminform"]
    sent = form_values(browser) | {
        "name": "Domino Club",
        "announcement_ru": "Турнир в субботу",
        "games": "block\ndraw",
    }
    with django_capture_on_commit_callbacks(execute=True):
        answer = browser.post("/admin/operators/sitesettings/1/change/", sent)
    assert answer.status_code == 302
    page = browser_of().get("/rules/", headers={"accept-language": "ru"}).content.decode()
    assert "· Domino Club</title>" in page and "Турнир в субботу" in page
    assert SiteSettings.objects.get().games == ["block", "draw"]


def test_unknown_game_is_refused(boss, browser_of):
    browser = browser_of(boss)
    answer = browser.post(
        "/admin/operators/sitesettings/1/change/", form_values(browser) | {"games": "chess"}
    )
    assert "There is no such game: chess." in answer.content.decode()


def test_other_processes_take_a_change_over(monkeypatch):
    site_settings.cache(SiteSettings(), 0)
    SiteSettings.objects.bulk_create(
        [SiteSettings(pk=1, name="Elsewhere")]
    )  # no signal, as in another process
    assert site_settings.get_site().name == "Elsewhere"


@pytest.mark.parametrize(("begins", "ends", "is_shown"), [(-1, 1, True), (1, 2, False), (-2, -1, False)])
def test_announcement_has_a_term(begins, ends, is_shown, browser_of):
    now = timezone.now()
    configure(
        announcement={"en": "Tournament"},
        announced_from=now + timedelta(hours=begins),
        announced_until=now + timedelta(hours=ends),
    )
    assert ("Tournament" in browser_of().get("/rules/").content.decode()) == is_shown


def test_maintenance_refuses_new_tables_except_for_staff(alice, bob, boss, browser_of):
    match = begin(alice, bob)
    configure(maintenance=True, maintenance_text={"en": "Back at noon."})
    answer = browser_of(alice).post("/tables/new", {"preset": "all-fives"}, headers=JSON)
    assert (answer.status_code, answer.json()["error"]) == (503, "Back at noon.")
    assert "Back at noon." in browser_of().get("/").content.decode()
    assert browser_of(boss).post("/tables/new", {"preset": "all-fives"}).status_code == 303
    assert play(match).version == match.version + 1


def test_table_form_is_closed_during_maintenance(alice, boss, browser_of):
    def read_form(browser):
        page = browser.get("/tables/new").content.decode()
        form = re.search(r'<form class="[^"]*"\s+id="table-form".*?</form>', page, re.DOTALL)
        return "no table can be created now" in form.group(), 'type="submit" disabled>' in form.group()

    assert read_form(browser_of(alice)) == (False, False)
    configure(maintenance=True)
    assert read_form(browser_of(alice)) == read_form(browser_of()) == (True, True)
    assert read_form(browser_of(boss)) == (False, False)


@pytest.mark.parametrize("halted", [False, True])
def test_maintenance_sentence_is_in_the_readers_language(halted):
    configure(maintenance=True, matches_halt=halted, maintenance_text={"en": "Back at noon."})
    with override("ru"):
        sentence = site_settings.get_maintenance_sentence()
    assert "Back" not in sentence
    assert re.search("[а-я]", sentence)
    with override("en"):
        assert site_settings.get_maintenance_sentence() == "Back at noon."


def test_first_page_of_the_admin_names_the_matches_that_wait_for_a_decision(alice, bob, boss, browser_of):
    begin(alice, bob)
    for halted in (False, True):
        configure(maintenance=True, matches_halt=halted)
        page = browser_of(boss).get("/admin/").content.decode()
        assert ("1 match stands still. Decide: end it" in page) == halted
    assert 'href="/admin/games/match/?status__exact=playing"' in page.partition('id="halted"')[2]


def test_end_of_maintenance_ends_the_halt_of_matches(boss, browser_of):
    configure(maintenance=True, matches_halt=True)
    browser = browser_of(boss)
    sent = form_values(browser)
    del sent["maintenance"]
    assert browser.post("/admin/operators/sitesettings/1/change/", sent).status_code == 302
    site = SiteSettings.objects.get()
    assert not site.maintenance and not site.matches_halt
    changed = json.loads(LogEntry.objects.get().change_message)[0]["changed"]
    old_and_new = dict(zip(changed["fields"], changed["values"], strict=True))
    assert old_and_new["Running matches stand still"] == [["", True, False]]


def test_matches_cannot_stand_still_without_maintenance(boss, browser_of):
    browser = browser_of(boss)
    sent = form_values(browser) | {"matches_halt": "on"}
    answer = browser.post("/admin/operators/sitesettings/1/change/", sent)
    assert "during maintenance alone" in answer.content.decode()
    assert not SiteSettings.objects.filter(matches_halt=True).exists()


def test_talk_can_be_switched_off(alice, bob):
    match = begin(alice, bob)
    configure(public_talk=False)
    with pytest.raises(talk.TalkRefused, match="talk_off"):
        talk.say(match=match, user=alice, seat=match.seats.get(user=alice), text="hello")


def test_quick_play_offers_the_operators_games_in_order(browser_of):
    configure(games=["draw", "block"])
    _own, usual = offers.own_and_usual_games(None)
    assert [game.preset for game in usual] == ["draw", "block"]
    assert 'value="kozel"' not in browser_of().get("/").content.decode()


def test_form_offers_the_operators_clocks(browser_of):
    assert 'value="1800+20"' in browser_of().get("/tables/new").content.decode()
    configure(clocks=["600+5"])
    page = browser_of().get("/tables/new").content.decode()
    assert 'value="600+5"' in page and 'value="1800+20"' not in page


def test_news_are_a_feed_in_the_pages_language(client):
    News.objects.create(
        title={"en": "A <new> game", "es": "Un juego"}, body={"en": "Play **it**.", "es": "¡Juega!"}
    )
    page = client.get("/es/news/").content.decode()
    address = re.search(r'<a href="(/news/feed\.xml\?lang=\w+)"', page)[1]
    feed = ElementTree.fromstring(client.get(address).content)
    atom = "{http://www.w3.org/2005/Atom}"
    assert feed.find(f"{atom}entry/{atom}title").text == "Un juego"
    assert feed.find(f"{atom}author/{atom}name").text == "Boneyard"  # the format asks for one
    assert feed.find(f"{atom}link[@rel='self']").get("href") == f"http://testserver{address}"
    assert (
        "Play <strong>it</strong>"
        in ElementTree.fromstring(client.get("/news/feed.xml?lang=en").content)
        .find(f"{atom}entry/{atom}summary")
        .text
    )


@pytest.mark.parametrize("address", ["/about/", "/terms/", "/privacy/", "/news/"])
@pytest.mark.parametrize("language", ["en", "ru", "es", "pt"])
def test_pages_name_the_operator(address, language, browser_of):
    configure(operator="Club de Dominó", contact="hello@example.org")
    page = browser_of().get(address, headers={"accept-language": language})
    assert page.status_code == 200
    if address != "/news/":
        assert "Club de Dominó" in page.content.decode() and "hello@example.org" in page.content.decode()


def test_page_is_in_the_readers_language(browser_of):
    Page.objects.update_or_create(
        slug="about", defaults={"title": {"en": "Us"}, "body": {"en": "*Hello*", "es": "Hola"}}
    )
    assert "<em>Hello</em>" in browser_of().get("/about/", headers={"accept-language": "ru"}).content.decode()
    assert "<p>Hola</p>" in browser_of().get("/about/", headers={"accept-language": "es"}).content.decode()


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "![x](https://example.org/x.png)",
        '<img src=x onerror="alert(1)">',
        "[x](data:text/html;base64,AAAA)",
        '<https://example.org/"onclick=alert(1)>',
    ],
)
def test_markdown_is_safe(text):
    html = render_markdown(text)
    assert "<script" not in html and "<img" not in html
    assert 'href="javascript' not in html and 'href="data:text' not in html and 'onclick="' not in html


def test_news_is_shown_from_its_date(browser_of):
    now = timezone.now()
    News.objects.create(title={"en": "Today"}, body={"en": "x"}, at=now - timedelta(hours=1))
    News.objects.create(title={"en": "Tomorrow"}, body={"en": "x"}, at=now + timedelta(days=1))
    page = browser_of().get("/news/").content.decode()
    assert "Today" in page and "Tomorrow" not in page


def test_preview_saves_nothing(boss, browser_of):
    page = Page.objects.get(slug="about")
    sent = {"slug": "about", "title_en": "Us", "body_en": "**bold**", "_preview": "yes"}
    shown = browser_of(boss).post(f"/admin/operators/page/{page.pk}/change/", sent).content.decode()
    assert "<strong>bold</strong>" in shown
    page.refresh_from_db()
    assert page.title["en"] == "About this site"


def test_mail_has_the_operators_text(alice, rf):
    MailText.objects.create(
        key="email_confirmation", subject={"en": "Hi {name}"}, body={"en": "Press {link}"}
    )
    context = {"user": alice, "activate_url": "http://testserver/confirm/x/"}
    request = rf.get("/")
    request.user = alice
    with request_context(request):
        AccountAdapter(request).send_mail("account/email/email_confirmation", "alice@example.org", context)
    assert mail.outbox[-1].subject.endswith("Hi alice")
    assert mail.outbox[-1].body == "Press http://testserver/confirm/x/"


def test_admin_is_named_like_the_site(boss, browser_of):
    configure(name="Domino Club")
    page = browser_of(boss).get("/admin/").content.decode()
    assert "Domino Club" in page and "Boneyard" not in page


def test_mails_and_reasons_are_listed_by_name(boss, browser_of):
    MailText.objects.create(key="password_reset_key", body={"en": "{link}"})
    mails = browser_of(boss).get("/admin/operators/mailtext/").content.decode()
    assert "A new password" in mails and ">password_reset_key<" not in mails
    reasons = browser_of(boss).get("/admin/operators/reasontemplate/").content.decode()
    assert "plays for time" in reasons and ">stalling<" not in reasons


def test_placeholders_are_explained_in_the_readers_language(boss, browser_of):
    form = browser_of(boss).get("/admin/operators/mailtext/add/", headers={"accept-language": "ru"})
    assert "Подстановки: {link}" in form.content.decode()


def test_mail_text_keeps_its_placeholders(boss, browser_of):
    sent = {"key": "email_confirmation", "subject_en": "Hi", "body_en": "Press nothing"}
    answer = browser_of(boss).post("/admin/operators/mailtext/add/", sent)
    assert "{link} is missing." in answer.content.decode()
    assert not MailText.objects.exists()


def test_mail_text_has_no_placeholder_of_another_mail(boss, browser_of):
    sent = {"key": "email_confirmation", "subject_en": "{n}", "body_en": "{link} {wrong}"}
    page = browser_of(boss).post("/admin/operators/mailtext/add/", sent).content.decode()
    assert "{n} is not known in this mail. It has {link} {name} {site}." in page
    assert "{wrong} is not known in this mail." in page
    assert not MailText.objects.exists()


def test_test_mail_goes_to_oneself(boss, browser_of):
    text = MailText.objects.create(
        key="notice", subject={"en": "Hi"}, body={"en": "{notice}", "es": "¡{notice}!"}
    )
    chosen = {"action": "send_test", "_selected_action": [text.pk]}
    browser_of(boss).post("/admin/operators/mailtext/", chosen)
    assert [(sent.to, sent.body) for sent in mail.outbox] == [
        (["boss@example.org"], "The password was changed."),
        (["boss@example.org"], "¡The password was changed.!"),
    ]


def test_digest_is_sent_once_a_day_while_cases_are_open(alice, bob, boss, browser_of):
    now = timezone.now()
    browser_of(boss).post("/admin/games/report/cases/", {"digest": "1"})
    send_digests(now)
    assert not mail.outbox
    talk.report_person(person=bob, user=alice, category="talk", text="", match=None)
    for hours in (0, 1, 25):
        send_digests(now + timedelta(hours=hours))
    assert [sent.to for sent in mail.outbox] == [["boss@example.org"]] * 2
    assert "1 case is open." in mail.outbox[0].body


@pytest.mark.parametrize("name", ["account_login", "account_signup", "lobby", "rules"])
def test_every_page_is_titled_by_the_site(name, browser_of):
    configure(name="Domino Club")
    assert "· Domino Club</title>" in browser_of().get(reverse(name)).content.decode()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tables_limit", 0),
        ("tables_limit", 21),
        ("lines_limit", 31),
        ("accounts_limit", 0),
        ("guests_limit", -1),
    ],
)
def test_limits_have_bounds(name, value, boss, browser_of):
    browser = browser_of(boss)
    answer = browser.post(
        "/admin/operators/sitesettings/1/change/", form_values(browser) | {name: str(value)}
    )
    assert name in answer.context["adminform"].form.errors


def test_limits_are_those_of_the_operator(alice, bob, browser_of):
    configure(tables_limit=1, lines_limit=2, reports_limit=1)
    browser = browser_of(alice)
    sent = [
        browser.post("/tables/new", {"preset": "all-fives"}, headers=JSON).status_code for _table in range(2)
    ]
    assert sent[1] == 429
    match = begin(alice, bob)
    for line in ("one", "two"):
        talk.say(match=match, user=alice, seat=match.seats.get(user=alice), text=line)
    with pytest.raises(talk.TalkRefused, match="flood"):
        talk.say(match=match, user=alice, seat=match.seats.get(user=alice), text="three")


def test_overview_says_that_the_site_is_maintained(boss, browser_of):
    sentence = "nobody else begins a match"
    assert sentence not in browser_of(boss).get("/admin/").content.decode()
    configure(maintenance=True)
    assert sentence in browser_of(boss).get("/admin/").content.decode()


def test_sample_of_a_mail_names_this_site(boss, browser_of, settings):
    settings.SITE_URL = "https://dominoes.example"
    text = MailText.objects.create(key="password_reset_key", body={"en": "{site} {link}"})
    chosen = {"action": "send_test", "_selected_action": [text.pk]}
    browser_of(boss).post("/admin/operators/mailtext/", chosen)
    assert mail.outbox[-1].body == "dominoes.example https://dominoes.example/…"


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "Matches"), ("ru", "Партии"), ("es", "Partidas"), ("pt", "Partidas")]
)
def test_headings_of_lists_are_names_of_rows(language, heading, boss, browser_of):
    page = browser_of(boss).get("/admin/games/match/", headers={"accept-language": language})
    assert f"<h1>{heading}</h1>" in page.content.decode()


def test_staff_without_group_is_pointed_out(alice, boss, browser_of):
    address = f"/admin/accounts/user/{alice.pk}/change/"
    fields = {"username": "alice", "is_active": "on", "is_staff": "on"}
    said = "staff without a group"
    assert said in browser_of(boss).post(address, fields, follow=True).content.decode()
    group = Group.objects.get(name=moderators.NAME)
    page = browser_of(boss).post(address, fields | {"groups": [group.pk]}, follow=True)
    assert said not in page.content.decode()


@pytest.mark.parametrize(("language", "attribute"), [("ru", 'lang="en"'), ("en", "")])
def test_announcement_in_another_language_is_marked(language, attribute, browser_of):
    configure(announcement={"en": "Tournament"})
    page = browser_of().get("/rules/", headers={"accept-language": language}).content.decode()
    (tag,) = re.findall(r'<p class="message announcement"([^>]*)>Tournament', page)
    assert re.findall(r'lang="\w+"', tag) == ([attribute] if attribute else [])
