"""The audit log: who did what to whom and why; read by staff, changed by nobody."""

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse

from games.admin.audit import get_message

pytestmark = pytest.mark.django_db
LOG = "/admin/admin/logentry/"


def write(by, about, message):
    LogEntry.objects.log_actions(by.pk, [about], CHANGE, change_message=message)


def test_log_is_filtered_by_person_and_object(alice, bob, moderator, browser_of):
    write(moderator, alice, "for stalling")
    write(moderator, bob, "for insults")
    boss = get_user_model().objects.create_superuser("the-boss")
    write(boss, bob, "for farming")
    browser = browser_of(moderator)
    kind = ContentType.objects.get_for_model(bob).pk

    def shown(query=""):
        page = browser.get(LOG + query).content.decode()
        return [reason for reason in ("stalling", "insults", "farming") if reason in page]

    assert shown() == ["stalling", "insults", "farming"]
    assert shown(f"?by={boss.pk}") == ["farming"]
    assert shown(f"?object={kind}:{bob.pk}") == ["insults", "farming"]
    assert shown("?q=stalling") == ["stalling"]


def test_log_shows_changed_fields_in_words(alice, browser_of):
    boss = get_user_model().objects.create_superuser("the-boss")
    write(boss, alice, [{"changed": {"fields": ["Announcement"]}}])
    page = browser_of(boss).get(LOG).content.decode()
    assert "Changed Announcement." in page and "changed&quot;" not in page


@pytest.mark.parametrize("action", ["change", "delete"])
def test_log_is_not_editable(action, alice, browser_of):
    boss = get_user_model().objects.create_superuser("the-boss")
    write(boss, alice, "for stalling")
    entry = LogEntry.objects.get()
    address = reverse(f"admin:admin_logentry_{action}", args=[entry.pk])
    browser_of(boss).post(address, {"change_message": "nothing", "post": "yes"})
    assert LogEntry.objects.get().change_message == "for stalling"
    assert browser_of(boss).get(f"{LOG}add/").status_code == 403


def test_export_keeps_filters_and_escapes_formulas(alice, bob, moderator, browser_of):
    write(moderator, alice, "=1+1")
    write(moderator, bob, "for insults")
    answer = browser_of(moderator).get(f"{LOG}export/?q=alice")
    text = b"".join(answer.streaming_content).decode()
    assert text.startswith("\ufefftime,"), "spreadsheets take it for UTF-8"
    lines = text.splitlines()
    assert len(lines) == 2
    assert lines[1].endswith("alice,,'=1+1")
    assert browser_of(alice).get(f"{LOG}export/").status_code == 302


def test_changed_fields_are_named_in_the_readers_language(alice, browser_of):
    boss = get_user_model().objects.create_superuser("the-boss", language="ru")
    write(boss, alice, [{"changed": {"fields": ["Registration"]}}])
    page = browser_of(boss).get(LOG).content.decode()
    assert "Изменено Регистрация" in page and "Registration" not in page


@pytest.mark.parametrize("message", ["[1] spam", "1"])
def test_reason_of_numbers_is_shown_as_it_is(message):
    assert get_message(LogEntry(change_message=message)) == message


def test_filters_are_titled_by_their_field(browser_of):
    boss = get_user_model().objects.create_superuser("the-boss")
    assert "<summary>Guest</summary>" in browser_of(boss).get("/admin/accounts/user/").content.decode()
