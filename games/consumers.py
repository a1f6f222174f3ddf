"""The match's socket: the same parts as the page, rendered for its own viewer whenever something changed."""

from django.utils import timezone

from games import archive, connections
from games.models import Match
from games.seats import seat_of
from games.table import parts, table_for
from live.consumers import PageConsumer

CLEAN = frozenset({1000, 1001})  # the page went away by itself


class MatchConsumer(PageConsumer):
    def groups_of_page(self) -> list[str]:
        return [f"match.{self.code}"]

    @property
    def code(self) -> str:
        return self.scope["url_route"]["kwargs"]["code"]

    def opened(self) -> None:
        match = Match.objects.filter(code=self.code).first()
        if match is not None:
            seat = seat_of(match, self.scope["user"])
            connections.opened(match=match, seat=seat, channel=self.channel_name)

    def closed(self, code: int) -> None:
        connections.closed(channel=self.channel_name, clean=code in CLEAN)

    def render(self) -> tuple[int, str] | None:
        """The version shown and the parts for this viewer, whose seat is looked up anew each time."""
        match = Match.objects.filter(code=self.code).first()
        if match is None:
            return None
        user = self.scope["user"]
        seat = seat_of(match, user)
        table = table_for(match, archive.value_of(match), seat=seat, user=user, now=timezone.now())
        return match.version, parts(table)
