"""Reserve due matches for the process whose referee computes the computer's answer; schedule the turn after it."""

from datetime import datetime

from games.locking import locked_match
from games.models import Match
from games.time import clocks


def acquire_lease(match: Match, seen_version: int, until: datetime) -> bool:
    """Reserve a due match for this process until `until`. Return False if another has it or a move was played."""
    updated = Match.objects.filter(
        pk=match.pk, version=seen_version, next_action_at=match.next_action_at, status=Match.Status.PLAYING
    ).update(next_action_at=until)
    return updated == 1


def decline_call(match: Match, seen_version: int) -> None:
    """Schedule the turn after the computers decided not to call muggins."""
    with locked_match(pk=match.pk) as (snapshot, now):
        row = snapshot.match
        if row.version == seen_version and row.playing and row.left_at is None:
            row.next_action_at = clocks.get_turn_action(snapshot, now)
            row.save(update_fields=["next_action_at"])
