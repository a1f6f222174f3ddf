"""Announcements of a match in live regions and accessible names."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

from django.db.models import F
from playwright.sync_api import Page, expect

from games.models import Connection, Match, Seat
from tests.browser.playing import button, get_state, match_code, wait_for_version
from tests.browser.stored import Wanted, change_rows, store_match
from tests.browser.tables import (
    in_first_round,
    open_alone,
    open_match,
    open_match_at,
    post_move,
    wait_for_turn,
)
from tests.browser.test_keys import RECORD_ANNOUNCEMENTS_JS
from tests.browser.waiting import expect_value, until
from tests.waiting import attempts

TO = {"": "", "L": " to the left", "R": " to the right", "U": " upwards", "D": " downwards"}
# From the page's first moment, for what is announced when it opens.
RECORD_FROM_START_JS = f"addEventListener('DOMContentLoaded', {RECORD_ANNOUNCEMENTS_JS})"

RECORD_FIRST_STATUS_JS = """addEventListener("DOMContentLoaded", () => {
    window.firstStatus = document.querySelector("#status").textContent;
})"""


def heard(page: Page) -> list[str]:
    return page.evaluate("heard")


def until_heard(page: Page, part: str) -> None:
    until(
        page,
        lambda: any(part in said for said in heard(page)),
        f"{part!r} to be said",
        status=lambda: heard(page),
    )


def must_draw_for_the_first_time(now: dict) -> bool:
    """Return whether so far only tiles were played, and the seat on turn must draw in the middle of the round."""
    return now["version"] == len(now["layout"]) >= 5 and now["legal"] == ["draw"]


def test_every_move_is_announced_once(alice, bob):
    before = open_match_at(must_draw_for_the_first_time, alice, bob, **{"rule-rounds": "1"})["version"]
    for page in (alice, bob):
        page.evaluate(RECORD_ANNOUNCEMENTS_JS)
        expect(page.locator("#status")).to_have_attribute("aria-live", "polite")

    for _ in attempts("the end of the match"):
        page, now = wait_for_turn(alice, bob)
        if now["status"] == "finished":
            break
        post_move(page, now["legal"][0], now)
        for each in (alice, bob):
            wait_for_version(each, now["version"] + 1)

    record = alice.request.get(f"/games/{match_code(alice)}/record.json").json()
    for page, seat in ((alice, 0), (bob, 1)):
        expect(page.locator("#status")).to_contain_text(page.locator("#over h2").text_content())
        heard = AFTER_DRAWS.sub(without_draws, " ".join(page.evaluate("heard")))
        said = re.findall(r"(?:alice|bob|You) (?:led|played|drew|passed)[^.:]*", heard)
        assert [re.sub(r"drew \d-\d", "drew a tile", each) for each in said] == [
            *in_words(record["rounds"][0]["moves"], seat)
        ][before:]
        assert "Your turn." in heard


# The call to the turn says a move together with the draws before it.
AFTER_DRAWS = re.compile(
    r"(alice|bob) drew (?:a tile|\d+ tiles), (passed|played \S+)(?: (left|right|up|down))?"
)
IN_SHORT = {None: "", "left": TO["L"], "right": TO["R"], "up": TO["U"], "down": TO["D"]}


def without_draws(said: re.Match) -> str:
    return f"{said[1]} {said[2]}{IN_SHORT[said[3]]}"


def in_words(moves: list[dict], listener: int) -> Iterator[str]:
    """Yield the sentence of each move of a round; draws of another player are counted, as each arrives alone.

    A draw that ends the round names its tile, as all hands are open then.
    """
    draws = 0
    for number, move in enumerate(moves, 1):
        name = "You" if move["seat"] == listener else ("alice", "bob")[move["seat"]]
        draws = draws + 1 if move["move"] == "draw" else 0
        if draws:
            is_named = name == "You" or number == len(moves)
            yield f"{name} drew {'a tile' if is_named or draws == 1 else f'{draws} tiles in a row'}"
        elif move["move"] == "pass":
            yield f"{name} passed"
        else:
            tile, _, end = move["move"].partition("@")
            points = f", {move['scored']} points" if move["scored"] else ""
            yield f"{name} {'played' if end else 'led'} {tile}{TO[end]}{points}"


def is_hosts_turn_to_draw(now: dict) -> bool:
    return now["you"] == 0 and now["legal"] == ["draw"]


def test_own_draw_is_announced_with_its_tile(alice):
    now = open_alone(alice, ["greta"], is_hosts_turn_to_draw)
    alice.evaluate(RECORD_ANNOUNCEMENTS_JS)
    button(alice, "Draw").click()
    wait_for_version(alice, now["version"] + 1)
    drawn = get_state(alice)["hand"][len(now["hand"])]
    until_heard(alice, f"You drew {drawn}")
    assert "You drew a tile" not in " ".join(heard(alice))


def test_new_hand_is_announced(alice, bob):
    alice.add_init_script(RECORD_FROM_START_JS)
    alice.add_init_script(RECORD_FIRST_STATUS_JS)
    between_rounds = lambda now: now["last_round"] and not now["layout"]  # noqa: E731
    now = open_match_at(between_rounds, alice, bob, watched=True, shown=[alice])
    wait_for_version(alice, now["version"])

    hand = ", ".join(get_state(alice)["hand"])
    expect(alice.locator("#status, #urgent").filter(has_text=f"Your hand: {hand}")).to_have_count(1)
    assert re.search(r"Round 2\. [^.]* leads?\.", " ".join(heard(alice)))
    expect_value(alice, "() => firstStatus", "")  # a change before the page has loaded is not read


def must_have_drawn_two() -> Callable[[dict], bool]:
    """Return whether the second seat has drawn exactly two tiles and can play one of them, as a condition."""
    earlier: list[list[str]] = []

    def has_drawn_two(now: dict) -> bool:
        if now["version"] == 0:
            earlier.clear()
        earlier.append(now["legal"])
        return now["you"] == 1 and [legal == ["draw"] for legal in earlier[-4:]] == [False, True, True, False]

    return has_drawn_two


def test_draws_of_one_press_are_announced_by_number(alice, bob):
    code, left_out = store_match(Wanted(must_have_drawn_two(), leave_out=2), alice, bob, preset="all-fives")
    assert left_out == ["draw", "draw"]
    open_match(code, alice, bob)
    alice.evaluate(RECORD_ANNOUNCEMENTS_JS)
    now = get_state(bob)
    button(bob, "Draw").click()
    wait_for_version(bob, now["version"] + 2)
    after = get_state(bob)
    post_move(bob, after["legal"][0], after)
    wait_for_version(alice, after["version"] + 1)

    # A page on a busy server may show the first draw alone.
    assert re.findall(r"bob drew (\w+) tiles?", " ".join(heard(alice)))[-1] == "2"


def test_announcement_replaces_earlier_one(alice, bob):
    open_match_at(lambda now: len(now["layout"]) == 3, alice, bob)
    for _ in range(2):
        page, now = wait_for_turn(alice, bob)
        post_move(page, now["legal"][0], now)
        for each in (alice, bob):
            wait_for_version(each, now["version"] + 1)
            expect(each.locator(":is(#status, #urgent):not(:empty)")).to_have_count(1)


# In frames in which the result is there and nothing has the focus.
RECORD_LOST_FOCUS_JS = """() => {
    window.framesOnBody = 0;
    const look = () => {
        if (document.querySelector("#over") && document.activeElement === document.body) framesOnBody++;
        requestAnimationFrame(look);
    };
    look();
}"""


def test_talk_is_announced_and_result_takes_focus(alice, bob):
    open_match_at(lambda now: len(now["layout"]) == 3, alice, bob, clock="60+0")
    alice.evaluate(RECORD_ANNOUNCEMENTS_JS)
    bob.locator("#chat summary").click()
    bob.locator("#say [name=text]").fill("good luck")
    button(bob, "Send").click()
    expect(alice.locator("#status")).to_contain_text("bob: good luck")

    bob.get_by_role("button", name="Resign").first.click()
    question = bob.get_by_role("alertdialog", name="Resign this match?")
    expect(button(question, "Resign")).to_be_focused()
    bob.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect(bob.locator("#resign")).to_be_focused()

    alice.emulate_media(reduced_motion="no-preference")  # the result then comes after the last tile
    alice.evaluate(RECORD_LOST_FOCUS_JS)
    bob.locator("#resign").press("Enter")
    button(question, "Resign").click()
    expect(alice.locator("#over")).to_be_visible()
    expect(alice.locator("#table")).not_to_have_class(re.compile("is-sheet-late"))
    expect(alice.locator("#over")).to_be_focused()
    expect_value(alice, "framesOnBody", 0)


def test_reason_for_unplayable_tile_is_an_alert(alice):
    now = open_alone(alice, ["greta"], in_first_round(is_hosts_turn_to_draw))
    alice.evaluate("document.querySelector('#hand .hand-tile').click()")
    expect(alice.get_by_role("alert")).to_contain_text(f"{now['hand'][0]} does not fit")


def test_line_is_described_in_text(alice):
    now = open_alone(alice, ["greta"], lambda now: len(now["layout"]) == 6)
    words = alice.locator("#board .visually-hidden").text_content()
    assert f"Lead: {now['layout'][0]['tile']}." in words
    assert all(laid["tile"] in words for laid in now["layout"])


def test_hand_is_announced_by_cyrillic_key_and_by_button(alice):
    now = open_alone(alice, ["greta"], lambda now: now["you"] == 0)
    alice.evaluate(RECORD_ANNOUNCEMENTS_JS)
    alice.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'р', code: 'KeyH', bubbles: true}))"
    )
    until_heard(alice, now["hand"][0])

    alice.reload()
    alice.locator("#tools > summary").click()
    alice.get_by_text("By ear", exact=True).click()
    alice.get_by_role("button", name="Hand", exact=True).click()
    for tile in now["hand"]:
        expect(alice.locator("#status")).to_contain_text(tile)


def has_running_clock(now: dict) -> bool:
    return len(now["layout"]) == 4


def test_low_time_is_announced_to_its_player(alice, bob):
    for page in (alice, bob):
        page.clock.install()
    open_match_at(has_running_clock, alice, bob, clock="180+0")
    mine, _ = wait_for_turn(alice, bob)
    other = bob if mine is alice else alice
    for page in (alice, bob):
        page.evaluate(RECORD_ANNOUNCEMENTS_JS)
        page.clock.fast_forward(125_000)
    until_heard(mine, "You have less than a minute")
    expect(other.locator(".seat:not(.mine) .clock.is-low")).to_be_visible()
    assert not any("You have less than a minute" in said for said in heard(other))


ABSENCE = timedelta(seconds=25)  # longer than one has to come back


def age_absence(code: str) -> None:
    """Let the match have begun, and its absent player have left, so much earlier."""
    earlier = {name: F(name) - ABSENCE for name in ("started_at", "turn_began_at")}
    Match.objects.filter(code=code).update(**earlier)
    gone = Connection.objects.filter(match__code=code, closed_at__isnull=False)
    gone.update(seen_at=F("seen_at") - ABSENCE, closed_at=F("closed_at") - ABSENCE)
    Seat.objects.filter(match__code=code).update(page_at=F("page_at") - ABSENCE)


def test_absence_and_claim_are_announced(alice, bob):
    for page in (alice, bob):
        page.clock.install()
    open_match_at(has_running_clock, alice, bob, clock="180+0")
    gone, _ = wait_for_turn(alice, bob)
    here = bob if gone is alice else alice
    here.evaluate(RECORD_ANNOUNCEMENTS_JS)
    gone.goto("about:blank")
    until_heard(here, "is away. You can go on in")
    change_rows(here, partial(age_absence, match_code(here)))
    here.clock.fast_forward(1000 * ABSENCE.seconds)
    until_heard(here, "Take the win")
    button(here, "Take the win").click()
    expect(here.locator("#over")).to_be_focused()


def test_rematch_offer_is_announced(alice, bob):
    open_match_at(has_running_clock, alice, bob)
    bob.evaluate(RECORD_ANNOUNCEMENTS_JS)
    alice.get_by_role("button", name="Resign").first.click()
    alice.locator(".asked .button-danger").click()
    button(alice, "Rematch").click()
    until_heard(bob, "wants a rematch")
    alice.locator("#chat summary").click()
    alice.locator("#say [name=text]").fill("once more?")
    button(alice, "Send").click()
    until_heard(bob, "once more?")  # the seconds of the offer have gone on, and are no news
    (offer,) = [said for said in heard(bob) if "wants a rematch" in said]
    assert offer.endswith("wants a rematch. The button “Rematch” accepts.")


def test_opponent_elsewhere_and_back_is_announced_once(alice, bob):
    open_match_at(has_running_clock, alice, bob)
    address = bob.url
    expect(alice.locator("html")).to_have_attribute("data-live", "on")
    alice.evaluate(RECORD_ANNOUNCEMENTS_JS)

    bob.goto("/rules/")
    expect(alice.locator(".seat:not(.mine) .is-elsewhere")).to_be_visible()
    bob.goto(address)
    expect(alice.locator(".seat:not(.mine) .is-on")).to_be_visible()

    said = [sentence for sentence in heard(alice) if "bob: " in sentence]
    assert said == ["bob: elsewhere on the site.", "bob: connected."]
