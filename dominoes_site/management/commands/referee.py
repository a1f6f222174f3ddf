import asyncio
import contextlib
import signal
from typing import Any

from django.core.management.base import BaseCommand

from dominoes_site.duties import referee
from dominoes_site.setup_check import require_setup


class Command(BaseCommand):
    help = "Clocks and computers alone, for servers that run with --no-referee. Any number may run."

    def handle(self, **options: Any) -> None:
        require_setup()
        with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
            asyncio.run(self._run_until_sigterm())

    @staticmethod
    async def _run_until_sigterm() -> None:
        task = asyncio.ensure_future(referee())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await task
