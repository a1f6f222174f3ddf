"""What is left of each budget: a burst, and what comes back each second.

The processes of one `serve` tell each other what is taken (live.bus), several times a second. What an address takes
meanwhile at several of them is owed: the budget falls below nothing, by what the others had, and is paid off first.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

from core.latest import LatestDict
from core.siblings import SIBLINGS
from live.bus import BUS, Bus

MAX_BUDGETS = 10_000
SHARE_SECONDS = 0.1
MAX_SHARED = 500  # budgets in one datagram
MIN_SHARED_PAGES = 0.01
NEWS = "spent"


class Payer(NamedTuple):
    """An address, or the session of somebody at a table; for what; and what that budget is, in costly pages."""

    name: str
    purpose: str
    most: float
    per_second: float = 10.0  # that come back


class Budget(NamedTuple):
    """What is left of a budget, in costly pages, at a time (time.monotonic)."""

    pages: float
    at: float


class Balances:
    """The budgets of this process."""

    def __init__(self, bus: Bus = BUS, processes: int = SIBLINGS.count) -> None:
        # Cache: key a payer; bound MAX_BUDGETS; an absent one is full.
        self._budgets: LatestDict[Payer, Budget] = LatestDict(MAX_BUDGETS)
        self._untold: Counter[Payer] = Counter()  # taken here since siblings were told
        self._bus, self._processes = bus, processes
        self._timer: asyncio.TimerHandle | None = None
        bus.listen(NEWS, self._take_for_siblings)

    def pay(self, payers: Sequence[Payer], pages: float, others: float = 0.0) -> bool:
        """Take `pages` from each budget, unless that leaves less than `others` need; return whether it was enough."""
        if any(self._refill(payer) < pages + others for payer in payers):
            return False
        self.give_back(payers, -pages)
        return True

    def give_back(self, payers: Sequence[Payer], pages: float) -> None:
        for payer in payers:
            self._take(payer, -pages)
            self._tell_soon(payer, -pages)

    def _refill(self, payer: Payer) -> float:
        now = monotonic()
        left, at = self._budgets.get(payer, (payer.most, now))
        return min(payer.most, left + (now - at) * payer.per_second)

    def _take(self, payer: Payer, pages: float) -> None:
        self._budgets[payer] = Budget(min(payer.most, self._refill(payer) - pages), monotonic())

    def _tell_soon(self, payer: Payer, pages: float) -> None:
        if not self._bus.has_siblings:
            return
        self._untold[payer] += pages  # type: ignore[assignment]  # a Counter of fractions
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SHARE_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        news = [[*payer, pages] for payer, pages in self._untold.items() if abs(pages) >= MIN_SHARED_PAGES]
        self._untold.clear()
        for start in range(0, len(news), MAX_SHARED):
            self._bus.tell(NEWS, news[start : start + MAX_SHARED])

    def _take_for_siblings(self, news: list[tuple[str, str, float, float, float]]) -> None:
        for *fields, pages in news:
            payer = Payer(*fields)  # type: ignore[arg-type]  # as JSON
            most_owed = payer.most * (self._processes - 1)
            self._take(payer, min(pages, self._refill(payer) + most_owed))
