"""What environment variables say, read one by one. A value that cannot be meant is refused in one line, by name.

An empty variable counts as one that is not set. Values that may hold a password are not repeated.
"""

import os
import re
from collections.abc import Callable
from email.utils import parseaddr
from typing import Any, TypeVar
from urllib.parse import urlsplit

from environ import Env

from core import numbers

Default = TypeVar("Default", int, None)

YES, NO = ("1", "true", "on", "yes", "y"), ("0", "false", "off", "no", "n")
LEVELS = ("CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG")
MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}
SHORTEST_KEY = 32  # characters
_NAME = r"(?:[\w-]+(?:\.[\w-]+)*\.?|\[[0-9A-Fa-f:.]+\])"
_HOST = re.compile(rf"\*|\.?{_NAME}", re.ASCII)
_ADDRESS = re.compile(rf"[^@\s]+@{_NAME}")
_ORIGIN = re.compile(rf"https?://(?:\*\.)?{_NAME}(?::\d+)?", re.ASCII)
_CUT_OFF = re.compile(r"[\w+]+://[^/?#]+[/?#].*@")


class Unusable(Exception):
    """The site cannot run with what a variable says. In one line, which manage.py prints: `PORT: 'abc' is not …`."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


def text(name: str, default: str = "") -> str:
    return os.environ.get(name) or default


def whole(name: str, default: Default, least: int, most: int) -> int | Default:
    """A whole number in a range, both ends included. Raises Unusable."""
    given = text(name)
    if not given:
        return default
    number = numbers.parse_whole_number(given)
    if number is None or not least <= number <= most:
        raise Unusable(name, f"{given!r} is not a whole number from {least} to {most}")
    return number


def flag(name: str, default: bool) -> bool:
    """On or off. Raises Unusable."""
    given = text(name).lower()
    if given and given not in YES + NO:
        raise Unusable(name, f"{given!r} is neither on nor off (1 or 0, true or false, yes or no)")
    return given in YES if given else default


def level(name: str, default: str) -> str:
    """How grave a line of the log must be. Raises Unusable."""
    given = text(name, default).upper()
    if given not in LEVELS:
        raise Unusable(name, f"{given!r} is none of {', '.join(LEVELS)}")
    return given


def key(name: str) -> str:
    """A secret that nobody guesses; empty if none is given. Raises Unusable."""
    given = text(name)
    if given and len(given) < SHORTEST_KEY:
        raise Unusable(name, f"{len(given)} characters can be guessed; give {SHORTEST_KEY} or more, or none")
    return given


def hosts(name: str) -> list[str]:
    """Names of hosts, as Django's ALLOWED_HOSTS takes them. Raises Unusable."""
    return _several(name, _HOST, "a host's name like dominoes.example, without https:// and port")


def origins(name: str) -> list[str]:
    """Origins, as Django's CSRF_TRUSTED_ORIGINS takes them. Raises Unusable."""
    return _several(name, _ORIGIN, "an origin like https://dominoes.example")


def _several(name: str, pattern: re.Pattern[str], meant: str) -> list[str]:
    found = [each.strip() for each in text(name).split(",") if each.strip()]
    for each in found:
        if not pattern.fullmatch(each):
            encoded = "" if each.isascii() else "; other letters than ASCII are sent by browsers as xn--…"
            raise Unusable(name, f"{each!r} is not {meant}{encoded}")
    return found


def database(name: str, default: str) -> dict[str, Any]:
    """An entry of Django's DATABASES, SQLite's or PostgreSQL's. Raises Unusable."""
    schemes = ["sqlite", "postgres", "postgresql", "psql", "pgsql"]
    config = _read(name, default, schemes, _database_config, "postgres://user:password@host:5432/name")
    if config["ENGINE"] == Env.DB_SCHEMES["postgres"] and (fault := _fault_of(config.get("OPTIONS", {}))):
        raise Unusable(name, fault)
    return config


def _database_config(url: str) -> dict[str, Any]:
    config: dict[str, Any] = Env.db_url_config(url)
    if not config["NAME"]:
        raise ValueError("the database has no name")
    return config


def _fault_of(options: dict[str, Any]) -> str:
    """What PostgreSQL's library says against options that it does not know; else nothing."""
    from psycopg import ProgrammingError  # not loaded where nobody uses it
    from psycopg.conninfo import make_conninfo

    try:
        make_conninfo(**options)
    except ProgrammingError as error:
        return str(error).strip()
    return ""


def mail(name: str, default: str) -> dict[str, Any]:
    """Django's settings of the mail server. Raises Unusable."""
    # Programs differ over smtps: for some it begins with TLS, for django-environ it turns to it.
    schemes = [scheme for scheme in Env.EMAIL_SCHEMES if scheme != "smtps"]
    example = "smtp+tls://user:password@host:587 (or smtp+ssl:// and 465, with TLS from the start)"
    return _read(name, default, schemes, _mail_config, example)


def _mail_config(url: str) -> dict[str, Any]:
    config: dict[str, Any] = Env.email_url_config(url)
    if config["EMAIL_BACKEND"] == Env.EMAIL_SCHEMES["smtp"] and not config["EMAIL_HOST"]:
        raise ValueError("mail goes to no host")
    config["EMAIL_PORT"] = config["EMAIL_PORT"] or MAIL_PORTS.get(url.partition("://")[0])
    return config


def sender(name: str, default: str) -> str:
    """From whom mail comes: hello@dominoes.example, or with a name before it in <>. Raises Unusable."""
    given = text(name, default)
    if not _ADDRESS.fullmatch(parseaddr(given)[1]):
        raise Unusable(name, f"{given!r} is not a sender like Boneyard <hello@dominoes.example>")
    return given


def redis(name: str) -> str:
    """An address of Redis; empty if none is given. Raises Unusable."""
    if not text(name):
        return ""
    _read(name, "", ["redis", "rediss", "unix"], _redis_config, "redis://host:6379/0")
    return text(name)


def _redis_config(url: str) -> dict[str, Any]:
    from redis.connection import parse_url  # not loaded where nobody uses it

    config: dict[str, Any] = parse_url(url)
    number = urlsplit(url).path.strip("/")
    if number and "path" not in config and numbers.parse_whole_number(number) is None:
        raise ValueError("databases of Redis have numbers")
    return config


def _read(
    name: str, default: str, schemes: list[str], parse: Callable[[str], Any], example: str
) -> dict[str, Any]:
    url = text(name, default)
    try:
        if url.partition("://")[0] not in schemes:
            raise ValueError("nobody answers to this scheme")
        if _CUT_OFF.match(url):
            raise ValueError("the password ends too early, and its rest would be told as a host or a name")
        return dict(parse(url))
    except ValueError:
        encoded = "a password with any of @ : / ? # % is written per cent-encoded (%40 for @)"
        raise Unusable(name, f"this is not an address like {example}; {encoded}") from None
