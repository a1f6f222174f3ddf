"""`python -m tests.serve`: `manage.py serve` that exits with its parent process.

Standard input is a pipe without data. It reaches its end when the parent exits, even by SIGKILL.
"""

import os
import signal
import sys
from threading import Thread

from manage import main


def exit_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # not `sys.stdin.read`: its buffer lock would block a regular exit
    os._exit(1)


if __name__ == "__main__":
    # A shell starts background processes with SIGINT ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    Thread(target=exit_with_parent, daemon=True).start()
    sys.argv = ["manage.py", "serve"]
    main()
