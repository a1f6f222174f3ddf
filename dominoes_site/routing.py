"""Choose which of the sibling processes serves a connection (docs/decisions/0011).

One process serves all sockets of a match's pages, so that a move is rendered where it is made. This only saves CPU:
while that process is away, any other serves them. Operators choose the process whose metrics or health they read.
"""

import re
from typing import Any
from zlib import crc32

from core.siblings import SIBLINGS
from live.bus import BUS

_REQUEST_LINE = re.compile(rb"GET /(?:ws/games/([\w-]+)/|(?:metrics|healthz)\?process=(\d{1,4}) )")


def hand_over(transport: Any, data: bytes) -> bool:
    """Send a new connection to the process that should serve it; return False if that is this one."""
    if SIBLINGS.count == 1 or (number := choose_process(data)) in (None, SIBLINGS.number):
        return False
    if not BUS.hand_over(number, transport.socket, data):
        return False
    transport._shouldShutdown = False  # only close this process's descriptor
    transport.loseConnection()
    return True


def choose_process(data: bytes) -> int | None:
    """Return the number of the process for a connection that begins with `data`, or None for any."""
    request = _REQUEST_LINE.match(data)
    if request is None:
        return None
    code, number = request.groups()
    return crc32(code) % SIBLINGS.count if code else int(number)
