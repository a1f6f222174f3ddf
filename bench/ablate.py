"""Measure what each hand-made part saves, by replacing it with the standard one: `make bench ABLATE=1`.

For each measurement guests play without pauses at a new server, as in `bench.load`. Prints the server's CPU-ms per move
and the bytes per push, with and without each part: medians of alternating measurements. Parts are replaced only in the
server processes of this benchmark.
"""

import argparse
import asyncio
import io
import os
import runpy
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from threading import local
from typing import Any, Generic, NamedTuple, TypeVar

from bench.cpu_affinity import PLAYERS, SERVERS, pinned_to_core
from bench.load import LoadRun
from bench.load_options import parse_options
from bench.tables import Measurements
from tests.server import Site

Row = TypeVar("Row")
VARIABLE = "BENCH_WITHOUT"  # names the part to replace in a server process


def replace_prepared_statements() -> None:
    """Use the ORM's `select`, `save(update_fields=…)` and `create`."""
    from django.db.models import AutoField

    from core import prepared

    class Query(Generic[Row]):
        def __init__(self, build: Callable[..., Any]) -> None:
            self._build = build

        def rows(self, *values: Any) -> list[Any]:
            return list(self._build(*values))

    class Write(Generic[Row]):
        def __init__(self, model: Any, names: Sequence[str] = ()) -> None:
            self._model = model
            fields = [field for field in model._meta.concrete_fields if not isinstance(field, AutoField)]
            self._names = list(names) or [field.name for field in fields]
            self._attributes = [model._meta.get_field(name).attname for name in self._names]

        def values(self, row: Any) -> list[Any]:
            return [getattr(row, attribute) for attribute in self._attributes]

    class Update(Write[Row]):
        def save(self, row: Any) -> None:
            row.save(update_fields=self._names)

        def save_changes(self, row: Any, before: Sequence[Any]) -> None:
            pairs = zip(self._names, before, self.values(row), strict=True)
            if changed := [name for name, old, new in pairs if old != new]:
                row.save(update_fields=changed)

        def save_all(self, rows: Sequence[Any]) -> None:
            self._model.objects.bulk_update(rows, self._names)

    class Insert(Write[Row]):
        def add(self, *values: Any) -> None:
            self._model.objects.create(**dict(zip(self._attributes, values, strict=True)))

        def save(self, row: Any) -> None:
            row.save(force_insert=True)

        create = save

        def save_all(self, rows: Iterable[Any]) -> None:
            self._model.objects.bulk_create(rows)

    for name, replacement in (
        ("PreparedQuery", Query),
        ("PreparedUpdate", Update),
        ("PreparedInsert", Insert),
    ):
        methods = {method for method in dir(getattr(prepared, name)) if not method.startswith("_")}
        assert methods <= set(dir(replacement)), f"{name} has other methods: {methods}"
        setattr(prepared, name, replacement)


def replace_channel_layer() -> None:
    """Use Channels' own in-memory layer."""
    from django.conf import settings

    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}


def replace_database_thread() -> None:
    """Use Channels' `database_sync_to_async`."""
    from channels.db import database_sync_to_async

    from live import database_thread

    running = local()

    async def run(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        def call(loop: asyncio.AbstractEventLoop) -> Any:
            running.loop = loop
            try:
                return function(*args, **kwargs)
            finally:
                running.loop = None

        return await database_sync_to_async(call)(asyncio.get_running_loop())

    database_thread.run_in_database_thread = run
    database_thread.get_calling_loop = lambda: getattr(running, "loop", None)


def replace_fragment_diff() -> None:
    """Send every fragment in every frame."""
    from live.fragments.page_state import PageState

    PageState.diff_from = lambda self, before: self.full_html()  # type: ignore[method-assign]


PARTS: dict[str, Callable[[], None]] = {
    "prepared statements": replace_prepared_statements,
    "in-memory channel layer": replace_channel_layer,
    "database thread": replace_database_thread,
    "fragment diff": replace_fragment_diff,
}


class AblatedSite(Site):
    module = "bench.ablate"


def serve(part: str) -> None:
    """Run `tests.serve` without a part."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
    if part:
        PARTS[part]()
    runpy.run_module("tests.serve", run_name="__main__")


class Cost(NamedTuple):
    """The cost of play."""

    cpu: float  # milliseconds of the server per move
    size: float  # bytes per push


def measure(part: str, options: argparse.Namespace) -> Cost:
    """Measure the site without a part; "" for all parts."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneyard-ablate-")))
        site = AblatedSite(folder, **{VARIABLE: part})
        with pinned_to_core(SERVERS):
            site.start()
        stack.callback(site.stop)
        stack.enter_context(pinned_to_core(PLAYERS))
        measurements = Measurements()
        run = LoadRun(options, [site], measurements)
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            asyncio.run(run.run())
        if measurements.faults:
            sys.exit(f"without {part or 'nothing'}: {measurements.faults}\n{site.log_text[-4000:]}")
        frames = measurements.frames + measurements.full_frames
        return Cost(1000 * run.usage.cpu / measurements.moves, statistics.fmean(frames))


def median(costs: Sequence[Cost]) -> Cost:
    return Cost(*map(statistics.median, zip(*costs, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement (10)")
    parser.add_argument("--runs", type=int, default=5, help="measurements of each variant (5)")
    parser.add_argument("--tables", type=int, default=10, help="tables of two (10)")
    parser.add_argument("--idle", type=int, default=200, help="sockets at a table without moves (200)")
    chosen = parser.parse_args()
    crowd = f"--tables {chosen.tables} --spectators 10 --idle {chosen.idle}"
    load = parse_options(None, f"--max --staying --seconds {chosen.seconds} {crowd}".split())
    costs: dict[str, list[Cost]] = {part: [] for part in ("", *PARTS)}
    for number in range(chosen.runs):
        for part, measured in costs.items():
            measured.append(measure(part, load))
            print(
                f"{number + 1}: {measured[-1].cpu:6.2f} without {part or 'nothing'}",
                file=sys.stderr,
                flush=True,
            )
    complete = median(costs.pop(""))
    print(f"{'with / without':24}{'CPU-ms a move':>20}{'saved':>8}{'bytes a push':>20}")
    for part, measured in costs.items():
        cpu, size = median(measured)
        saved = 1 - complete.cpu / cpu
        print(f"{part:24}{complete.cpu:11.2f} /{cpu:7.2f}{saved:8.0%}{complete.size:11.0f} /{size:7.0f}")


if __name__ == "__main__":
    if VARIABLE in os.environ:
        serve(os.environ[VARIABLE])
    else:
        main()
