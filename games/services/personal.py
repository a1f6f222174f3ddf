"""Export, rename and delete the personal data of games."""

from typing import Any

from accounts.models import User
from games import repository, services
from games.models import Match, Report, Seat, SeatAddress, Talk, Vacation
from live.broadcast import broadcast_page_changed


def export(user: User) -> dict[str, Any]:
    """Return the user's matches (records if finished, else own moves), addresses, vacations, plans, talk, reports."""
    seats = Seat.objects.filter(user=user).select_related("match").order_by("match__started_at")
    return {
        "matches": [_match(seat) for seat in seats],
        "addresses": [
            {"match": row.code, "hashed_address": row.address, "at": row.at.isoformat()}
            for row in SeatAddress.objects.filter(user=user).order_by("pk")
        ],
        "vacations": [
            {"began_at": row.began_at.isoformat(), "ends_at": row.ends_at.isoformat()}
            for row in user.vacations.all()
        ],
        "conditional_moves": [
            {
                "match": row.match.code,
                "condition": row.condition,
                "move": row.move,
                "then": row.then.splitlines(),
            }
            for row in user.conditional_moves.select_related("match").order_by("pk")
        ],
        "talk": [
            {"match": line.match.code, "text": line.text, "at": line.at.isoformat()}
            for line in Talk.objects.filter(user=user).select_related("match")
        ],
        "reports": [
            {
                "match": report.match.code if report.match else None,
                "person": report.person.username if report.person else None,
                "category": report.category,
                "reason": report.reason,
                "at": report.at.isoformat(),
            }
            for report in Report.objects.filter(reporter=user).select_related("match", "person")
        ],
    }


def _match(seat: Seat) -> dict[str, Any]:
    match = seat.match
    if not match.playing and not match.concealed:
        return {"seat": seat.position, "record": repository.build_record(match)}
    moves = match.moves.filter(seat=seat.position).order_by("number").values_list("number", "text")
    return {"seat": seat.position, "match": match.code, "moves": [list(move) for move in moves]}


def rename(user: User) -> None:
    """Rename the seats and lines of somebody with a new name; who has signed up is no guest in running matches.

    In matches of a night people keep its names.
    """
    Seat.objects.filter(user=user, match__night="").update(name=user.username)
    Talk.objects.filter(user=user).update(name=user.username)
    running = Match.objects.filter(status=Match.Status.PLAYING, seats__user=user)
    if not user.is_guest:
        Seat.objects.filter(user=user, match__in=running).update(kind=Seat.Kind.PLAYER)
    for code in running.values_list("code", flat=True):
        broadcast_page_changed(f"match.{code}", "names")


def forget(user: User) -> None:
    """Leave running matches, so that nobody waits; remove the name from seats and lines, and the addresses."""
    # Ordered by key to avoid a deadlock of two people who leave the same matches.
    for match in Match.objects.filter(status=Match.Status.PLAYING, seats__user=user).order_by("pk"):
        services.leave(match=match, user=user)
    Seat.objects.filter(user=user).update(name="")
    SeatAddress.objects.filter(user=user).delete()
    Vacation.objects.filter(user=user).delete()
    user.conditional_moves.all().delete()
    Talk.objects.filter(user=user).update(name="", hidden=True)
