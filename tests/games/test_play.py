import pytest

from boneyard.engine import matches
from boneyard.engine.dealing import deal
from games import repository, services
from games.models import Match
from tests.games.playing import begin, legal, on_turn, play, play_to_the_end

pytestmark = pytest.mark.django_db


def test_move_is_stored_and_increments_version(alice, bob):
    match = begin(alice, bob)
    move = legal(match)[0]

    after = play(match, move)

    assert after.version == 1
    assert [(m.number, m.text) for m in after.moves.all()] == [(1, move)]


def test_match_stores_no_option_at_its_default(alice, bob, browser_of):
    """A release that does not know an option can read the matches that do not use it."""
    match = begin(alice, bob)

    rules = repository.get_value(match).rules
    assert match.rules == rules.written()
    assert browser_of(alice).get(f"/games/{match.code}/state.json").json()["rules"] == rules.as_dict()


def test_value_is_the_fold_of_moves(alice, bob):
    match = play_to_the_end(begin(alice, bob))
    remembered = repository.get_value(match)

    repository.clear_caches()

    again = repository.get_value(Match.objects.get(pk=match.pk))
    assert again.scores == remembered.scores
    assert again.result == remembered.result


@pytest.mark.django_db(transaction=True)
def test_match_is_dealt_once(alice, bob, browser_of, monkeypatch):
    deals = []

    def counted(*given):
        deals.append(given)
        return deal(*given)

    monkeypatch.setattr(matches, "deal", counted)

    match = begin(alice, bob)
    for _ in range(3):
        browser_of(alice).get(match.get_absolute_url())
    assert len(deals) == 1

    repository.clear_caches()
    for _ in range(3):
        browser_of(alice).get(match.get_absolute_url())
    assert len(deals) == 2


def test_stale_version_is_refused(alice, bob):
    match = begin(alice, bob)
    seat, move = on_turn(match), legal(match)[0]
    play(match, move)

    with pytest.raises(services.MoveRefused) as refused:
        services.play(match=match, seat=seat, move=move, seen_version=0)

    assert refused.value.reason == "stale"
    assert match.moves.count() == 1


def test_move_out_of_turn_is_refused(alice, bob):
    match = begin(alice, bob)
    other = match.seats.exclude(pk=on_turn(match).pk).get()

    with pytest.raises(services.MoveRefused) as refused:
        services.play(match=match, seat=other, move=legal(match)[0], seen_version=0)

    assert refused.value.reason == "not_your_turn"


@pytest.mark.parametrize(
    "garbage", ["", "13-1", "4-6", "6-4@X", "6-4@L+", "time", "left", "takeover", "drew", "☃" * 9]
)
def test_invalid_move_is_malformed(alice, bob, garbage):
    match = begin(alice, bob)

    with pytest.raises(services.MoveRefused) as refused:
        services.play(match=match, seat=on_turn(match), move=garbage, seen_version=0)

    assert refused.value.reason == "malformed"
    assert match.moves.count() == 0


def test_tile_not_held_is_refused(alice, bob):
    match = begin(alice, bob)
    held = {move for move in legal(match)}
    foreign = next(t for t in ("0-0", "6-6", "5-4", "3-1", "2-2", "6-1", "4-0", "5-5") if t not in held)

    with pytest.raises(services.MoveRefused) as refused:
        services.play(match=match, seat=on_turn(match), move=foreign, seen_version=0)

    assert refused.value.reason == "illegal"
    assert refused.value.code == "not_held"


def test_move_in_finished_match_is_refused(alice, bob):
    match = play_to_the_end(begin(alice, bob))

    with pytest.raises(services.MoveRefused) as refused:
        services.play(match=match, seat=match.seats.first(), move="pass", seen_version=match.version)

    assert refused.value.reason == "over"


def test_abort_before_own_first_play(alice, bob):
    match = begin(alice, bob, rated=True)

    match = services.play(match=match, seat=match.seats.get(user=bob), move="abort", seen_version=0)

    assert (match.status, match.result_how) == ("finished", "aborted")
    assert match.rating_order is None


def test_abort_after_own_first_play_is_refused(alice, bob):
    match = begin(alice, bob)
    seat = on_turn(match)
    play(match)

    with pytest.raises(services.MoveRefused) as refused:
        services.play(match=match, seat=seat, move="abort", seen_version=1)

    assert refused.value.reason == "illegal"


def test_resigning_loses(alice, bob):
    match = begin(alice, bob)

    match = services.play(match=match, seat=match.seats.get(user=alice), move="resign", seen_version=0)

    assert match.result_how == "resigned"
    assert match.winners == [match.seats.get(user=bob).position]
