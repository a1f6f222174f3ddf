"""What has to be done as time passes, gathered from all apps."""

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings

from accounts import conduct, ranking
from dominoes_site.keeping import purge
from games.referee import Duty, Referee
from games.services import rerating
from lobbies.services import sweep
from study import chain, puzzles
from study import services as study


async def referee() -> None:
    """Run the referee with these duties until cancelled."""
    await Referee(
        duties=[
            sweep,
            RECOMPUTING,
            ANALYSING,
            Regularly(ranking.retire),
            Regularly(conduct.end_bans),
            Regularly(purge),
            Regularly(chain.publish),
            COUNTING,
            Regularly(PUZZLING),
        ]
    ).run()


class Regularly:
    """Does a duty once an hour, or as often as told, and when the process begins."""

    def __init__(self, duty: Duty, every: timedelta = timedelta(hours=1)) -> None:
        self.duty = duty
        self.every = every
        self._due: datetime | None = None

    def __call__(self, now: datetime) -> None:
        if self._due is None or now >= self._due:
            self._due = now + self.every
            self.duty(now)


class Apart:
    """Starts a command in a process of its own when there is work for it, which would hold up the moves in this one.
    `behind`: at the lowest priority."""

    def __init__(self, is_waiting: Callable[[datetime], bool], *command: str, behind: bool = False) -> None:
        self._is_waiting = is_waiting
        self._command = command
        self._behind = behind
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, now: datetime) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        if self._is_waiting(now):
            command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *self._command]
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603  our own words
            if self._behind:
                # From here: until a command can say so itself, the site has been imported at its full priority.
                os.setpriority(os.PRIO_PROCESS, self._process.pid, 19)


RECOMPUTING = Apart(rerating.has_pending, "recompute_ratings", "--waiting")
ANALYSING = Apart(study.has_waiting_analysis, "analyse", "--waiting", behind=True)
PUZZLING = Apart(puzzles.has_sources, "make_puzzles", behind=True)
COUNTING = Regularly(study.count_matches, timedelta(minutes=1))
