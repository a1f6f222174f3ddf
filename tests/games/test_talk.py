"""Table talk, apart for players and spectators; reports; and what is refused."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Report, Talk
from games.table.snapshot_cache import reading
from tests.games.playing import begin, play_and_resign

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice, bob):
    return begin(alice, bob)


def say(browser, match, text: str):
    return browser.post(f"/games/{match.code}/say", {"text": text}, headers={"HX-Request": "true"})


def page(browser, match) -> str:
    return browser.get(f"/games/{match.code}/").content.decode()


def test_players_and_spectators_talk_apart(alice, bob, charlie, match, browser_of):
    say(browser_of(alice), match, "well played")
    say(browser_of(charlie), match, "did you see that")

    assert "well played" in page(browser_of(bob), match)
    assert "well played" not in page(browser_of(charlie), match)
    assert "did you see that" not in page(browser_of(bob), match)
    assert "did you see that" in page(browser_of(), match)


def test_talk_does_not_touch_the_version(alice, match, browser_of):
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
def test_tricks_are_shown_harmlessly(alice, bob, match, browser_of, said, shown):
    say(browser_of(alice), match, said)

    text = page(browser_of(bob), match)
    assert shown in text
    assert "\u202e" not in text and "<script>alert" not in text and "x" * 141 not in text


@pytest.mark.parametrize("said", ["", "   ", "\u200f\u202e"])
def test_nothing_is_not_said(alice, match, browser_of, said):
    assert say(browser_of(alice), match, said).status_code == 422
    assert not Talk.objects.exists()


def test_a_flood_is_stopped(alice, match, browser_of):
    browser = browser_of(alice)
    answers = [say(browser, match, f"line {n}").status_code for n in range(8)]

    assert answers == [200] * 5 + [422] * 3
    assert Talk.objects.count() == 5


def test_who_is_muted_says_nothing(alice, match, browser_of):
    alice.muted_until = timezone.now() + timedelta(hours=1)
    alice.save()

    answer = say(browser_of(alice), match, "hello")

    assert answer.status_code == 422
    assert not Talk.objects.exists()


def test_strangers_are_asked_for_a_name(match, browser_of):
    assert say(browser_of(), match, "hello").status_code == 422
    assert not Talk.objects.exists()


def test_a_line_is_reported_once(alice, bob, match, browser_of):
    say(browser_of(alice), match, "something rude")
    line = Talk.objects.get()

    def report(browser, **fields):
        return browser.post(f"/games/{match.code}/report", fields, headers={"HX-Request": "true"}).status_code

    assert report(browser_of(bob), talk=line.pk, reason="rude") == 200
    assert report(browser_of(bob), talk=line.pk, reason="rude again") == 422
    assert report(browser_of(bob), talk=line.pk, reason=" ") == 422
    assert report(browser_of(), talk=line.pk, reason="rude") == 422
    assert Report.objects.filter(talk=line).count() == 1


def test_a_report_of_no_line_in_particular_is_of_the_match(bob, match, browser_of):
    answer = browser_of(bob).post(
        f"/games/{match.code}/report", {"talk": "9" * 40, "reason": "rude"}, headers={"HX-Request": "true"}
    )

    assert answer.status_code == 200
    assert [(report.match, report.talk) for report in Report.objects.all()] == [(match, None)]


def test_a_line_of_another_match_cannot_be_reported_here(alice, bob, charlie, match, browser_of):
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
def test_a_line_in_which_there_is_nothing_to_see_is_not_said(alice, match, browser_of, blank):
    assert say(browser_of(alice), match, blank).status_code == 422
    assert not Talk.objects.exists()


def test_a_report_that_arrived_is_no_error(alice, match, browser_of):
    address, fields = f"/games/{match.code}/report", {"reason": "stalling"}

    answer = browser_of(alice).post(address, fields, headers={"Accept": "application/json"})
    assert (answer.status_code, set(answer.json())) == (200, {"message"})
    shown = browser_of(alice).post(address, fields, headers={"HX-Request": "true"}).content.decode()
    assert 'id="refusal" role="status"' in shown


@pytest.mark.parametrize("form", ["move", "absent", "continue", "say", "report"])
def test_a_plain_form_leads_back_to_the_page_by_303(alice, match, browser_of, form):
    answer = browser_of(alice).post(f"/games/{match.code}/{form}", {"text": "hi", "reason": "spam"})

    assert (answer.status_code, answer.url) == (303, f"/games/{match.code}/")


def test_who_is_muted_knows_beforehand_and_has_nothing_to_send(alice, match, browser_of):
    assert "data-reply" in page(browser_of(alice), match)
    alice.muted_until = timezone.now() + timedelta(days=2)
    alice.save()

    text = page(browser_of(alice), match)
    assert "A moderator has muted you: you cannot talk until" in text
    assert 'id="say"' not in text and "data-reply" not in text


def test_an_open_page_is_sent_the_replies_that_fit_the_end_of_the_match(alice, bob, match):
    before = reading(match.code, version=0, since=0.0).shown_to(alice)
    over = play_and_resign(match)
    frame = reading(match.code, version=over.version, since=0.0).shown_to(alice).after(before)
    assert "Good luck" in before.whole() and "Well played" not in before.whole()
    assert 'value="Well played"' in frame


def test_a_quick_reply_is_said_at_one_press(alice, bob, match, browser_of):
    assert 'value="Good luck"' in page(browser_of(alice), match)
    say(browser_of(alice), match, "Good luck")
    assert "<bdi>Good luck</bdi>" in page(browser_of(bob), match)
