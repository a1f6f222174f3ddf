"""Read environment variables. An invalid value is refused in one line that names the variable.

An empty variable counts as unset. Values that may contain a password are not repeated.
"""

import base64
import os
import re
from collections.abc import Callable
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from environ import Env

from core import numbers

Default = TypeVar("Default", int, None)

YES, NO = ("1", "true", "on", "yes", "y"), ("0", "false", "off", "no", "n")
LEVELS = ("CRITICAL", "ERROR", "WARNING", "INFO", "DEBUG")
MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}
MIN_KEY_LENGTH, MIN_TOKEN_LENGTH = 32, 16
SIGNING_KEY_BYTES = 32  # of Ed25519, and of P-256
_NAME = r"(?:[\w-]+(?:\.[\w-]+)*\.?|\[[0-9A-Fa-f:.]+\])"
_HOST = re.compile(rf"\*|\.?{_NAME}", re.ASCII)
_ADDRESS = re.compile(rf"[^@\s]+@{_NAME}")
_ORIGIN = re.compile(rf"https?://(?:\*\.)?{_NAME}(?::\d+)?", re.ASCII)
_TEST_ORIGIN = re.compile(r"http://127\.0\.0\.1:\d+", re.ASCII)
_UNENCODED_PASSWORD = re.compile(r"[\w+]+://[^/?#]+[/?#].*@")


class InvalidVariable(Exception):
    """Raised for an invalid variable; manage.py prints its message: `PORT: 'abc' is not …`."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")


def text(name: str, default: str = "") -> str:
    return os.environ.get(name) or default


def whole_number(name: str, default: Default, least: int, most: int) -> int | Default:
    """Read a whole number from `least` to `most`. Raise `InvalidVariable`."""
    given = text(name)
    if not given:
        return default
    number = numbers.parse_whole_number(given)
    if number is None or not least <= number <= most:
        raise InvalidVariable(name, f"{given!r} is not a whole number from {least} to {most}")
    return number


def flag(name: str, default: bool) -> bool:
    """Read a boolean. Raise `InvalidVariable`."""
    given = text(name).lower()
    if given and given not in YES + NO:
        raise InvalidVariable(name, f"{given!r} is neither on nor off (1 or 0, true or false, yes or no)")
    return given in YES if given else default


def debug(name: str, *, https: bool) -> bool:
    """Read Django's DEBUG. Raise `InvalidVariable` where the site is for others: error pages would show its code."""
    if given := flag(name, default=False):
        if https:
            raise InvalidVariable(
                name, "error pages would show the code and settings to everybody; unset it with HTTPS"
            )
    return given


def level(name: str, default: str) -> str:
    """Read a log level. Raise `InvalidVariable`."""
    given = text(name, default).upper()
    if given not in LEVELS:
        raise InvalidVariable(name, f"{given!r} is none of {', '.join(LEVELS)}")
    return given


def key(name: str, least: int = MIN_KEY_LENGTH) -> str:
    """Read a secret of `least` characters or more, or "". Raise `InvalidVariable` if it is too short."""
    given = text(name)
    if given and len(given) < least:
        raise InvalidVariable(name, f"{len(given)} characters can be guessed; give {least} or more, or none")
    return given


def signing_key(name: str, file: Path) -> bytes:
    """Read an Ed25519 or P-256 key, 32 bytes in base64, from the variable or else from the file; b"" without either.

    Raise `InvalidVariable`.
    """
    try:
        given = text(name) or file.read_text().strip()
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError as error:
        raise InvalidVariable("VAR_DIR", f"{file} cannot be read: {error.strerror}") from error
    try:
        seed = base64.b64decode(given, validate=True)
    except ValueError:
        seed = b""
    if len(seed) != SIGNING_KEY_BYTES:
        raise InvalidVariable(name, f"it is not {SIGNING_KEY_BYTES} bytes in base64")
    return seed


def hosts(name: str) -> list[str]:
    """Read host names for ALLOWED_HOSTS. Raise `InvalidVariable`."""
    return _list_of(name, _HOST, "a host's name like dominoes.example, without https:// and port")


def origins(name: str) -> list[str]:
    """Read origins for CSRF_TRUSTED_ORIGINS. Raise `InvalidVariable`."""
    return _list_of(name, _ORIGIN, "an origin like https://dominoes.example")


def site_url(name: str, hosts_name: str, *, https: bool) -> str:
    """Read the site's own origin; by default made of the first host of `hosts_name`, "" without any.

    Raise `InvalidVariable`, also if there is none to make it of.
    """
    if given := text(name).rstrip("/"):
        if not _ORIGIN.fullmatch(given) or "*" in given:
            raise InvalidVariable(name, f"{given!r} is not an address like https://dominoes.example")
        if https and not given.startswith("https://"):
            raise InvalidVariable(name, f"{given!r} begins with http://, but HTTPS is set")
        return given
    allowed = hosts(hosts_name)
    for host in allowed:
        if not host.startswith((".", "*")):
            return f"{'https' if https else 'http'}://{host}"
    if allowed:
        raise InvalidVariable(
            name, f"{hosts_name} names no host to link to; give one like https://dominoes.example"
        )
    return ""


def loopback_origin(name: str) -> str:
    """Read the origin of a test's own service on this machine, or "". Raise `InvalidVariable`."""
    given = text(name).rstrip("/")
    if given and not _TEST_ORIGIN.fullmatch(given):
        raise InvalidVariable(
            name, f"{given!r} is not an origin like http://127.0.0.1:8001; it is for tests only"
        )
    return given


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Read IP networks, separated by commas. Raise `InvalidVariable`."""
    found = []
    for each in (each.strip() for each in text(name).split(",")):
        try:
            found += [ip_network(each)] if each else []
        except ValueError as error:
            raise InvalidVariable(name, f"{each!r} is not a network like 192.0.2.0/24: {error}") from None
    return found


def _list_of(name: str, pattern: re.Pattern[str], meant: str) -> list[str]:
    found = [each.strip() for each in text(name).split(",") if each.strip()]
    for each in found:
        if not pattern.fullmatch(each):
            encoded = "" if each.isascii() else "; other letters than ASCII are sent by browsers as xn--…"
            raise InvalidVariable(name, f"{each!r} is not {meant}{encoded}")
    return found


def database(name: str, default: str) -> dict[str, Any]:
    """Read the URL of an SQLite or PostgreSQL database as an entry of DATABASES. Raise `InvalidVariable`."""
    schemes = ["sqlite", "postgres", "postgresql", "psql", "pgsql"]
    config = _read(name, default, schemes, _database_config, "postgres://user:password@host:5432/name")
    if config["ENGINE"] == Env.DB_SCHEMES["postgres"] and (
        fault := _invalid_options(config.get("OPTIONS", {}))
    ):
        raise InvalidVariable(name, fault)
    return config


def _database_config(url: str) -> dict[str, Any]:
    config: dict[str, Any] = Env.db_url_config(url)
    if not config["NAME"]:
        raise ValueError("the database has no name")
    return config


def _invalid_options(options: dict[str, Any]) -> str:
    """Return libpq's message about unknown connection options, or ""."""
    from psycopg import ProgrammingError  # imported only where used
    from psycopg.conninfo import make_conninfo

    try:
        make_conninfo(**options)
    except ProgrammingError as error:
        return str(error).strip()
    return ""


def mail(name: str, default: str) -> dict[str, Any]:
    """Read the URL of a mail server as Django settings. Raise `InvalidVariable`."""
    # smtps is ambiguous: implicit TLS for most programs, STARTTLS for django-environ.
    schemes = [scheme for scheme in Env.EMAIL_SCHEMES if scheme != "smtps"]
    example = "smtp+tls://user:password@host:587 (or smtp+ssl:// and 465, with TLS from the start)"
    return _read(name, default, schemes, _mail_config, example)


def _mail_config(url: str) -> dict[str, Any]:
    config: dict[str, Any] = Env.email_url_config(url)
    if config["EMAIL_BACKEND"] == Env.EMAIL_SCHEMES["smtp"] and not config["EMAIL_HOST"]:
        raise ValueError("the mail server has no host")
    config["EMAIL_PORT"] = config["EMAIL_PORT"] or MAIL_PORTS.get(url.partition("://")[0])
    return config


def sender(name: str, default: str) -> str:
    """Read a sender: hello@dominoes.example, or Name <hello@dominoes.example>. Raise `InvalidVariable`."""
    given = text(name, default)
    if not _ADDRESS.fullmatch(parseaddr(given)[1]):
        raise InvalidVariable(name, f"{given!r} is not a sender like Boneyard <hello@dominoes.example>")
    return given


def redis(name: str) -> str:
    """Read the URL of a Redis, or "". Raise `InvalidVariable`."""
    if not text(name):
        return ""
    _read(name, "", ["redis", "rediss", "unix"], _redis_config, "redis://host:6379/0")
    return text(name)


def _redis_config(url: str) -> dict[str, Any]:
    from redis.connection import parse_url  # imported only where used

    config: dict[str, Any] = parse_url(url)
    number = urlsplit(url).path.strip("/")
    if number and "path" not in config and numbers.parse_whole_number(number) is None:
        raise ValueError("a Redis database is a number")
    return config


def _read(
    name: str, default: str, schemes: list[str], parse: Callable[[str], Any], example: str
) -> dict[str, Any]:
    url = text(name, default)
    try:
        if url.partition("://")[0] not in schemes:
            raise ValueError("unknown scheme")
        if _UNENCODED_PASSWORD.match(url):
            raise ValueError("the password is not percent-encoded")
        return dict(parse(url))
    except ValueError:
        encoded = "a password with any of @ : / ? # % is written per cent-encoded (%40 for @)"
        raise InvalidVariable(name, f"this is not an address like {example}; {encoded}") from None
