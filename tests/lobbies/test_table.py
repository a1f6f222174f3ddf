"""A waiting table's page."""

import re

import pytest

from boneyard.engine.presets import PRESETS
from boneyard.engine.shuffle import commitment_to
from boneyard.engine.tiles import SET_SIZES
from games.wording import describe_rules, persona_of
from lobbies import services
from lobbies.models import Table
from tests.games.playing import begin, secret_of
from tests.html import collapse_whitespace
from tests.lobbies.tables import game, guest, make, names, waited


def page(browser, table: Table) -> str:
    return collapse_whitespace(browser.get(f"/tables/{table.code}/").content.decode()).replace("&#x27;", "'")


@pytest.mark.parametrize("preset", PRESETS)
def test_table_shows_seal_and_rules(alice, browser_of, preset):
    seats = PRESETS[preset].rules.players[-1]
    table = make(alice, preset, seats)
    shown = page(browser_of(), table)
    assert table.seal in shown
    for sentence in describe_rules(PRESETS[preset].rules, seats):
        assert sentence.text in shown
    assert "house rule" not in shown


def test_house_rules_are_marked(alice, browser_of):
    shown = page(browser_of(), make(alice, "all-fives", target=50, claims="muggins"))
    assert "<span>House rules:</span>" in shown
    assert '<span class="chip">points are called</span>' in shown
    assert "to 50 ·" in shown
    assert '<span class="chip">to 50</span>' not in shown  # the line above says it
    assert shown.count('class="changed"') >= 2


def test_secret_is_never_rendered(alice, bob, browser_of, django_user_model):
    admin = django_user_model.objects.create_superuser("admin")
    table = make(alice)
    services.sit(table, bob)
    addresses = [
        "/",
        f"/tables/{table.code}/",
        "/admin/lobbies/table/",
        f"/admin/lobbies/table/{table.pk}/change/",
    ]
    for who in (alice, bob, None, admin):
        for address in addresses:
            assert secret_of(table.code) not in browser_of(who).get(address, follow=True).content.decode()


def test_admin_is_read_only(alice, browser_of, django_user_model):
    table = make(alice, levels=["", ""])
    table.sittings.update(commitment=commitment_to("thenonce"), nonce="thenonce")
    admin = browser_of(django_user_model.objects.create_superuser("admin"))
    shown = admin.get(f"/admin/lobbies/table/{table.pk}/change/").content.decode()
    assert table.code in shown
    assert "thenonce" not in shown
    assert admin.post(f"/admin/lobbies/table/{table.pk}/change/", {"status": "closed"}).status_code == 403


def test_seats_are_rendered(alice, bob, browser_of):
    table = make(alice, "muggins-200-pairs", 4, levels=["", "", "club"])
    services.sit(table, bob, 1)
    shown = page(browser_of(), table)
    assert shown.count("Sit here") == 1
    assert re.search(r"<b>(Vesna|Bruno|Amara), club</b>", shown)
    assert "Those with the same shape are partners." in shown
    own = page(browser_of(bob), table)
    assert "Sit here" not in own
    assert "Leave the table" in own
    assert 'name="nonce"' in own


def test_invite_link_is_shown(alice, browser_of):
    table = make(alice, private=True)
    shown = page(browser_of(alice), table)
    assert f'value="http://testserver/tables/{table.code}/"' in shown
    assert "only with the link" in shown


def test_page_refreshes_without_scripts(alice, browser_of):
    table = make(alice)
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in page(browser_of(alice), table)


def test_quick_play_shows_what_it_waits_for(alice, browser_of):
    rated, casual = services.quick_play(alice, game("draw", rated=True)), services.quick_play(guest(), game())
    assert "Looking for somebody near your rating." in page(browser_of(alice), rated)
    shown = page(browser_of(casual.host), casual)
    assert "Looking for somebody to play with." in shown and "rating" not in shown.partition("<main")[2]


def test_waiting_page_shows_elapsed_time(alice, browser_of):
    table = make(alice)
    waited(table, 75)
    assert 'id="elapsed" data-seconds="75">1:15<' in page(browser_of(alice), table)
    assert 'id="elapsed"' not in page(browser_of(), table)


def test_wait_of_those_who_come_later_is_the_tables(alice, bob, browser_of):
    table = make(alice, "draw", 3)
    services.sit(table, bob, 1)
    waited(table, 75)
    assert "how long you have waited" in page(browser_of(alice), table)
    assert "how long this table has waited" in page(browser_of(bob), table)


def test_seats_name_partners(alice, bob, browser_of):
    table = make(alice, "dominican", 4, levels=["", "club"])
    computer = table.sittings.get(position=1)

    def partners(browser) -> dict[int, str]:
        seats = page(browser, table).split('<li id="seat-')[1:]
        return {
            int(seat[0]): note[1]
            for seat in seats
            if (note := re.search(r'<small class="whose-partner">(.*?)</small>', seat))
        }

    name = persona_of("club", computer.figure).name
    assert partners(browser_of()) == {2: "partner of alice", 3: f"partner of {name}"}
    assert partners(browser_of(alice)) == {2: "your partner", 3: f"partner of {name}"}
    services.sit(table, bob, 2)
    assert partners(browser_of(bob)) == {0: "your partner", 3: f"partner of {name}"}
    assert "partner of" not in page(browser_of(), make(guest(), "draw", 4))


def test_readers_own_seat_comes_first(alice, bob, browser_of):
    table = make(alice, "dominican", 4)
    services.sit(table, bob, 2)
    order = re.compile(r'<li id="seat-(\d)"')
    assert order.findall(page(browser_of(bob), table)) == ["2", "3", "0", "1"]
    assert order.findall(page(browser_of(), table)) == ["0", "1", "2", "3"]


def test_lonely_wait_is_offered_other_games_and_then_the_computer(alice, bob, charlie, browser_of):
    own = services.quick_play(alice, game("bones"))
    others = [
        services.quick_play(bob, game("draw", clock=(180, 3))),
        services.quick_play(charlie, game("block", clock=(180, 3))),
    ]
    browser = browser_of(alice)
    assert "Meanwhile people wait here:" not in page(browser, own)
    waited(own, 20)
    shown = page(browser, own)
    assert "Meanwhile people wait here:" in shown
    assert all(f'action="/tables/{other.code}/sit"' in shown for other in others)
    assert 'class="button button-main" type="submit"' not in shown
    waited(own, 40)
    assert 'class="button button-main" type="submit"' in page(browser, own)
    assert browser.get(f"/tables/{own.code}/still", headers={"HX-Request": "true"}).status_code == 200


def test_match_without_table_keeps_address(alice, bob, browser_of):
    match = begin(alice, bob)
    assert browser_of().get(f"/tables/{match.code}/").url == f"/games/{match.code}/"


def test_waiting_table_has_no_state_json(alice, browser_of):
    table = make(alice)
    assert browser_of(alice).get(f"/games/{table.code}/state.json").status_code == 404


def test_stranger_reads_who_invites_to_what(alice, bob, browser_of):
    table = make(alice, private=True)
    assert "alice invites you to a match of All Fives. No account is needed." in page(browser_of(), table)
    assert "alice invites you to a match of All Fives." in page(browser_of(bob), table)
    assert "invites you" not in page(browser_of(alice), table)

    for_four = page(browser_of(), make(alice, "block", 4))
    assert for_four.count("Sit here") == 3
    assert len(re.findall(r'button-main" type="submit">\s*Sit here', for_four)) == 1


@pytest.mark.parametrize(
    ("preset", "goal"),
    [("kozel", "first to 101 loses"), ("block", "first past 100"), ("all-fives", "to 100")],
)
def test_invitation_says_what_the_target_means(alice, browser_of, preset, goal):
    assert f" · {goal} · " in page(browser_of(), make(alice, preset))


def test_heading_counts_who_has_sat_down(alice, bob, browser_of):
    table = make(alice, "dominican", 4)
    services.sit(table, bob, 1)
    assert "<h1>2 of 4 have sat down</h1>" in page(browser_of(alice), table)
    services.leave(table, alice)  # the host
    assert "<h1>Dominican pairs</h1>" in page(browser_of(bob), table)


def test_heap_is_the_whole_set(alice, browser_of):
    def count_tiles(table: Table) -> int:
        width, height = re.search(
            r'class="heap" viewBox="0 0 (\d+) (\d+)"', page(browser_of(), table)
        ).groups()
        return int(width) // 26 * (int(height) // 52)

    sets = {PRESETS[preset].rules.set: preset for preset in PRESETS}
    sizes = {
        name: count_tiles(make(guest(f"owl-{n}"), sets[name], PRESETS[sets[name]].rules.players[0]))
        for n, name in enumerate(sets)
    }
    assert sizes == {name: SET_SIZES[name] for name in sets}


def seat_computer(browser, table: Table, seat: str | int):
    return browser.post(
        f"/tables/{table.code}/computers", {"seat": seat}, headers={"Accept": "application/json"}
    )


def test_host_seats_computers_one_by_one(alice, bob, browser_of):
    table = make(alice, "dominican", 4)
    services.sit(table, bob, 2)
    browser = browser_of(alice)
    assert page(browser, table).count("Seat a computer") == 2
    seat_computer(browser, table, 3)
    assert names(table) == ["alice", "", "bob", "club"]
    assert Table.objects.get().full_at is None
    seat_computer(browser, table, 1)
    assert names(table) == ["alice", "club", "bob", "club"]
    assert Table.objects.get().full_at is not None
    assert len({sitting.figure for sitting in table.sittings.filter(level="club")}) == 2


def test_computer_beside_a_lone_host_makes_the_table_casual(alice, browser_of):
    table = make(alice, "dominican", 4, rated=True)
    answer = browser_of(alice).post(
        f"/tables/{table.code}/computers", {"seat": 2}, headers={"HX-Request": "true"}
    )
    assert answer.headers["HX-Redirect"] == f"/tables/{table.code}/"
    table.refresh_from_db()
    assert (table.rated, names(table)) == (False, ["alice", "", "club", ""])


def test_computer_is_refused_where_people_wait_for_people(alice, bob, browser_of):
    rated = make(alice, "dominican", 4, rated=True)
    services.sit(rated, bob, 2)
    casual = make(bob, "dominican", 4)
    services.sit(casual, alice, 1)
    queue = services.quick_play(guest(), game("block", 4))
    for table, person in ((rated, alice), (casual, alice), (queue, queue.host)):
        assert "Seat a computer" not in page(browser_of(person), table)
        answer = seat_computer(browser_of(person), table, 3)
        assert (answer.status_code, answer.json()["reason"]) == (403, "waits_for_people")
    for person, seat, reason in (
        (guest("owl"), 2, "not_seated"),
        (bob, 1, "taken"),
        (bob, 4, "no_such_seat"),
        (bob, "x", "no_such_seat"),
    ):
        assert seat_computer(browser_of(person), casual, seat).json()["reason"] == reason
    assert names(casual) == ["bob", "alice", "", ""]
