"""Command line options of `bench.load`."""

import argparse
import math
from collections.abc import Callable, Sequence

from bench.tables import HTML, JSON, SOCKET
from boneyard.engine.presets import PRESETS

TRANSPORTS = {"socket": SOCKET, "html": HTML, "json": JSON}
DEFAULT_TABLES, DEFAULT_THINK_SECONDS = 20, 1.0


def parse_options(description: str | None, arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.load",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    positive, non_negative = _number_parser(int, 1), _number_parser(int, 0)
    presets = [name for name, preset in PRESETS.items() if 2 in preset.rules.players]
    parser.add_argument(
        "--tables", type=positive, default=DEFAULT_TABLES, help=f"tables of two ({DEFAULT_TABLES})"
    )
    parser.add_argument(
        "--spectators", type=non_negative, default=5, help="visitors that move from table to table (5)"
    )
    parser.add_argument(
        "--staying",
        action="store_true",
        help="each spectator watches one table, match after match",
    )
    parser.add_argument(
        "--seconds", type=_number_parser(float, 1.0), default=30.0, help="length of the measurement (30)"
    )
    _add_speed(parser)
    parser.add_argument("--preset", choices=presets, default="all-fives", metavar="ID", help="(all-fives)")
    parser.add_argument(
        "--by",
        choices=TRANSPORTS,
        default="socket",
        help="send moves over the socket, or by POST with fragments or JSON as answer (socket)",
    )
    parser.add_argument("--analyse", action="store_true", help="analyse matches during play")
    parser.add_argument(
        "--idle", type=non_negative, default=0, help="sockets at a table where nobody moves (0)"
    )
    parser.add_argument("--processes", type=positive, default=1, help="server processes (1)")
    parser.add_argument("--services", action="store_true", help="use PostgreSQL and Redis instead of SQLite")
    parser.add_argument(
        "--apart",
        action="store_true",
        help="connect the two players of a table to different processes",
    )
    parser.add_argument("--alone", action="store_true", help="skip the comparison with boardgame.io")
    parser.add_argument("--seed", type=int, default=1, help="random seed for the choice of moves (1)")
    options = parser.parse_args(arguments)
    if options.apart and not options.services:
        parser.error("--apart needs --services: one server keeps all sockets of a match at one process")
    if options.pace:
        options.think = options.tables / options.pace
    return options


def _add_speed(parser: argparse.ArgumentParser) -> None:
    """Add the mutually exclusive options for the speed of play."""
    speed = parser.add_mutually_exclusive_group()
    speed.add_argument(
        "--think",
        type=_number_parser(float, 0.0),
        default=DEFAULT_THINK_SECONDS,
        help=f"thinking time before a move, plus or minus half ({DEFAULT_THINK_SECONDS:g})",
    )
    speed.add_argument(
        "--pace",
        type=_number_parser(float, 0.01),
        metavar="MOVES",
        help="total moves per second, as if moves took no time; sets the thinking time",
    )
    speed.add_argument(
        "--max",
        action="store_const",
        const=0.0,
        dest="think",
        help="no thinking time",
    )


def _number_parser(number_type: Callable[[str], float], minimum: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        try:
            number = number_type(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text} is not a number") from None
        if not minimum <= number < math.inf:
            raise argparse.ArgumentTypeError(f"must be {minimum:g} or more, not {text}")
        return number

    return parse


def is_comparable(options: argparse.Namespace) -> bool:
    """Return whether the peer supports these options: All Fives in one process, without services or extra load."""
    unsupported = options.alone or options.services or options.idle or options.analyse
    return not unsupported and options.preset == "all-fives"


def describe_speed(options: argparse.Namespace) -> str:
    if options.pace:
        return f"{options.pace:g} moves/s asked for ({options.think:g} s to think)"
    return f"{options.think:g} s to think" if options.think else "as fast as it goes"
