"""Leaving a table of three or four: the others choose whether a computer takes the seat."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.utils import timezone

from accounts.models import Rating, RatingChange
from boneyard.engine.verification import verify
from games import referee, repository, services
from games.models import Match, Rerating
from games.services import connections, rerating
from tests.games.playing import begin, legal, on_turn, play, play_to_the_end
from tests.html import collapse_whitespace
from tests.times import later

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]


@pytest.fixture(autouse=True)
def no_pause_for_calls(settings):
    settings.CALL_PAUSE_MS = 0


@pytest.fixture
def david(db):
    return get_user_model().objects.create_user("david", password="david's bones")


@pytest.fixture
def pairs(alice, bob, charlie, david) -> Any:
    """Start a rated match in pairs (alice with charlie) after every first turn, with all pages open."""
    return open_all_pages(
        begin(alice, bob, charlie, david, preset="muggins-200-pairs", rated=True, clock=(300, 5)), 4
    )


@pytest.fixture
def three(alice, bob, charlie) -> Any:
    return open_all_pages(begin(alice, bob, charlie, preset="all-fives", rated=True, clock=(300, 5)), 3)


def open_all_pages(match, people):
    while match.moves.exclude(text="draw").values("seat").distinct().count() < people:
        play(match)
    for seat in match.seats.all():
        connections.record_open(match=match, seat=seat, channel=f"page of {seat.name}")
    match.refresh_from_db()
    return match


def seat_of(match, person):
    return match.seats.get(user=person)


def page_of(browser, match):
    return collapse_whitespace(browser.get(f"/games/{match.code}/").content.decode())


def leave(match, person):
    match.refresh_from_db()
    return services.play(match=match, seat=seat_of(match, person), move="resign", seen_version=match.version)


def choose(match, person, take):
    return services.answer_absence(match=match, seat=seat_of(match, person), take=take)


def agree(match, leaver):
    """All who play on agree to a computer in the leaver's seat."""
    match.refresh_from_db()
    staying = [s for s in match.seats.all() if s.user != leaver and not (s.left or s.taken_over)]
    for seat in staying:
        match = choose(match, seat.user, "computer")
    return match


def refused(match, person, take="computer"):
    with pytest.raises(services.MoveRefused) as refusal:
        choose(match, person, take)
    return refusal.value


def test_partner_chooses_in_pairs(pairs, alice, charlie, browser_of):
    match = leave(pairs, alice)

    assert match.playing
    page = page_of(browser_of(charlie), match)
    assert "alice has left the match" in page
    assert "Let a computer play on" in page and "End the match" in page
    state = browser_of(charlie).get(f"/games/{match.code}/state.json").json()
    assert (state["deadline"], state["version"]) == (None, pairs.version)
    assert state["wait_until"]


def test_choice_deadline_without_scripts(pairs, alice, bob, charlie, browser_of):
    leave(pairs, alice)
    pairs.refresh_from_db()
    with time_machine.travel(pairs.left_at + timedelta(seconds=21), tick=False):
        for person in (bob, charlie):
            assert re.search(r"<time [^>]*>0:09</time>", page_of(browser_of(person), pairs))


def test_page_names_those_who_have_not_answered(pairs, alice, bob, browser_of):
    leave(pairs, alice)
    page = page_of(browser_of(bob), pairs)
    assert "A computer takes the seat if everybody who plays on agrees." in page
    left = page_of(browser_of(alice), pairs)
    assert "You have left the match" in left and "Not answered yet: bob, charlie, david." in left
    assert 'name="take"' not in left

    choose(pairs, bob, "computer")
    page = page_of(browser_of(bob), pairs)
    assert "Not answered yet: charlie, david." in page
    assert 'name="take"' not in page


def test_move_during_choice_is_refused(pairs, alice, charlie):
    leave(pairs, alice)
    for person, move in [(on_turn(pairs).user, legal(pairs)[0]), (charlie, "resign")]:
        with pytest.raises(services.MoveRefused) as refusal:
            services.play(match=pairs, seat=seat_of(pairs, person), move=move, seen_version=pairs.version)
        assert (refusal.value.reason, refusal.value.code) == ("wait", "choosing")


def test_resignation_that_arrives_twice_is_not_refused(pairs, alice):
    leave(pairs, alice)
    with pytest.raises(services.MoveRefused) as refusal:
        leave(pairs, alice)
    assert (refusal.value.reason, refusal.value.code) == ("stale", "repeated")


def test_leaver_may_not_choose(pairs, alice, charlie):
    leave(pairs, alice)
    assert refused(pairs, alice).reason == "not_seated"
    assert refused(pairs, charlie, "both").reason == "malformed"
    pairs.refresh_from_db()
    assert pairs.playing and pairs.leaver is not None


def test_choosing_the_end_is_a_resignation(pairs, alice, charlie):
    leave(pairs, alice)
    match = choose(pairs, charlie, "win")
    assert (match.result_how, match.winners) == ("resigned", [1])
    assert seat_of(match, charlie).rating_after == 1500
    assert seat_of(match, alice).rating_after == 1480


def test_choice_expires_after_thirty_seconds(pairs, alice):
    leave(pairs, alice)
    with later(seconds=29):
        referee.process_due_matches()
        assert Match.objects.get().playing
    with later(seconds=31):
        referee.process_due_matches()
    assert Match.objects.get().result_how == "resigned"


def test_takeover_is_casual_and_charges_the_leaver(pairs, alice, charlie):
    leave(pairs, alice)
    match = agree(pairs, alice)

    assert match.playing and seat_of(match, alice).taken_over
    match = play_to_the_end(match)
    changed = {change.rating.user: round(change.after) for change in RatingChange.objects.all()}
    assert changed == {alice: 1480}
    assert match.rated, "the record says what the table was"
    assert set(Rating.objects.values_list("user", flat=True)) == {alice.pk}
    assert Rating.objects.get(user=alice).finished == [False]


def test_leavers_of_both_pairs_are_charged(pairs, alice, bob, charlie, david):
    leave(pairs, alice)
    agree(pairs, alice)
    leave(pairs, bob)
    choose(pairs, david, "win")
    changed = {change.rating.user: round(change.after) for change in RatingChange.objects.all()}
    assert changed == {alice: 1480, bob: 1480}
    assert rerating.recompute() == []


@pytest.mark.parametrize("take", ["computer", "win"])
@pytest.mark.parametrize("seed", [1, 2])
def test_three_stay_rated_among_each_other(three, alice, bob, charlie, seed, take):
    leave(three, alice)
    match = play_to_the_end(choose(three, bob, take), seed=seed)
    scores = {person: seat_of(match, person).score for person in (bob, charlie)}
    better, worse = sorted(scores, key=lambda person: -scores[person])
    assert scores[better] > scores[worse]
    changed = {change.rating.user: round(change.after) for change in RatingChange.objects.all()}
    assert changed == {alice: 1480, better: 1520, worse: 1480}


def test_recompute_after_takeover_finds_no_difference(three, alice, bob):
    leave(three, alice)
    play_to_the_end(choose(three, bob, "computer"))
    assert rerating.recompute() == [], "from the moves"
    Rerating.objects.create(pool="muggins-free", asked_at=timezone.now())
    assert rerating.recompute_pending() == [], "from the stored results"
    assert Rating.objects.count() == RatingChange.objects.count() == 3


def test_last_person_beside_a_computer_wins(three, alice, bob, charlie):
    leave(three, alice)
    choose(three, bob, "computer")
    match = leave(three, bob)
    assert (match.result_how, match.winners) == ("resigned", [seat_of(match, charlie).position])
    changed = {change.rating.user: round(change.after) for change in RatingChange.objects.all()}
    assert changed == {alice: 1490, bob: 1490, charlie: 1520}
    assert rerating.recompute() == []
    assert verify(repository.build_record(match)).result is not None


def test_table_of_three_continues_without_the_seat(three, alice, bob, charlie, browser_of):
    leave(three, alice)
    assert "Play on without them" in page_of(browser_of(charlie), three)
    match = choose(three, charlie, "win")
    assert match.playing and not seat_of(match, alice).taken_over
    assert refused(match, bob).code in ("not_absent", "own_turn"), "the first answer has decided"


def test_expired_clock_opens_the_choice(three):
    slow = on_turn(three)
    with later(seconds=320):
        for seat in three.seats.all():
            connections.record_open(match=three, seat=seat, channel=f"new page of {seat.name}")
        referee.process_due_matches()
        three.refresh_from_db()
        assert (three.leaver, three.leaving) == (slow.position, "time")
        other = three.seats.exclude(pk=slow.pk).first()
        match = services.answer_absence(match=three, seat=other, take="computer")
        assert match.playing
        slow.refresh_from_db()
        assert slow.taken_over and slow.clock_ms == 300_000
        assert match.next_action_at - timezone.now() < timedelta(seconds=10), "the computer is to move"


def test_choice_costs_no_clock_time(three, alice):
    turn = on_turn(three)
    leaver = three.seats.exclude(pk=turn.pk).first()
    before = three.turn_began_at
    leave(three, leaver.user)
    with later(seconds=20):
        choose(three, turn.user, "computer")
    three.refresh_from_db()
    assert timedelta(seconds=19) < three.turn_began_at - before < timedelta(seconds=21)


def test_claim_for_computer_in_pairs_asks_the_others(pairs):
    absent = on_turn(pairs)
    connections.record_close(channel=f"page of {absent.name}", clean=True)
    first, *others = pairs.seats.exclude(pk=absent.pk)
    with later(minutes=1):
        match = services.answer_absence(match=pairs, seat=first, take="computer")
        assert match.playing and (match.leaver, match.agreed) == (absent.position, [first.position])
        for other in others:
            match = services.answer_absence(match=match, seat=other, take="computer")
    assert match.playing and match.leaver is None
    absent.refresh_from_db()
    assert absent.taken_over and absent.unfinished


def test_claim_for_the_win_in_pairs_ends_the_match(pairs):
    absent = on_turn(pairs)
    connections.record_close(channel=f"page of {absent.name}", clean=True)
    with later(minutes=1):
        match = services.answer_absence(
            match=pairs, seat=pairs.seats.get(position=(absent.position + 1) % 4), take="win"
        )
    assert match.result_how == "left"


def list_buttons(match, seat, browser_of):
    """Return the labels of the seat's buttons about the absent player."""
    with later(minutes=1):
        page = page_of(browser_of(seat.user), match)
    return re.findall(
        r'form="absence"[^>]*>([^<]+)</button>', page.partition('id="absent"')[2].partition('id="prod"')[0]
    )


def test_buttons_about_absent_partner(pairs, browser_of):
    absent = on_turn(pairs)
    connections.record_close(channel=f"page of {absent.name}", clean=True)
    partner = pairs.seats.get(position=(absent.position + 2) % 4)
    opponent = pairs.seats.get(position=(absent.position + 1) % 4)

    assert list_buttons(pairs, partner, browser_of) == ["End the match", "Ask for a computer"]
    assert list_buttons(pairs, opponent, browser_of) == ["Take the win", "Ask for a computer"]


def test_buttons_at_table_of_three(three, browser_of):
    absent = on_turn(three)
    connections.record_close(channel=f"page of {absent.name}", clean=True)
    other, third = three.seats.exclude(pk=absent.pk)
    assert list_buttons(three, other, browser_of) == ["Play on without them", "Let a computer play on"]

    leave(three, third.user)
    choose(three, other.user, "win")
    assert list_buttons(three, other, browser_of) == ["Take the win"]


def test_silence_in_pairs_ends_the_match(pairs):
    absent = on_turn(pairs)
    opponent = pairs.seats.get(position=(absent.position + 1) % 4)
    for seat in pairs.seats.all():
        if seat != opponent:
            connections.record_close(channel=f"page of {seat.name}", clean=True)
    with later(minutes=1):
        services.answer_absence(match=pairs, seat=opponent, take="computer")
    with later(minutes=1, seconds=31):
        referee.process_due_matches()
    match = Match.objects.get()
    assert (match.result_how, match.winners) == ("left", [opponent.position % 2])


def test_no_choice_if_choosers_are_absent(pairs, alice, charlie):
    with later(minutes=2):
        assert leave(pairs, alice).result_how in ("resigned", "time")


def test_no_choice_at_table_of_two(alice, bob):
    match = begin(alice, bob, rated=True)
    for seat in match.seats.all():
        connections.record_open(match=match, seat=seat, channel=seat.name)
    assert leave(match, alice).result_how == "resigned"


def test_account_deletion_during_choice(three, alice, bob, charlie):
    leave(three, alice)
    services.leave(match=three, user=bob)
    three.refresh_from_db()
    assert (three.result_how, three.winners) == ("resigned", [seat_of(three, charlie).position])


def test_page_shows_casual_after_takeover(pairs, alice, charlie, browser_of):
    leave(pairs, alice)
    agree(pairs, alice)
    facts = page_of(browser_of(charlie), pairs).partition('id="facts"')[2]
    assert facts.index("casual") < facts.index("</p>")


def test_choice_works_without_scripts(pairs, alice, bob, charlie, david, browser_of):
    leave(pairs, alice)
    for person in (bob, charlie, david):
        answer = browser_of(person).post(f"/games/{pairs.code}/absent", {"take": "computer"})
        assert (answer.status_code, answer["Location"]) == (303, f"/games/{pairs.code}/")
    assert seat_of(pairs, alice).taken_over
