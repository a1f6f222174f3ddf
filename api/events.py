"""What concerns an account, as differences between what a stream has said and what is so."""

from typing import Any

from accounts.models import User
from boneyard.engine.matches import Match as Value
from core.json_schema import CODE, TEXT, WHOLE, either, exactly, one_of
from games import repository
from games.models import Match
from games.seats import find_running_seats
from lobbies.lists import find_challenges

Event = dict[str, Any]
EVENT_SCHEMA = either(
    exactly({"event": one_of("begun", "ended"), "match": CODE}),
    exactly({"event": one_of("turn"), "match": CODE, "version": WHOLE}),
    exactly({"event": one_of("challenge"), "table": CODE, "by": TEXT}),
)


class OwnEvents:
    """The events of one stream. An event has `event`: "begun", "turn", "ended" or "challenge"."""

    def __init__(self, user: User) -> None:
        self._user = user
        self._turns: dict[
            str, int
        ] = {}  # the version at which it was last one's turn, by match; -1 if it never was
        self._challenges: set[str] = set()

    def find_groups(self) -> set[str]:
        """Return the groups of the matches that the account plays."""
        return {f"match.{seat.match.code}" for seat in find_running_seats(self._user)}

    def find_news(self) -> list[Event]:
        """Return what has happened since the last call, at first all that is so."""
        return [*self._find_matches(), *self._find_ended(), *self._find_challenges()]

    def _find_matches(self) -> list[Event]:
        news: list[Event] = []
        for seat in find_running_seats(self._user):
            snapshot = repository.get_snapshot(seat.match.code)
            code, version = snapshot.match.code, snapshot.match.version
            if code not in self._turns:
                self._turns[code] = -1
                news.append({"event": "begun", "match": code})
            if _is_on_turn(snapshot.value, seat.position) and self._turns[code] != version:
                self._turns[code] = version
                news.append({"event": "turn", "match": code, "version": version})
        return news

    def _find_ended(self) -> list[Event]:
        ended = Match.objects.filter(code__in=self._turns).exclude(status=Match.Status.PLAYING)
        codes = list(ended.values_list("code", flat=True)) if self._turns else []
        for code in codes:
            del self._turns[code]
        return [{"event": "ended", "match": code} for code in codes]

    def _find_challenges(self) -> list[Event]:
        waiting = {place.code: place for place in find_challenges(self._user)}
        new = waiting.keys() - self._challenges
        self._challenges = set(waiting)
        return [{"event": "challenge", "table": code, "by": waiting[code].challenger} for code in sorted(new)]


def _is_on_turn(value: Value, position: int) -> bool:
    return value.result is None and value.turn == position
