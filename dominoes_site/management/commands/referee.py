import asyncio
import contextlib
import signal
from typing import Any

from django.core.management.base import BaseCommand

from dominoes_site.duties import referee
from dominoes_site.prepared import must_be_prepared


class Command(BaseCommand):
    help = "Clocks and computers alone, for servers that run with --no-referee. Any number may run."

    def handle(self, **options: Any) -> None:
        must_be_prepared()
        with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
            asyncio.run(self._until_told())

    @staticmethod
    async def _until_told() -> None:
        duty = asyncio.ensure_future(referee())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, duty.cancel)
        await duty
