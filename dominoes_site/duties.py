"""What time decides, put together from all apps."""

from games.referee import Referee
from lobbies import services as lobbies


async def referee() -> None:
    """Until cancelled."""
    await Referee(duties=[lobbies.sweep]).run()
