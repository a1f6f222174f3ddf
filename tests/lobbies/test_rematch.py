"""Rematch: the same people, each one seat further on."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import relations
from accounts.models import User
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from games.models import Match, Seat
from games.services import play
from games.wording import game_title
from lobbies import services, strip
from lobbies.game import Game
from lobbies.models import Table
from lobbies.refusals import TableRefused
from tests.games.playing import begin
from tests.html import collapse_whitespace
from tests.lobbies.tables import add_nonces, full_since, game, make, names, start_without_nonces, unseen

JSON = {"Accept": "application/json"}


def finish(match: Match) -> Match:
    """End the match by resignations."""
    for seat in list(match.seats.filter(kind__in=["player", "guest"]))[1:]:
        match.refresh_from_db()
        if match.playing:
            play(match=match, seat=seat, move="resign", seen_version=match.version)
    match.refresh_from_db()
    assert not match.playing
    return match


@pytest.fixture
def finished(alice, bob):
    return finish(begin(alice, bob, rated=True, clock=(300, 5), code="matchmatch"))


def test_first_offer_creates_table_with_rotated_seat(alice, bob, finished, browser_of):
    answer = browser_of(alice).post(f"/tables/{finished.code}/rematch")
    table = Table.objects.get()
    assert (answer.status_code, answer.url) == (303, f"/tables/{table.code}/")
    assert names(table) == ["", "alice"]
    assert (table.rematch_of, table.rated, table.clock, table.changed) == (
        finished.code,
        True,
        (300, 5),
        False,
    )
    finished.refresh_from_db()
    assert finished.rematch_code == table.code


def test_last_acceptance_starts_rematch(alice, bob, finished, browser_of):
    for who in (alice, bob):
        browser_of(who).post(f"/tables/{finished.code}/rematch")
    table = Table.objects.get()
    assert names(table) == ["bob", "alice"]
    add_nonces(table, {alice: "alice", bob: "bob"})
    again = Match.objects.get(code=table.code)
    assert (again.entropy, again.rated, again.preset) == ("bob.alice", True, "all-fives")


def test_offer_twice_is_idempotent(alice, finished, browser_of):
    for _ in range(2):
        browser_of(alice).post(f"/tables/{finished.code}/rematch")
    assert names(Table.objects.get()) == ["", "alice"]


def test_closed_rematch_table_may_be_replaced(alice, bob, finished):
    table = services.offer_rematch(finished, alice)
    services.leave(table, alice)
    finished.refresh_from_db()
    assert finished.rematch_code == ""
    another = services.offer_rematch(finished, bob)
    assert another != table
    finished.refresh_from_db()
    assert finished.rematch_code == another.code


def test_rematch_keeps_computers(alice):
    match = finish_alone(begin(alice, "club", "strong"))
    table = services.offer_rematch(match, alice)
    assert names(table) == ["strong", "alice", "club"]
    assert table.full_at is not None


def finish_alone(match: Match) -> Match:
    play(match=match, seat=match.seats.get(position=0), move="abort", seen_version=0)
    match.refresh_from_db()
    return match


def test_rematch_keeps_house_rules_and_preset(alice, bob, browser_of):
    table = make(alice, "draw", target=19)
    services.sit(table, bob)
    full_since(table, 6)
    services.advance(table, timezone.now())
    match = finish(Match.objects.get(code=table.code))
    again = services.offer_rematch(match, alice)
    assert (again.preset, again.changed, again.rules["target"]) == ("draw", True, 19)


def test_absent_fourth_player_is_swept(alice, bob, charlie):
    dora = User.objects.create_user("dora")
    match = finish(begin(alice, bob, charlie, dora, preset="sebastopol"))
    for who in (alice, charlie, dora):
        table = services.offer_rematch(match, who)
    assert names(table) == ["dora", "alice", "", "charlie"]
    table.refresh_from_db()
    assert table.full_at is None
    unseen(table, alice, 61)
    services.sweep(timezone.now())
    table.refresh_from_db()
    assert (names(table), table.host) == (["dora", "", "", "charlie"], dora)


def test_rematch_refuses_strangers_and_other_seats(alice, bob, charlie, finished, browser_of):
    table = services.offer_rematch(finished, alice)
    told = browser_of(charlie).post(f"/tables/{table.code}/sit", {"seat": 0}, headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (403, "reserved")
    told = browser_of(charlie).post(f"/tables/{finished.code}/rematch", headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (403, "not_seated")
    told = browser_of().post(f"/tables/{finished.code}/rematch", headers=JSON)
    assert told.status_code == 403
    assert "kept for bob" in browser_of(charlie).get(f"/tables/{table.code}/").content.decode()
    page = browser_of(bob).get(f"/tables/{table.code}/").content.decode()
    assert page.count("Sit here") == 1
    browser_of(bob).post(f"/tables/{table.code}/sit", {"seat": 0})
    assert names(table) == ["bob", "alice"]


def test_no_rematch_before_end(alice, bob, browser_of):
    match = begin(alice, bob)
    told = browser_of(alice).post(f"/tables/{match.code}/rematch", headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (422, "not_over")
    assert not Table.objects.exists()


def test_no_rematch_with_deleted_player(alice, bob, finished):
    bob.deleted_at = timezone.now()
    bob.save()
    with pytest.raises(TableRefused, match="no_rematch"):
        services.offer_rematch(finished, alice)


@pytest.mark.parametrize("asks", ["alice", "bob"])
def test_no_rematch_between_blocked_players(alice, bob, finished, asks):
    relations.set_relation(bob, alice, "block", True)
    with pytest.raises(TableRefused, match="not_together"):
        services.offer_rematch(finished, {"alice": alice, "bob": bob}[asks])
    assert not Table.objects.exists()


def test_rematch_is_not_listed(alice, finished, browser_of):
    table = services.offer_rematch(finished, alice)
    assert table.code not in browser_of().get("/").content.decode()
    assert services.quick_play(User.objects.create_user("eve"), game(rated=True, clock=(300, 5))) != table


def test_unknown_match_is_404(alice, browser_of):
    assert browser_of(alice).post("/tables/nosuchcode/rematch").status_code == 404


@pytest.mark.parametrize("private", [True, False])
def test_private_rematch_link_is_for_players_only(alice, bob, charlie, browser_of, private):
    match = begin(alice, bob)
    Match.objects.filter(pk=match.pk).update(private=private)
    match = finish(match)
    table = services.offer_rematch(match, alice)
    services.offer_rematch(match, bob)

    told = {
        who: table.code in browser_of(viewer).get(match.get_absolute_url()).content.decode()
        for who, viewer in {"bob": bob, "charlie": charlie, "nobody": None}.items()
    }

    assert told == {"bob": True, "charlie": not private, "nobody": not private}


def shown_to(browser) -> str:
    return collapse_whitespace(browser.get("/games/matchmatch/").content.decode())


@pytest.mark.parametrize("private", [True, False])
def test_spectators_see_rematch_answers(alice, bob, finished, browser_of, private):
    Match.objects.filter(pk=finished.pk).update(private=private)
    watcher = browser_of()
    browser_of(alice).post("/tables/matchmatch/rematch")
    asked = shown_to(watcher)
    browser_of(bob).post("/tables/matchmatch/rematch", {"on": "0"})
    declined = shown_to(watcher)

    assert "alice wants a rematch." in asked
    assert "They play a rematch" not in asked and 'name="on"' not in asked
    assert "bob declined the rematch." in declined and 'name="on"' not in declined


def test_offer_keeps_player_on_board(alice, bob, finished, browser_of):
    mine, theirs = browser_of(alice), browser_of(bob)
    asked = mine.post("/tables/matchmatch/rematch", {"on": "1"}, headers={"HX-Request": "true"})
    assert (asked.status_code, asked.content) == (204, b"")
    assert "You want a rematch. Not answered yet: bob." in shown_to(mine)
    assert "alice wants a rematch." in shown_to(theirs)

    theirs.post("/tables/matchmatch/rematch", {"on": "0"}, headers={"HX-Request": "true"})

    assert "bob declined the rematch." in shown_to(mine)
    assert 'id="ask-again"' not in shown_to(mine)
    told = mine.post("/tables/matchmatch/rematch", headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (422, "declined")
    assert not Table.objects.filter(status="open").exists()

    theirs.post("/tables/matchmatch/rematch")  # having thought better of it
    assert "bob wants a rematch." in shown_to(mine)
    last = mine.post("/tables/matchmatch/rematch", headers={"HX-Request": "true"})
    table = Table.objects.get(status="open")
    assert last["HX-Redirect"] == f"/tables/{table.code}/"
    assert "The next match begins." in shown_to(theirs) and table.code in shown_to(theirs)


def test_offer_is_withdrawn_or_expires(alice, bob, finished, browser_of):
    mine = browser_of(alice)
    mine.post("/tables/matchmatch/rematch")
    mine.post("/tables/matchmatch/rematch", {"on": "0"})
    assert "wants a rematch" not in shown_to(browser_of(bob)) and 'id="ask-again"' in shown_to(mine)
    mine.post("/tables/matchmatch/rematch")
    unseen(Table.objects.get(status="open"), alice, 61)
    services.sweep(timezone.now())
    assert "want a rematch" not in shown_to(mine)


def decline(*browsers) -> None:
    """Offer a rematch as the first player and decline it as the last."""
    browsers[0].post("/tables/matchmatch/rematch")
    browsers[-1].post("/tables/matchmatch/rematch", {"on": "0"})


def test_declined_rematch_opens_table_for_anybody(alice, bob, charlie, finished, browser_of):
    mine, theirs = browser_of(alice), browser_of(bob)
    assert 'id="keep-table"' not in shown_to(mine)
    decline(mine, theirs)
    assert 'id="keep-table"' in shown_to(mine)
    assert 'id="keep-table"' not in shown_to(theirs)

    answer = mine.post("/tables/matchmatch/rematch", {"on": "keep"})

    table = Table.objects.get(status="open")
    assert (answer.status_code, answer.url) == (303, f"/tables/{table.code}/")
    assert (table.rules, table.rated, table.clock, table.private) == (finished.rules, True, (300, 5), False)
    assert names(table) == ["alice", ""]
    assert table.code in browser_of().get("/").content.decode()
    browser_of(charlie).post(f"/tables/{table.code}/sit")
    assert names(table) == ["alice", "charlie"]


def test_reopened_table_is_shared_with_computers(alice, bob, charlie, browser_of):
    finish(begin(alice, bob, "club", charlie, preset="sebastopol", code="matchmatch"))
    decline(browser_of(alice), browser_of(charlie))

    for who in (bob, alice):
        browser_of(who).post("/tables/matchmatch/rematch", {"on": "keep"})

    table = Table.objects.get(status="open")
    assert names(table) == ["bob", "club", "alice", ""]


def test_match_of_an_earlier_release_is_reopened_at_the_same_table(alice, bob, charlie, browser_of):
    """Its row names every option, the new table's row leaves defaults out."""
    match = finish(begin(alice, bob, "club", charlie, preset="sebastopol", code="matchmatch"))
    Match.objects.update(rules=Rules.from_dict(match.rules).as_dict())
    decline(browser_of(alice), browser_of(charlie))

    for who in (bob, alice):
        browser_of(who).post("/tables/matchmatch/rematch", {"on": "keep"})

    assert names(Table.objects.get(status="open")) == ["bob", "club", "alice", ""]


def test_blocked_players_reopen_separate_tables(alice, bob, charlie, browser_of):
    finish(begin(alice, bob, charlie, preset="draw", code="matchmatch"))
    decline(browser_of(alice), browser_of(charlie))
    relations.set_relation(alice, bob, "block", True)

    for who in (bob, alice):
        browser_of(who).post("/tables/matchmatch/rematch", {"on": "keep"})

    assert sorted(names(table)[0] for table in Table.objects.filter(status="open")) == ["alice", "bob"]


def test_reopened_private_table_stays_private(alice, bob, finished, browser_of):
    Match.objects.filter(pk=finished.pk).update(private=True)
    browser_of(alice).post("/tables/matchmatch/rematch", {"on": "keep"})
    table = Table.objects.get(status="open")
    assert table.private and table.code not in browser_of().get("/").content.decode()


def test_strangers_cannot_reopen_table(charlie, finished, browser_of):
    told = browser_of(charlie).post("/tables/matchmatch/rematch", {"on": "keep"}, headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (403, "not_seated")


def test_phone_bar_shows_result(alice, bob, finished, browser_of):
    won, marks = finished.seats.get(won=True).user, {}
    for who in (alice, bob):
        page = shown_to(browser_of(who))
        bar = page.partition('id="newest"')[2].partition("</span>")[0]
        assert ("You won" if who == won else "You lost") in bar
        marks[who] = page.partition('id="newest-mark"')[2].partition("</svg>")[0]
    assert marks[alice] != marks[bob]


def test_late_acceptance_joins_reopened_table(alice, bob, finished, browser_of):
    mine, theirs = browser_of(alice), browser_of(bob)
    mine.post("/tables/matchmatch/rematch")
    theirs.post("/tables/matchmatch/rematch", {"on": "0"})
    kept = mine.post("/tables/matchmatch/rematch", {"on": "keep"})["Location"]

    answer = theirs.post("/tables/matchmatch/rematch", headers={"hx-request": "true"})

    assert kept in (answer.headers.get("HX-Redirect") or answer.headers.get("Location", ""))
    assert names(Table.objects.get(code=kept.split("/")[2])) == ["alice", "bob"]


def test_offer_ends_when_its_maker_starts_another_match(alice, bob, charlie, finished, browser_of):
    browser_of(alice).post("/tables/matchmatch/rematch")
    table = services.sit(make(charlie), alice)

    start_without_nonces(table, alice, charlie)

    assert Match.objects.filter(code=table.code).exists()
    assert Table.objects.get(rematch_of="matchmatch").status == Table.Status.CLOSED


def test_offer_ends_soon_after_its_maker_has_gone(alice, finished, browser_of):
    table = services.offer_rematch(finished, alice)
    strip.record_close(user=alice, channel="none", clean=True)
    services.sweep(timezone.now() + timedelta(seconds=7))
    assert Table.objects.get(pk=table.pk).open
    services.sweep(timezone.now() + timedelta(seconds=9))
    assert not Table.objects.get(pk=table.pk).open
    assert not Seat.objects.filter(rematch="asked").exists()


def test_rematch_that_was_called_off_may_be_followed_by_another(alice, bob, finished, browser_of):
    services.offer_rematch(finished, alice)
    table = services.offer_rematch(finished, bob)
    start_without_nonces(table, alice, bob)
    assert "The next match begins." in shown_to(browser_of(bob))
    rematch = Match.objects.get(code=table.code)
    play(match=rematch, seat=rematch.seats.get(position=0), move="abort", seen_version=0)

    services.sweep(timezone.now())

    for who in (alice, bob):
        page = shown_to(browser_of(who))
        assert "The next match begins." not in page and 'id="ask-again"' in page
    assert table.code not in shown_to(browser_of())
    another = services.offer_rematch(finished, alice)
    assert another.open and another != table


def test_offer_stays_while_another_page_is_open(alice, finished, browser_of):
    table = services.offer_rematch(finished, alice)
    strip.record_close(user=alice, channel="none", clean=True)
    strip.update(alice, "another", "")
    services.sweep(timezone.now() + timedelta(seconds=9))
    assert Table.objects.get(pk=table.pk).open


def test_house_rules_keep_the_name_of_their_game(alice, bob, browser_of):
    nearest = PRESETS["bones"].rules.replace(target=137)
    table = services.make_table(alice, Game("all-fives", nearest, 2, False, (300, 5)), private=True)
    services.sit(table, bob)
    add_nonces(table, {alice: "a1", bob: "b2"})
    match = finish(Match.objects.get(code=table.code))
    for address in (f"/games/{match.code}/", f"/games/{match.code}/replay/", "/players/alice/"):
        shown = browser_of(alice).get(address).content.decode()
        assert "All Fives, house rules" in shown, address
    again = services.offer_rematch(match, alice)
    assert (again.preset, again.changed) == ("all-fives", True)


@pytest.mark.parametrize(
    ("preset", "changes", "title"),
    [
        ("all-fives", {"claims": "muggins"}, "All Fives, house rules"),
        ("all-fives", {"target": 137}, "All Fives"),
        ("fives-and-threes", {"target": 137}, "Fives and Threes"),
    ],
)
def test_title_of_house_rules_names_their_game(preset, changes, title):
    rules = PRESETS[preset].rules.replace(**changes)
    assert game_title(None, rules, 2, preset) == title
