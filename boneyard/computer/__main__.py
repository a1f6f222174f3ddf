"""Worker process `python -m boneyard.computer`: runs without Django and sees perspectives only.

Requests and answers are pickles prefixed by their length (4 bytes, big endian): (view, level, seed, secret, figure) in,
or (view, HINT, 0, "", None); (move as text, claim) out. The process exits when its input or output pipe is closed.
"""

import pickle
import signal
import struct
import sys
from contextlib import suppress
from typing import BinaryIO

from boneyard.computer.players import choose_move, recommend_move

LENGTH = struct.Struct(">I")
HINT = "hint"  # in place of a level: what `recommend_move` recommends


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    while header := requests.read(LENGTH.size):
        request = pickle.loads(requests.read(LENGTH.unpack(header)[0]))  # noqa: S301  our own parent
        view, level, seed, secret, figure = request
        move, claim = (
            recommend_move(view)
            if level == HINT
            else choose_move(view, level, seed, secret=secret, figure=figure)
        )
        answer = pickle.dumps((None if move is None else str(move), claim))
        answers.write(LENGTH.pack(len(answer)) + answer)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C also reaches the server, which stops its workers
    # Unbuffered: a buffer would be flushed at exit, possibly into a closed pipe.
    with open(sys.stdout.fileno(), "wb", buffering=0) as answers, suppress(BrokenPipeError, EOFError):
        serve(sys.stdin.buffer, answers)
