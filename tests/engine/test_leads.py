"""Tests of deals and leads (docs/rules.md, "The deal and the lead")."""

from boneyard.engine import matches, moves
from boneyard.engine.dealing import deal
from boneyard.engine.matches import begin
from boneyard.engine.round_ends import EndedRound, RoundEnd
from boneyard.engine.shuffle import chain
from boneyard.engine.tiles import DOUBLES, HIGH, PIPS, SUITS, mask_of, members, parse

from .positions import SECRET, arrange, legal_of, rules_of
from .strategies import play_out

SECRETS = [bytes([number]) * 32 for number in range(60)]


def first_rounds(rules, seats):
    """Return the first rounds of many matches."""
    return [begin(rules, seats, secret, "." * (seats - 1)).round for secret in SECRETS]


def next_leader(rules, seats, how, winner, leader=0, gone=()):
    """Return the deal after a round that ended in this way."""
    match = arrange(rules, ["6-5", "6-4", "6-3", "6-2"][:seats], leader=leader)
    ended = EndedRound(
        match.round, RoundEnd(how, winner, (0,) * seats, (0,) * len(match.sides)), match.scores
    )
    return deal(match.terms, chain(SECRET), "", frozenset(gone), ended)


def test_set_is_dealt_seat_by_seat():
    round_ = begin(rules_of("draw-free-pairs"), 4, SECRET, "").round
    dealt = [tile for hand in round_.deal.hands for tile in hand] + list(round_.boneyard)
    assert [len(hand) for hand in round_.deal.hands] == [6, 6, 6, 6]
    assert sorted(dealt) == list(range(28))


def test_heaviest_lot_leads():
    for round_ in first_rounds(rules_of(), 4):
        lots = round_.lots
        assert lots is not None and len(set(lots)) == 4
        heaviest = max(lots, key=lambda tile: (PIPS[tile], HIGH[tile]))
        assert round_.leader == lots.index(heaviest)
        assert round_.named is None


def test_lots_of_gone_seats_do_not_count():
    rules = rules_of("all-fives", next_lead="first")
    for gone in range(4):
        dealt = next_leader(rules, 4, "out", 0, gone=[gone])
        assert dealt.lots is not None
        rest = [seat for seat in range(4) if seat != gone]
        assert dealt.leader == max(rest, key=lambda seat: (PIPS[dealt.lots[seat]], HIGH[dealt.lots[seat]]))


def test_highest_double_leads():
    for round_ in first_rounds(rules_of("muggins-61"), 3):
        held = mask_of([tile for hand in round_.deal.hands for tile in hand])
        doubles = members(held & DOUBLES)
        named = doubles[-1] if doubles else max(members(held), key=lambda tile: (PIPS[tile], HIGH[tile]))
        assert round_.named == named
        assert named in round_.deal.hands[round_.leader]
        assert round_.legal() == (moves.LEAD[named],)


def test_lowest_double_of_seats_not_gone_leads():
    # The doubles of a gone seat do not count.
    dealt = next_leader(rules_of("fives-and-threes", players=[4]), 4, "out", 0)
    holder = dealt.leader
    again = next_leader(rules_of("fives-and-threes", players=[4]), 4, "out", 0, gone=[holder])
    assert again.hands == dealt.hands
    held = mask_of([tile for seat, hand in enumerate(again.hands) if seat != holder for tile in hand])
    assert again.named == members(held & DOUBLES)[0]
    assert again.named in again.hands[again.leader]


def test_holder_of_lead_tile_leads():
    named = parse("3-2")
    draws = 0
    for round_ in first_rounds(rules_of("gomuggins"), 2):
        if any(named in hand for hand in round_.deal.hands):
            assert named in round_.deal.hands[round_.leader]
            assert round_.lead_draws == ()
        else:
            # All seats draw in full turns, seat 0 first, until one has it.
            draws += 1
            seats = [seat for seat, _ in round_.lead_draws]
            assert seats == [0, 1] * (len(seats) // 2)
            assert [tile for _, tile in round_.lead_draws] == list(round_.deal.boneyard[: len(seats)])
            if round_.hands[round_.leader] >> named & 1:
                assert named in [tile for _, tile in round_.lead_draws[-2:]]
                assert round_.held(round_.leader)[-1] == dict(round_.lead_draws[-2:])[round_.leader]
        # It may lead any tile.
        assert round_.named is None
        assert len(round_.legal()) == round_.hands[round_.leader].bit_count()
    assert draws > 5


def test_draws_for_the_lead_leave_the_reserve():
    # Seat 0 leads any tile if nobody draws the lead tile.
    rules = rules_of("gomuggins", lead_draws="reserve", lead_with="named", reserve={"2": 13, "3": 0, "4": 0})
    lost = 0
    for round_ in first_rounds(rules, 2):
        assert round_.lead_draws == ()
        if parse("3-2") not in round_.deal.hands[0] + round_.deal.hands[1]:
            lost += 1
            assert (round_.leader, round_.named) == (0, None)
            assert len(round_.legal()) == 7
        else:
            assert round_.named == parse("3-2")
    assert lost > 5


def test_draws_for_the_lead_are_full_turns():
    rules = rules_of("gomuggins", lead_draws="reserve")
    for round_ in first_rounds(rules, 3):
        # Two turns of three draws leave one of the 7 tiles of the boneyard: the reserve.
        assert len(round_.lead_draws) in (0, 3, 6)


def test_next_seat_leads_if_lead_tile_holder_is_gone():
    # As when it leaves before leading (docs/record.md, "The record").
    dealt = next_leader(rules_of("sebastopol"), 4, "out", 0)
    again = next_leader(rules_of("sebastopol"), 4, "out", 0, gone=[dealt.leader])
    assert again.leader == (dealt.leader + 1) % 4
    assert (again.named, again.lead_draws) == (None, ())


def test_next_seat_leads_if_lead_tile_holder_leaves():
    match = arrange(
        rules_of("sebastopol", partners=False), ["6-6 1-0", "5-5 4-1", "5-3 3-1", "2-2"], named="6-6"
    )
    match = match.play(0, moves.RESIGN)
    assert match.turn == 1
    assert legal_of(match) == {"5-5", "4-1"}
    assert match.round.named == parse("6-6")
    crossed = match.play(1, moves.parse("5-5"))
    assert crossed.round.layout.ends == dict.fromkeys("LRUD", 5)
    assert match.play(1, moves.parse("4-1")).round.layout.ends == {"L": 4, "R": 1}


def test_winner_leads_next_round():
    dealt = next_leader(rules_of(), 3, "out", 2)
    assert (dealt.leader, dealt.lots, dealt.number) == (2, None, 2)


def test_first_lead_applies_without_a_present_winner():
    assert next_leader(rules_of(), 3, "blocked", None).lots is not None
    dealt = next_leader(rules_of(), 3, "out", 2, gone=[2])
    assert dealt.lots is not None and dealt.leader != 2


def test_next_lead_after_block():
    rules = rules_of(next_lead="winner", next_lead_after_block="rotate")
    assert next_leader(rules, 3, "blocked", 1, leader=1).leader == 2
    assert next_leader(rules, 3, "out", 1, leader=1).leader == 1


def test_rotating_lead_skips_gone_seats():
    rules = rules_of(next_lead="rotate")
    assert next_leader(rules, 4, "out", 0, leader=3).leader == 0
    assert next_leader(rules, 4, "out", 0, leader=3, gone=[0, 1]).leader == 2


def test_named_tile_only_with_first_lead():
    rules = rules_of("muggins-61", next_lead="winner", partners=False)
    dealt = next_leader(rules, 3, "out", 2)
    assert (dealt.leader, dealt.named) == (2, None)


def test_deal_with_too_many_of_a_suit_is_repeated():
    attempts = 0
    for round_ in first_rounds(rules_of("gomuggins", max_same_suit=3), 4):
        attempts += round_.deal.attempt
        for hand in round_.deal.hands:
            singles = mask_of(hand) & ~DOUBLES
            assert max((singles & suit).bit_count() for suit in SUITS) <= 3
    assert attempts


def test_winning_seat_of_a_pair_leads():
    match = play_out(
        begin(rules_of("block-doublet-pairs", next_lead="winner"), 4, SECRET, "..."), seed=4, rounds=1
    )
    ended = match.ended[0]
    assert ended.end.winner is not None
    if ended.end.how == "out":
        assert ended.remaining[ended.end.winner] == ()


def test_next_round_uses_the_next_key():
    match = play_out(begin(rules_of(), 2, SECRET, "a1b2."), seed=1, rounds=1)
    assert match.round.number == 2
    assert match.round.deal.key == chain(SECRET).key(2)
    assert matches.MAX_ROUNDS == 1000
