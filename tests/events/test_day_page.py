"""The page and the JSON of a day."""

import json
import re

import pytest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from boneyard.engine.presets import PRESETS
from events import services
from events.models import DealSet, Entry
from games.table.strip import build_ended_entry
from games.wording.options import preset_title, title_for_target
from games.wording.personas import persona_of
from tests.events.playing import (
    be_official,
    close,
    entry_of,
    open_today,
    play_rounds,
    start,
    store_house,
)
from tests.games.test_hidden import tiles_in

pytestmark = pytest.mark.django_db

KEYS = {
    "date",
    "deals",
    "preset",
    "rules",
    "seal",
    "opens",
    "closes",
    "state",
    "you",
    "field",
    "results",
    "secrets",
}


def test_day_before_playing(browser_of):
    deals = open_today()
    text = browser_of().get("/daily/").getvalue().decode()

    assert deals.seal in text
    assert "Play today's deal" in text or "Play today&#x27;s deal" in text
    assert text.count('href="#bk"') == deals.rounds


@pytest.mark.parametrize(("language", "name"), [("en", "F"), ("ru", "E"), ("es", r"\d\e F")])
def test_day_is_dated_as_its_language_writes_it(browser_of, language, name):
    deals = open_today()
    with override(language):
        day = date_format(deals.day, f"l, j {name}")
    assert day in browser_of().get(f"/{language}/daily/").getvalue().decode()


def test_result_is_shown_after_a_round(alice, browser_of):
    match = play_rounds(start(open_today(), alice), rounds=1)
    text = browser_of(alice).get("/daily/").getvalue().decode()

    assert "Go on with round 2" in text and match.get_absolute_url() in text
    assert "1 of 2 rounds played" in text
    assert "To share" not in text


def test_json_keeps_other_results_until_the_close(alice, bob, browser_of):
    deals = open_today()
    for person, seed in ((alice, 1), (bob, 2)):
        play_rounds(start(deals, person), seed=seed)
    be_official(alice, bob)
    address = f"/daily/{deals.day}.json"

    data = browser_of(alice).get(address).json()
    assert set(data) == KEYS
    assert (data["state"], data["results"], data["secrets"]) == ("open", [], [])
    assert data["field"] == {"people": 2, "house": 0}
    own = entry_of(alice.entries.get().match)
    assert [each["margin"] for each in data["you"]["rounds"]] == own.margins
    assert browser_of().get(address).json()["you"] is None
    assert "bob" not in json.dumps(data)

    close(deals)
    data = browser_of(alice).get(address).json()
    assert data["state"] == "closed"
    assert {each["name"] for each in data["results"]} == {"alice", "bob"}
    assert len(data["secrets"]) == deals.rounds
    assert sum(each["score"] for each in data["results"]) == pytest.approx(100)
    assert [each["counts"] for each in data["results"]] == [True, True]
    assert data["results"][0]["place"] == 1


@pytest.mark.parametrize(
    ("house", "official", "others"),
    [
        (True, "", "15 house computers"),
        (True, "alice", "15 house computers"),
        (True, "alice bob", "1 person, 15 house computers"),
        (False, "alice bob", "1 person"),
        (False, "bob", "1 person"),
    ],
)
def test_day_says_with_whom_one_is_compared(alice, bob, browser_of, house, official, others):
    deals = open_today()
    for person, seed in ((alice, 1), (bob, 2)):
        play_rounds(start(deals, person), seed=seed)
    if house:
        store_house(deals)
    be_official(*(person for person in (alice, bob) if person.username in official.split()))

    page = " ".join(browser_of(alice).get("/daily/").text.split())

    data = browser_of(alice).get(f"/daily/{deals.day}.json").json()
    assert f"The others: {others}." in page and "2 people have played" in page
    assert data["field"] == {"people": len(official.split()), "house": 15 * house}
    score = round(data["you"]["score"])
    assert f"<b>{score} %</b> <span> of the others beaten so far </span>" in page
    assert f"On average {score} % of the others did worse in a round; who did the same counts half." in page


def test_days_that_are_not_sealed_do_not_exist(browser_of):
    assert "being sealed" in browser_of().get("/daily/").getvalue().decode()
    for address in ("/daily/2020-01-01/", "/daily/2020-13-01/", "/daily/2020-01-01.json"):
        assert browser_of().get(address).status_code == 404


def test_closed_day_shows_board_plays_and_practice(alice, bob, charlie, browser_of):
    deals = open_today("all-fives")
    for person, seed in ((alice, 1), (bob, 2)):
        play_rounds(start(deals, person), seed=seed)
    play_rounds(start(deals, charlie), rounds=1, seed=3)
    store_house(deals)
    be_official(bob)
    close(deals)
    browser = browser_of(alice)

    text = browser.get(f"/daily/{deals.day}/").getvalue().decode()
    assert "Not counted: 2" in text and "The house: 15 computers" in text
    assert "Your result is not ranked: the account was younger than a day" in text
    assert "Boneyard · Daily Deal" in text
    assert "Play it for practice" in text
    followed = browser.get(f"/daily/{deals.day}/?who=followed").getvalue().decode()
    assert "/players/bob/" in text and "/players/bob/" not in followed
    for number in (1, 2):
        page = browser.get(f"/daily/{deals.day}/{number}/").getvalue().decode()
        assert "Where players chose differently" in page or "played otherwise" in page
        assert "Everybody" in page
    other = Entry.objects.get(user=bob)
    assert "How bob played it" in browser.get(f"/daily/{deals.day}/1/?of=p{other.pk}").getvalue().decode()
    assert browser.get(f"/daily/{deals.day}/3/").status_code == 404
    assert browser.post(f"/daily/{deals.day}/practice").status_code == 303


def test_round_of_an_open_day_does_not_exist(alice, browser_of):
    deals = open_today()
    play_rounds(start(deals, alice))

    assert browser_of(alice).get(f"/daily/{deals.day}/1/").status_code == 404
    assert browser_of(alice).post(f"/daily/{deals.day}/practice").status_code == 303
    assert not Entry.objects.filter(practice=True).exists()


def test_shared_text_has_no_tile(alice, browser_of):
    deals = open_today()
    store_house(deals)
    play_rounds(start(deals, alice))

    page = browser_of(alice).get("/daily/").getvalue().decode()
    text = page.partition('id="shared-text">')[2].partition("</p>")[0]
    assert f'<span class="shared-path">/daily/{deals.day}/</span>' in text  # no line ends in its date
    text = text.replace('<span class="shared-path">', "").replace("</span>", "")
    assert "Boneyard · Daily Deal" in text and f"/daily/{deals.day}/" in text
    assert not tiles_in(text.replace(str(deals.day), ""))
    assert '<p class="muted copied"' in page  # where the button says that it has copied


def test_month_board_is_the_mean_of_closed_days(alice, bob, browser_of):
    deals = open_today()
    for person, seed in ((alice, 1), (bob, 2)):
        play_rounds(start(deals, person), seed=seed)
    be_official(alice, bob)
    close(deals)

    text = browser_of(alice).get("/daily/boards/").getvalue().decode()
    for entry in Entry.objects.all():
        assert f"{entry.score:.1f}" in text
    year = browser_of(alice).get(f"/daily/boards/?year={deals.day.year}").getvalue().decode()
    assert "/players/bob/" in year


def test_duty_seals_today_and_tomorrow(browser_of):
    from events.duties import keep_days

    now = timezone.now()
    keep_days(now)
    keep_days(now)

    sets = list(DealSet.objects.order_by("day"))
    assert [each.get_state(now) for each in sets] == ["open", "announced"]
    assert sets[0].rounds == 8 and sets[0].seal != sets[1].seal
    assert sets[1].seal in browser_of().get("/daily/").getvalue().decode()
    assert browser_of().get(f"/daily/{sets[1].day}.json").json()["state"] == "announced"


def test_house_field_is_played_once(alice, browser_of):
    deals = open_today(rounds=1, level="casual")

    assert not services.has_waiting_house(timezone.now())  # nobody plays
    match = start(deals, alice)
    assert services.has_waiting_house(timezone.now())
    stored = services.play_house(timezone.now())

    assert stored == 15 and services.play_house(timezone.now()) == 0
    assert not services.has_waiting_house(timezone.now())
    house = list(deals.house_results.values_list("level", "figure"))
    assert len(set(house)) == 15 and len({persona_of(*each).name for each in house}) == 15
    play_rounds(match)
    assert browser_of(alice).get(f"/daily/{deals.day}.json").json()["you"]["score"] is not None


def test_end_sheet_tells_score_and_place_instead_of_points(alice, bob, browser_of):
    deals = open_today(rounds=1)
    mine = play_rounds(start(deals, alice))
    address = mine.get_absolute_url()
    assert "Played. Your score comes with the field." in browser_of(alice).get(address).text

    play_rounds(start(deals, bob), seed=2)
    be_official(alice, bob)
    page = browser_of(alice).get(address).text
    score = round(browser_of(alice).get(f"/daily/{deals.day}.json").json()["you"]["score"])
    assert f"Score {score} %: place" in page and f'href="/daily/{deals.day}/"' in page
    assert "You lost by" not in page and "You won by" not in page


def test_day_has_a_card_without_tiles(browser_of):
    deals = open_today()
    card = browser_of().get(f"/daily/{deals.day}/card.png")

    assert (card.status_code, card["Content-Type"]) == (200, "image/png")
    assert f"/daily/{deals.day}/card.png" in browser_of().get(f"/daily/{deals.day}/").getvalue().decode()
    assert browser_of().get("/daily/2020-01-01/card.png").status_code == 404


def test_week_links_days_that_have_a_deal(alice, browser_of):
    deals = open_today()

    page = browser_of(alice).get("/daily/").text

    assert f'href="/daily/{deals.day}/"' in page and page.count('class="no-deal"') == 6
    for address in re.findall(r'href="(/daily/[\d-]+/)"', page):
        assert browser_of(alice).get(address).status_code == 200


def test_day_links_the_rules_of_its_game(browser_of):
    open_today("fives-and-threes")

    page = browser_of().get("/daily/").text

    assert page.count('href="/rules/fives-and-threes/"') == 2
    assert "Fives and Threes" in page and "Fives and Threes, 31" not in page


@pytest.mark.parametrize("is_guest", [True, False])
def test_guests_are_asked_to_sign_up_for_their_streak(alice, browser_of, is_guest):
    deals = open_today()
    type(alice).objects.filter(pk=alice.pk).update(is_guest=is_guest)
    play_rounds(start(deals, alice))

    page = browser_of(alice).get("/daily/").text

    assert ("your streak stay yours" in page) == is_guest


def test_end_sheet_links_the_field_once(alice, browser_of):
    deals = open_today(rounds=1)
    page = browser_of(alice).get(play_rounds(start(deals, alice)).get_absolute_url()).text

    sheet = page.partition('id="over"')[2].partition("</section>")[0]
    assert sheet.count(f'href="/daily/{deals.day}/"') == 1


def test_end_sheet_tells_the_number_of_rounds_once(alice, browser_of):
    page = browser_of(alice).get(play_rounds(start(open_today(rounds=2), alice)).get_absolute_url()).text
    sheet = page.partition('id="over"')[2].partition("</section>")[0]
    assert sheet.count("the match has 2 rounds") == 1


def test_table_of_a_day_is_titled_after_it_and_tells_the_rounds_once(alice, browser_of):
    match = play_rounds(start(open_today(rounds=2), alice), rounds=1)
    address = match.get_absolute_url()
    day = date_format(timezone.now(), "MONTH_DAY_FORMAT")

    page = browser_of(alice).get(address).text
    assert f"<title>Daily Deal, {day}: alice against " in page
    assert page.count("the match has 2 rounds") == 0 and '<span class="target">2 rounds</span>' in page
    look_back = " ".join(browser_of(alice).get(f"{address}rounds/1/").text.split())
    assert f"<title> Round 1 · Daily Deal, {day}: alice against " in look_back


def test_strip_of_a_finished_day_offers_no_rematch(alice):
    match = play_rounds(start(open_today(rounds=1), alice))

    assert build_ended_entry(match, 0, 60.0).fact == "Result and comparison"


def test_strip_of_a_finished_day_tells_the_score_instead_of_points(alice):
    deals = open_today(rounds=1)
    store_house(deals)
    entry = build_ended_entry(play_rounds(start(deals, alice)), 0, 60.0)

    assert entry.who.startswith("Score ") and " %" in entry.who
    assert entry.score == ""


@pytest.mark.parametrize(
    ("language", "preset", "title"),
    [
        ("en", "fives-and-threes-pairs", "Fives and Threes, pairs"),
        ("en", "fives-and-threes-league", "Fives and Threes, pub league"),
        ("en", "muggins-exact-61", "Muggins"),
        ("en", "dominican", "Dominican pairs"),
        ("ru", "muggins-61", "Пятёрки"),
        ("es", "fives-and-threes", "Cincos y treses"),
        ("es", "muggins-exact-61-pairs", "Muggins, por parejas"),
        ("pt", "fives-and-threes", "Cincos e três"),
        ("pt", "muggins-exact-61-pairs", "Muggins, em duplas"),
    ],
)
def test_title_without_target_names_none(language, preset, title):
    with override(language):
        assert title_for_target(preset, None) == title
        assert title_for_target(preset, PRESETS[preset].rules.target) == preset_title(preset)
