"""Conditional moves: stored while one waits, played in the transaction of the other's move, seen by nobody else."""

import re

import pytest
from django.contrib import admin
from django.urls import reverse

from accounts import personal
from boneyard.engine.moves import DRAW, PASS, parse
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from games import repository, services
from games.conditional_moves import ANY, MAX_ANSWERS, list_answers, list_later_answers
from games.models import ConditionalMove, Match
from games.services import MoveRefused, conditional_moves
from games.table import snapshot_cache
from games.table.page_state import MatchPageState
from games.table.planning import Planning
from games.table.state_json import build_state
from games.time.day_clocks import DAY_SECONDS
from tests.computer.tables import positions
from tests.games.playing import begin, legal, on_turn, play

pytestmark = pytest.mark.django_db
DAYS = (3 * DAY_SECONDS, 0)


@pytest.fixture
def match(alice, bob):
    return begin_and_play(alice, bob, "plans")


def begin_and_play(alice, bob, seed: str) -> Match:
    match = begin(alice, bob, preset="block", clock=DAYS, seed=seed)
    while match.version < 3:
        match = play(match)
    on_turn(match)
    return match


def waiting_seat(match: Match):
    turn = on_turn(match).position
    return match.seats.select_related("user").get(position=1 - turn)


def answers_of(match: Match):
    seat = waiting_seat(match)
    return list_answers(perspective(repository.get_value(match), seat.position))


def plan(match: Match, condition: str, move: str, **changes) -> None:
    given = {"code": match.code, "user": waiting_seat(match).user, "condition": condition, "move": move}
    services.plan(**given | {"seen_version": match.version} | changes)


def find_pair(match: Match) -> tuple[str, str]:
    """Return a legal move of the one on turn and an answer of the other that fits after it."""
    answers = answers_of(match)
    move = next(move for move in legal(match) if move in answers)
    return move, str(answers[move][0])


def texts(match: Match) -> list[str]:
    return list(match.moves.order_by("number").values_list("text", flat=True))


def test_answer_follows_at_once(match):
    move, answer = find_pair(match)
    plan(match, move, answer)
    play(match, move)
    assert texts(match)[3:5] == [move, answer]
    assert not ConditionalMove.objects.exists()


def test_open_page_of_a_plan_says_that_it_was_played(match, browser_of):
    move, answer = find_pair(match)
    page, address = browser_of(waiting_seat(match).user), reverse("match-plan", args=[match.code])
    other = on_turn(match).user.username
    opened = page.get(address).content.decode()
    assert f'hx-get="{address}?since={match.version}"' in opened
    assert page.get(address, {"since": match.version}).status_code == 204
    plan(match, move, answer)
    played = play(match, move)
    told = page.get(address, {"since": match.version}).content.decode()
    assert re.match(rf"{other} played {move[:3]} .*\. You played {answer[:3]} .* out of date", told), told
    table = page.get(played.get_absolute_url()).content.decode()
    said = re.search(r'<p id="status"[^>]*>([^<]*)</p>', table)[1]
    assert re.search(rf"{other} played {move[:3]} .*\. You played {answer[:3]} ", said), said


def test_any_other_move_is_answered(match):
    answers = answers_of(match)
    move = next(each for each in legal(match) if set(answers[ANY]) & set(answers.get(each, ())))
    answer = next(each for each in answers[ANY] if each in answers[move])
    other = next(text for text in answers if text not in (ANY, move))
    plan(match, other, str(answers[other][0]))
    plan(match, ANY, str(answer))
    play(match, move)
    assert texts(match)[4] == str(answer)
    assert not ConditionalMove.objects.exists()


def test_plan_for_another_move_is_dropped(match):
    move, _ = find_pair(match)
    other = next(text for text in answers_of(match) if text not in (ANY, "pass", move))
    plan(match, other, str(answers_of(match)[other][0]))
    match = play(match, move)
    assert texts(match)[3:] == [move] or texts(match)[4] == "pass"
    assert not ConditionalMove.objects.exists()


def find_closed(match: Match) -> tuple[str, str] | None:
    """Return a legal move, and a play that fits now and not after it."""
    answers = answers_of(match)
    for move in legal(match):
        closed = set(answers.get(ANY, ())) - set(answers.get(move, ()))
        if closed:
            return move, min(map(str, closed))
    return None


def test_plan_that_does_not_fit_is_dropped(alice, bob):
    for number in range(20):
        match = begin_and_play(alice, bob, f"closed-{number}")
        if found := find_closed(match):
            break
    move, closed = found
    plan(match, ANY, closed)
    play(match, move)
    assert closed not in texts(match)[4:5]
    assert not ConditionalMove.objects.exists()


def test_end_of_the_match_drops_plans(match):
    plan(match, *find_pair(match))
    play(match, "resign")
    assert not ConditionalMove.objects.exists()


def test_draw_that_ends_a_round_drops_plans(match, charlie, bob):
    move, answer = find_pair(match)
    plan(match, move, answer)
    snapshot = repository.get_snapshot(match.code)
    turn = snapshot.value.turn
    assert conditional_moves.take_answer(snapshot, turn, DRAW) is None
    assert ConditionalMove.objects.exists(), "the turn goes on"
    new_round = repository.get_value(begin(charlie, bob, preset="block", clock=DAYS))
    after = repository.Snapshot(snapshot.match, snapshot.seats, new_round)
    assert conditional_moves.take_answer(after, new_round.turn, DRAW) is None
    assert not ConditionalMove.objects.exists()


def test_second_plan_for_the_same_move_replaces_the_first(match):
    answers = answers_of(match)
    condition, (first, second, *_) = next(item for item in answers.items() if len(item[1]) > 1)
    plan(match, condition, str(first))
    plan(match, condition, str(second))
    assert [row.move for row in ConditionalMove.objects.all()] == [str(second)]
    plan(match, condition, "")
    assert not ConditionalMove.objects.exists()


def test_planning_is_refused(match, charlie):
    move, answer = find_pair(match)
    for reason, changes in {
        "stale": {"seen_version": match.version - 1},
        "not_seated": {"user": charlie},
        "illegal": {"user": on_turn(match).user},
    }.items():
        with pytest.raises(MoveRefused) as refused:
            plan(match, move, answer, **changes)
        assert refused.value.reason == reason
    for condition, wrong in ((move, "6-6@U"), (move, "not a move"), (answer, answer), (move, "pass")):
        with pytest.raises(MoveRefused):
            plan(match, condition, wrong)
    assert not ConditionalMove.objects.exists()


@pytest.mark.parametrize(
    "changes",
    [{"clock": (300, 5)}, {"clock": DAYS, "preset": "muggins-200"}, {"clock": None}],
    ids=["minutes", "points are called", "no clock"],
)
def test_no_plans_at_other_tables(alice, bob, browser_of, changes):
    match = play(begin(alice, bob, **changes))
    on_turn(match)
    with pytest.raises(MoveRefused):
        plan(match, *find_pair(match))
    page = browser_of(waiting_seat(match).user)
    assert page.get(reverse("match-plan", args=[match.code])).status_code == 303
    assert reverse("match-plan", args=[match.code]) not in page.get(match.get_absolute_url()).content.decode()


def test_choices_follow_from_what_one_sees(match):
    value, seat = repository.get_value(match), waiting_seat(match).position
    view = perspective(value, seat)
    for condition in answers_of(match):
        assert condition in (ANY, "pass") or not view.seen & parse(condition).tiles
    hands = list(value.round.hands)
    hands[1 - seat] |= 1 << value.round.boneyard[0]
    other = value._replace(round=value.round._replace(hands=tuple(hands)))
    assert list_answers(perspective(other, seat)) == answers_of(match)


def test_pass_is_a_choice_only_once_no_tile_can_be_drawn_that_fits():
    early, forced = set(), set()
    for seed in "abcdef":
        for match in positions(PRESETS["draw"].rules, 2, seed, rounds=3):
            answers = list_answers(perspective(match, 1 - match.turn))
            if ANY in answers and len(match.round.boneyard) > 10:
                early.add("pass" in answers)
            elif ANY in answers and match.round.legal() == (PASS,):
                forced.add("pass" in answers)
    assert (early, forced) == ({False}, {True})


def read_all(match: Match, browser, user) -> tuple:
    """Return what a person gets of the match: state, page and export."""
    address = match.get_absolute_url()
    pages = [browser.get(address).content.decode(), browser.get(f"{address}sync").content.decode()]
    state = build_state(match, match.seats.filter(user=user).first(), match.started_at)
    return (
        state,
        ["/plan/" in page for page in pages],
        personal.export_data(user)["games"]["conditional_moves"],
    )


def test_plan_is_shown_to_its_player_alone(match, browser_of, charlie):
    move, answer = find_pair(match)
    planner, mover = waiting_seat(match), on_turn(match)
    pages = {}
    for who in (mover.user, charlie):
        read_all(match, browser_of(who), who)  # the first look makes them present
        pages[who] = read_all(match, browser_of(who), who)
    plan(match, move, answer)
    for who, before in pages.items():
        assert read_all(match, browser_of(who), who) == before, "something tells of a plan"
    assert browser_of(mover.user).get(reverse("match-plan", args=[match.code])).status_code == 303
    page = browser_of(planner.user).get(reverse("match-plan", args=[match.code])).content.decode()
    assert f'name="if" value="{move}"' in page
    assert not admin.site.is_registered(ConditionalMove)
    assert answer not in str(ConditionalMove.objects.get())


def test_any_other_case_is_offered_last(match):
    conditions = list(answers_of(match))
    assert len(conditions) > 2 and conditions[-2:] == ["pass", ""]


def test_only_the_planners_table_counts_the_plans(match, browser_of, charlie):
    answers = answers_of(match)
    planner, mover = waiting_seat(match).user, on_turn(match).user
    viewers = (planner, mover, charlie)
    before = {who: _look(match, who) for who in viewers}
    for number, (condition, moves) in enumerate(list(answers.items())[:2], start=1):
        plan(match, condition, str(moves[0]))
        now = {who: _look(match, who) for who in viewers}
        assert f"{number} answer" in now[planner].fragments["planning"].html()
        assert now[planner].diff_from(before[planner]).count("planned") == 1
        for who in (mover, charlie):
            assert now[who].checksum == before[who].checksum
            assert "planned" not in now[who].full_html()
            assert "planned" not in browser_of(who).get(match.get_absolute_url()).content.decode()


def _look(match: Match, who) -> MatchPageState:
    snapshot_cache.clear()
    return snapshot_cache.get_snapshot_view(match.code, version=match.version, since=0.0).page_state_for(who)


def test_form_plans_and_cancels(match, browser_of):
    move, answer = find_pair(match)
    page, address = browser_of(waiting_seat(match).user), reverse("match-plan", args=[match.code])
    assert address in page.get(match.get_absolute_url()).content.decode()
    assert f'<option value="{answer}">' in page.get(address, {"line": move}).content.decode()
    given = {"if": move, "move": answer, "version": match.version}
    assert page.post(address, given | {"version": "x"}).status_code == 303
    assert "moved on" in page.get(address).content.decode()
    page.post(address, given)
    assert [(row.condition, row.move) for row in ConditionalMove.objects.all()] == [(move, answer)]
    page.post(address, given | {"move": ""})
    assert not ConditionalMove.objects.exists()


def test_answer_to_a_lead_of_a_new_round(alice, bob):
    """Before the lead the conditions are leads, and there is no answer to any move."""
    match = begin(alice, bob, preset="block", clock=DAYS, seed="lead")
    on_turn(match)
    answers = answers_of(match)
    assert ANY not in answers
    led = next(move for move in legal(match) if move in answers)
    plan(match, led, str(answers[led][0]))
    match = play(match, led)
    assert texts(match)[:2] == [led, str(answers[led][0])]


# Several steps


def find_later_pair(match: Match, path: str) -> tuple[str, str]:
    """Return a move of the one on turn that may follow after a path, and an answer to it."""
    view = perspective(repository.get_value(match), waiting_seat(match).position)
    hand = perspective(repository.get_value(match), on_turn(match).position).hand
    later = list_later_answers(view, path)
    condition = next(text for text in later if text != "pass" and parse(text).plays[0][0] in hand)
    return condition, str(later[condition][0])


def plan_two_steps(match: Match) -> tuple[str, str, str, str]:
    """Plan an answer and a second one after it; return the moves in turn."""
    move, answer = find_pair(match)
    plan(match, move, answer)
    then, last = find_later_pair(match, f"{move} {answer}")
    plan(match, f"{move} {answer} {then}", last)
    return move, answer, then, last


def test_second_step_is_played_after_the_first(match):
    moves = plan_two_steps(match)
    match = play(match, moves[0])
    assert texts(match)[3:] == list(moves[:2])
    assert [(row.condition, row.move, row.then) for row in ConditionalMove.objects.all()] == [
        (*moves[2:], "")
    ]
    play(match, moves[2])
    assert texts(match)[3:7] == list(moves)
    assert not ConditionalMove.objects.exists()


def test_other_move_drops_the_steps_to_come(match):
    moves = plan_two_steps(match)
    match = play(match, moves[0])
    other = next(move for move in legal(match) if move != moves[2])
    play(match, other)
    assert moves[3] not in texts(match)[6:7] or texts(match)[5] == "pass"
    assert not ConditionalMove.objects.exists()


def test_cancelled_step_takes_those_after_it_along(match):
    move, answer, then, last = plan_two_steps(match)
    plan(match, f"{move} {answer} {then}", "")
    assert [row.then for row in ConditionalMove.objects.all()] == [""]
    plan(match, f"{move} {answer} {then}", last)
    plan(match, move, "")
    assert not ConditionalMove.objects.exists()


def test_step_after_an_answer_that_is_not_planned_is_refused(match):
    move, answer, then, last = plan_two_steps(match)
    plan(match, move, "")
    two, unknown, turned = f"{move} {answer}", f"x {answer} {then}", f"{then} {last} {move}"
    for path in (f"{two} {then}", two, f"{two} ", unknown, turned):
        with pytest.raises(MoveRefused):
            plan(match, path, last)
    assert not ConditionalMove.objects.exists()


def test_plan_is_no_longer_than_its_limit(match):
    view = perspective(repository.get_value(match), waiting_seat(match).position)
    path = " ".join(find_pair(match))
    for _ in range(MAX_ANSWERS):
        if not (later := list_later_answers(view, path)):
            break
        condition = next(iter(later))
        path = f"{path} {condition} {later[condition][0]}"
    assert len(path.split()) <= 2 * MAX_ANSWERS and not list_later_answers(view, path)


def test_page_leads_from_step_to_step(match, browser_of):
    move, answer, then, last = plan_two_steps(match)
    page, address = browser_of(waiting_seat(match).user), reverse("match-plan", args=[match.code])

    def show(line: str) -> str:
        return page.get(address, {"line": line}).content.decode()

    start = show("")
    assert f'value="{move}"' in start or f'data-fits="{move}' in start
    assert "Tiles that" in start and "choose your answer" not in start
    assert "choose your answer" in show(move) and "Your hand" in show(move)
    assert "What may" in show(f"{move} {answer}")
    assert f'value="{move} {answer} {then}"' in show("")
    posted = page.post(address, {"if": f"{move} {answer} {then}", "move": last, "version": match.version})
    assert posted.status_code == 303 and posted["Location"].startswith(f"{address}?line=")
    for wrong in ("x", "0-0@L 0-0@L", f"{move} {move}", "any any", "pass pass pass", "\0"):
        assert page.get(address, {"line": wrong}).status_code == 200


def test_pages_of_a_plan_depend_on_nothing_hidden(match, browser_of):
    """The other's hand and the boneyard are exchanged: nothing that the planner sees changes."""
    value, seat = repository.get_value(match), waiting_seat(match).position
    hands = list(value.round.hands)
    kept = hands[1 - seat] & hands[1 - seat] - 1  # one tile is another
    hands[1 - seat] = kept | 1 << value.round.boneyard[0]
    other = value._replace(round=value.round._replace(hands=tuple(hands)))
    for path in ("", *list_answers(perspective(value, seat))):
        pages = [Planning(perspective(each, seat), "bob", path or "any", []) for each in (value, other)]
        assert len({(page.board.html(), page.rack.html(), page.task) for page in pages}) == 1
