"""Periodic duties of all apps, run by the referee."""

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings

from accounts import conduct, ranking
from core.siblings import SIBLINGS
from dominoes_site import figures, parent, unconnected, upkeep, write_ahead
from dominoes_site.digest import send_digests
from dominoes_site.keeping import purge
from events.duties import keep_days
from events.services import has_unjudged, has_waiting_house
from games.referee import Duty, Referee
from games.services import hold_exhibition, rerating
from lobbies.services import sweep
from nights.services import keep_tables, remind
from notifications import mails, outbox
from notifications.duties import BackgroundDuty
from study import chain, peeks, puzzles
from study import services as study


async def referee() -> None:
    """Run the referee until cancelled; of several siblings the first has the duties of the site."""
    if SIBLINGS.number > 0:
        await Referee([unconnected.check, Periodic(figures.record, timedelta(minutes=1))]).run()
        return
    await Referee(
        duties=[
            sweep,
            unconnected.check,
            RECOMPUTE_RATINGS,
            ANALYSE,
            Periodic(ranking.retire_idle),
            Periodic(conduct.end_bans),
            Periodic(purge),
            Periodic(send_digests),
            Periodic(mails.send_mails),
            Periodic(BackgroundDuty(outbox.run), timedelta(seconds=2)),
            Periodic(figures.record, timedelta(minutes=1)),
            Periodic(write_ahead.check, timedelta(minutes=1)),
            Periodic(chain.publish),
            Periodic(BackgroundDuty(upkeep.look_at_certificate), timedelta(hours=12)),
            Periodic(upkeep.log_late_timers, timedelta(days=1)),
            COUNT_MATCHES,
            Periodic(hold_exhibition, timedelta(minutes=1)),
            Periodic(remind, timedelta(minutes=1)),
            keep_tables,
            Periodic(keep_days, timedelta(seconds=5)),
            Periodic(PLAY_HOUSE, timedelta(seconds=5)),
            Periodic(JUDGE_ENTRIES, timedelta(minutes=1)),
            Periodic(MAKE_PUZZLES),
            Periodic(SCORE_PEEKS, timedelta(minutes=10)),
        ]
    ).run()


class Periodic:
    """A duty that runs at the start of the process and then once per `interval`."""

    def __init__(self, duty: Duty, interval: timedelta = timedelta(hours=1)) -> None:
        self.duty = duty
        self.interval = interval
        self._due: datetime | None = None

    def __call__(self, now: datetime) -> None:
        if self._due is None or now >= self._due:
            self._due = now + self.interval
            self.duty(now)


class Subprocess:
    """A management command, started in a process of its own when it has work; `low_priority` sets its nice to 19."""

    def __init__(
        self, is_waiting: Callable[[datetime], bool], *command: str, low_priority: bool = False
    ) -> None:
        self._is_waiting = is_waiting
        self._command = command
        self._low_priority = low_priority
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, now: datetime) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        if self._is_waiting(now):
            command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *self._command]
            env = os.environ | {parent.PARENT_ID_VARIABLE: str(os.getpid())}
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=env)  # noqa: S603  fixed arguments
            if self._low_priority:
                # Set by the parent: the command itself could do so only after importing the site.
                os.setpriority(os.PRIO_PROCESS, self._process.pid, 19)


RECOMPUTE_RATINGS = Subprocess(rerating.has_pending, "recompute_ratings", "--waiting")
ANALYSE = Subprocess(study.has_waiting_analysis, "analyse", "--waiting", low_priority=True)
PLAY_HOUSE = Subprocess(has_waiting_house, "play_house_field", low_priority=True)
JUDGE_ENTRIES = Subprocess(has_unjudged, "judge_entries", low_priority=True)
MAKE_PUZZLES = Subprocess(puzzles.has_sources, "make_puzzles", low_priority=True)
SCORE_PEEKS = Subprocess(peeks.has_sources, "score_peeks", low_priority=True)
COUNT_MATCHES = Periodic(study.count_matches, timedelta(minutes=1))
