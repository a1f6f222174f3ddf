"""The socket of a leaderboard's page."""

from django.template.loader import render_to_string

from accounts import leaderboard
from accounts.pools import POOLS
from live.consumers import PageConsumer


class LeaderboardConsumer(PageConsumer):
    """A leaderboard with the viewer's own row, pushed after every rated match of its pool."""

    @property
    def pool(self) -> str:
        return self.scope["url_route"]["kwargs"]["pool"]

    def authorize(self) -> bool:
        return self.pool in dict(POOLS)

    def groups(self) -> list[str]:
        return [f"leaderboard.{self.pool}"]

    def render(self) -> str:
        user = self.scope["user"]
        page = leaderboard.page(self.pool, user if user.is_authenticated else None, self.query)
        return render_to_string("accounts/_leaderboard.html", {"page": page, "swap": True})
