"""What concerns an account, as differences between what a stream has said and what is so."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from boneyard.engine.matches import Match as Value
from core.json_schema import CODE, TEXT, TRUTH, WHOLE, either, exactly, one_of
from games import repository
from games.models import Match, Seat
from games.seats import find_running_seats
from games.time.clocks import get_wait_end
from lobbies.lists import find_asking_tables
from lobbies.models import Sitting, Table

Event = dict[str, Any]
REMATCH_PERIOD = timedelta(minutes=10)  # after a match; later offers of a rematch are no events
_ASKED_BY = {"table": CODE, "by": TEXT, "rated": TRUTH}
_IS_BOT = {"bot": TRUTH}
EVENT_SCHEMA = either(
    exactly({"event": one_of("begun", "ended"), "match": CODE}),
    exactly({"event": one_of("turn", "wait_over"), "match": CODE, "version": WHOLE}),
    exactly({"event": one_of("challenge"), **_ASKED_BY}, _IS_BOT),
    exactly({"event": one_of("challenge_over"), "table": CODE, "how": one_of("declined", "withdrawn")}),
    exactly({"event": one_of("rematch"), "match": CODE, **_ASKED_BY}, _IS_BOT),
    exactly({"event": one_of("nonce"), "table": CODE}),
)


class OwnEvents:
    """The events of one stream; `EVENT_SCHEMA` has their kinds, docs/http.md what each means."""

    def __init__(self, user: User) -> None:
        self.user = user
        # The version at which it was last one's turn, by match; -1 if it never was.
        self._turns: dict[str, int] = {}
        self._waits: dict[str, datetime] = {}  # until when nobody moves, by match
        self._ended: dict[str, datetime] = self._load_ended()
        self._asking: set[str] = set()  # tables that ask the account
        self._asked: set[str] = set()  # tables at which it waits for somebody it has challenged
        self._nonces: set[str] = set()  # tables that wait for its nonce
        self.sittings: list[Sitting] = []

    def _load_ended(self) -> dict[str, datetime]:
        seats = Seat.objects.filter(user=self.user, match__ended_at__gt=timezone.now() - REMATCH_PERIOD)
        ended = seats.values_list("match__code", "match__ended_at")
        return {code: ended_at for code, ended_at in ended if ended_at is not None}

    @property
    def next_at(self) -> datetime | None:
        """Return when there is news though no message tells it: the next wait is over."""
        return min(self._waits.values(), default=None)

    def find_groups(self) -> set[str]:
        """Return the groups of the matches that the account plays, or has just played."""
        running = {seat.match.code for seat in find_running_seats(self.user)}
        return {f"match.{code}" for code in running | self._ended.keys()}

    def find_news(self) -> list[Event]:
        """Return what has happened since the last call, at first all that is so."""
        now = timezone.now()
        self.sittings = Sitting.objects.waiting(self.user.pk)
        return [
            *self._find_matches(now),
            *self._find_ended(now),
            *self._find_asking(),
            *self._find_answers(),
            *self._find_nonces(),
        ]

    def _find_matches(self, now: datetime) -> list[Event]:
        news: list[Event] = []
        # A wait is forgotten with its match: of one that the account has left, nothing would end it.
        waited, self._waits = self._waits, {}
        for seat in find_running_seats(self.user):
            snapshot = repository.get_snapshot(seat.match.code)
            code, version = snapshot.match.code, snapshot.match.version
            if code not in self._turns:
                self._turns[code] = -1
                news.append({"event": "begun", "match": code})
            if _is_on_turn(snapshot.value, seat.position) and self._turns[code] != version:
                self._turns[code] = version
                news.append({"event": "turn", "match": code, "version": version})
            wait_end = get_wait_end(snapshot.match, now)
            if wait_end is not None:
                self._waits[code] = wait_end
            elif code in waited:
                news.append({"event": "wait_over", "match": code, "version": version})
        return news

    def _find_ended(self, now: datetime) -> list[Event]:
        ended = Match.objects.filter(code__in=self._turns).exclude(status=Match.Status.PLAYING)
        codes = list(ended.values_list("code", flat=True)) if self._turns else []
        for code in codes:
            del self._turns[code]
            self._ended[code] = now
        self._ended = {code: at for code, at in self._ended.items() if at > now - REMATCH_PERIOD}
        return [{"event": "ended", "match": code} for code in codes]

    def _find_asking(self) -> list[Event]:
        asking = {table.code: table for table in find_asking_tables(self.user)}
        if self._ended:
            offered = Table.objects.filter(
                rematch_of__in=self._ended, status=Table.Status.OPEN, full_at=None
            ).select_related("host")
            asking |= {table.code: table for table in offered.exclude(sittings__user=self.user)}
        withdrawn = self._find_closed(self._asking - asking.keys())
        new = sorted(asking.keys() - self._asking)
        # One that is full, but not begun, may still be withdrawn.
        self._asking = (self._asking | asking.keys()) - withdrawn.keys() - self._find_begun(self._asking)
        over = ({"event": "challenge_over", "table": code, "how": "withdrawn"} for code in sorted(withdrawn))
        return [*over, *(_describe_asking(asking[code]) for code in new)]

    def _find_answers(self) -> list[Event]:
        """Return what became of the account's own challenges."""
        over = self._find_closed(self._asked)
        asked = {own.table.code for own in self.sittings if own.table.kept_for_id and own.position == 0}
        self._asked = (self._asked | asked) - over.keys() - self._find_begun(self._asked)
        return [{"event": "challenge_over", "table": code, "how": over[code]} for code in sorted(over)]

    def _find_nonces(self) -> list[Event]:
        waiting = {
            own.table.code
            for own in self.sittings
            if own.table.committed_at is not None and own.commitment and own.nonce is None
        }
        new = sorted(waiting - self._nonces)
        self._nonces = waiting
        return [{"event": "nonce", "table": code} for code in new]

    @staticmethod
    def _find_closed(codes: Iterable[str]) -> dict[str, str]:
        """Return how those of the tables ended that were closed before a match."""
        wanted = list(codes)
        closed = Table.objects.filter(code__in=wanted, status=Table.Status.CLOSED) if wanted else ()
        return {table.code: "declined" if table.declined_at else "withdrawn" for table in closed}

    @staticmethod
    def _find_begun(codes: Iterable[str]) -> set[str]:
        """Return those of the tables whose match has begun, or that were deleted."""
        wanted = set(codes)
        waiting = Table.objects.filter(~Q(status=Table.Status.STARTED), code__in=wanted) if wanted else ()
        return wanted - {table.code for table in waiting}


def _describe_asking(table: Table) -> Event:
    about: Event = (
        {"event": "rematch", "match": table.rematch_of} if table.rematch_of else {"event": "challenge"}
    )
    about |= {"table": table.code, "by": table.host.username, "rated": table.rated}
    return about | {"bot": True} if table.host.is_bot else about


def _is_on_turn(value: Value, position: int) -> bool:
    return value.result is None and value.turn == position
