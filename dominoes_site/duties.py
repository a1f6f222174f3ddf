"""What time decides, put together from all apps."""

from games.referee import Referee


async def referee() -> None:
    """Until cancelled."""
    await Referee().run()
