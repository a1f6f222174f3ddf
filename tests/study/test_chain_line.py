"""/fairness/seals.txt?seal=HEX: whether a seal stands in this site's chain."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from boneyard.engine import records
from boneyard.engine.matches import begin as begin_in_engine
from boneyard.engine.moves import RESIGN
from boneyard.engine.presets import PRESETS
from boneyard.engine.shuffle import owner_digest
from games import services
from games.models import SealedSecret
from study import chain
from tests.games.playing import begin, play_and_resign

pytestmark = pytest.mark.django_db


def test_line_of_a_seal_is_that_of_the_file(client):
    seals = [services.seal(f"table{n}", bytes([n]) * 32) for n in range(3)]
    chain.publish(timezone.now())
    lines = b"".join(client.get("/fairness/seals.txt")).decode().splitlines()

    for seal, line in zip(seals, lines, strict=True):
        answer = client.get("/fairness/seals.txt", {"seal": seal})
        assert answer.status_code == 200 and answer.content.decode().startswith(f"{line} ")
        assert answer["Access-Control-Allow-Origin"] == "*"  # a saved page asks, too


def test_new_seal_waits_for_its_line(client):
    seal = services.seal("table", bytes(32))
    answer = client.get("/fairness/seals.txt", {"seal": seal})
    expected = (202, f"pending {owner_digest('table', seal)}\n")
    assert (answer.status_code, answer.content.decode()) == expected
    SealedSecret.objects.update(sealed_at=timezone.now() - timedelta(hours=4))
    assert client.get("/fairness/seals.txt", {"seal": seal}).status_code == 404


@pytest.mark.parametrize("seal", ["", "0" * 64, "A" * 64, "1 2", "' OR 1=1"])
def test_other_seals_are_unknown_and_no_secret_is_told(client, seal):
    services.seal("table", bytes(32))
    chain.publish(timezone.now())
    answer = client.get("/fairness/seals.txt", {"seal": seal})
    assert (answer.status_code, answer.content) == (404, b"unknown\n")


def test_secret_of_a_set_is_not_found_by_its_seal(client):
    seal = services.seal("daily-2026-11-26", bytes(range(32)))
    chain.publish(timezone.now())
    answer = client.get("/fairness/seals.txt", {"seal": seal}).content.decode()
    assert bytes(range(32)).hex() not in answer and "daily" not in answer
    assert client.get("/fairness/seals.txt", {"seal": bytes(range(32)).hex()}).status_code == 404


def test_answer_tells_whose_the_seal_is_to_who_knows_the_code_alone(client):
    seals = {code: services.seal(code) for code in ("k3v9a0x2mp", "daily-2026-11-26")}
    chain.publish(timezone.now())
    for code, seal in seals.items():
        answer = client.get("/fairness/seals.txt", {"seal": seal}).content.decode()
        assert answer.split()[3] == owner_digest(code, seal) != owner_digest("z3v9a0x2mp", seal)
        assert code not in answer


def test_command_says_whether_the_seal_is_in_the_chain(alice, bob, tmp_path, capsys, client):
    match = play_and_resign(begin(alice, bob))
    seal = match.seal
    call_command("export_records")
    text = capsys.readouterr().out
    invented = json.dumps(json.loads(text) | {"match": "z3v9a0x2mp"})
    (tmp_path / "records").write_text(f"{text.strip()}\n{invented}\n")

    def verify(seals: bytes) -> list[str]:
        (tmp_path / "seals").write_bytes(seals)
        call_command("verify_record", str(tmp_path / "records"), seals=str(tmp_path / "seals"))
        return capsys.readouterr().out.splitlines()[:2]

    def say(one: str, other: str) -> list[str]:
        return [f"{match.code}: in the chain of seals: {one}", f"z3v9a0x2mp: in the chain of seals: {other}"]

    assert verify(b"") == say("no", "no")
    chain.publish(timezone.now())
    unknown = f"yes, line 1; whose it is, /fairness/seals.txt?seal={seal} says"
    assert verify(b"".join(client.get("/fairness/seals.txt"))) == say(unknown, unknown)
    answer = client.get("/fairness/seals.txt", {"seal": seal}).content
    assert verify(answer) == say("yes, line 1, of this match", "line 1, but of another match")


def test_command_says_of_a_set_of_deals_nothing_about_the_match(tmp_path, capsys, client):
    """Its keys are published at the close: what is written with them may be invented."""
    seal = services.seal("daily-2026-11-26", bytes(range(32)))
    chain.publish(timezone.now())
    match = begin_in_engine(PRESETS["block"].rules, 2, bytes(range(32)), "daily-2026-11-26").play(0, RESIGN)
    people = [{"name": name, "kind": "player", "level": None} for name in ("mara", "tiago")]
    forged = records.record(
        match,
        code="z3v9a0x2mp",
        preset=None,
        seats=people,
        rated=False,
        started=None,
        ended=None,
        times=None,
        deals="daily-2026-11-26",
    )
    (tmp_path / "record").write_text(json.dumps(forged))
    (tmp_path / "seals").write_bytes(client.get("/fairness/seals.txt", {"seal": seal}).content)
    call_command("verify_record", str(tmp_path / "record"), seals=str(tmp_path / "seals"))
    said = capsys.readouterr().out.splitlines()[0]
    assert said == "z3v9a0x2mp: in the chain of seals: yes, line 1, of this set of deals"
