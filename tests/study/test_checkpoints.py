"""Signed checkpoints of the seals, and the command that verifies a kept file offline."""

import base64
import os
from datetime import timedelta
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from core.checkpoint_key import get_verifier_key
from core.transparency import Checkpoint, InvalidNote, compute_root, read_note, sign, verifier_key
from games.models import SealedSecret
from games.services import seal
from study import chain
from study.models import SealLink

KEY = bytes(range(32))
OTHER_KEY = bytes(range(1, 33))


@pytest.fixture
def signing_key(settings):
    settings.CHECKPOINT_KEY = KEY
    settings.SITE_URL = "https://dominoes.example"


def root_by_definition(lines: list[bytes]) -> bytes:
    """RFC 6962, section 2.1, word by word."""
    if not lines:
        return sha256(b"").digest()
    if len(lines) == 1:
        return sha256(b"\x00" + lines[0]).digest()
    split = 1
    while 2 * split < len(lines):
        split *= 2
    left, right = root_by_definition(lines[:split]), root_by_definition(lines[split:])
    return sha256(b"\x01" + left + right).digest()


@pytest.mark.parametrize("number", [*range(18), 63, 64, 65, 200])
def test_root_follows_the_definition(number):
    lines = [str(n).encode() for n in range(number)]
    assert compute_root(lines) == (number, root_by_definition(lines))


def test_root_of_the_published_test_vector():
    """The inputs and root hash of Certificate Transparency's own tests."""
    inputs = (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
    _size, root = compute_root(bytes.fromhex(text) for text in inputs)
    assert root.hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


def test_note_has_the_published_format():
    checkpoint = Checkpoint("dominoes.example/fairness", 4027504, bytes(32))
    note = sign(checkpoint, KEY)
    body, signature = note.split("\n\n")
    assert body == f"dominoes.example/fairness\n4027504\n{base64.b64encode(bytes(32)).decode()}"
    dash, name, encoded = signature.rstrip("\n").split(" ")
    assert (dash, name) == ("—", "dominoes.example/fairness")
    _name, key_hash, public = verifier_key(name, KEY).split("+", 2)
    signed = base64.b64decode(encoded)
    assert signed[:4].hex() == key_hash
    raw = base64.b64decode(public)
    assert raw[:1] == b"\x01"
    Ed25519PublicKey.from_public_bytes(raw[1:]).verify(signed[4:], f"{body}\n".encode())


def test_cosigned_note_is_read():
    checkpoint = Checkpoint("dominoes.example/fairness", 3, bytes(32))
    note = sign(checkpoint, KEY) + "— witness.example/w1 " + base64.b64encode(bytes(76)).decode() + "\n"
    assert read_note(note, verifier_key("dominoes.example/fairness", KEY)) == checkpoint


@pytest.mark.parametrize(
    "change",
    [
        lambda note: note.replace("\n3\n", "\n4\n"),
        lambda note: note.replace("dominoes", "casino"),
        lambda note: note.split("\n\n")[0],
        lambda note: "",
        lambda note: note[:-9] + "AAAAAAA=\n",
        lambda note: sign(Checkpoint("dominoes.example/fairness", 3, bytes(32)), OTHER_KEY),
    ],
)
def test_changed_note_is_refused(change):
    note = sign(Checkpoint("dominoes.example/fairness", 3, bytes(32)), KEY)
    with pytest.raises(InvalidNote):
        read_note(change(note), verifier_key("dominoes.example/fairness", KEY))


def save(tmp_path, name: str, text: str) -> str:
    file = tmp_path / name
    file.write_text(text)
    return str(file)


def get_text(path: str) -> str:
    response = Client().get(path)
    assert response.status_code == 200
    content = b"".join(response) if response.streaming else response.content
    return content.decode()


@pytest.fixture
def published(db, signing_key, tmp_path):
    """Return files: the seals, and the checkpoints of an earlier and a later hour."""
    now = timezone.now()
    checkpoints = []
    for hour in range(2):
        for number in range(3):
            seal(f"table{hour}{number:04}")
        chain.publish(now + timedelta(hours=hour))
        checkpoints.append(save(tmp_path, f"checkpoint-{hour}", get_text("/fairness/checkpoint")))
    return save(tmp_path, "seals.txt", get_text("/fairness/seals.txt")), checkpoints


def test_kept_checkpoints_verify_the_seals(published, capsys):
    seals, checkpoints = published
    call_command("verify_seals", seals, "--checkpoint", *checkpoints)
    assert "6 seals, 2 checkpoints: sound." in capsys.readouterr().out
    key = verifier_key("dominoes.example/fairness", KEY)
    assert key in get_text("/fairness/").replace("&#x2B;", "+")
    call_command("verify_seals", seals, "--checkpoint", *checkpoints, "--key", key)


def test_rewritten_chain_is_found(published, tmp_path):
    """A chain that is sound in itself, but another than the one that was signed."""
    seals, checkpoints = published
    lines, previous = [], chain.GENESIS_HASH
    for number, line in enumerate(open(seals).read().splitlines(), 1):
        text = "0" * 64 if number == 2 else line.split()[1]
        previous = chain.link_hash(previous, text)
        lines.append(f"{number} {text} {previous}\n")
    rewritten = save(tmp_path, "rewritten.txt", "".join(lines))
    call_command("verify_seals", rewritten)
    with pytest.raises(CommandError, match="not those that it signs"):
        call_command("verify_seals", rewritten, "--checkpoint", checkpoints[0])


@pytest.mark.parametrize("changed", [0, 3, 5])
def test_changed_line_is_found(published, tmp_path, changed):
    lines = open(published[0]).read().splitlines()
    lines[changed] = lines[changed].replace(lines[changed][10], "x", 1)
    with pytest.raises(CommandError, match=f"line {changed + 1}:"):
        call_command("verify_seals", save(tmp_path, "changed.txt", "\n".join(lines)))


def test_shortened_file_is_found(published, tmp_path):
    lines = open(published[0]).read().splitlines()[:4]
    short = save(tmp_path, "short.txt", "\n".join(lines) + "\n")
    call_command("verify_seals", short, "--checkpoint", published[1][0])
    with pytest.raises(CommandError, match="the file fewer"):
        call_command("verify_seals", short, "--checkpoint", published[1][1])


def test_restored_backup_explains_checkpoints_after_it(published, tmp_path, capsys):
    seals, checkpoints = published
    SealLink.objects.filter(number__gt=3).delete()
    SealedSecret.objects.filter(code__startswith="table1").delete()
    chain.note_restore(timezone.now())
    seal("afterwards")
    chain.publish(timezone.now())
    restored = save(tmp_path, "restored.txt", get_text("/fairness/seals.txt"))
    with pytest.raises(CommandError, match="the file fewer"):
        call_command("verify_seals", restored, "--checkpoint", checkpoints[1])
    notes = save(tmp_path, "notes.txt", get_text("/fairness/restores.txt"))
    call_command("verify_seals", restored, "--restores", notes, "--checkpoint", *checkpoints)
    printed = capsys.readouterr().out
    assert "checkpoint-1: its 6 seals are not continued. The site was restored" in printed
    assert "from a backup of 3 seals.\n5 seals, 2 checkpoints: sound." in printed


def test_second_restore_of_a_backup_keeps_the_note_of_the_first(published, tmp_path, capsys):
    """Links after the third are taken back twice; a checkpoint was kept between the restores."""
    seals, checkpoints = published
    first, second = timezone.now() + timedelta(hours=4), timezone.now() + timedelta(hours=6)
    kept = []
    for at in (first, second):
        earlier = chain.list_notes()
        SealLink.objects.filter(number__gt=3).delete()
        SealedSecret.objects.exclude(seal__in=SealLink.objects.values("seal")).delete()
        chain.note_restore(at, earlier)
        seal(f"after {len(earlier)}")
        published_at = at + timedelta(hours=1)
        chain.publish(published_at)
        kept.append(save(tmp_path, f"kept-{len(earlier)}", get_text("/fairness/checkpoint")))
        os.utime(kept[-1], (published_at.timestamp(), published_at.timestamp()))
    notes = save(tmp_path, "notes.txt", text := get_text("/fairness/restores.txt"))
    assert text.splitlines() == [
        f"{number} restored {at:%Y-%m-%dT%H:%M:%SZ} from a backup of 3 seals"
        for number, at in ((4, first), (5, second))
    ]
    restored = save(tmp_path, "restored.txt", get_text("/fairness/seals.txt"))
    call_command("verify_seals", restored, "--restores", notes, "--checkpoint", *checkpoints, *kept)
    printed = capsys.readouterr().out
    assert f"checkpoint-1: its 6 seals are not continued. The site was restored {first:%Y-%m-%d}" in printed
    assert f"kept-0: its 5 seals are not continued. The site was restored {second:%Y-%m-%d}" in printed
    assert "kept-1" not in printed


def test_notes_without_a_number_stay_as_they_were(published):
    """Unreleased versions stored a note without the number of its backup's seals."""
    code = "restored 2026-11-28T21:00:00Z"
    text = f"{code} from a backup of 6 seals"
    SealLink.objects.create(number=7, code=code, seal=sha256(text.encode()).hexdigest(), hash="0" * 64)
    earlier = chain.list_notes()
    assert chain.list_restores() == [f"7 {text}"]
    SealLink.objects.filter(number__gt=2).delete()
    chain.note_restore(timezone.now(), earlier)
    assert chain.list_restores()[0] == f"3 {text}"


def test_restore_explains_nothing_that_was_kept_after_it(published, tmp_path):
    chain.note_restore(timezone.now() - timedelta(hours=1))
    seal("afterwards")
    chain.publish(timezone.now() + timedelta(hours=3))
    kept = save(tmp_path, "kept", get_text("/fairness/checkpoint"))
    notes = save(tmp_path, "notes.txt", get_text("/fairness/restores.txt"))
    lines = get_text("/fairness/seals.txt").splitlines()
    seals = save(tmp_path, "seals.txt", "\n".join(lines))
    call_command("verify_seals", seals, "--restores", notes, "--checkpoint", kept)
    rewritten = save(tmp_path, "rewritten.txt", "\n".join(lines[:-1]))
    with pytest.raises(CommandError, match="the file fewer"):
        call_command("verify_seals", rewritten, "--restores", notes, "--checkpoint", kept)


def test_restore_explains_no_change_before_it(published, tmp_path):
    seals, checkpoints = published
    chain.note_restore(timezone.now())
    notes = save(tmp_path, "notes.txt", get_text("/fairness/restores.txt"))
    forged = save(tmp_path, "forged.txt", "4 restored 2026-01-01T00:00:00Z from a backup of 3 seals\n")
    seals = save(tmp_path, "later.txt", get_text("/fairness/seals.txt"))
    call_command("verify_seals", seals, "--restores", notes, "--checkpoint", *checkpoints)
    with pytest.raises(CommandError, match="its line is not the hash of the note"):
        call_command("verify_seals", seals, "--restores", forged, "--checkpoint", *checkpoints)


def test_no_checkpoint_without_a_key(db, settings):
    settings.CHECKPOINT_KEY = b""
    seal("table00000")
    chain.publish(timezone.now())
    assert Client().get("/fairness/checkpoint").status_code == 404
    assert get_verifier_key() == ""


def test_new_seal_of_a_table_is_in_the_chain(db, signing_key):
    seals = [seal("table00000"), seal("table00000")]
    chain.publish(timezone.now())
    assert [line.split()[1] for line in chain.iter_lines()] == seals
