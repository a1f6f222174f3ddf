"""What moderators see of a closed day, and what they may do."""

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.urls import reverse
from django.utils import timezone

from accounts import moderators
from events import services
from events.desk import find_twins
from events.models import DealSet, Entry
from games import repository
from games.models import SealedSecret
from tests.events.playing import be_official, close, open_today, play_rounds, start, store_house

pytestmark = pytest.mark.django_db


@pytest.fixture
def moderator(django_user_model):
    person = django_user_model.objects.create_user("judge", is_staff=True)
    person.groups.add(Group.objects.get(name=moderators.NAME))
    return person


@pytest.fixture
def operator(django_user_model):
    return django_user_model.objects.create_superuser("operator")


@pytest.fixture
def day(alice, bob, charlie):
    """Return an open day on which alice and bob have played alike, from one network."""
    deals = open_today("all-fives", rounds=4)
    store_house(deals)
    for person, seed in ((alice, 5), (bob, 5), (charlie, 6)):
        match = start(deals, person)
        services.record_network(match.code, person, "there" if person == charlie else "here")
        play_rounds(match, seed=seed)
    be_official(alice, bob, charlie)
    return deals


def test_desk_opens_after_the_close(day, moderator, alice, browser_of):
    address = reverse("admin:events_day", args=[day.pk])
    assert browser_of(moderator).get(address).status_code == 404
    assert day.name not in browser_of(moderator).get(reverse("admin:events_days")).text
    close(day)

    assert day.name in browser_of(moderator).get(reverse("admin:events_days")).text
    page = browser_of(moderator).get(address).text
    groups = page.partition("From one network")[2].partition("<h2>")[0]
    assert "alice" in groups and "bob" in groups and "charlie" not in groups
    twins = page.partition("The same decisions")[2].partition("<h2>")[0]
    assert "4 rounds, 1 :" in twins and "charlie" not in twins
    for person in (alice, None):
        assert browser_of(person).get(address).status_code == 302


def test_findings_are_stored_after_the_close_alone(day):
    assert not services.has_unjudged(timezone.now())
    close(day)
    assert services.judge_entries(timezone.now(), limit=1) == 1
    assert services.has_unjudged(timezone.now())

    alice, bob, charlie = Entry.objects.order_by("pk")
    assert bob.findings is charlie.findings is None
    assert len(alice.findings["chances"]) == 4 and all(chance <= 0 for chance in alice.findings["chances"])
    decisions, rounds, total, squares = alice.findings["peek"]
    assert decisions > rounds > 0 and squares > 0 and abs(total) < decisions
    ((one, other, equal, chance),) = find_twins([alice, bob, charlie])
    assert (one, other, equal) == (alice, bob, 4)
    assert chance == pytest.approx(sum(alice.findings["chances"]))


def test_old_days_are_not_judged(day):
    close(day)
    assert services.judge_entries(timezone.now() + timedelta(days=8), 10) == 0


def test_striking_is_logged_and_taken_back(day, moderator, bob, browser_of):
    close(day)
    entry = Entry.objects.get(user=bob)
    address = reverse("admin:events_day", args=[day.pk])
    browser = browser_of(moderator)

    browser.post(address, {"strike": entry.pk, "reason": ""})
    entry.refresh_from_db()
    assert entry.struck_at is None
    browser.post(address, {"strike": entry.pk, "reason": "alice told them"})
    entry.refresh_from_db()
    assert entry.reason == "struck"
    log = LogEntry.objects.get()
    assert (log.user, log.object_id) == (
        moderator,
        str(day.pk),
    ) and "bob: alice told them" in log.change_message
    browser.post(address, {"undo": entry.pk})
    entry.refresh_from_db()
    assert entry.reason == "" and LogEntry.objects.count() == 2


def test_nobody_sees_what_concerns_themselves_or_strikes_it(day, moderator, alice, browser_of):
    close(day)
    alice.is_staff = True
    alice.save()
    alice.groups.add(Group.objects.get(name=moderators.NAME))
    address = reverse("admin:events_day", args=[day.pk])
    own = Entry.objects.get(user=alice)

    page = browser_of(alice).get(address).text.partition("From one network")[2]
    assert own.match.code not in page and f'value="{own.pk}"' not in page
    assert "charlie" in page and "4 rounds" not in page
    assert browser_of(alice).post(address, {"strike": own.pk, "reason": "x"}).status_code == 403


def test_no_page_of_the_admin_tells_a_deal_of_an_open_day(day, operator, moderator, browser_of):
    tomorrow = services.seal_day(day.day + timedelta(days=1), timezone.now())
    codes = [entry.match.code for entry in day.entries.all()]
    value = repository.get_value(day.entries.first().match)
    secrets = [SealedSecret.objects.get(code=each.name).secret for each in (day, tomorrow)]
    secrets += [value.keys.key(number).hex() for number in range(1, 6)]
    for reader in (operator, moderator):
        browser = browser_of(reader)
        for name, arguments in (
            ("dealset_changelist", []),
            ("dealset_change", [day.pk]),
            ("dealset_change", [tomorrow.pk]),
            ("days", []),
            ("day", [day.pk]),
        ):
            page = browser.get(reverse(f"admin:events_{name}", args=arguments)).text
            assert not any(secret in page for secret in [*secrets, *codes]), name


def test_operator_cancels_and_replaces_in_the_admin(day, operator, moderator, browser_of):
    tomorrow = services.seal_day(day.day + timedelta(days=1), timezone.now())
    page = browser_of(operator).get(reverse("admin:events_dealset_change", args=[tomorrow.pk])).text
    assert "Cancel the set" in page and "Replace the set" in page
    replace = reverse("admin:events_replace", args=[tomorrow.pk])
    for answers, reader in ((403, moderator), (303, operator)):
        answer = browser_of(reader).post(replace, {"preset": "block", "seats": "3"})
        assert answer.status_code == answers
    tomorrow.refresh_from_db()
    assert (tomorrow.preset, tomorrow.seats) == ("block", 3)
    for wrong in ({"preset": "dominican", "seats": "2"}, {"preset": "none", "seats": "2"}, {}):
        browser_of(operator).post(replace, wrong)
    cancel = reverse("admin:events_cancel", args=[day.pk])
    assert browser_of(moderator).post(cancel, {"reason": "x"}).status_code == 403
    browser_of(operator).post(cancel, {"reason": "two tiles alike"})
    assert DealSet.objects.get(pk=day.pk).get_state(timezone.now()) == "cancelled"
    assert "two tiles alike" in LogEntry.objects.first().change_message
    assert (
        "Replace the set"
        not in browser_of(operator).get(reverse("admin:events_dealset_change", args=[day.pk])).text
    )
