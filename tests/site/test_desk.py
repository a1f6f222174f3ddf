"""The moderators' desk: the badge, the way to a case, and what one page of a case does."""

import re

import pytest
from django.contrib.admin.models import LogEntry

from accounts.models import Rating, Sanction, User
from games import repository, services
from games.models import Match, Report, Talk
from games.services import rerating, talk
from lobbies.models import Table
from operators.models import ReasonTemplate
from tests.games.playing import begin, play, play_to_the_end
from tests.html import collapse_whitespace
from tests.lobbies.tables import make

pytestmark = pytest.mark.django_db
CASES = "/admin/games/report/cases/"


def case(person):
    return f"/admin/games/report/person/{person.pk}/"


def report(person, by, category="talk"):
    return talk.report_person(person=person, user=by, category=category, text="see the match", match=None)


def test_badge_counts_cases_for_staff_only(alice, bob, moderator, browser_of):
    report(bob, alice)
    report(bob, alice, "stalling")
    page = collapse_whitespace(browser_of(moderator).get("/rules/").content.decode())
    assert f'href="{CASES}"' in page and "<b>1</b>" in page
    for reader in (alice, None):
        assert CASES not in browser_of(reader).get("/rules/").content.decode()


def test_case_is_one_press_from_profile_match_and_line(alice, bob, moderator, browser_of):
    match = begin(alice, bob)
    talk.say(match=match, user=bob, seat=None, text="you cheat")
    browser = browser_of(moderator)
    assert case(bob) in browser.get("/players/bob/").content.decode()
    page = browser.get(f"/games/{match.code}/").content.decode()
    assert f"/admin/games/report/match/{match.pk}/" in page
    assert case(bob) in page
    assert "/admin/" not in browser_of(alice).get(f"/games/{match.code}/").content.decode()


def test_report_is_handled_in_three_presses(alice, bob, moderator, browser_of):
    report(bob, alice, "stalling")
    bob.language = "ru"
    bob.save()
    browser = browser_of(moderator)
    assert case(bob) in browser.get(CASES).content.decode()  # 1: the badge
    page = browser.get(case(bob))  # 2: the case
    form = page.content.decode()
    assert 'name="dismiss"' in form and 'name="person"' not in form
    chosen = next(reason for reason in page.context["reasons"] if reason.is_chosen)
    fields = {"template": chosen.key, "reason": "", "appeal": page.context["appeal"], "hours": 24}
    browser.post(case(bob), fields | {"warning": "yes"})  # 3: Warn
    warning = Sanction.objects.get()
    template = ReasonTemplate.objects.get(pk=chosen.key)
    assert (warning.kind, warning.reason) == ("warning", template.text["ru"])
    assert template.category == "stalling"
    assert Report.objects.get().outcome == Report.Outcome.ACTED


def test_reports_about_a_person_are_closed_together(alice, bob, moderator, browser_of):
    for category in ("talk", "stalling"):
        report(bob, alice, category)
    line = talk.say(match=begin(alice, bob), user=bob, seat=None, text="you cheat")
    talk.report(match=line.match, user=alice, talk=line, reason="rude")
    browser_of(moderator).post(case(bob), {"dismiss": "yes"})
    assert set(Report.objects.values_list("outcome", flat=True)) == {Report.Outcome.NOTHING}
    assert "No case is open" in browser_of(moderator).get(CASES).content.decode()


def test_replaced_name_answers_reports_about_it(alice, bob, moderator, browser_of):
    for category in ("name", "talk"):
        report(bob, alice, category)
    browser_of(moderator).post(case(bob), {"name": ""})
    outcomes = dict(Report.objects.values_list("category", "outcome"))
    assert outcomes == {"name": Report.Outcome.ACTED, "talk": ""}


@pytest.mark.parametrize("kind", ["warning", "mute", "unrated", "ban"])
def test_button_imposes_and_logs_the_reason(kind, bob, moderator, browser_of):
    fields = {"reason": "said so", "hours": "168", "appeal": "Write to us.", "sure": "yes", kind: "yes"}
    browser_of(moderator).post(case(bob), fields)
    sanction = Sanction.objects.get()
    assert (sanction.kind, sanction.reason, sanction.appeal) == (kind, "said so", "Write to us.")
    assert (sanction.until is None) == (kind == "warning")
    assert "said so" in LogEntry.objects.get(user=moderator).change_message


@pytest.mark.parametrize("fields", [{"hours": "24"}, {"reason": "said so", "hours": "0"}])
def test_mute_without_reason_or_term_is_refused(fields, bob, moderator, browser_of):
    browser_of(moderator).post(case(bob), fields | {"mute": "yes"})
    assert not Sanction.objects.exists()


def test_annulment_is_previewed_exactly(alice, bob, moderator, browser_of):
    kept = play_to_the_end(begin(alice, bob, rated=True))
    match = play_to_the_end(begin(alice, bob, rated=True, seed="another"))
    Match.objects.filter(pk=kept.pk).update(ended_at="2020-01-01T00:00Z")
    page = browser_of(moderator).post(case(bob), {"since": "2021-01-01"})
    previews = {person.pk: rating.then for person, rating in page.context["ratings"]}
    assert previews and page.context["matches"] == [match]
    assert "<td>All Fives</td>" in page.content.decode()
    assert not Match.objects.exclude(annulled_at=None).exists()
    browser_of(moderator).post(case(bob), {"since": "2021-01-01", "sure": "yes", "why": "farming"})
    rerating.recompute_pending()
    assert {rating.user_id: round(rating.value) for rating in Rating.objects.all()} == previews
    assert "annulled: farming" in LogEntry.objects.values_list("change_message", flat=True)


def test_running_match_is_ended_without_result(alice, bob, moderator, browser_of):
    match = play(begin(alice, bob, rated=True))
    address = f"/admin/games/report/match/{match.pk}/"
    browser = browser_of(moderator)
    browser.post(address, {"void": "yes", "why": ""})
    match.refresh_from_db()
    assert match.playing
    browser.post(address, {"void": "yes", "why": "a bug"})
    match.refresh_from_db()
    assert (match.status, match.result_how, match.rating_order) == ("finished", "aborted", None)
    assert match.moves.last().text == "void"
    assert LogEntry.objects.get().change_message == "ended: a bug"
    with pytest.raises(services.MoveRefused):
        services.void(match)


def test_name_is_replaced_in_past_matches(alice, bob, moderator, browser_of):
    past = play_to_the_end(begin(alice, bob))
    running = begin(alice, bob, seed="another")
    talk.say(match=running, user=bob, seat=None, text="hello")
    browser = browser_of(moderator)
    browser.post(case(bob), {"name": ""})
    bob.refresh_from_db()
    assert bob.username.startswith("player-")
    assert set(Talk.objects.values_list("name", flat=True)) == {bob.username}
    assert repository.build_record(past)["seats"][1]["name"] == bob.username
    for address in (f"/games/{past.code}/", f"/games/{running.code}/", "/archive/"):
        page = browser.get(address, follow=True).content.decode()
        assert bob.username in page and ">bob<" not in page, address
    signup = {"username": "bob", "password1": "x9-dominoes-x9", "password2": "x9-dominoes-x9"}
    assert "This name is taken" in browser_of().post("/accounts/signup/", signup).content.decode()


def test_replaced_name_is_confirmed_as_it_was_written(browser_of, moderator, bob):
    answer = browser_of(moderator).post(case(bob), {"name": ""}, follow=True)
    assert f"The name bob is now {User.objects.get(pk=bob.pk).username}" in answer.content.decode()


def test_report_without_words_is_named_by_its_category(alice, bob):
    assert str(Report(reporter=alice, person=bob, category=Report.Category.LEAVING)) == "leaves matches"


@pytest.mark.parametrize("name", ["alice", "a l", "administrator"])
def test_replacement_by_impossible_name_is_refused(name, alice, bob, moderator, browser_of):
    browser_of(moderator).post(case(bob), {"name": name})
    bob.refresh_from_db()
    assert bob.username == "bob"


def test_report_leads_to_its_case(alice, bob, moderator, browser_of):
    match = begin(alice, bob)
    about_person, about_match = (
        report(bob, alice),
        talk.report(match=match, user=alice, talk=None, reason="x"),
    )
    browser = browser_of(moderator)
    answer = browser.get(f"/admin/games/report/{about_person.pk}/change/")
    assert answer["Location"] == f"{case(bob)}?report={about_person.pk}"
    answer = browser.get(f"/admin/games/report/{about_match.pk}/change/")
    assert answer["Location"] == f"/admin/games/report/match/{match.pk}/"
    browser.post(answer["Location"], {"match_outcome": "nothing"})
    about_match.refresh_from_db()
    assert about_match.outcome == Report.Outcome.NOTHING


def test_annulled_match_looks_annulled(alice, bob, moderator, browser_of):
    match = play_to_the_end(begin(alice, bob, rated=True))
    browser = browser_of(moderator)
    assert "is-annulled" not in browser.get("/admin/games/match/").content.decode()
    chosen = {"action": "annul", "_selected_action": [match.pk]}
    assert "would no longer count" in browser.post("/admin/games/match/", chosen).content.decode()
    match.refresh_from_db()
    assert match.annulled_at is None
    browser.post("/admin/games/match/", chosen | {"sure": "yes", "why": "farming"})
    assert "is-annulled" in browser.get("/admin/games/match/").content.decode()
    assert LogEntry.objects.get().change_message == "annulled: farming"


def test_overview_links_list_what_they_count(alice, bob, moderator, browser_of):
    play_to_the_end(begin(alice, bob, rated=True))
    begin(alice, bob, seed="running")
    make(alice)
    browser = browser_of(moderator)
    for label, count, address in browser.get("/admin/").context["counts"]:
        if label in ("Open cases", "Open pages of matches"):
            continue
        assert browser.get(address).context["cl"].result_count == count, label


def test_open_tables_are_closed(alice, moderator, browser_of):
    table, own = make(alice), make(moderator)
    chosen = {"action": "close", "_selected_action": [table.pk, own.pk]}
    browser_of(moderator).post("/admin/lobbies/table/", chosen)
    statuses = dict(Table.objects.values_list("pk", "status"))
    assert statuses == {table.pk: "closed", own.pk: "open"}
    assert LogEntry.objects.get().object_repr == str(table)


def test_nothing_is_added_where_only_the_site_makes_rows(browser_of):
    boss = User.objects.create_superuser("the-boss")
    page = browser_of(boss).get("/admin/").content.decode()
    added = set(re.findall(r'href="/admin/([a-z]+/[a-z]+)/add/"', page))
    by_operator = {"accounts/user", "auth/group", "nights/opennight", "lobbies/sitegame"}
    names = ("invitation", "mailtext", "news", "reasontemplate", "sharednetwork")
    by_operator |= {f"operators/{name}" for name in names}
    assert {each for each in added - by_operator if not each.startswith("events/")} == set()


def test_report_of_match_is_handled_in_three_presses(alice, bob, moderator, browser_of):
    match = begin(alice, bob)
    talk.report(match=match, user=alice, talk=None, reason="he insults me")
    browser = browser_of(moderator)
    page = f"/admin/games/report/match/{match.pk}/"
    assert page in browser.get(CASES).content.decode()  # 1: the badge
    shown = browser.get(page)  # 2: the case
    assert shown.context["players"][0] == bob, "the one who did not report"
    chosen = next(reason for reason in shown.context["reasons"] if reason.is_chosen)
    fields = {"person": bob.pk, "template": chosen.key, "reason": "", "appeal": "", "hours": 24}
    browser.post(page, fields | {"mute": "yes"})  # 3: Mute
    assert Sanction.objects.get().person == bob
    assert Report.objects.get().outcome == Report.Outcome.ACTED
    assert not browser.get(CASES).context["cases"]


def test_match_case_acts_on_its_players_only(alice, bob, moderator, browser_of):
    match = begin(alice, bob)
    stranger = User.objects.create_user("dora")
    fields = {"template": "", "reason": "rude", "appeal": "", "hours": 24, "mute": "yes"}
    page = f"/admin/games/report/match/{match.pk}/"
    for person in (stranger.pk, "x"):
        assert browser_of(moderator).post(page, fields | {"person": person}).status_code == 404
    bob.is_staff = True
    bob.save()
    assert browser_of(moderator).post(page, fields | {"person": bob.pk}).status_code == 403
    assert not Sanction.objects.exists()


def test_match_case_of_several_asks_for_the_person(alice, bob, moderator, browser_of):
    match = begin(alice, bob)
    talk.report(match=match, user=User.objects.create_user("dora"), talk=None, reason="they tell their tiles")
    browser, page = browser_of(moderator), f"/admin/games/report/match/{match.pk}/"
    shown = browser.get(page)
    assert shown.context["accused"] is None
    assert not [reason for reason in shown.context["reasons"] if reason.is_chosen]
    fields = {"person": "", "template": "", "reason": "rude", "appeal": "", "hours": 24, "warning": "yes"}
    answer = browser.post(page, fields, follow=True)
    assert "Choose the person." in answer.content.decode()
    assert not Sanction.objects.exists()
    assert Report.objects.filter(handled_at=None).exists()


def test_reported_name_is_replaced_at_the_top(alice, bob, moderator, browser_of):
    browser = browser_of(moderator)
    page = browser.get(case(bob)).content.decode()
    assert page.index('name="warning"') < page.index('name="name"')
    report(bob, alice, "name")
    page = browser.get(case(bob)).content.decode()
    assert page.index('name="name"') < page.index('name="warning"')


def test_annulled_matches_can_be_restored_only_if_any(alice, bob, moderator, browser_of):
    match = Match.objects.get(pk=play_to_the_end(begin(alice, bob, rated=True)).pk)
    browser = browser_of(moderator)
    assert 'value="all"' not in browser.get(case(bob)).content.decode()
    rerating.annul(match)
    assert 'value="all"' in browser.get(case(bob)).content.decode()


def test_overview_is_ordered_by_urgency(moderator, browser_of):
    page = browser_of(moderator).get("/admin/")
    labels = [app["app_label"] for app in page.context["app_list"]]
    assert labels[:2] == ["games", "accounts"] and labels[-1] not in ("games", "accounts", "lobbies")
    names = [model["object_name"] for model in page.context["app_list"][0]["models"]]
    assert names[:2] == ["Report", "Match"]
