"""The sockets of a night's pages: each pushes its view after every change of the night."""

import asyncio
from functools import cached_property
from typing import Any

from django.utils import timezone

from live.consumers import PageConsumer
from live.fragments.page_state import PageState
from nights.fragments import FRAGMENTS, build_state
from nights.models import Entry, Night
from nights.requests import may_see
from nights.waiting import find_next_help

MARGIN_SECONDS = 0.2  # after the moment at which a page changes
BOARD_SECONDS = 5.0  # between two pictures of the matches on a wall


class NightConsumer(PageConsumer):
    """A page of a night. The desk is a director's only, and a person's own page takes the personal link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._state: PageState | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._seconds_to_push: float | None = None

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
        """Push, and again when time alone changes the page (`_find_seconds_to_push`)."""
        await super().push()
        self._stop_timer()
        if self._seconds_to_push is not None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds_to_push, self.request_push)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _find_seconds_to_push(self, night: Night) -> float | None:
        """Return after how many seconds the page changes without a change of the night; None if it does not.

        A wall on which boards take turns does not follow each move; a desk offers helpers and computers for seats that
        have been empty for a while.
        """
        if night.is_wood or not night.is_running:
            return None
        if self.view == "wall":
            return BOARD_SECONDS
        now = timezone.now()
        help_at = find_next_help(night, now) if self.view == "desk" else None
        return (help_at - now).total_seconds() + MARGIN_SECONDS if help_at else None

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
        self._seconds_to_push = self._find_seconds_to_push(night)
        return (state.full_html() if before is None else state.diff_from(before)) or None
