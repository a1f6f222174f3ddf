"""Pages about people's matches: the profile and the archive."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import conduct, relations
from accounts.models import Rating, RatingChange, User
from core.http import see_other
from games import pace, wording
from games.drawing.graphs import draw_rating_graph
from games.forms import ArchiveForm, MatchesForm
from games.models import Match, Report
from games.past.results import MARKS, build_match_row
from games.past.search import Search, find_hidden_codes, search_page
from games.past.tallies import find_best_win, find_current_match, load_head_to_head, load_tally
from games.services import talk

MAX_OWN_REPORTS = 10  # of one's own
MAX_GRAPH_POINTS = 200  # the latest changes of a pool
MIN_GRAPH_POINTS = 3


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    form = ArchiveForm(request.GET)
    found = None
    if form.is_valid():
        found = search_page(Search(**form.cleaned_data), request.GET.get("after", ""))
    rows = [build_match_row(match) for match in found.matches] if found else []
    context = {"form": form, "page": found, "rows": rows, "query": _query_without_page(request)}
    return render(request, "games/archive.html", context)


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    person = get_object_or_404(User, username__iexact=name, is_active=True)
    form = MatchesForm(request.GET)
    me = request.user
    asked = form.cleaned_data if form.is_valid() else {}
    search = Search(player=person.username, private=me == person, **asked)
    page = search_page(search, request.GET.get("after", ""))
    ratings = list(Rating.objects.filter(user=person, matches__gt=0).order_by("-matches", "pool"))
    return render(
        request,
        "games/profile.html",
        {
            "person": person,
            "related": relations.kinds(me, person) if me.is_authenticated else set(),
            "sanctions": conduct.in_force(person) if me == person else [],
            "too_slow": pace.slow_play_warning(person) if me == person else "",
            "categories": Report.Category.choices,
            "reports": Report.objects.filter(reporter=me).order_by("-at")[:MAX_OWN_REPORTS] if me == person else [],
            "ratings": ratings,
            "rated_game": _rated_game(ratings, request.GET.get("pool", ""), me),
            "completion": _completion(ratings),
            "tally": load_tally(person),
            "best_win": find_best_win(person),
            "form": form,
            "page": page,
            "rows": [build_match_row(match, person) for match in page.matches],
            "query": _query_without_page(request),
        }
        | _whereabouts(person)
        | _between(me, person),
    )


@require_POST
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Put a person before the moderators."""
    person = get_object_or_404(User, username__iexact=name, is_active=True)
    try:
        if not request.user.is_authenticated:
            raise talk.TalkRefused("no_name")
        talk.report_person(
            person=person,
            user=request.user,
            category=request.POST.get("reason", ""),
            text=request.POST.get("text", ""),
            match=Match.objects.filter(code=request.POST.get("match", "")).first(),
        )
    except talk.TalkRefused as unsaid:
        messages.error(request, wording.message_refusal(unsaid.code))
    else:
        messages.success(request, wording.report_confirmation())
    return see_other("profile", name=person.username)


def _whereabouts(person: User) -> dict[str, Any]:
    """The public table where somebody is playing now, if they are, and the names of the others there."""
    match = find_current_match(person) if person.on_line else None
    if match is None:
        return {}
    others = [seat.display_name for seat in match.seats.all() if seat.user_id != person.pk]
    return {"at_table": match, "company": ", ".join(others)}


def _between(viewer: User | AnonymousUser, person: User) -> dict[str, Any]:
    """What was between the viewer and somebody else, with the marks of the last matches."""
    if not viewer.is_authenticated or viewer == person:
        return {}
    between = load_head_to_head(viewer, person)
    return {"head_to_head": between, "latest": [(mark, MARKS[mark]) for mark in between.latest]}


def _completion(ratings: Sequence[Rating]) -> int | None:
    """Of a hundred recent rated matches, whatever the game, how many were played to their end."""
    recalled = sum(rating.recalled[1] for rating in ratings)
    return round(100 * sum(rating.recalled[0] for rating in ratings) / recalled) if recalled else None


def _rated_game(ratings: Sequence[Rating], pool: str, viewer: User | AnonymousUser) -> dict[str, Any] | None:
    """The rating in the pool asked for, or in the one most played, with the graph and its table, the latest change
    first; the codes of private matches are for those who sat there."""
    rating = next((each for each in ratings if each.pool == pool), next(iter(ratings), None))
    if rating is None:
        return None
    changes = list(RatingChange.objects.filter(rating=rating).order_by("-order")[:MAX_GRAPH_POINTS])
    hidden = find_hidden_codes([change.match_code for change in changes], viewer)
    graph = ""
    if len(changes) >= MIN_GRAPH_POINTS:
        points = [changes[-1].before, *(change.after for change in reversed(changes))]
        label = _("Rating in %(game)s, match by match") % {"game": rating.get_pool_display()}
        graph = draw_rating_graph(points, rating.matches, label)
    return {"rating": rating, "graph": graph, "changes": changes, "hidden": hidden}


def _query_without_page(request: HttpRequest) -> str:
    query = request.GET.copy()
    for name in ("after", "match"):
        query.pop(name, None)
    return query.urlencode()
