"""What has to be done as time passes, gathered from all apps."""

from dominoes_site.keeping import purge_hourly
from games.referee import Referee
from lobbies.services import sweep


async def referee() -> None:
    """Until cancelled."""
    await Referee(duties=[sweep, purge_hourly]).run()
