"""Deal statistics and the chain of seals."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from boneyard.computer.selfplay import selfplay
from boneyard.engine.presets import PRESETS
from games.models import SealedSecret
from games.services import play, seal
from study import chain, services
from study.chain import GENESIS_HASH, link_hash
from study.deal_statistics import build_rows, count_record, sum_counts
from study.models import ChainHead, Counted, SealLink
from tests.games.playing import begin, on_turn
from tests.html import collapse_whitespace


def self_play_records(preset: str, matches: int) -> list[dict]:
    rules = PRESETS[preset].rules
    return list(selfplay(rules, preset=preset, players=["random"] * 2, matches=matches, seed="chance"))


def test_honest_deals_and_draws_stay_within_interval():
    rows = build_rows(
        sum_counts(map(count_record, self_play_records("block", 60) + self_play_records("draw", 60)))
    )
    assert {row.name for row in rows} >= {"highest_0", "highest_1", "doubles_computers", "draws"}
    assert sum(not row.within for row in rows) <= 1
    for row in rows:
        assert row.low <= row.expected <= row.high
        assert row.trials > 100


def test_loaded_deals_fall_outside_interval():
    """Deal 6-6 to the first seat in every second round."""
    records = self_play_records("block", 60)
    for record in records:
        for round_ in record["rounds"][::2]:
            hands = round_["hands"]
            if "6-6" not in hands[0]:
                for tiles in (*hands[1:], round_["boneyard"]):
                    if "6-6" in tiles:
                        tiles[tiles.index("6-6")], hands[0][0] = hands[0][0], "6-6"
    rows = {row.name: row for row in build_rows(sum_counts(map(count_record, records)))}
    assert not rows["highest_0"].within
    assert rows["highest_0"].observed > rows["highest_0"].high


def test_deals_that_are_not_of_the_whole_set_are_not_counted():
    rules = PRESETS["six-love-cutthroat"].rules.replace(target=1)
    (three,) = selfplay(rules, preset=None, players=["random"] * 3, matches=1, seed="chance")
    assert three["rounds"][0]["boneyard"] == ["0-0"]
    assert count_record(three) == {}


@pytest.mark.django_db
def test_chain_contains_every_seal_and_publishes_heads():
    seals = [seal(f"table{n:05}") for n in range(3)]
    now = timezone.now()
    chain.publish(now)
    seal("table00003")
    chain.publish(now + timedelta(hours=1))

    response = Client().get("/fairness/chain.txt")
    lines = b"".join(response).decode().splitlines()
    before = GENESIS_HASH
    for number, line in enumerate(lines, 1):
        number_text, seal_text, hash_text = line.split()
        assert int(number_text) == number
        assert hash_text == link_hash(before, seal_text)
        before = hash_text
    assert [line.split()[1] for line in lines[:3]] == seals
    assert [head.number for head in ChainHead.objects.order_by("at")] == [3, 4]
    assert ChainHead.objects.latest("at").hash == before
    assert before in collapse_whitespace(Client().get("/fairness/numbers/").content.decode())
    assert not any(SealedSecret.objects.filter(secret__in=line.split()).exists() for line in lines)


@pytest.mark.django_db
def test_seal_is_unique_in_chain():
    seal("table00000")
    chain.publish(timezone.now())
    link = SealLink.objects.get()
    with pytest.raises(IntegrityError):
        SealLink.objects.create(number=2, code=link.code, seal=link.seal, hash="x")


@pytest.mark.django_db
def test_only_finished_matches_are_counted_once(alice, bob):
    running = begin(alice, bob)
    ended = begin(alice, bob, seed="ended")
    play(match=ended, seat=on_turn(ended), move="resign", seen_version=0)
    services.count_matches(timezone.now())
    services.count_matches(timezone.now())
    assert [row.match for row in Counted.objects.all()] == [ended]
    assert running.playing
    assert "Doubles among the tiles dealt to people" in collapse_whitespace(
        Client().get("/fairness/numbers/").content.decode()
    )


def test_count_deals_command_reads_records(tmp_path, capsys):
    file = tmp_path / "records"
    call_command("selfplay", "--preset", "block", "--matches", "3", "--out", str(file))
    call_command("count_deals", str(file))
    assert "highest_0: " in capsys.readouterr().out
