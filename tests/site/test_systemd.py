"""systemd is told that the process lives, where it asks for that."""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

from dominoes_site.handover import run_systemd_watchdog


async def test_watchdog_is_notified_in_time(tmp_path: Path, monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(5)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "300000")
        with suppress(TimeoutError):
            await asyncio.wait_for(run_systemd_watchdog(), 0.25)
        assert [systemd.recv(100) for _ in range(2)] == [b"WATCHDOG=1"] * 2


async def test_no_watchdog_no_notification(monkeypatch):
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    await asyncio.wait_for(run_systemd_watchdog(), 5)
