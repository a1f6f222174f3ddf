"""The operator learns of late timers, a full disk and a certificate about to end."""

import os
import socket
import ssl
import subprocess
import time
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone
from prometheus_client import generate_latest

from dominoes_site import metrics, upkeep

pytestmark = pytest.mark.django_db
OLD = time.time() - 30 * 3600


@pytest.fixture(autouse=True)
def folder(settings, tmp_path: Path, monkeypatch) -> Path:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(upkeep, "MIN_FREE_DISK", 0.0)  # that of the tests' machine may be full
    cache.delete(upkeep.CERTIFICATE_END_KEY)
    return tmp_path


def test_machine_without_backup_says_so_until_there_is_one(folder):
    assert upkeep.list_warnings()[0].startswith("No backup was made on this machine yet")
    call_command("backup", str(folder / "copy.tar"))
    assert upkeep.list_warnings() == []


def test_late_timers_are_named(folder):
    call_command("purge")
    upkeep.note_done("backup")
    for timer in ("backup", "purge"):
        os.utime(folder / f"last_{timer}", (OLD, OLD))
    assert upkeep.list_warnings() == [
        "The last backup is 30 hours old.",
        "The timer boneyard-purge has not succeeded for 30 hours.",
    ]


def test_disk_and_certificate_are_named(monkeypatch):
    upkeep.note_done("backup")
    monkeypatch.setattr(upkeep, "MIN_FREE_DISK", 1.0)
    cache.set(upkeep.CERTIFICATE_END_KEY, (timezone.now() + timedelta(days=5, hours=1)).timestamp())
    free, certificate = upkeep.list_warnings()
    assert free.startswith("The disk has ") and certificate == "Days until the certificate ends: 5."


def test_certificate_of_the_own_address_is_read(settings, monkeypatch, tmp_path):
    pem = tmp_path / "site.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3", "-subj", "/CN=localhost"]
        + ["-addext", "subjectAltName=DNS:localhost", "-out", pem, "-keyout", pem],
        check=True,
        capture_output=True,
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=_answer_once, args=[server, listener], daemon=True).start()
        settings.SITE_URL = f"https://localhost:{listener.getsockname()[1]}"
        monkeypatch.setenv("SSL_CERT_FILE", str(pem))
        upkeep.look_at_certificate(timezone.now())
    left = upkeep.get_certificate_time()
    assert left is not None and timedelta(days=2) < left <= timedelta(days=3)


def _answer_once(server: ssl.SSLContext, listener) -> None:
    plain, _address = listener.accept()
    with server.wrap_socket(plain, server_side=True) as secure:
        secure.recv(1)


def test_only_the_operator_sees_warnings(admin_client):
    assert "No backup was made" in admin_client.get("/admin/").content.decode()


def test_metrics_have_the_figures():
    upkeep.note_done("backup")
    assert metrics
    text = generate_latest().decode()
    assert 'boneyard_timer_age_seconds{timer="backup"}' in text and "boneyard_disk_free_ratio" in text
