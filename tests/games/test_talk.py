"""Table talk of players and spectators, reports, and refusals."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Report, Talk
from games.table.snapshot_cache import get_snapshot_view
from tests.games.playing import begin, play_and_resign

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice, bob):
    return begin(alice, bob)


def say(browser, match, text: str):
    return browser.post(f"/games/{match.code}/say", {"text": text}, headers={"HX-Request": "true"})


def page(browser, match) -> str:
    return browser.get(f"/games/{match.code}/").content.decode()


def test_players_and_spectators_have_separate_rooms(alice, bob, charlie, match, browser_of):
    say(browser_of(alice), match, "well played")
    say(browser_of(charlie), match, "did you see that")

    assert "well played" in page(browser_of(bob), match)
    assert "well played" not in page(browser_of(charlie), match)
    assert "did you see that" not in page(browser_of(bob), match)
    assert "did you see that" in page(browser_of(), match)


def test_talk_keeps_version(alice, match, browser_of):
    say(browser_of(alice), match, "hello")
    match.refresh_from_db()

    assert match.version == 0


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\u0007b\n\n  c", "ab c"),
        ("a" + "\u0335\u0336\u0337" * 20, "a\u0335\u0336"),
        ("\u0e01" + "\u0e47" * 40 + "!", "\u0e01" + "\u0e47" * 4 + "!"),
        ("\u0938\u094d\u0924\u094d\u0930\u0940", "\u0938\u094d\u0924\u094d\u0930\u0940"),
        ("hi\u3164\u2800there", "hi there"),
        ("x" * 500, "x" * 140),
    ],
)
def test_markup_and_control_characters_are_harmless(alice, bob, match, browser_of, said, shown):
    say(browser_of(alice), match, said)

    text = page(browser_of(bob), match)
    assert shown in text
    assert "\u202e" not in text and "<script>alert" not in text and "x" * 141 not in text


@pytest.mark.parametrize("said", ["", "   ", "\u200f\u202e"])
def test_empty_line_is_refused(alice, match, browser_of, said):
    assert say(browser_of(alice), match, said).status_code == 422
    assert not Talk.objects.exists()


def test_too_many_lines_are_refused(alice, match, browser_of):
    browser = browser_of(alice)
    answers = [say(browser, match, f"line {n}").status_code for n in range(8)]

    assert answers == [200] * 5 + [422] * 3
    assert Talk.objects.count() == 5


def test_muted_user_is_refused(alice, match, browser_of):
    alice.muted_until = timezone.now() + timedelta(hours=1)
    alice.save()

    answer = say(browser_of(alice), match, "hello")

    assert answer.status_code == 422
    assert not Talk.objects.exists()


def test_anonymous_user_is_asked_for_a_name(match, browser_of):
    assert say(browser_of(), match, "hello").status_code == 422
    assert not Talk.objects.exists()
    link = f'<a href="/accounts/login/\\?next=/games/{match.code}/">\\n *Log in or play as a guest to talk'
    assert re.search(link, page(browser_of(), match))


def test_line_is_reported_once(alice, bob, match, browser_of):
    say(browser_of(alice), match, "something rude")
    line = Talk.objects.get()

    def report(browser, **fields):
        return browser.post(f"/games/{match.code}/report", fields, headers={"HX-Request": "true"}).status_code

    assert report(browser_of(bob), talk=line.pk, reason="rude") == 200
    assert report(browser_of(bob), talk=line.pk, reason="rude again") == 422
    assert report(browser_of(bob), talk=line.pk, reason=" ") == 422
    assert report(browser_of(), talk=line.pk, reason="rude") == 422
    assert Report.objects.filter(talk=line).count() == 1


def test_report_without_line_is_about_the_match(bob, match, browser_of):
    answer = browser_of(bob).post(
        f"/games/{match.code}/report", {"talk": "9" * 40, "reason": "rude"}, headers={"HX-Request": "true"}
    )

    assert answer.status_code == 200
    assert [(report.match, report.talk) for report in Report.objects.all()] == [(match, None)]


def test_own_line_offers_no_report(alice, bob, match, browser_of):
    say(browser_of(alice), match, "my own words")
    line = Talk.objects.get()

    assert 'id="report-box"' not in page(browser_of(alice), match)
    say(browser_of(bob), match, "an answer")
    shown = page(browser_of(alice), match)
    assert 'id="report-box"' in shown
    assert f'<option value="{line.pk}">' not in shown
    assert f'<option value="{line.pk}">' in page(browser_of(bob), match)


def test_line_of_another_match_cannot_be_reported(alice, bob, charlie, match, browser_of):
    other = begin(alice, charlie)
    say(browser_of(alice), other, "elsewhere")

    answer = browser_of(bob).post(
        f"/games/{match.code}/report", {"talk": Talk.objects.get().pk, "reason": "x"}
    )

    assert answer.status_code == 404
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    "blank",
    [
        "\u3164",
        "\u2800\u2800",
        "\u115f\u1160\uffa0",
        "\U0001d159",
        "\u200b",
        "\u0301\u0301",
        " \u3164 \u202e",
    ],
)
def test_invisible_line_is_refused(alice, match, browser_of, blank):
    assert say(browser_of(alice), match, blank).status_code == 422
    assert not Talk.objects.exists()


def test_report_is_confirmed(alice, match, browser_of):
    address, fields = f"/games/{match.code}/report", {"reason": "stalling"}

    answer = browser_of(alice).post(address, fields, headers={"Accept": "application/json"})
    assert (answer.status_code, set(answer.json())) == (200, {"message"})
    shown = browser_of(alice).post(address, fields, headers={"HX-Request": "true"}).content.decode()
    assert 'id="refusal" role="status"' in shown


@pytest.mark.parametrize("form", ["move", "absent", "continue", "say", "report"])
def test_form_without_scripts_redirects_with_303(alice, match, browser_of, form):
    answer = browser_of(alice).post(f"/games/{match.code}/{form}", {"text": "hi", "reason": "spam"})

    assert (answer.status_code, answer.url) == (303, f"/games/{match.code}/")


def test_muted_user_sees_no_form(alice, match, browser_of):
    assert "data-reply" in page(browser_of(alice), match)
    alice.muted_until = timezone.now() + timedelta(days=2)
    alice.save()

    text = page(browser_of(alice), match)
    assert "A moderator has muted you: you cannot talk until" in text
    assert 'id="say"' not in text and "data-reply" not in text


def test_quick_replies_change_when_match_ends(alice, bob, match):
    before = get_snapshot_view(match.code, version=0, since=0.0).page_state_for(alice)
    over = play_and_resign(match)
    frame = (
        get_snapshot_view(match.code, version=over.version, since=0.0).page_state_for(alice).diff_from(before)
    )
    assert "Good luck" in before.full_html() and "Well played" not in before.full_html()
    assert 'value="Well played"' in frame


def test_quick_reply_is_sent_by_button(alice, bob, match, browser_of):
    assert 'value="Good luck"' in page(browser_of(alice), match)
    say(browser_of(alice), match, "Good luck")
    assert "<bdi>Good luck</bdi>" in page(browser_of(bob), match)
