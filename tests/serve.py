"""`python -m tests.serve`: `manage.py serve` that ends with whoever started it.

Its standard input is a pipe that nobody writes to. It ends when the other side does, however that ended: a signal
that nobody can catch leaves no server behind.
"""

import os
import signal
import sys
from threading import Thread

from manage import main


def end_with_the_parent() -> None:
    os.read(sys.stdin.fileno(), 1)  # without its buffer, whose lock would be in the way at a regular end
    os._exit(1)


if __name__ == "__main__":
    # Ignored in what a shell started in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    Thread(target=end_with_the_parent, daemon=True).start()
    sys.argv = ["manage.py", "serve"]
    main()
