"""The worker process: `python -m games.computer`. Without Django, and told nothing but perspectives.

Each request and answer is a pickle with its length before it (4 bytes, big endian):
(view, level, seed, secret) in, (move as text, claim) out. It ends when its input does, or nobody waits for its answer.
"""

import pickle
import signal
import struct
import sys
from contextlib import suppress
from typing import BinaryIO

from games.computer.players import choose

LENGTH = struct.Struct(">I")


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    while header := requests.read(LENGTH.size):
        view, level, seed, secret = pickle.loads(requests.read(LENGTH.unpack(header)[0]))  # noqa: S301  our own parent
        move, claim = choose(view, level, seed, secret=secret)
        answer = pickle.dumps((None if move is None else str(move), claim))
        answers.write(LENGTH.pack(len(answer)) + answer)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server, too, which ends its workers
    # Unbuffered: a buffer would be flushed at the end, into a pipe that may have nobody at the other side.
    with open(sys.stdout.fileno(), "wb", buffering=0) as answers, suppress(BrokenPipeError, EOFError):
        serve(sys.stdin.buffer, answers)
