"""Pages about people's matches: the profile and the archive."""

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import conduct, relations
from accounts.http import see_other
from accounts.models import Rating, RatingChange, User
from accounts.pools import POOLS
from games import pace, wording
from games.drawing.graphs import rating_graph
from games.forms import ArchiveForm, MatchesForm
from games.models import Match, Report
from games.past.results import listed
from games.past.search import Search, head_to_head, page_of_found, tally, unlisted
from games.services import talk

REPORTS = 10  # of one's own
GRAPHED = 200  # the latest changes of a pool
LEAST_GRAPHED = 3


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    form = ArchiveForm(request.GET)
    found = None
    if form.is_valid():
        found = page_of_found(Search(**form.cleaned_data), request.GET.get("after", ""))
    rows = [listed(match) for match in found.matches] if found else []
    context = {"form": form, "page": found, "rows": rows, "query": _query_without_page(request)}
    return render(request, "games/archive.html", context)


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    person = get_object_or_404(User, username__iexact=name, is_active=True)
    form = MatchesForm(request.GET)
    me = request.user
    asked = form.cleaned_data if form.is_valid() else {}
    search = Search(player=person.username, private=me == person, **asked)
    page = page_of_found(search, request.GET.get("after", ""))
    return render(
        request,
        "games/profile.html",
        {
            "person": person,
            "related": relations.kinds(me, person) if me.is_authenticated else set(),
            "sanctions": conduct.in_force(person) if me == person else [],
            "too_slow": pace.told(person) if me == person else "",
            "categories": Report.Category.choices,
            "reports": Report.objects.filter(reporter=me).order_by("-at")[:REPORTS] if me == person else [],
            "rated_games": _rated_games(person, me),
            "tally": tally(person),
            "head_to_head": head_to_head(me, person) if me.is_authenticated and me != person else None,
            "form": form,
            "page": page,
            "rows": [listed(match, person) for match in page.matches],
            "query": _query_without_page(request),
        },
    )


@require_POST
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Put a person before the moderators."""
    person = get_object_or_404(User, username__iexact=name, is_active=True)
    try:
        if not request.user.is_authenticated:
            raise talk.Unsaid("no_name")
        talk.report_person(
            person=person,
            user=request.user,
            category=request.POST.get("reason", ""),
            text=request.POST.get("text", ""),
            match=Match.objects.filter(code=request.POST.get("match", "")).first(),
        )
    except talk.Unsaid as unsaid:
        messages.error(request, wording.unsaid(unsaid.code))
    else:
        messages.success(request, wording.reported())
    return see_other("profile", name=person.username)


def _rated_games(person: User, viewer: User | AnonymousUser) -> list[dict]:
    """Each pool in which the person has been rated, with the graph and its table, the latest change first; the codes
    of private matches are for those who sat there."""
    titles = dict(POOLS)
    found = []
    for rating in Rating.objects.filter(user=person, matches__gt=0).order_by("-matches"):
        changes = list(RatingChange.objects.filter(rating=rating).order_by("-order")[:GRAPHED])
        hidden = unlisted([change.match_code for change in changes], viewer)
        points = [changes[-1].before, *(change.after for change in reversed(changes))] if changes else []
        title = titles[rating.pool]
        graph = ""
        if len(changes) >= LEAST_GRAPHED:
            label = _("Rating in %(game)s, match by match") % {"game": title}
            graph = rating_graph(points, rating.matches, label)
        found.append({"rating": rating, "title": title, "graph": graph, "changes": changes, "hidden": hidden})
    return found


def _query_without_page(request: HttpRequest) -> str:
    query = request.GET.copy()
    for name in ("after", "match"):
        query.pop(name, None)
    return query.urlencode()
