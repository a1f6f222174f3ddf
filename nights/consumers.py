"""The sockets of a night's pages: each pushes its view after every change of the night."""

import asyncio
from functools import cached_property
from typing import Any

from live.consumers import PageConsumer
from live.fragments.page_state import PageState
from nights.fragments import FRAGMENTS, build_state
from nights.models import Entry, Night
from nights.requests import may_see

BOARD_SECONDS = 5.0  # between two pictures of the matches on a wall


class NightConsumer(PageConsumer):
    """A page of a night. The desk is a director's only, and a person's own page takes the personal link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._state: PageState | None = None
        self._board_timer: asyncio.TimerHandle | None = None

    @property
    def view(self) -> str:
        view: str = self.scope["url_route"]["kwargs"]["view"]
        return view

    @cached_property
    def _night(self) -> Night | None:
        return Night.objects.select_related("club").filter(code=self.code).first()

    @cached_property
    def _entry(self) -> Entry | None:
        """Return whose page this is: by the personal link, or on everybody's page by the reader's account."""
        if self._night is None or self.view not in ("me", "night"):
            return None
        if self.view == "night":
            user = self.scope["user"].pk
            return self._night.entries.filter(user=user).first() if user is not None else None
        secret = self.scope["url_route"]["kwargs"].get("secret", "")
        return self._night.entries.filter(secret=secret).first()

    def authorize(self) -> bool:
        if self._night is None or self.view not in FRAGMENTS:
            return False
        return self._is_open(self._night)

    def _is_open(self, night: Night) -> bool:
        """Return whether the reader may have this page of the night now: directors and members change."""
        if self.view == "desk":
            return night.is_directed_by(self.scope["user"].pk)
        if self.view == "me":
            return self._entry is not None
        return may_see(night, self.scope["user"], self.scope.get("cookies", {}))

    def groups(self) -> list[str]:
        assert self._night is not None
        return [self._night.group]

    async def push(self) -> None:
        """Push; a wall on which boards take turns does so again soon, as it does not follow each move."""
        await super().push()
        self._stop_timer()
        if self.view == "wall" and self._night is not None and not self._night.is_wood:
            self._board_timer = asyncio.get_running_loop().call_later(BOARD_SECONDS, self.request_push)

    def _stop_timer(self) -> None:
        if self._board_timer is not None:
            self._board_timer.cancel()
            self._board_timer = None

    async def _release(self) -> None:
        self._stop_timer()
        await super()._release()

    def render(self) -> str | None:
        full_requests = self.full_requests
        night = Night.objects.select_related("host", "club").filter(code=self.code).first()
        if night is None or not self._is_open(night):
            return None
        state = build_state(night, self.view, entry=self._entry, reader=self.scope["user"].pk)
        before = None if full_requests > self.full_answers else self._state
        self._state, self.full_answers = state, full_requests
        return (state.full_html() if before is None else state.diff_from(before)) or None
