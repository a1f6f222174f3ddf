"""End a background command with the server that started it, even if the server is killed."""

import os
import threading
import time

PARENT_ID_VARIABLE = "END_WITH_PARENT"  # set by `dominoes_site.duties.Subprocess` to its process id
CHECK_INTERVAL_SECONDS = 0.2  # soon enough to free the port for a server that is started again


def end_with_parent() -> None:
    """Watch the parent in a thread, if the command was started by a server."""
    parent = os.environ.get(PARENT_ID_VARIABLE, "")
    if parent.isdigit():
        threading.Thread(target=_watch, args=[int(parent)], name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(CHECK_INTERVAL_SECONDS)
    os._exit(1)  # an open transaction is rolled back by the database
