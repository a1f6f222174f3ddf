"""Export and deletion cover every column that refers to a person or stores an address, found by walking all models."""

import json
import re
from dataclasses import replace
from typing import NamedTuple

import pytest
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts import conduct, personal, relations
from accounts.models import KnownBrowser, Rating, RatingChange, Sanction, User
from api.scopes import Scope
from api.tokens import make as make_token
from events.models import DealSet, Entry
from games.models import ConditionalMove, Match, Report, SeatAddress, Vacation
from games.services import talk
from lobbies import services as tables
from lobbies.models import ClubNight, NightFollower, NoShow, Sitting, Table
from nights import services as nights
from nights.models import Night
from nights.open_models import Follower
from notifications.models import Choices, Notice, Subscription
from operators.models import Invitation
from study.models import Analysis, Puzzle, PuzzleRun, PuzzleTry
from tests.games.playing import begin, play_and_resign
from tests.lobbies.tables import game, make

pytestmark = pytest.mark.django_db
NAME, MAIL, FIRST_NAME = "xenia-marker", "xenia.marker@example.org", "Xenia-Marker"
ADDRESS, BROWSER, NONCE = "fd00::beef", "Netscape-marker", "nonce-marker"
MARKERS = ("marker", ADDRESS)
NAMED_LIKE_AN_ADDRESS = re.compile(r"(^|_)(address|addresses|ip|e?mail|user_agent)($|_)")


class Column(NamedTuple):
    """How export and deletion treat a column.

    export  path in the export, or the reason why it is left out
    after   "gone": its rows are deleted; "empty": the column is; "anonymous": it refers to the anonymous row
    """

    export: str
    after: str


OTHERS = "not exported: about somebody else, or said in confidence by somebody else"
COLUMNS = {
    "account.EmailAddress.user": Column("addresses", "gone"),
    "account.EmailAddress.email": Column("addresses", "gone"),
    "account.EmailConfirmation.email_address": Column("not exported: the key of a mail", "gone"),
    "accounts.KnownBrowser.user": Column("known_browsers", "gone"),
    "accounts.Note.by": Column(OTHERS, "anonymous"),
    "accounts.Note.person": Column(OTHERS, "anonymous"),
    "accounts.Rating.user": Column("ratings", "anonymous"),
    "accounts.RatingChange.exempt_beside": Column(OTHERS, "anonymous"),
    "accounts.Relation.other": Column(OTHERS, "gone"),
    "accounts.Relation.person": Column("relations", "gone"),
    "accounts.Sanction.by": Column(OTHERS, "anonymous"),
    "accounts.Sanction.person": Column("sanctions", "anonymous"),
    "accounts.User.email": Column("email", "empty"),
    "accounts.User.groups": Column("groups", "gone"),
    "accounts.User.user_permissions": Column("permissions", "gone"),
    "accounts.User_groups.user": Column("groups", "gone"),
    "accounts.User_user_permissions.user": Column("permissions", "gone"),
    "admin.LogEntry.user": Column(OTHERS, "anonymous"),
    "api.Token.user": Column("tokens.tokens", "gone"),
    "events.Entry.user": Column("events.entries", "anonymous"),
    "games.ConditionalMove.user": Column("games.conditional_moves", "gone"),
    "games.Report.assigned_to": Column(OTHERS, "anonymous"),
    "games.Report.handled_by": Column(OTHERS, "anonymous"),
    "games.Report.person": Column(OTHERS, "anonymous"),
    "games.Report.reporter": Column("games.reports", "anonymous"),
    "games.Seat.user": Column("games.matches", "anonymous"),
    "games.SeatAddress.user": Column("games.addresses", "gone"),
    "games.SeatAddress.address": Column("games.addresses", "gone"),
    "games.Talk.user": Column("games.talk", "anonymous"),
    "games.Vacation.user": Column("games.vacations", "gone"),
    "lobbies.NightFollower.user": Column("lobbies.club_nights", "gone"),
    "lobbies.NoShow.other": Column(OTHERS, "gone"),
    "lobbies.NoShow.user": Column("lobbies.not_begun", "gone"),
    "lobbies.Sitting.user": Column("lobbies.seats", "anonymous"),
    "lobbies.Table.host": Column("lobbies.tables", "anonymous"),
    "lobbies.Table.kept_for": Column("lobbies.challenges", "empty"),
    "mfa.Authenticator.user": Column("second_factors", "gone"),
    "nights.Act.user": Column("nights.acts", "anonymous"),
    "nights.ClubPerson.user": Column("nights.club_people", "empty"),
    "nights.Entry.user": Column("nights.entries", "empty"),
    "nights.Follower.user": Column("nights.followed", "gone"),
    "nights.Membership.user": Column("nights.clubs", "gone"),
    "nights.Night.host": Column("nights.hosted", "anonymous"),
    "nights.Night_directors.user": Column("nights.directed", "gone"),
    "nights.SentResult.director": Column("nights.results", "anonymous"),
    "notifications.Choices.user": Column("notifications.choices", "gone"),
    "notifications.Notice.user": Column("notifications.notices", "gone"),
    "notifications.Subscription.user": Column("notifications.subscriptions", "gone"),
    "operators.Invitation.by": Column(OTHERS, "anonymous"),
    "study.Analysis.asked_by": Column("study.analyses", "empty"),
    "study.PuzzleRun.user": Column("study.puzzle_runs", "gone"),
    "study.PuzzleTry.user": Column("study.puzzles", "gone"),
    "usersessions.UserSession.ip": Column("devices", "gone"),
    "usersessions.UserSession.user": Column("devices", "gone"),
    "usersessions.UserSession.user_agent": Column("devices", "gone"),
}
# Columns of a person's row that the export leaves out.
NOT_EXPORTED = {"id", "password", "look", "is_active", "deleted_at", "username", "first_name", "last_name"}


def personal_columns():
    """Return the label of every column that refers to a person or is named like an address."""
    found = set()
    for model in apps.get_models(include_auto_created=True):
        if model._meta.proxy:  # its columns are those of its model
            continue
        fields = [*model._meta.concrete_fields, *model._meta.many_to_many]
        for field in fields:
            to_person = field.related_model is User and not field.many_to_many
            of_person = model is User and field.many_to_many
            if to_person or of_person or NAMED_LIKE_AN_ADDRESS.search(field.name):
                found.add(f"{model._meta.label}.{field.name}")
    return found


def _run_night(person, other):
    """Let the person make a night with a result, direct another person's, and take part in both."""
    now = timezone.now()
    club = nights.make_club(person, nights.ClubPlan("Friday club", "en"), now)
    plan = nights.NightPlan("Friday", "singles", "wood", "block", now, "UTC", club=club)
    night = nights.make(person, plan, now)
    nights.add_oneself(night, NAME, person, now)
    nights.add_names(night, person, 1, "Ana", now)
    nights.draw(night, person, 2, now)
    nights.enter(night, 1, 1, 0, (20, 10), nights.Sender(director=person), now)
    elsewhere = nights.make(other, replace(plan, club=None), now)
    nights.add_names(elsewhere, other, 0, f"Ana\n{NAME}", now)
    nights.claim_entry(elsewhere.entries.get(number=2), person, now)
    nights.name_director(elsewhere, other, 2, person, now)


@pytest.fixture
def xenia(alice, bob, charlie, client):
    """Return a person with a row in every column of `COLUMNS`."""
    person = User.objects.create_user(NAME, email=MAIL, password="xenia's bones", first_name=FIRST_NAME)
    address = EmailAddress.objects.create(user=person, email=MAIL, primary=True, verified=True)
    EmailConfirmation.create(address).save()
    TOTP.activate(person, "JBSWY3DPEHPK3PXP")
    client.post("/accounts/login/", {"login": "bob", "password": "bob's bones"})
    client.force_login(person)
    session = client.session
    session["greeting"] = NAME
    session.save()
    UserSession.objects.filter(user=person).delete()
    UserSession.objects.create(
        user=person, ip=ADDRESS, user_agent=BROWSER, session_key=session.session_key, data={}
    )
    KnownBrowser.objects.create(user=person, key="a" * 64, seen_at=timezone.now())
    person.groups.add(Group.objects.get(name="Moderators"))
    person.user_permissions.add(Permission.objects.first())

    relations.set_relation(person, bob, "follow", True)
    relations.set_relation(bob, person, "follow", True)
    for who, by in ((person, bob), (bob, person)):
        sanction = conduct.impose(who, "warning", by=by, reason="Slow.")
        log(by, sanction)
        conduct.note(who, by, "slow")
        report = talk.report_person(person=who, user=by, category="stalling", text="", match=None)
        talk.assign(Report.objects.filter(pk=report.pk), by)
        talk.close_reports(Report.objects.filter(pk=report.pk), by, Report.Outcome.NOTHING)
        log(by, who)
        log(by, report)
    log(bob, address)

    _run_night(person, bob)
    match = play_and_resign(begin(person, bob, rated=True))
    talk.say(match=match, user=person, seat=match.seats.get(user=person), text="good game")
    running = begin(bob, person, seed="running")
    ConditionalMove.objects.create(match=running, user=person, move="6-4@L")
    SeatAddress.objects.create(code=match.code, user=person, address=ADDRESS)
    RatingChange.objects.filter(rating__user=bob).update(exempt_beside=person)
    Analysis.objects.create(match=match, asked_by=person)
    puzzle = Puzzle.objects.create(match=match, number=1, tried=[])
    PuzzleTry.objects.create(puzzle=puzzle, user=person, move="pass", solved=False, before=1500, after=1490)

    PuzzleRun.objects.create(user=person, began_at=timezone.now())
    now = timezone.now()
    past = {"sealed_at": now, "opens_at": now, "closes_at": now, "closed_at": now}
    deals = DealSet.objects.create(name="past", preset="block", rules={}, seats=2, level="strong", **past)
    Entry.objects.create(deals=deals, user=person, match=match, standing="official", started_at=now)
    Invitation.objects.create(by=person)
    Vacation.objects.create(user=person, began_at=now, ends_at=now)
    NightFollower.objects.create(user=person, night=ClubNight.objects.create(weekday=1, hour=1))
    Follower.objects.create(user=person, night=Night.objects.filter(format="open").first())
    Choices.objects.create(user=person)
    make_token(person, "marker", [Scope.READ], None)
    Subscription.objects.create(user=person, endpoint="https://push.example.com/marker", device="marker")
    Notice.objects.create(user=person, kind="turn", key="match:1", target="/", created_at=now, due_at=now)
    make(person)
    tables.sit(make(bob, seats=3), person)
    tables.challenge(charlie, person, game())
    Sitting.objects.filter(user=person).update(nonce=NONCE)
    for absent, waiting in ((person, bob), (bob, person)):
        NoShow.objects.create(user=absent, other=waiting, table="notbegun00", at=now, closed_until=now)
    return person


def log(by, about):
    LogEntry.objects.create(
        user=by,
        content_type=ContentType.objects.get_for_model(about),
        object_id=str(about.pk),
        object_repr=str(about)[:200],
        action_flag=CHANGE,
        change_message="x",
    )


def rows_of(label, person):
    """Return the rows of a column that concern the person."""
    app_model, _, name = label.rpartition(".")
    model = apps.get_model(app_model)
    if model is User:
        return User.objects.filter(pk=person.pk).exclude(**{name: "" if name == "email" else None})
    if model is EmailConfirmation:
        return model.objects.filter(email_address__user=person)
    field = model._meta.get_field(name)
    if field.related_model is User:
        return model.objects.filter(**{name: person})
    rows = model.objects.filter(user=person)
    return rows if name == "ip" else rows.exclude(**{name: ""})


def everything():
    """Yield (table, row) of every table of the database, as text."""
    for model in apps.get_models(include_auto_created=True):
        for row in model._default_manager.values():
            yield model._meta.label, json.dumps(row, default=str)
    for session in Session.objects.all():
        yield "sessions.Session", json.dumps(session.get_decoded())


def test_every_personal_column_is_known():
    assert personal_columns() == set(COLUMNS)


def test_export_takes_in_every_column(xenia):
    exported = personal.export_data(xenia)
    for label, column in COLUMNS.items():
        assert rows_of(label, xenia).exists(), f"the fixture stores no row of {label}"
        if not column.export.startswith("not exported"):
            data = exported
            for part in column.export.split("."):
                data = data[part]
            assert data, label


def test_export_has_every_column_of_the_person(xenia):
    data = json.dumps(personal.export_data(xenia), default=str)
    assert MAIL in data and ADDRESS in data and BROWSER in data and NONCE in data
    exported = personal.export_data(xenia)
    names = set(exported) | set(exported["preferences"])
    columns = {field.name for field in User._meta.concrete_fields} - NOT_EXPORTED
    renamed = {"is_guest": "guest", "date_joined": "joined", "is_staff": "staff", "is_superuser": "superuser"}
    renamed |= {"seen_at": "last_seen", "is_bot": "bot"}
    assert {renamed.get(name, name) for name in columns} <= names


def test_deletion_takes_in_every_column(xenia):
    personal.delete(xenia)
    for label, column in COLUMNS.items():
        left = rows_of(label, xenia)
        if column.after != "anonymous":
            assert not left.exists(), label
    nobody = User.objects.get(pk=xenia.pk)
    assert nobody.deleted_at and nobody.username.startswith("deleted-")
    assert Rating.objects.filter(user=nobody).exists(), "other people's ratings rest on it"
    assert Sanction.objects.filter(person=nobody).exists()


def test_deletion_leaves_no_trace_in_any_table(xenia):
    assert any("marker" in row for _, row in everything())
    personal.delete(xenia)
    traces = [(table, row) for table, row in everything() if any(word in row.lower() for word in MARKERS)]
    assert not traces


def test_tables_of_a_deleted_host_close(alice, bob):
    table = make(alice)
    full = make(alice, seats=3)
    tables.sit(full, bob)
    personal.delete(alice)
    for each in (table, full):
        each.refresh_from_db()
        assert each.status == Table.Status.CLOSED


def test_open_table_of_an_absent_host_closes(alice, bob, browser_of):
    table = make(alice, seats=3)
    tables.sit(table, bob)
    Sitting.objects.filter(user=alice).delete()
    personal.delete(alice)
    table.refresh_from_db()
    assert table.status == Table.Status.CLOSED
    assert f"deleted-{alice.pk}" not in browser_of(bob).get("/").content.decode()


def test_running_match_ends_when_the_account_goes(xenia, bob):
    personal.delete(xenia)
    assert not Match.objects.filter(status=Match.Status.PLAYING).exists()
