"""The profile and the archive of finished matches."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import conduct, relations
from accounts.models import MIN_COMPLETION_MATCHES, Rating, RatingChange, User
from core.http import get_text, see_other
from games import wording
from games.drawing.graphs import draw_rating_graph
from games.forms import ArchiveForm, MatchesForm
from games.models import Match, Report
from games.past.placement import find_placement
from games.past.results import MARKS, build_match_row
from games.past.search import Search, find_hidden_codes, search_page
from games.past.tallies import find_best_win, find_current_match, load_head_to_head, load_tally
from games.seats import get_visible_match
from games.services import talk
from games.time import pace

MAX_OWN_REPORTS = 10  # listed on the own profile
MAX_GRAPH_POINTS = 200  # rating changes
MIN_GRAPH_POINTS = 3


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    form = ArchiveForm(request.GET)
    page = None
    if form.is_valid():
        page = search_page(Search(**form.cleaned_data), request.GET.get("after", ""))
    rows = [build_match_row(match) for match in page.matches] if page else []
    empty_form = "" if request.GET else _render_empty_search()
    context = {"form": form, "page": page, "rows": rows, "query": _query_without_page(request)}
    return render(request, "games/archive.html", context | {"empty_form": empty_form})


# Cache: key the language; bound their number; invalidated by nothing.
@wording.cached_by_language
def _render_empty_search() -> str:
    return render_to_string("games/_search.html", {"form": ArchiveForm({})})


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    person = get_object_or_404(User, username__iexact=name, is_active=True)
    return _render_profile(request, person, {"match": request.GET.get("match", "")})


def _render_profile(
    request: HttpRequest, person: User, typed: Mapping[str, str], refusal: str = ""
) -> HttpResponse:
    """Render the profile, with what was `typed` in the form of a report and why that is refused."""
    form = MatchesForm(request.GET)
    me = request.user
    criteria = form.cleaned_data if form.is_valid() else {}
    search = Search(player=person.username, private=me == person, **criteria)
    page = search_page(search, request.GET.get("after", ""))
    ratings = list(Rating.objects.filter(user=person, matches__gt=0).order_by("-matches", "pool"))
    return render(
        request,
        "games/profile.html",
        {
            "person": person,
            "takes_challenges": relations.takes_challenges(person, me),
            "related": relations.kinds(me, person) if me.is_authenticated else set(),
            "sanctions": conduct.in_force(person) if me == person else [],
            "too_slow": pace.slow_play_warning(person) if me == person else "",
            "categories": Report.Category.choices,
            "reports": Report.objects.filter(reporter=me).order_by("-at")[:MAX_OWN_REPORTS]
            if me == person
            else [],
            "ratings": ratings,
            "placement": find_placement(person) if me == person and not ratings else None,
            "rated_game": _rating_context(ratings, request.GET.get("pool", ""), me),
            "completion": _completion(ratings),
            "tally": load_tally(person),
            "best_win": find_best_win(person),
            "form": form,
            "page": page,
            "rows": [build_match_row(match, person) for match in page.matches],
            "query": _query_without_page(request),
            "typed": typed,
            "refusal": refusal,
        }
        | _current_match_context(person)
        | _head_to_head_context(me, person),
        status=422 if refusal else 200,
    )


@require_POST
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Report a person to the moderators."""
    person = get_object_or_404(User, username__iexact=name, is_active=True)
    typed = {field: get_text(request.POST, field) for field in ("reason", "text", "match")}
    try:
        if not request.user.is_authenticated:
            raise talk.TalkRefused("no_name")
        talk.report_person(
            person=person,
            user=request.user,
            category=typed["reason"],
            text=typed["text"],
            match=_find_reported_match(typed["match"], request.user),
        )
    except talk.TalkRefused as refusal:
        said = wording.message_refusal(refusal.code)
        if request.user.is_authenticated and request.user != person:  # who have the form
            return _render_profile(request, person, typed, said)
        messages.error(request, said)
    else:
        messages.success(request, wording.report_confirmation())
    return see_other("profile", name=person.username)


def _find_reported_match(code: str, user: User) -> Match | None:
    """Return the match with a typed code, None for "". Raise `TalkRefused` if the user can know of none."""
    if not (code := code.strip().lower()):
        return None
    try:
        return get_visible_match(code, user)
    except Http404:
        raise talk.TalkRefused("no_such_match") from None


def _current_match_context(person: User) -> dict[str, Any]:
    """Return the public match that the person is playing, and the names of the other players."""
    match = find_current_match(person) if person.on_line else None
    if match is None:
        return {}
    others = [seat.display_name for seat in match.seats.all() if seat.user_id != person.pk]
    return {"at_table": match, "company": ", ".join(others)}


def _head_to_head_context(viewer: User | AnonymousUser, person: User) -> dict[str, Any]:
    """Return the viewer's results against the person, with marks of the last matches."""
    if not viewer.is_authenticated or viewer == person:
        return {}
    results = load_head_to_head(viewer, person)
    return {"head_to_head": results, "latest": [(mark, MARKS[mark]) for mark in results.latest]}


def _completion(ratings: Sequence[Rating]) -> int | None:
    """Return the percentage of the last rated matches of each pool that were finished, or None for too few."""
    finished = [is_finished for rating in ratings for is_finished in rating.finished]
    return round(100 * sum(finished) / len(finished)) if len(finished) >= MIN_COMPLETION_MATCHES else None


def _rating_context(
    ratings: Sequence[Rating], pool: str, viewer: User | AnonymousUser
) -> dict[str, Any] | None:
    """Return the rating in `pool`, or in the pool most played, with its graph and changes, newest first.

    The codes of private matches are hidden from viewers without a seat there.
    """
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
