"""What has to be done as time passes, gathered from all apps."""

from datetime import datetime, timedelta

from accounts import ranking
from games.referee import Duty, Referee
from lobbies.services import sweep


async def referee() -> None:
    """Until cancelled."""
    await Referee(duties=[sweep, Hourly(ranking.retire)]).run()


class Hourly:
    """Does a duty once an hour, and when the process begins."""

    def __init__(self, duty: Duty) -> None:
        self.duty = duty
        self._due: datetime | None = None

    def __call__(self, now: datetime) -> None:
        if self._due is None or now >= self._due:
            self._due = now + timedelta(hours=1)
            self.duty(now)
