import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Serve the whole site, computer players and clocks included, until it is told to stop."
    requires_system_checks = []  # `make test` runs them; starting should not

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT") or 8000))
        parser.add_argument("--unix", metavar="PATH", help="listen at a socket file instead, behind a proxy")
        parser.add_argument(
            "--no-referee", action="store_true", help="leave clocks and computers to `manage.py referee`"
        )

    def handle(self, *, host: str, port: int, unix: str | None, no_referee: bool, **options: Any) -> None:
        if settings.SECRET_KEY == settings.NO_SECRET_KEY:
            raise CommandError("There is no secret key yet: run `python manage.py setup` first.")
        # Daphne must be the first to choose Twisted's reactor, and the application comes after it.
        from dominoes_site.serving import Server  # isort: skip
        from dominoes_site.asgi import application
        from dominoes_site.duties import referee
        from dominoes_site.handover import inherited

        address = f"unix:{unix}" if unix else f"http://{host}:{port}"
        interface = host.replace(":", r"\:")  # Twisted's notation parts at colons
        server = Server(
            application,
            f"unix:{unix}:mode=660" if unix else f"tcp:{port}:interface={interface}",
            duties=[] if no_referee else [referee],
            when_ready=lambda: print(f"Boneyard is at {address}", flush=True),
            inheritance=inherited(),
        )
        server.run()
        if server.refused:
            raise CommandError(
                f"Cannot listen at {address}: {server.refused}. Another port: PORT=8001 make run"
            )
