"""Finished matches revisited: move by move, and their deals checked."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from core.numbers import parse_whole_number
from games import repository
from games.models import Match, SealedSecret
from games.past.paging import paginate_by_key
from games.past.replay import build_replay
from games.views.match import forbid_indexing

SEALS_PER_PAGE = 50


def _finished(code: str) -> Match:
    match = get_object_or_404(Match, code=code)
    if match.playing:
        raise Http404
    return match


@require_safe
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """The match after `?move=N` moves, as `?seat=N` knew it then, or with all hands open."""
    match = _finished(code)
    number = _number(request, "move", match.version)
    seat = _number(request, "seat", match.seats.count() - 1)
    shown = build_replay(match, match.version if number is None else number, seat)
    return forbid_indexing(render(request, "games/replay.html", {"replay": shown}), match)


def _number(request: HttpRequest, name: str, most: int) -> int | None:
    """The number asked for, at most `most`; None if it is not one."""
    number = parse_whole_number(request.GET.get(name, ""))
    return None if number is None else min(number, most)


@require_safe
def verify(request: HttpRequest, code: str) -> HttpResponse:
    match = _finished(code)
    shown = render(request, "games/verify.html", {"match": match, "rounds": repository.get_value(match).ended})
    return forbid_indexing(shown, match)


@require_safe
def fairness(request: HttpRequest) -> HttpResponse:
    """How deals are sealed, and every seal with what came of it; private matches without their codes."""
    rows = SealedSecret.objects.defer("secret")
    sealed, following = paginate_by_key(rows, "sealed_at", request.GET.get("after", ""), SEALS_PER_PAGE)
    begun = Match.objects.filter(code__in=[row.code for row in sealed]).prefetch_related("seats__user")
    matches = {match.code: match for match in begun}
    seals = [{"seal": row.seal, "at": row.sealed_at, "match": matches.get(row.code)} for row in sealed]
    return render(request, "games/fairness.html", {"seals": seals, "following": following})
