"""People come, pause and leave; results are entered, confirmed, disputed and corrected; processes are killed."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from hashlib import sha256
from random import Random
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.services import seal
from lobbies.services.rows import ALPHABET, CODE_LENGTH
from nights import services
from nights.draws.records import find_faults, write_record
from nights.models import Act, DrawnRound, Entry, Night, NightTable, SentResult
from nights.services.rounds import read_draws
from nights.simulation.killing import count_statements, run_and_kill
from nights.simulation.laws import LawBroken, RoundSeats, check_draw, recompute_standings, require
from nights.standings import find_standings

KILLED_ACTS = ("draw", "confirm", "close")
LATE_SHARE = 8  # one in so many people comes late
SHARES = {"dispute": 0.1, "director": 0.2, "correct": 0.1, "absent": 0.04, "missing": 0.04}  # of tables


@dataclass(frozen=True)
class Scale:
    """How large the night is, and what is drawn at it."""

    people: int = 64
    rounds: int = 9
    kills: int = 50
    format: str = "partners"
    draw: str = "rotate"


@dataclass
class Figures:
    """What happened: counts by name, and the longest draw in CPU seconds."""

    counts: Counter[str] = field(default_factory=Counter)
    longest_draw: float = 0.0


class Evening:
    """One simulated night. The seed decides who does what, the lot, and after which statement a process is killed."""

    def __init__(self, scale: Scale, seed: int) -> None:
        self.scale = scale
        self.random = Random(seed)  # noqa: S311  nothing of it is secret
        self.figures = Figures()
        self.statements: dict[str, int] = {}
        self.due: Counter[str] = Counter()  # kills, by act
        host, second = (
            User.objects.create_user(f"{name}-{seed}", password=None) for name in ("host", "second")
        )
        self.directors = (host, second)
        self.night = self._make_night(host, seed)
        self.direct(services.name_director, second)

    def _make_night(self, host: User, seed: int) -> Night:
        now = timezone.now()
        plan = services.NightPlan(
            name=f"Night {seed}",
            format=self.scale.format,
            draw=self.scale.draw,
            place=Night.Place.WOOD,
            preset="dominican",
            starts_at=now + timedelta(hours=1),
            zone="UTC",
            rounds=self.scale.rounds,
        )
        night = services.make(host, plan, now)
        # Code and secret of its own, so that the seed repeats the lot, too.
        night.code = "".join(self.random.choice(ALPHABET) for _ in range(CODE_LENGTH))
        night.seal = seal(night.sealed_as, sha256(f"night {seed}".encode()).digest())
        night.save(update_fields=["code", "seal"])
        services.open_to_people(night, host, night.version, now)
        return night

    # Acts

    def direct(self, service: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Let one of the directors act, who has just seen the night."""
        self.night.refresh_from_db()
        version = self.night.version
        director = self.directors[0] if version < 2 else self.random.choice(self.directors)
        return service(self.night, director, version, *args, now=timezone.now(), **options)

    def count(self, name: str, times: int = 1) -> None:
        self.figures.counts[name] += times

    def act(
        self, kind: str, act: Callable[[], object], is_done: Callable[[], bool], kills: int | None = None
    ) -> None:
        """Do what `act` does, in spite of the kills that are due, at most `kills`: each leaves all of it or nothing."""
        kills = self.due[kind] if kills is None else min(kills, self.due[kind])
        while kills and not is_done():
            before = self._dump()
            run_and_kill(act, self.random.randint(1, self.statements.get(kind, 10) + 1))
            kills -= 1
            self.due[kind] -= 1
            self.count(f"killed: {kind}")
            if is_done():
                self.count(f"killed after the commit: {kind}")
            else:
                require(before == self._dump(), f"A killed {kind} has left half of its rows.")
            self._check_record()
        if not is_done():
            self.statements[kind] = count_statements(act)

    def _dump(self) -> str:
        """Return every row of the night."""
        night = {"pk": self.night.pk}
        rows = (
            Night.objects.filter(**night),
            Entry.objects.filter(night=self.night),
            DrawnRound.objects.filter(night=self.night),
            NightTable.objects.filter(drawn_round__night=self.night),
            SentResult.objects.filter(table__drawn_round__night=self.night),
            Act.objects.filter(night=self.night),
        )
        return json.dumps([list(each.order_by("pk").values()) for each in rows], default=str)

    # The night

    def run(self) -> Figures:
        """Play the night to its end. Raise `LawBroken`."""
        early = self.scale.people - self.scale.people // LATE_SHARE
        names = "\n".join(f"Person {number}" for number in range(1, early + 1))
        self.direct(services.add_names, names)
        for number in range(1, self.scale.rounds + 1):
            self._plan_kills(number)
            self._let_people_come_and_go(number)
            self._draw(number)
            self._play(number)
            self._close(number)
            self._check_standings()
            self._check_people()
        self.direct(services.finish)
        self._check_standings()
        self._check_record()
        self.count("people", self.night.entries.count())
        return self.figures

    def _plan_kills(self, number: int) -> None:
        """Share the kills over the rounds; in the last one what is left meets those who confirm."""
        kills, rounds = self.scale.kills, max(1, self.scale.rounds - 1)
        for kill in range(kills * (number - 1) // rounds, min(kills, kills * number // rounds)):
            self.due[KILLED_ACTS[kill % 3]] += 1
        if number == self.scale.rounds:
            self.due = Counter(confirm=self.due.total())

    def _let_people_come_and_go(self, number: int) -> None:
        late = self.scale.people // LATE_SHARE
        expected = late * number // self.scale.rounds - late * (number - 1) // self.scale.rounds
        for _ in range(expected):
            self._add_late()
        for entry in self.night.entries.all():
            self._change_status(entry, number)
        if number == self.scale.rounds // 2:
            helper = self.random.choice(list(self.night.entries.filter(status="here")))
            self.direct(services.change_entry, helper.number, "helper")
            self.count("helpers")

    def _add_late(self) -> None:
        if self.random.random() < 0.5:
            entry = services.add_oneself(self.night, "Late", None, timezone.now())
            self.direct(services.change_entry, entry.number, "here")
        else:
            self.direct(services.add_names, "Late")
        self.count("came late")

    def _change_status(self, entry: Entry, number: int) -> None:
        chance = self.random.random()
        if entry.status == Entry.Status.PAUSED and chance < 0.6:
            self._change(entry, "here", "came back")
        elif entry.status != Entry.Status.HERE or number == 1:
            return
        elif chance < 0.04:
            self._change(entry, "paused", "paused")
        elif chance < 0.05:
            self._change(entry, "gone", "left")
        elif chance < 0.06:
            self.direct(services.change_entry, entry.number, "stop_after", value=number)
            self.count("stop after a round")

    def _change(self, entry: Entry, status: str, counted: str) -> None:
        self.direct(services.change_entry, entry.number, status)
        self.count(counted)

    def _draw(self, number: int) -> None:
        self._draw_once(number)
        if self.random.random() < 0.3:
            lot = self._find_round(number).drawn["lot"]
            self.direct(services.undo)
            self.count("draws undone")
            self._draw_once(number)
            require(len(lot) < 3 or lot != self._find_round(number).drawn["lot"], "A draw has come back.")
        tables = self._tables(number)
        if len(tables) > 1 and self.random.random() < 0.5:
            one, other = self.random.sample(tables, 2)
            self.direct(services.swap, one.sides[0][0], other.sides[-1][-1])
            self.count("swaps")

    def _draw_once(self, number: int) -> None:
        self.act("draw", self._draw_timed, lambda: self._has_round(number))
        self.count("draws")
        self._check_draw(number)
        self._check_record()

    def _draw_timed(self) -> None:
        start = time.process_time()
        self.direct(services.draw)
        self.figures.longest_draw = max(self.figures.longest_draw, time.process_time() - start)

    def _play(self, number: int) -> None:
        tables = self._tables(number)
        killed = self.random.sample(range(len(tables)), min(len(tables), self.due["confirm"]))
        for place, table in enumerate(tables):
            self._play_table(number, table, int(place in killed))

    def _play_table(self, number: int, table: NightTable, kills: int) -> None:
        chance = self.random.random()
        if not kills and (chance := chance - SHARES["missing"]) < 0:
            self.count("results missing")
            return
        if not kills and (chance := chance - SHARES["absent"]) < 0:
            self.direct(services.mark_absent, self.random.choice(table.sides[0]))
            self.count("absent")
            return
        points = self._make_points(table)
        if not kills and (chance := chance - SHARES["director"]) < 0:
            self._enter(number, table, points, services.Sender(director=self.directors[0]))
            self.count("results by a director")
        else:
            self._enter(number, table, points, self._sender(table, 0))
            self._answer(number, table, points, kills, is_disputed=chance < SHARES["dispute"])
        if self.random.random() < SHARES["correct"]:
            self._correct(number, table)

    def _answer(
        self, number: int, table: NightTable, points: Sequence[int], kills: int, *, is_disputed: bool
    ) -> None:
        if is_disputed and not kills:
            self._enter(number, table, [each + 5 for each in points], self._sender(table, 1))
            table.refresh_from_db()
            require(table.status == "disputed", "Two results that differ are not in dispute.")
            self._enter(number, table, points, services.Sender(director=self.directors[1]))
            self.count("disputes")
            return

        def confirm() -> None:
            table.refresh_from_db()
            services.confirm(
                self.night, number, table.number, table.version, self._sender(table, 1), timezone.now()
            )

        self.act("confirm", confirm, lambda: self._is_decided(table), kills)
        self.count("results confirmed")

    def _enter(self, number: int, table: NightTable, points: Sequence[int], sender: services.Sender) -> None:
        table.refresh_from_db()
        services.enter(self.night, number, table.number, table.version, points, sender, timezone.now())

    def _correct(self, number: int, table: NightTable) -> None:
        table.refresh_from_db()
        services.correct(
            self.night,
            self.directors[1],
            number,
            table.number,
            table.version,
            self._make_points(table),
            timezone.now(),
        )
        self.count("results corrected")

    def _sender(self, table: NightTable, side: int) -> services.Sender:
        entry = self.night.entries.get(number=table.sides[side][0])
        return services.Sender(entry=entry, device=f"phone of {entry.number}")

    def _make_points(self, table: NightTable) -> list[int]:
        return [self.random.randrange(0, 301, 5) for _ in table.sides]

    def _close(self, number: int) -> None:
        self.act(
            "close",
            partial(self.direct, services.close_round),
            lambda: self._find_round(number).closed_at is not None,
        )

    # Reading

    def _find_round(self, number: int) -> DrawnRound:
        return DrawnRound.objects.get(night=self.night, number=number, undone_at=None)

    def _has_round(self, number: int) -> bool:
        return DrawnRound.objects.filter(night=self.night, number=number, undone_at=None).exists()

    def _tables(self, number: int) -> Sequence[NightTable]:
        return list(self._find_round(number).tables.all())

    def _is_decided(self, table: NightTable) -> bool:
        table.refresh_from_db()
        return table.is_decided

    # Laws

    def _check_draw(self, number: int) -> None:
        rows = DrawnRound.objects.filter(night=self.night, undone_at=None).prefetch_related("tables")
        seats = [_read_seats(row) for row in rows.order_by("number")]
        here = [each.number for each in self.night.entries.all() if each.plays_in(number)]
        require(len(seats) == number, "A round is missing, or there twice.")
        check_draw(self.scale.format, seats[:-1], seats[-1], here)

    def _check_people(self) -> None:
        numbers = list(self.night.entries.values_list("number", flat=True))
        require(numbers == list(range(1, len(numbers) + 1)), "Somebody is lost, or there twice.")

    def _check_record(self) -> None:
        self.night.refresh_from_db()
        record = write_record(self.night.code, self.night.seal, self.night.draw_rules, read_draws(self.night))
        faults = list(find_faults(json.loads(json.dumps(record))))
        if faults:
            raise LawBroken("\n".join(faults))

    def _check_standings(self) -> None:
        if self.night.form.table_size != 2 * self.night.form.side_size:
            return  # each for themselves: tests/nights/test_scoring.py has them
        rows = find_standings(self.night)
        found = sorted((row.place, row.number, row.won, row.difference, row.points, row.met) for row in rows)
        require(found == recompute_standings(self.night), "The standings differ from those recomputed.")
        self.count("standings recomputed")


def _read_seats(row: DrawnRound) -> RoundSeats:
    drawn = row.drawn
    tables = [table["sides"] for table in drawn["tables"]]
    return RoundSeats(
        drawn["here"], drawn["helpers"], drawn["out"], tables, [table.sides for table in row.tables.all()]
    )
