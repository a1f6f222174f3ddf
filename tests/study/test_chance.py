"""What chance does, counted and beside its band; every seal in one chain; both open to anybody."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from games.computer.selfplay import selfplay
from games.engine.presets import PRESETS
from games.models import SealedSecret
from games.services import play, seal
from study import chain, services
from study.chain import BEFORE_THE_FIRST, linked
from study.models import ChainHead, Counted, SealLink
from study.numbers import counted, rows, together
from tests.games.playing import begin, on_turn
from tests.markup import squeezed


def many(preset: str, matches: int) -> list[dict]:
    rules = PRESETS[preset].rules
    return list(selfplay(rules, preset=preset, players=["random"] * 2, matches=matches, seed="chance"))


def test_honest_deals_and_draws_keep_within_what_chance_allows():
    found = rows(together(map(counted, many("block", 60) + many("draw", 60))))
    assert {row.name for row in found} >= {"highest_0", "highest_1", "doubles_computers", "draws"}
    assert sum(not row.within for row in found) <= 1
    for row in found:
        assert row.low <= row.expected <= row.high
        assert row.times > 100


def test_loaded_deals_are_seen():
    """A site that deals the first seat 6-6 in every second round."""
    records = many("block", 60)
    for record in records:
        for round_ in record["rounds"][::2]:
            hands = round_["hands"]
            if "6-6" not in hands[0]:
                for tiles in (*hands[1:], round_["boneyard"]):
                    if "6-6" in tiles:
                        tiles[tiles.index("6-6")], hands[0][0] = hands[0][0], "6-6"
    found = {row.name: row for row in rows(together(map(counted, records)))}
    assert not found["highest_0"].within
    assert found["highest_0"].seen > found["highest_0"].high


@pytest.mark.django_db
def test_every_seal_is_in_the_chain_and_its_head_published():
    seals = [seal(f"table{n:05}") for n in range(3)]
    now = timezone.now()
    chain.publish(now)
    seal("table00003")
    chain.publish(now + timedelta(hours=1))

    told = Client().get("/fairness/chain.txt")
    lines = b"".join(told).decode().splitlines()
    before = BEFORE_THE_FIRST
    for number, line in enumerate(lines, 1):
        place, sealed, hashed = line.split()
        assert int(place) == number
        assert hashed == linked(before, sealed)
        before = hashed
    assert [line.split()[1] for line in lines[:3]] == seals
    assert [head.number for head in ChainHead.objects.order_by("at")] == [3, 4]
    assert ChainHead.objects.latest("at").hash == before
    assert before in squeezed(Client().get("/fairness/numbers/").content.decode())
    assert not any(SealedSecret.objects.filter(secret__in=line.split()).exists() for line in lines)


@pytest.mark.django_db
def test_no_seal_is_put_in_twice():
    seal("table00000")
    chain.publish(timezone.now())
    link = SealLink.objects.get()
    with pytest.raises(IntegrityError):
        SealLink.objects.create(number=2, code=link.code, seal=link.seal, hash="x")


@pytest.mark.django_db
def test_finished_matches_are_counted_once_and_running_ones_never(alice, bob):
    running = begin(alice, bob)
    ended = begin(alice, bob, seed="ended")
    play(match=ended, seat=on_turn(ended), move="resign", seen_version=0)
    services.count_matches(timezone.now())
    services.count_matches(timezone.now())
    assert [row.match for row in Counted.objects.all()] == [ended]
    assert running.playing
    assert "Doubles among the tiles dealt to people" in squeezed(
        Client().get("/fairness/numbers/").content.decode()
    )


def test_anybody_counts_again_from_records(tmp_path, capsys):
    file = tmp_path / "records"
    call_command("selfplay", "--preset", "block", "--matches", "3", "--out", str(file))
    call_command("count_deals", str(file))
    assert "highest_0: " in capsys.readouterr().out
