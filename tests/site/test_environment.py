"""What environment variables may say: each is refused by name, in one line, before anything else is done."""

import os
import runpy
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from dominoes_site import environment
from dominoes_site.environment import InvalidVariable
from dominoes_site.management.commands.serve import describe_services

ROOT = Path(environment.__file__).parent.parent


def settings(monkeypatch, **said):
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "dominoes_site" / "settings.py"))


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("COMPUTER_PAUSE_MS", "x", "'x' is not a whole number from 0 to 600000"),
        ("CALL_PAUSE_MS", "1.5", "'1.5' is not a whole number"),
        ("TRUSTED_PROXY_COUNT", "x", "from 0 to 10"),
        ("TRUSTED_PROXY_COUNT", "-1", "'-1' is not a whole number"),
        ("WEB_THREADS", "a", "'a' is not a whole number"),
        ("WEB_THREADS", "0", "from 1 to 200"),
        ("WEB_THREADS", "9" * 5000, "from 1 to 200"),
        ("EMAIL_TIMEOUT", "x", "from 1 to 600"),
        ("HSTS_SECONDS", "-5", "from 0 to 63072000"),
        ("COMPUTER_WORKERS", "-1", "from 1 to 64"),
        ("GUESTS_KEPT_DAYS", "0", "from 1 to 36500"),
        ("ADDRESSES_KEPT_DAYS", "9999999", "from 0 to 36500"),
        ("TALK_KEPT_DAYS", "٣", "from 0 to 36500"),
        ("HTTPS", "maybe", "'maybe' is neither on nor off"),
        ("LIMITS", "maybe", "'maybe' is neither on nor off"),
        ("DEBUG", "2", "'2' is neither on nor off"),
        ("LOG_LEVEL", "loud", "'LOUD' is none of CRITICAL, ERROR, WARNING, INFO, DEBUG"),
        ("DATABASE_URL", "foo", "not an address like postgres://"),
        ("DATABASE_URL", "mysql://a", "not an address like postgres://"),
        ("DATABASE_URL", "postgres://me:secret@host:port/name", "not an address like postgres://"),
        ("DATABASE_URL", "postgres://me:secret@host:5432", "not an address like postgres://"),
        ("DATABASE_URL", "postgres://me:secret@host:5432/", "not an address like postgres://"),
        ("DATABASE_URL", "postgres://me:secret@host/name?foo=bar", 'invalid connection option "foo"'),
        ("REDIS_URL", "http://x", "not an address like redis://"),
        ("REDIS_URL", "redis://host:port", "not an address like redis://"),
        ("REDIS_URL", "redis://host:6379/boneyard", "not an address like redis://"),
        ("EMAIL_URL", "foo", "not an address like smtp+tls://"),
        ("EMAIL_URL", "smtp://", "not an address like smtp+tls://"),
        ("EMAIL_URL", "smtps://me:secret@mail:465", "smtp+ssl:// and 465, with TLS from the start"),
        ("DEFAULT_FROM_EMAIL", "Boneyard", "'Boneyard' is not a sender like"),
        ("DEFAULT_FROM_EMAIL", "Boneyard <>", "is not a sender like"),
        ("ALLOWED_HOSTS", "https://foo", "'https://foo' is not a host's name"),
        ("ALLOWED_HOSTS", "foo.example,bar.example:8000", "'bar.example:8000' is not a host's name"),
        ("ALLOWED_HOSTS", "dominó.example", "'dominó.example' is not a host's name"),
        ("ALLOWED_HOSTS", "dominó.example", "other letters than ASCII are sent by browsers as xn--…"),
        (
            "CSRF_TRUSTED_ORIGINS",
            "https://dominó.example",
            "other letters than ASCII are sent by browsers as xn--…",
        ),
        ("CSRF_TRUSTED_ORIGINS", "foo.example", "'foo.example' is not an origin"),
        ("CSRF_TRUSTED_ORIGINS", "https://foo.example/path", "is not an origin"),
        ("SITE_URL", "foo.example", "not an address like https://dominoes.example"),
        ("SITE_URL", "https://*.foo.example", "not an address like https://dominoes.example"),
        ("METRICS_TOKEN", "brass", "5 characters can be guessed; give 16 or more"),
        ("PUSH_TEST_ORIGIN", "foo", "'foo' is not an origin like http://127.0.0.1:8001"),
        ("PUSH_TEST_ORIGIN", "http://192.0.2.1:80", "it is for tests only"),
        ("SECRET_KEY", "of a bench", "10 characters can be guessed; give 32 or more"),
    ],
)
def test_invalid_value_is_refused_by_name(monkeypatch, name, value, part):
    with pytest.raises(InvalidVariable) as refusal:
        settings(monkeypatch, **{name: value})
    sentence = str(refusal.value)
    assert sentence.startswith(f"{name}: ") and part in sentence and "\n" not in sentence


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("SITE_URL", "http://dominoes.example", "begins with http://, but HTTPS is set"),
        ("DEBUG", "1", "error pages would show the code"),
    ],
)
def test_value_that_contradicts_https_is_refused(monkeypatch, name, value, part):
    with pytest.raises(InvalidVariable, match=f"^{name}: .*{part}"):
        settings(monkeypatch, HTTPS="1", **{name: value})
    settings(monkeypatch, HTTPS="0", **{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://me:pw@secret@host/name"),
        ("DATABASE_URL", "postgres://me:pw@secret/rest@host/name"),
        ("DATABASE_URL", "postgres://me:1?secret@host/name"),
        ("DATABASE_URL", "postgres://me:1#secret@host/name"),
        ("DATABASE_URL", "postgres://me:pw/secret@host/name"),
        ("REDIS_URL", "redis://:pw@secret/rest@host:6379/0"),
        ("EMAIL_URL", "smtp+tls://me:pw@secret/rest@host:587"),
    ],
)
def test_password_in_url_is_not_logged(monkeypatch, name, value):
    with pytest.raises(
        InvalidVariable, match="a password with any of @ : / . # % is written per cent-enc"
    ) as refusal:
        settings(monkeypatch, **{name: value})
    assert "secret" not in str(refusal.value)


def test_encoded_password_is_decoded(monkeypatch):
    read = settings(monkeypatch, DATABASE_URL="postgres://me:p%40%3A%2F%3F%23%25@host/name")
    assert read["DATABASES"]["default"]["PASSWORD"] == "p@:/?#%"


def test_folder_may_have_any_name(monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    read = settings(monkeypatch, VAR_DIR="/srv/a@b #1?+%41")
    assert read["DATABASES"]["default"]["NAME"] == "/srv/a@b #1?+%41/boneyard.sqlite3"


@pytest.mark.parametrize(
    ("name", "value", "setting", "meant"),
    [
        ("WEB_THREADS", "8", "WEB_THREADS", 8),
        ("WEB_THREADS", "", "WEB_THREADS", 4),
        ("COMPUTER_PAUSE_MS", "0", "COMPUTER_PAUSE_MS", 0),
        ("COMPUTER_PAUSE_MS", "", "COMPUTER_PAUSE_MS", None),
        ("LIMITS", "Off", "LIMITS", False),
        ("LIMITS", "", "LIMITS", True),
        ("HTTPS", "1", "SECURE_SSL_REDIRECT", True),
        ("SECRET_KEY", "$" + "k" * 40, "SECRET_KEY", "$" + "k" * 40),
        ("REDIS_URL", "rediss://me:secret@host:6379/0", "REDIS_URL", "rediss://me:secret@host:6379/0"),
        ("REDIS_URL", "unix:///run/redis.sock", "REDIS_URL", "unix:///run/redis.sock"),
        ("CSRF_TRUSTED_ORIGINS", "https://*.a.example, http://[::1]:8000", "CSRF_TRUSTED_ORIGINS")
        + (["https://*.a.example", "http://[::1]:8000"],),
    ],
)
def test_valid_values_are_accepted(monkeypatch, name, value, setting, meant):
    assert settings(monkeypatch, **{name: value})[setting] == meant


def test_hosts_and_subdomains_are_allowed(monkeypatch):
    allowed = settings(monkeypatch, ALLOWED_HOSTS="dominoes.example, .example.org,[2001:db8::1]")[
        "ALLOWED_HOSTS"
    ]
    assert allowed[:3] == ["dominoes.example", ".example.org", "[2001:db8::1]"]
    assert "localhost" in allowed


@pytest.mark.parametrize(
    ("values", "meant"),
    [
        ({}, ""),
        ({"ALLOWED_HOSTS": ".b.example,a.example"}, "http://a.example"),
        ({"ALLOWED_HOSTS": "a.example", "HTTPS": "1"}, "https://a.example"),
        ({"ALLOWED_HOSTS": "*", "SITE_URL": "http://a.example:8000/"}, "http://a.example:8000"),
    ],
)
def test_site_url_comes_from_hosts_or_is_named(monkeypatch, values, meant):
    assert settings(monkeypatch, **values)["SITE_URL"] == meant


def test_site_url_is_required_beside_patterns(monkeypatch):
    with pytest.raises(InvalidVariable, match="^SITE_URL: ALLOWED_HOSTS names no host to link to"):
        settings(monkeypatch, ALLOWED_HOSTS=".foo.example,*")


def test_log_levels_are_case_insensitive(monkeypatch):
    assert settings(monkeypatch, LOG_LEVEL="info")["LOGGING"]["root"]["level"] == "INFO"


def test_postgresql_and_mail_urls_are_parsed(monkeypatch):
    read = settings(
        monkeypatch,
        DATABASE_URL="postgres://me:secret@host:5433/name",
        EMAIL_URL="smtp+tls://me:secret@mail:587",
    )
    database = read["DATABASES"]["default"]
    assert (database["ENGINE"], database["PORT"]) == ("core.postgresql", 5433)
    assert (read["EMAIL_HOST"], read["EMAIL_PORT"], read["EMAIL_USE_TLS"]) == ("mail", 587, True)


@pytest.mark.parametrize(
    ("address", "port"), [("smtp+tls://mail", 587), ("smtp+ssl://mail", 465), ("smtp://mail:2525", 2525)]
)
def test_mail_port_has_default(monkeypatch, address, port):
    assert settings(monkeypatch, EMAIL_URL=address)["EMAIL_PORT"] == port


KEY = "of a test that nobody else can reach"


@pytest.mark.parametrize(
    ("command", "said", "sentence"),
    [
        ("serve", {"PORT": "abc"}, "PORT: 'abc' is not a whole number from 1 to 65535\n"),
        ("setup", {"WEB_THREADS": "0"}, "WEB_THREADS: '0' is not a whole number from 1 to 200\n"),
        (
            "setup",
            {"VAR_DIR": "/dev/null/nothing"},
            "VAR_DIR: /dev/null/nothing cannot be written to: Not a directory\n",
        ),
        (
            "setup",
            {"DATABASE_URL": "sqlite://"},
            "DATABASE_URL: a database in memory ends with the command; give sqlite:// a file\n",
        ),
        ("serve", {}, "CommandError: There is no secret key yet: run `python manage.py setup` first.\n"),
        (
            "serve",
            {"SECRET_KEY": KEY},
            "CommandError: There is no database yet: run `python manage.py setup` first.\n",
        ),
    ],
)
def test_command_fails_with_one_line(tmp_path, command, said, sentence):
    done = manage(tmp_path, command, **said)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", sentence)


def test_serve_refuses_unmigrated_database(tmp_path):
    (tmp_path / "boneyard.sqlite3").touch()
    done = manage(tmp_path, "referee", SECRET_KEY=KEY)
    assert done.returncode == 1
    assert done.stderr.endswith("not prepared for this release: run `python manage.py setup` first.\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["purge", "recompute_ratings", "export_records"])
def test_command_names_its_database(tmp_path, command):
    done = manage(tmp_path, command)
    database = tmp_path / "boneyard.sqlite3"
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"The database {database} is not the site's, or not prepared: see DATABASE_URL and VAR_DIR,"
        " or run `python manage.py setup` first.\n"
    )


@pytest.mark.parametrize("command", ["setup", "purge"])
def test_command_reports_unreachable_database(tmp_path, command):
    done = manage(tmp_path, command, DATABASE_URL="postgres://me@127.0.0.1:1/site")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("DATABASE_URL: the database site cannot be used: connection failed")


def test_setup_makes_its_folder_for_the_owner_alone(tmp_path):
    manage(tmp_path / "new" / "var", "setup", DATABASE_URL="postgres://me@127.0.0.1:1/site")
    assert stat.S_IMODE((tmp_path / "new" / "var").stat().st_mode) == 0o700


@pytest.mark.parametrize("command", ["setup", "referee"])
def test_non_database_file_is_refused(tmp_path, command):
    file = tmp_path / "boneyard.sqlite3"
    file.write_text("no database " * 100)
    done = manage(tmp_path, command, SECRET_KEY=KEY)
    assert done.returncode == 1
    assert done.stderr == f"DATABASE_URL: the database {file} cannot be used: file is not a database\n"


def test_serve_logs_database_and_redis(settings, monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "NAME", "boneyard")
    monkeypatch.setitem(connection.settings_dict, "HOST", "10.0.0.7")
    monkeypatch.setitem(connection.settings_dict, "PORT", 5432)
    settings.REDIS_URL = "redis://:secret@10.0.0.8"
    assert describe_services() == f"{connection.display_name} boneyard at 10.0.0.7, Redis"
    monkeypatch.setitem(connection.settings_dict, "PORT", 5433)
    assert describe_services() == f"{connection.display_name} boneyard at 10.0.0.7, port 5433, Redis"
    monkeypatch.setitem(connection.settings_dict, "HOST", "")
    monkeypatch.setitem(connection.settings_dict, "PORT", "")
    settings.REDIS_URL = ""
    assert describe_services() == f"{connection.display_name} boneyard, no Redis: for one process alone"


def manage(folder, command, **said):
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY")}
    return subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=ROOT,
        env=env | {"VAR_DIR": str(folder)} | said,
        capture_output=True,
        text=True,
    )
