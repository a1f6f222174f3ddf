"""The desk at night: the reason that fits, a ban asked once, who has a case, and a log that says what was what."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.utils import timezone

from accounts import moderators
from accounts.models import Sanction
from games.models import Report
from games.past.desk import find_next_case
from games.services import talk
from operators.models import ReasonTemplate
from tests.games.playing import begin

pytestmark = pytest.mark.django_db
LOG = "/admin/admin/logentry/"
SETTINGS = "/admin/operators/sitesettings/"


def case(person):
    return f"/admin/games/report/person/{person.pk}/"


def report(person, by, category, days_ago=0):
    made = talk.report_person(person=person, user=by, category=category, text="see the match", match=None)
    Report.objects.filter(pk=made.pk).update(at=timezone.now() - timedelta(days=days_ago))
    return made


def chosen_category(answer):
    key = next(reason.key for reason in answer.context["reasons"] if reason.is_chosen)
    return ReasonTemplate.objects.get(pk=key).category


@pytest.fixture
def colleague(db):
    person = get_user_model().objects.create_user("petra", is_staff=True)
    person.groups.add(Group.objects.get(name=moderators.NAME))
    return person


def test_reason_fits_the_report_that_led_to_the_case(alice, bob, moderator, browser_of):
    browser = browser_of(moderator)
    first = report(bob, alice, "stalling", days_ago=2)
    last = report(bob, alice, "leaving")
    assert chosen_category(browser.get(case(bob))) == "stalling", "the one that waits longest"
    for made, category in ((first, "stalling"), (last, "leaving")):
        answer = browser.get(f"/admin/games/report/{made.pk}/change/", follow=True)
        assert chosen_category(answer) == category
        assert f'href="?report={made.pk}"' in answer.content.decode()
    report(bob, alice, "leaving")
    assert chosen_category(browser.get(case(bob))) == "leaving", "the most frequent one"
    assert chosen_category(browser.get(f"{case(bob)}?report=99999999")) == "leaving"


def test_ban_asks_once_with_what_it_will_do(alice, bob, moderator, browser_of):
    report(bob, alice, "computer")
    begin(alice, bob)
    browser = browser_of(moderator)
    fields = {"reason": "<b>engine</b>", "hours": "168", "appeal": "Write to us.", "ban": "yes"}

    asked = browser.post(case(bob), fields)

    text = asked.content.decode()
    assert not Sanction.objects.exists() and Report.objects.get().handled_at is None
    for words in ("Ban bob?", "&lt;b&gt;engine&lt;/b&gt;", "a week", "Write to us.", "go on without them: 1"):
        assert words in text
    assert "answered with the reason: 1" in text
    form = text[text.index('name="sure"') - 900 :]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) | {"reason": "<b>engine</b>"}
    browser.post(case(bob), sent)
    assert Sanction.objects.get().until - timezone.now() > timedelta(days=6)
    assert Report.objects.get().outcome == Report.Outcome.ACTED


def test_ban_of_a_matches_player_keeps_the_person_chosen(alice, bob, moderator, browser_of):
    match = begin(alice, bob)
    page = f"/admin/games/report/match/{match.pk}/"
    fields = {"person": bob.pk, "reason": "rude", "hours": "0", "ban": "yes"}
    browser = browser_of(moderator)
    assert f'name="person" value="{bob.pk}"' in browser.post(page, fields).content.decode()
    browser.post(page, fields | {"sure": "yes"})
    assert Sanction.objects.get().person == bob


def test_ban_without_a_reason_is_refused_before_it_asks(bob, moderator, browser_of):
    answer = browser_of(moderator).post(case(bob), {"hours": "0", "ban": "yes"}, follow=True)
    assert "Choose a reason, or write one." in answer.content.decode()


def test_case_is_assigned_and_others_go_on_to_the_next(alice, bob, moderator, colleague, browser_of):
    for person, by, days_ago in ((bob, alice, 3), (alice, bob, 2)):
        report(person, by, "talk", days_ago)
    browser = browser_of(moderator)

    answer = browser.post(case(bob), {"assign": colleague.pk}, follow=True)

    assert "Case assigned to: petra." in answer.content.decode()
    assert LogEntry.objects.get().change_message == "case assigned to: petra"
    assert "petra" in browser.get("/admin/games/report/cases/").content.decode()
    assert find_next_case(moderator, alice) is None, "the colleague has it"
    assert find_next_case(colleague, alice).person == bob
    report(bob, alice, "stalling")
    assert browser.get(case(bob)).context["case"].assigned_to == colleague, "a later report changes nothing"
    browser.post(case(bob), {"assign": ""})
    assert browser.get(case(bob)).context["case"].assigned_to is None
    browser.post(case(bob), {"dismiss": "yes"})
    answer = browser.post(case(bob), {"assign": colleague.pk}, follow=True)
    assert "The case is not open." in answer.content.decode()


def test_case_of_a_match_is_assigned_only_to_who_may_decide(alice, bob, moderator, colleague, browser_of):
    match = begin(colleague, bob)
    talk.report(match=match, user=alice, talk=None, reason="they talk")
    page = f"/admin/games/report/match/{match.pk}/"
    browser = browser_of(moderator)
    assert browser.get(page).context["assignees"] == [moderator]
    for nobody in (colleague.pk, alice.pk, "x", "9" * 30):
        answer = browser.post(page, {"assign": nobody}, follow=True)
        assert "This moderator may not decide this case." in answer.content.decode()
    assert Report.objects.get().assigned_to is None
    browser.post(page, {"assign": moderator.pk})
    assert Report.objects.get().assigned_to == moderator


def test_players_assign_nothing_and_staff_not_their_own_case(alice, bob, moderator, colleague, browser_of):
    report(colleague, alice, "talk")
    report(bob, alice, "talk")
    assert browser_of(alice).post(case(bob), {"assign": alice.pk}).status_code == 302
    assert browser_of(colleague).post(case(colleague), {"assign": moderator.pk}).status_code == 403
    assert browser_of(moderator).post(case(colleague), {"assign": moderator.pk}).status_code == 403
    assert not Report.objects.exclude(assigned_to=None).exists()


def test_log_says_whom_a_report_is_about(alice, bob, moderator, browser_of):
    report(bob, alice, "talk")
    match = begin(alice, bob)
    talk.report(match=match, user=alice, talk=None, reason="all of it")
    browser = browser_of(moderator)
    browser.post(case(bob), {"dismiss": "yes"})
    browser.post(f"/admin/games/report/match/{match.pk}/", {"match_outcome": "nothing"})

    page = browser.get(LOG).content.decode()

    assert "see the match</a> (about bob)" in page and "all of it</a> (about alice, bob)" in page
    exported = b"".join(browser.get(f"{LOG}export/").streaming_content).decode()
    assert ",see the match,bob," in exported and ',all of it,"alice, bob",' in exported


def test_reports_of_a_match_name_its_players(alice, bob, moderator, browser_of):
    talk.report(match=begin(alice, bob), user=moderator, talk=None, reason="all of it")
    boss = get_user_model().objects.create_superuser("the-boss")
    page = browser_of(boss).get("/admin/games/report/").content.decode()
    assert f'<a href="{case(alice)}">alice</a>, <a href="{case(bob)}">bob</a>' in page


def test_log_of_settings_has_old_and_new_values(boss, browser_of):
    browser = browser_of(boss)
    form = browser.get(SETTINGS).context["adminform"].form
    sent = {
        name: value
        for name, value in form.initial.items()
        if isinstance(value, str | int) and value is not False
    }
    sent |= {
        "registration": "closed",
        "guests": "",
        "announcement_ru": "Завтра ремонт",
        "games": "draw\nblock",
    }

    answer = browser.post(SETTINGS, sent)

    assert answer.status_code == 302, answer.context["errors"]
    page = browser.get(LOG).content.decode()
    assert "Registration: open to everybody → closed" in page
    assert "Guests may play: Yes → No" in page
    assert "Announcement (ru): – → Завтра ремонт" in page
    assert "Games on quick play: – → draw, block" in page
    boss.language = "ru"
    boss.save()
    assert "Регистрация: открыта для всех → " in browser.get(LOG).content.decode()


def test_codes_keep_their_first_letter_in_messages(alice, bob, moderator, browser_of):
    match = begin(alice, bob)
    browser = browser_of(moderator)
    answer = browser.post("/admin/games/match/", {"action": "verify", "_selected_action": [match.pk]})
    page = browser.get("/admin/").content.decode() if answer.status_code == 302 else answer.content.decode()
    assert f">{match.code} is still being played.<" in page
    found = browser.get("/admin/games/match/", {"q": match.code.upper()}).context["cl"].result_list
    assert list(found) == [match], "however the code was written"
