"""What `bench.load` is asked to measure."""

import argparse
import math
from collections.abc import Callable

from bench.tables import HTML, JSON, SOCKET
from games.engine.presets import PRESETS

BY = {"socket": SOCKET, "html": HTML, "json": JSON}
TABLES, THINK = 20, 1.0


def options(about: str | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.load", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    whole, some = _number(int, 1), _number(int, 0)
    for_two = [name for name, preset in PRESETS.items() if 2 in preset.rules.players]
    parser.add_argument("--tables", type=whole, default=TABLES, help=f"tables of two ({TABLES})")
    parser.add_argument("--spectators", type=some, default=5, help="how many go from table to table (5)")
    parser.add_argument(
        "--staying",
        action="store_true",
        help="they do not: each watches one table, match after match",
    )
    parser.add_argument("--seconds", type=_number(float, 1.0), default=30.0, help="how long to measure (30)")
    _add_speed(parser)
    parser.add_argument("--preset", choices=for_two, default="all-fives", metavar="ID", help="(all-fives)")
    parser.add_argument(
        "--by",
        choices=BY,
        default="socket",
        help="how moves are sent: over the page's socket, or by POST and answered with parts or JSON (socket)",
    )
    parser.add_argument("--analyse", action="store_true", help="matches are analysed beside the play")
    parser.add_argument("--idle", type=some, default=0, help="sockets at a table where nobody moves (0)")
    parser.add_argument("--processes", type=whole, default=1, help="of the server; more need --services (1)")
    parser.add_argument("--services", action="store_true", help="with PostgreSQL and Redis, not with SQLite")
    parser.add_argument(
        "--apart",
        action="store_true",
        help="the two of a table at different processes, where a proxy would have all pages of a match at one",
    )
    parser.add_argument("--alone", action="store_true", help="without boardgame.io beside it")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of moves (1)")
    chosen = parser.parse_args()
    if chosen.processes > 1 and not chosen.services:
        parser.error("several processes share no memory: --processes above 1 needs --services")
    if chosen.pace:
        chosen.think = chosen.tables / chosen.pace
    return chosen


def _add_speed(parser: argparse.ArgumentParser) -> None:
    """The same in three ways: seconds before a move, moves a second, and neither."""
    speed = parser.add_mutually_exclusive_group()
    speed.add_argument(
        "--think",
        type=_number(float, 0.0),
        default=THINK,
        help=f"seconds before a move, half more or less ({THINK:g})",
    )
    speed.add_argument(
        "--pace",
        type=_number(float, 0.01),
        metavar="MOVES",
        help="a second at all tables together, if moves took no time: so long do they think",
    )
    speed.add_argument(
        "--max",
        action="store_const",
        const=0.0,
        dest="think",
        help="as fast as it goes: no seconds before a move",
    )


def _number(kind: Callable[[str], float], least: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text} is no number") from None
        if not least <= number < math.inf:
            raise argparse.ArgumentTypeError(f"must be {least:g} or more, not {text}")
        return number

    return read


def compared(chosen: argparse.Namespace) -> bool:
    """Whether the peer can be asked for the same: it plays this one game, in one process, and nothing beside it."""
    more = chosen.alone or chosen.services or chosen.idle or chosen.analyse
    return not more and chosen.preset == "all-fives"


def speed_of(chosen: argparse.Namespace) -> str:
    if chosen.pace:
        return f"{chosen.pace:g} moves/s asked for ({chosen.think:g} s to think)"
    return f"{chosen.think:g} s to think" if chosen.think else "as fast as it goes"
