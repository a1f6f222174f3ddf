"""What has to be done as time passes, gathered from all apps."""

from games.referee import Referee
from lobbies.services import sweep


async def referee() -> None:
    """Until cancelled."""
    await Referee(duties=[sweep]).run()
