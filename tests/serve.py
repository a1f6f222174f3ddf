"""`python -m tests.serve`: `manage.py serve` with repeatable chance, which exits with its parent process.

`python -m tests.serve referee` runs another command of manage.py like that.

Standard input is a pipe without data. It reaches its end when the parent exits, even by SIGKILL. The processes that the
server starts run this file, too.
"""

import os
import signal
import sys
from datetime import timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent


def exit_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # not `sys.stdin.read`: its buffer lock would block a regular exit
    os._exit(1)


def draw_by_seed() -> None:
    """Draw what the site draws by the seed file in VAR_DIR, and let its computers choose by it."""
    import django
    from django.conf import settings
    from django.utils.crypto import salted_hmac

    from tests import pseudo_languages, seeds

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
    if folder := os.environ.get(pseudo_languages.FOLDER_VARIABLE, ""):
        pseudo_languages.speak(folder)
    django.setup()
    if folder:
        pseudo_languages.name_games()
    secrets = seeds.SeededSecrets(seeds.draw_from(settings.VAR_DIR))
    for module in seeds.drawing_modules():
        replace(module, "secrets", secrets)
    referee = import_module("games.referee")
    replace(referee, "random", seeds.SeededRandom(settings.VAR_DIR))
    replace(referee, "salted_hmac", partial(salted_hmac, secret=seeds.SEED))  # not by this site's own key


def replace(module: ModuleType, name: str, value: object) -> None:
    """Set a name that the module uses. Raise `AttributeError` if it no longer does."""
    getattr(module, name)
    setattr(module, name, value)


def hash_quickly() -> None:
    """Hash passwords as the unit tests do: Argon2 takes longer than the rest of a sign-up."""
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["accounts.hashers.MD5PasswordHasher"]


def set_constants(named: str) -> None:
    """Set constants of the site, e.g. "live.bus.BEAT_SECONDS=2 …", so that a test need not wait for long ones."""
    for item in named.split():
        name, _equals, value = item.partition("=")
        module, _dot, constant = name.rpartition(".")
        kind = type(getattr(import_module(module), constant))
        seconds = float(value)
        setattr(
            import_module(module),
            constant,
            timedelta(seconds=seconds) if kind is timedelta else kind(seconds),
        )


if __name__ == "__main__":
    # A shell starts background processes with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    Thread(target=exit_with_parent, daemon=True).start()
    sys.path[0] = str(ROOT)  # also where a server starts this file as a script
    sys.argv = [__file__, *(sys.argv[1:] or ["serve"])]
    draw_by_seed()
    hash_quickly()
    set_constants(os.environ.get("TEST_CONSTANTS", ""))
    from manage import main

    main()
