import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from boneyard.computer.selfplay import PLAYERS, RANDOM, Player, selfplay
from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from boneyard.engine.records import dumps
from boneyard.engine.rules import Rules
from games.record_files import parse_json


class Command(BaseCommand):
    help = "Play matches without a database or server and write their records, one JSON line each."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        game = parser.add_mutually_exclusive_group()
        game.add_argument("--preset", metavar="ID", help=f"one of {', '.join(PRESETS)} (default: all-fives)")
        game.add_argument("--rules", metavar="FILE", help="a JSON file with the options of docs/rules.md")
        parser.add_argument("--seats", type=int, metavar="N", help="default: the fewest that the rules allow")
        parser.add_argument("--matches", type=int, default=1, metavar="N")
        parser.add_argument("--seed", default="1", metavar="TEXT", help="the same seed gives the same bytes")
        parser.add_argument(
            "--players",
            default=RANDOM,
            metavar="NAMES",
            help=f"one name for all seats or a comma separated list by seat, of {', '.join(PLAYERS)}",
        )
        parser.add_argument("--legal", action="store_true", help="include the legal moves in the records")
        parser.add_argument("--out", metavar="FILE", help="default: standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        preset, rules = self._game(options["preset"], options["rules"])
        seats = rules.players[0] if options["seats"] is None else options["seats"]
        if seats not in rules.players:
            allowed = " or ".join(map(str, rules.players))
            raise CommandError(f"These rules are for {allowed} seats, not {seats}.", returncode=2)
        if options["matches"] < 0:
            raise CommandError("--matches must not be below 0.", returncode=2)
        records = selfplay(
            rules,
            preset=preset,
            players=self._players(options["players"], seats),
            matches=options["matches"],
            seed=options["seed"],
            legal=options["legal"],
        )
        try:
            with self._output(options["out"]) as output:
                for number, record in enumerate(records, 1):
                    output.write(dumps(record) + "\n")
                    self._report(number, options["matches"], record)
                output.flush()
        except BrokenPipeError:
            # The reader closed the pipe (`| head`): discard what is still buffered.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    @staticmethod
    def _game(preset: str | None, file: str | None) -> tuple[str | None, Rules]:
        if file is None:
            preset = preset or "all-fives"
            if preset not in PRESETS:
                raise CommandError(
                    f"There is no preset {preset!r}; there are {', '.join(PRESETS)}.", returncode=2
                )
            return preset, PRESETS[preset].rules
        try:
            return None, Rules.from_dict(parse_json(Path(file).read_text("utf-8-sig")))
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.", returncode=2) from error
        except (ValueError, RecursionError) as error:
            raise CommandError(f"{file} holds no JSON: {error}.", returncode=2) from error
        except InvalidRules as error:
            reason = error.code.replace("_", " ")
            raise CommandError(
                f"{file}: the option {error.option} is refused: {reason}.", returncode=2
            ) from error

    @staticmethod
    def _players(names: str, seats: int) -> list[Player]:
        known: dict[str, Player] = {player: player for player in PLAYERS}
        players = []
        for name in map(str.strip, names.split(",")):
            if name not in known:
                raise CommandError(
                    f"There is no player {name!r}; there are {', '.join(PLAYERS)}.", returncode=2
                )
            players.append(known[name])
        if len(players) == 1:
            return players * seats
        if len(players) != seats:
            raise CommandError(f"{len(players)} players are named for {seats} seats.", returncode=2)
        return players

    def _output(self, file: str | None) -> Any:
        if file is None:
            return nullcontext(self.stdout)
        try:
            return open(file, "w", encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.", returncode=2) from error

    def _report(self, number: int, matches: int, record: dict[str, Any]) -> None:
        result = record["result"]
        scores = ", ".join(map(str, result["scores"]))
        self.stderr.write(f"{number} of {matches}: {len(record['rounds'])} rounds, {scores}")
