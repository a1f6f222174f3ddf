"""Replays of finished matches, and the verification of their deals."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.checkpoint_key import get_verifier_key
from core.numbers import parse_whole_number
from games import repository
from games.models import Match, SealedSecret, Seat
from games.past.paging import paginate_by_key
from games.past.replay import build_replay
from games.seats import get_ended_match, seat_of, seats_with_users
from games.views.match import forbid_indexing

SEALS_PER_PAGE = 50


@require_safe
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """Show the match after `?move=N` moves, from the view of `?seat=N` or with all hands open."""
    match = get_ended_match(code)
    number = _parse_number(request, "move", match.version)
    seat = _parse_number(request, "seat", match.seats.count() - 1)
    reader = seat_of(match, request.user)
    position = build_replay(
        match, match.version if number is None else number, seat, reader.position if reader else None
    )
    return forbid_indexing(render(request, "games/replay.html", {"replay": position}), match)


def _parse_number(request: HttpRequest, name: str, maximum: int) -> int | None:
    """Return the query parameter as a number of at maximum `maximum`, or None if it is invalid."""
    number = parse_whole_number(request.GET.get(name, ""))
    return None if number is None else min(number, maximum)


@require_safe
def verify(request: HttpRequest, code: str) -> HttpResponse:
    match = get_ended_match(code)
    context = {"match": match, "rounds": repository.get_value(match).ended, "adding": _who_added(match)}
    return forbid_indexing(render(request, "games/verify.html", context), match)


def _who_added(match: Match) -> str:
    """Return who added to the shuffle: "all" players, all "people" beside computers, "some" people or "none".

    "" if the match does not say. Computers add nothing.
    """
    if match.commitments is None:
        return ""
    people = match.seats.exclude(kind=Seat.Kind.COMPUTER).values_list("position", flat=True)
    added = [match.commitments[position] is not None for position in people]
    if not added:
        return ""
    if all(added):
        return "all" if len(added) == len(match.commitments) else "people"
    return "some" if any(added) else "none"


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    """Explain how deals are sealed, and list all seals with their matches, private ones without codes."""
    rows = SealedSecret.objects.defer("secret")
    sealed, following = paginate_by_key(rows, "sealed_at", request.GET.get("after", ""), SEALS_PER_PAGE)
    started = Match.objects.filter(code__in=[row.code for row in sealed]).prefetch_related(seats_with_users())
    # A table may have had several seals; its match was dealt under one of them.
    matches = {(match.code, match.seal): match for match in started}
    seals = [
        {
            "seal": row.seal,
            "at": row.sealed_at,
            "match": matches.get((row.code, row.seal)),
            # Codes of tables have no hyphen.
            "deals": row.code if "-" in row.code else "",
        }
        for row in sealed
    ]
    context = {"seals": seals, "following": following, "verifier_key": get_verifier_key()}
    return render(request, "games/fairness.html", context)
