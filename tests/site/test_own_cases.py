"""No moderator judges in their own case: every page and action of the admin, found by walking its registry."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.db.models import Model
from django.test import RequestFactory
from django.urls import URLPattern, reverse
from django.utils import timezone

from accounts import conduct, moderators
from accounts.models import Note, Rating, RatingChange, Sanction
from games import services
from games.admin.desk import ReportAdmin
from games.models import Match, Report, Talk
from games.past.own_cases import CONFLICT_PERIOD
from games.services import rerating, talk
from tests.games.playing import begin, play_and_resign

pytestmark = pytest.mark.django_db
User = get_user_model()
SECRET = "accusation-that-only-others-read"
MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)
# Of people and ratings, moderators see what everybody sees; the libraries' and the tables' pages decide no case.
NOT_JUDGED = {
    "account.EmailAddress",
    "auth.Group",
    "events.DealSet",
    "events.ProgrammeDay",
    "games.Rerating",
    "lobbies.SiteGame",
    "lobbies.Table",
    "mfa.Authenticator",
    "nights.Club",
    "nights.Night",
    "nights.OpenNight",
    "operators.Invitation",
    "operators.MailText",
    "operators.News",
    "operators.SharedNetwork",
    "operators.Page",
    "operators.ReasonTemplate",
    "operators.SiteSettings",
    "usersessions.UserSession",
}
DEFAULT_PAGES = {"changelist", "add", "history", "delete", "change", "password_change"}
# What an action's confirmation may ask for.
FIELDS = {"sure": "yes", "reason": "envy", "hours": "24", "appeal": ""}


@pytest.fixture(params=["moderator", "superuser"])
def judge(request, db):
    if request.param == "superuser":
        return User.objects.create_superuser("judge", email="judge@example.org")
    person = User.objects.create_user("judge", is_staff=True)
    person.groups.add(Group.objects.get(name=moderators.NAME))
    return person


@pytest.fixture
def own_case(judge, alice, bob, charlie):
    """Store rows of every kind that concern the judge: matches with bob, talk, reports, sanctions, notes, the log."""
    User.objects.create_user("another-moderator", is_staff=True)
    lost = play_and_resign(begin(judge, bob, rated=True))
    annulled = play_and_resign(begin(bob, judge, rated=True, seed="another"))
    rerating.annul(annulled)
    running = begin(judge, bob, seed="third")
    lines = [talk.say(match=lost, user=who, seat=lost.seats.get(user=who), text="hm") for who in (judge, bob)]
    about = [{"person": judge}, {"talk": lines[0]}, {"talk": lines[1]}, {"match": running}]
    about += [{"person": bob, "match": lost}, {"person": bob, "reporter": judge}]
    for fields in about:
        Report.objects.create(**({"reporter": charlie, "reason": SECRET, "category": "rating"} | fields))
    closed = Report.objects.create(person=judge, reporter=charlie, reason=SECRET)
    talk.close_reports(Report.objects.filter(pk=closed.pk), alice, Report.Outcome.NOTHING)
    for person in (judge, bob):
        conduct.impose(person, "unrated", by=alice, reason="x", until=timezone.now() + timedelta(days=1))
        conduct.note(person, alice, SECRET if person == judge else "a note")
    logged = [judge, lost, lines[0], closed, judge.sanctions.get(), judge.notes.get()]
    for row in logged:
        LogEntry.objects.log_actions(alice.pk, [row], CHANGE, change_message=SECRET)
    return [lost, annulled, running]


def snapshot():
    """Return all rows, apart from sessions and from when a person was seen."""
    rows = {}
    for model in apps.get_models(include_auto_created=True):
        if model is Session or model._meta.app_label == "usersessions":
            continue
        seen = [dict(row) for row in model._default_manager.order_by("pk").values()]
        for row in seen:
            row.pop("seen_at", None)
        rows[model._meta.label] = seen
    return rows


def request_of(person):
    request = RequestFactory().get("/admin/")
    request.user = person
    return request


def custom_pages():
    """Return (model, name) of the pages that are not Django's own."""
    names = set()
    for model, model_admin in admin.site._registry.items():
        own = f"{model._meta.app_label}_{model._meta.model_name}_"
        for page in model_admin.get_urls():
            name = getattr(page, "name", None)
            if isinstance(page, URLPattern) and name and name.removeprefix(own) not in DEFAULT_PAGES:
                names.add(name)
    return names - {"auth_user_password_change"}


def case(person):
    return reverse("admin:games_case", args=[person.pk])


def case_posts(person, matches):
    """Return one POST of a case page for each of its actions."""
    line = Talk.objects.get(user=person)
    values = {
        "since": "2020-01-01",
        "restore": "all",
        "assign": "",
        "undo": person.sanctions.get().pk,
        "note": "nothing to see",
        "note_out": person.notes.get().pk,
        "reopen": Report.objects.exclude(handled_at=None).get().pk,
        "name": "",
        "dismiss": "yes",
        "hide": line.pk,
        "show": line.pk,
    } | dict.fromkeys(["warning", "mute", "unrated", "ban"], "yes")
    assert set(values) == set(ReportAdmin._actions)
    posts = [{name: value, "sure": "yes"} | FIELDS for name, value in values.items()]
    return posts + [{"restore": match.code} for match in matches]


def test_match_case_leaves_own_match_alone(judge, own_case, browser_of):
    browser = browser_of(judge)
    browser.get("/admin/")
    before = snapshot()
    for match in own_case:
        address = reverse("admin:games_match_case", args=[match.pk])
        assert browser.get(address).status_code == 403
        for name in ReportAdmin._match_actions:
            assert browser.post(address, {name: "acted", "why": "envy"}).status_code == 403
    assert snapshot() == before


def test_rows_of_every_judged_model_are_tried(own_case):
    judged: set[type[Model]] = {LogEntry, Match, Rating, RatingChange, Report, Sanction, Talk, User}
    assert {model for model in MODELS if model._meta.label not in NOT_JUDGED} == judged
    assert all(model._default_manager.exists() for model in judged)
    assert custom_pages() == {
        "accounts_user_sharing",
        "admin_logentry_export",
        "events_cancel",  # of sets of deals, by operators
        "events_day",  # tests/events/test_desk.py
        "events_days",
        "events_replace",
        "games_case",
        "games_cases",
        "games_match_case",
        "lobbies_sitegame_compose",
        "lobbies_sitegame_import",
    }


def test_actions_leave_own_case_alone(judge, own_case, browser_of):
    browser = browser_of(judge)
    browser.get("/admin/")
    before = snapshot()
    for model in MODELS:
        listing = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        concerned = model._default_manager.all()
        if model is User:
            concerned = User.objects.filter(username__in=["judge", "bob"])
        keys = list(concerned.values_list("pk", flat=True))
        for action in admin.site._registry[model].get_actions(request_of(judge)):
            answer = browser.post(listing, {"action": action, "_selected_action": keys} | FIELDS, follow=True)
            if (model, action) == (Match, "export"):
                assert answer.headers["Content-Disposition"]
                LogEntry.objects.filter(user=judge, change_message__startswith="exported: ").delete()
            assert snapshot() == before, (model, action)
    assert not LogEntry.objects.filter(user=judge).exists()


@pytest.mark.parametrize("whose", ["own", "opponent"])
def test_case_page_leaves_own_case_alone(whose, judge, bob, own_case, browser_of):
    browser = browser_of(judge)
    person = judge if whose == "own" else bob
    browser.get(case(person))
    before = snapshot()
    for fields in case_posts(person, own_case):
        assert browser.post(case(person), fields).status_code == 403, fields
        assert snapshot() == before, fields


def test_pages_hide_own_case(judge, charlie, own_case, browser_of):
    browser = browser_of(judge)
    assert browser.get(case(judge)).status_code == 403
    addresses = [
        "/admin/",
        "/admin/games/report/cases/",
        "/",
        case(charlie),
        case(own_case[0].seats.exclude(user=judge).get().user),
    ]
    export = browser.get("/admin/admin/logentry/export/")
    assert SECRET not in b"".join(export.streaming_content).decode()
    for model in MODELS:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        addresses.append(reverse(f"{name}_changelist"))
        for key in model._default_manager.values_list("pk", flat=True):
            addresses += [reverse(f"{name}_{page}", args=[key]) for page in ("change", "history", "delete")]
    for address in addresses:
        page = browser.get(address, follow=True)
        assert SECRET not in page.content.decode(), address
    reports = browser.get("/admin/games/report/").content.decode()
    assert charlie.username not in reports
    assert browser.get(reverse("admin:accounts_user_history", args=[judge.pk])).status_code == 403


def test_overview_counts_reports_of_others_only(judge, own_case, bob, charlie, browser_of):
    Report.objects.create(person=charlie, reporter=bob, reason="another case", category="talk")
    counts = {what: count for what, count, _ in browser_of(judge).get("/admin/").context["counts"]}
    assert counts["Open reports"] == 1


def test_since_with_own_match_annuls_nothing(judge, bob, charlie, own_case, browser_of):
    other = play_and_resign(begin(bob, charlie, rated=True, seed="fourth"))
    long_ago = timezone.now() - CONFLICT_PERIOD - timedelta(days=1)
    Match.objects.filter(seats__user=judge).update(ended_at=long_ago, status=Match.Status.FINISHED)
    browser = browser_of(judge)
    browser.post(case(bob), {"since": "2020-01-01", "sure": "yes"})
    other.refresh_from_db()
    assert other.annulled_at is None
    browser.post(case(bob), {"since": timezone.now().date().isoformat(), "sure": "yes"})
    other.refresh_from_db()
    assert other.annulled_at is not None
    browser.post(case(bob), {"restore": "all"})
    assert Match.objects.filter(annulled_at=None).count() == 2


def test_other_cases_can_be_decided(judge, bob, alice, own_case, browser_of):
    line = {"action": "ban", "_selected_action": [alice.pk]} | FIELDS
    browser_of(judge).post("/admin/accounts/user/", line)
    alice.refresh_from_db()
    assert alice.banned
    assert Note.objects.filter(person=bob).exists()


def test_opponent_is_left_to_another_moderator(judge, bob, charlie, own_case, browser_of):
    elsewhere = play_and_resign(begin(bob, charlie, rated=True, seed="fourth"))
    annulled = play_and_resign(begin(bob, charlie, rated=True, seed="fifth"))
    rerating.annul(annulled)
    running = begin(bob, charlie, seed="sixth")
    report = Report.objects.create(person=bob, reporter=charlie, category="collusion")
    closed = Report.objects.create(person=bob, reporter=charlie, category="talk")
    talk.close_reports(Report.objects.filter(pk=closed.pk), charlie, Report.Outcome.NOTHING)
    browser = browser_of(judge)
    browser.get("/admin/")
    before = snapshot()
    for action in ("close", "close_without", "close_and_hide", "reopen"):
        chosen = {"action": action, "_selected_action": [report.pk, closed.pk]}
        page = browser.post("/admin/games/report/", chosen, follow=True)
        assert "another moderator must decide" in page.content.decode(), action
    for action in ("annul", "restore"):
        chosen = {**FIELDS, "action": action, "_selected_action": [elsewhere.pk, annulled.pk]}
        page = browser.post("/admin/games/match/", chosen, follow=True)
        assert "another moderator must decide" in page.content.decode()
    for fields in ({"void": "yes", "why": "envy"}, {"match_outcome": "acted"}):
        address = reverse("admin:games_match_case", args=[running.pk])
        assert browser.post(address, fields).status_code == 403
    assert snapshot() == before


def test_casual_match_with_moderators_protects_nobody(judge, bob, browser_of):
    User.objects.create_user("another-moderator", is_staff=True)
    play_and_resign(begin(judge, bob))
    assert moderators.may_decide(judge, bob)
    play_and_resign(begin(judge, bob, rated=True, seed="another"))
    assert not moderators.may_decide(judge, bob)


def test_match_called_off_with_moderators_protects_nobody(judge, bob):
    User.objects.create_user("another-moderator", is_staff=True)
    match = begin(judge, bob, rated=True)
    assert not moderators.may_decide(judge, bob)
    services.void(match)
    assert moderators.may_decide(judge, bob)


def test_only_moderator_decides_about_opponents(judge, bob):
    play_and_resign(begin(judge, bob, rated=True))
    assert moderators.may_decide(judge, bob)
    assert not moderators.may_decide(judge, judge)
