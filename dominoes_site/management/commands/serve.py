import asyncio
import errno
import shutil
import socket
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from core import numbers
from core.siblings import SIBLINGS
from dominoes_site import environment, serving_lock, start_limit
from dominoes_site.handover import Inheritance, pop_inheritance
from dominoes_site.setup_check import require_setup
from dominoes_site.version import VERSION

PORTS = {"least": 1, "most": 65535}
DEFAULT_POSTGRESQL_PORT = "5432"
DEBUG_WARNING = (
    "DEBUG is on: error pages show the code and settings to everybody. Unset it where others play."
)


class Command(BaseCommand):
    help = "Serve the whole site, computer players and clocks included, until it is told to stop."
    requires_system_checks = []  # `make test` runs them; starting should not

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=environment.text("HOST", "127.0.0.1"))
        parser.add_argument("--port", type=_port, default=environment.whole_number("PORT", 8000, **PORTS))
        parser.add_argument("--unix", metavar="PATH", help="listen at a socket file instead, behind a proxy")
        parser.add_argument(
            "--no-referee", action="store_true", help="leave clocks and computers to `manage.py referee`"
        )

    def handle(self, *, host: str, port: int, unix: str | None, no_referee: bool, **options: Any) -> None:
        start_limit.begin()
        require_setup()
        from dominoes_site.unconnected import MESSAGE, has_live_neighbour

        if settings.DEBUG:
            self.stderr.write(self.style.ERROR(DEBUG_WARNING))
        inheritance = pop_inheritance()
        is_sibling = SIBLINGS.count > 1
        if inheritance is None and has_live_neighbour():
            self.stderr.write(self.style.ERROR(MESSAGE))
        address = f"unix:{unix}" if unix else f"http://{host}:{port}"
        services = f", on {describe_services()}" if unix else ""
        announce = partial(print, f"Boneyard {VERSION} is at {address}{services}", flush=True)
        if settings.PROCESSES > 1 and not unix and not is_sibling:
            failure = _serve_with_processes(host, port, announce, inheritance)
        else:
            interface = host.replace(":", r"\:")  # Twisted's notation separates arguments with colons
            endpoint = f"unix:{unix}:mode=660" if unix else f"tcp:{port}:interface={interface}"
            failure = _serve(endpoint, no_referee, _do_nothing if is_sibling else announce, inheritance)
        if failure:
            raise CommandError(f"Cannot listen at {address}: {_explain(failure, unix)}")


def _serve_with_processes(
    host: str, port: int, when_ready: Callable[[], None], inheritance: Inheritance | None
) -> Exception | None:
    """Serve with several processes until told to stop; return why the port could not be opened, if it could not."""
    from dominoes_site.processes import Parent, open_port

    try:
        listener = socket.socket(fileno=inheritance.port_fd) if inheritance else open_port(host, port)
    except OSError as error:
        return error
    connection.close()  # the parent needs none
    start_limit.end()
    shutil.rmtree(settings.SHARED_CACHE_DIR, ignore_errors=True)  # another release may have written it
    sys.exit(asyncio.run(Parent(listener, settings.PROCESSES, when_ready, inheritance).run()))


def _serve(
    endpoint: str, no_referee: bool, when_ready: Callable[[], None], inheritance: Inheritance | None
) -> Exception | None:
    """Serve in this process until told to stop; return why the endpoint could not be listened at, if it could not."""
    # Import Daphne first: it installs Twisted's reactor.
    from dominoes_site.serving import Server  # isort: skip
    from dominoes_site.asgi import application
    from dominoes_site.duties import referee
    from dominoes_site.health import check_integrity
    from dominoes_site.preload import read_files
    from live.open_sockets import share

    read_files()
    serving_lock.hold()
    if connection.vendor == "sqlite":
        file = Path(str(connection.settings_dict["NAME"]))
        Thread(target=check_integrity, args=[file], daemon=True).start()
    duties: list[Callable[[], Awaitable[None]]] = [share] if SIBLINGS.count > 1 else []
    duties += [] if no_referee else [referee]
    server = Server(application, endpoint, duties, when_ready, inheritance)
    server.run()
    return server.listen_failure


def _do_nothing() -> None:
    pass


def describe_services() -> str:
    """Return which database and Redis are used; a misspelt variable may select another database."""
    database = connection.settings_dict
    where = f" at {database['HOST']}" if database["HOST"] else ""
    if str(database["PORT"]) not in ("", DEFAULT_POSTGRESQL_PORT):
        where += f", port {database['PORT']}"
    redis = "Redis" if settings.REDIS_URL else "no Redis: for one process alone"
    return f"{connection.display_name} {database['NAME']}{where}, {redis}"


def _port(given: str) -> int:
    number = numbers.parse_whole_number(given)
    if number is None or not PORTS["least"] <= number <= PORTS["most"]:
        raise ArgumentTypeError(f"{given!r} is not a port from {PORTS['least']} to {PORTS['most']}")
    return number


def _explain(error: Exception, unix: str | None) -> str:
    """Return the system's message, and what to do about it."""
    message = (getattr(error, "strerror", None) or str(error)).rstrip(".")
    number = getattr(error, "errno", None)
    if unix:
        return f"{message}."
    if number == errno.EADDRINUSE:
        return f"{message}. Another port: PORT=8001 make run"
    if isinstance(error, socket.gaierror) or number == errno.EADDRNOTAVAIL:
        return f"{message}. HOST must be an address of this machine: 127.0.0.1, or 0.0.0.0 for all it has."
    return f"{message}."
