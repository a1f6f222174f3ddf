"""`python -m tests.serve`: `manage.py serve` with repeatable chance, which exits with its parent process.

Standard input is a pipe without data. It reaches its end when the parent exits, even by SIGKILL. The processes that the
server starts run this file, too.
"""

import os
import signal
import sys
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).resolve().parent.parent


def exit_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # not `sys.stdin.read`: its buffer lock would block a regular exit
    os._exit(1)


def draw_by_seed() -> None:
    """Draw what the site draws by the seed file in VAR_DIR."""
    import django
    from django.conf import settings

    from tests import seeds

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
    django.setup()
    secrets = seeds.SeededSecrets(seeds.draw_from(settings.VAR_DIR))
    for module in seeds.drawing_modules():
        module.secrets = secrets


if __name__ == "__main__":
    # A shell starts background processes with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    Thread(target=exit_with_parent, daemon=True).start()
    sys.path[0] = str(ROOT)  # also where a server starts this file as a script
    sys.argv = [__file__, "serve"]
    draw_by_seed()
    from manage import main

    main()
