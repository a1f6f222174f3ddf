"""The match's socket: the same parts as the page, rendered for its own viewer whenever something changed."""

import time
from typing import Any

from django.template.loader import render_to_string
from django.utils import translation

from games.models import Match
from games.seats import seat_of
from games.services import connections
from games.table.readings import Reading, reading
from live.consumers import PageConsumer

TOGETHER = 0.25  # seconds
CLEAN = frozenset({1000, 1001})  # the page was closed, or left for another
RESTART = 1012


class MatchConsumer(PageConsumer):
    _shown: Reading | None = None

    @property
    def code(self) -> str:
        return self.scope["url_route"]["kwargs"]["code"]

    def groups(self) -> list[str]:
        return [f"match.{self.code}"]

    def arrive(self) -> bool:
        match = Match.objects.filter(code=self.code).first()
        if match is None:
            return False
        connections.opened(match=match, seat=seat_of(match, self.scope["user"]), channel=self.channel_name)
        return True

    def leave(self, code: int) -> None:
        # Those of a server that stops lapse like those of one that was killed: so the others know that it ended.
        if code != RESTART:
            connections.closed(channel=self.channel_name, clean=code in CLEAN)

    async def watchers_changed(self, message: dict[str, Any]) -> None:
        """A crowd comes and goes: the number alone is sent, and nothing is read for it."""
        with translation.override(self._language()):
            await self.send(
                render_to_string("games/_watchers.html", {"watchers": message["number"], "oob": True})
            )

    def first_push(self) -> float:
        """Those who come in the same moment are shown one reading."""
        return -time.monotonic() % TOGETHER

    def render(self) -> str:
        """The parts for this viewer, whose seat is looked up each time, as it may have been taken over."""
        self._shown = reading(self.code, version=self.told, since=self.since)
        self.version = self._shown.match.version
        return self._shown.parts_for(self.scope["user"])
